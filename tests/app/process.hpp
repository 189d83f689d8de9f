// Runs the built binary as a process of its own: arguments, environment and input in; output,
// errors and the exit code out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace tests {

struct finished_process {
    int exit_code = -1; ///< 128 + signal if one ended it
    std::string out, err;
};

struct process_options {
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment; ///< all there is: nothing is inherited
    std::string input;
    bool out_is_closed = false; ///< nobody reads standard output
    std::string shell_setup;    ///< runs in a shell that then becomes the program: "ulimit -n 40"
};

/// A running `unscaffold`. It is killed with its owner.
class process {
  public:
    explicit process(const process_options& options);
    ~process();
    process(const process&) = delete;
    process& operator=(const process&) = delete;

    /// Reads standard error until it holds `part`; false if it ends before.
    bool wait_for_error(std::string_view part);

    /// The port behind the first "listening on http://127.0.0.1:"; 0 if the process ends before.
    std::uint16_t wait_for_port();

    /// What standard error held so far.
    const std::string& error_text() const { return err_; }

    void send_signal(int number) const;

    /// Memory that it holds, as the kernel counts it.
    std::size_t resident_bytes() const;

    pid_t pid() const { return pid_; }

    /// Writes the input, reads the outputs to their ends and waits.
    finished_process finish();

  private:
    pid_t pid_ = -1;
    int in_ = -1, out_fd_ = -1, err_fd_ = -1;
    std::string input_;
    std::string out_, err_;
};

/// Starts, feeds and waits.
finished_process run(std::vector<std::string> arguments, std::string input = {},
                     std::map<std::string, std::string> environment = {});

} // namespace tests
