// The file of a listening unix socket: made, and removed again if it is still ours.
#pragma once

#include <string>
#include <sys/types.h>

namespace proxy::front {

class socket_file {
  public:
    /// Binds and listens, non-blocking. A socket that nobody listens to any more is replaced; any
    /// other file is left alone. Throws std::system_error if the path can't be had.
    explicit socket_file(std::string path);

    /// Removes the file, unless another process has put its own there.
    ~socket_file();
    socket_file(const socket_file&) = delete;
    socket_file& operator=(const socket_file&) = delete;

    /// Gives the listening descriptor away; the file stays until the end of this object.
    int release();

  private:
    std::string path_;
    int fd_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace proxy::front
