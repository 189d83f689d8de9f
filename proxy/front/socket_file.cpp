#include "proxy/front/socket_file.hpp"

#include "proxy/upstream/unix_address.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace proxy::front {

namespace {

const sockaddr* generic(const sockaddr_un& place) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&place));
}

int open_socket() {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        throw std::system_error(errno, std::generic_category());
    }
    return fd;
}

// A socket whose listener has gone refuses connections.
bool is_abandoned(const sockaddr_un& place) {
    struct stat file {};

    if (::lstat(place.sun_path, &file) != 0 || !S_ISSOCK(file.st_mode)) {
        return false;
    }
    const int probe = open_socket();
    const bool refused =
        ::connect(probe, generic(place), sizeof place) != 0 && errno == ECONNREFUSED;
    ::close(probe);
    return refused;
}

} // namespace

socket_file::socket_file(std::string path) : path_(std::move(path)), fd_(open_socket()) {
    const auto place = upstream::unix_address(path_);
    const auto bind = [&] { return ::bind(fd_, generic(place), sizeof place) == 0 ? 0 : errno; };
    int fault = bind();
    if (fault == EADDRINUSE && is_abandoned(place)) {
        ::unlink(place.sun_path);
        fault = bind();
    }

    struct stat file {};

    if (fault == 0 && (::listen(fd_, SOMAXCONN) != 0 || ::lstat(place.sun_path, &file) != 0)) {
        fault = errno;
    }
    if (fault != 0) {
        ::close(fd_);
        throw std::system_error(fault, std::generic_category());
    }
    device_ = file.st_dev;
    inode_ = file.st_ino;
}

socket_file::~socket_file() {
    if (fd_ >= 0) {
        ::close(fd_);
    }

    struct stat file {};

    if (::lstat(path_.c_str(), &file) == 0 && file.st_dev == device_ && file.st_ino == inode_) {
        ::unlink(path_.c_str());
    }
}

int socket_file::release() {
    return std::exchange(fd_, -1);
}

} // namespace proxy::front
