#include "tests/app/process.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tests {

namespace {

struct pipe_ends {
    int read = -1, write = -1;
};

pipe_ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("pipe");
    }
    return {ends[0], ends[1]};
}

void close_end(int& fd) {
    if (fd >= 0) {
        ::close(fd);
        fd = -1;
    }
}

// Appends one read; false at the end.
bool read_some(int fd, std::string& to) {
    std::array<char, 65'536> block{};
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count > 0) {
        to.append(block.data(), static_cast<std::size_t>(count));
    }
    return count > 0;
}

} // namespace

process::process(const process_options& options) : input_(options.input) {
    std::signal(SIGPIPE, SIG_IGN); // the program may leave before it has read all of its input
    pipe_ends in = make_pipe(), out = make_pipe(), err = make_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
    std::vector<std::string> words{UNSCAFFOLD};
    if (!options.shell_setup.empty()) {
        words = {"/bin/sh", "-c", options.shell_setup + "; exec \"$0\" \"$@\"", UNSCAFFOLD};
    }
    words.insert(words.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> variables;
    for (const auto& [name, value] : options.environment) {
        variables.push_back(name + "=" + value);
    }
    std::vector<char*> argv, envp;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    for (std::string& variable : variables) {
        envp.push_back(variable.data());
    }
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    const int failed = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    close_end(in.read);
    close_end(out.write);
    close_end(err.write);
    in_ = in.write;
    out_fd_ = out.read;
    err_fd_ = err.read;
    if (failed != 0) {
        throw std::runtime_error(std::string("can't start ") + UNSCAFFOLD);
    }
    if (options.out_is_closed) {
        close_end(out_fd_);
    }
}

process::~process() {
    close_end(in_);
    close_end(out_fd_);
    close_end(err_fd_);
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

bool process::wait_for_error(std::string_view part) {
    while (err_.find(part) == std::string::npos) {
        if (!read_some(err_fd_, err_)) {
            return false;
        }
    }
    return true;
}

std::uint16_t process::wait_for_port() {
    const std::string_view before = "listening on http://127.0.0.1:";
    if (!wait_for_error(before) || !wait_for_error(",")) {
        return 0;
    }
    return static_cast<std::uint16_t>(std::stoul(err_.substr(err_.find(before) + before.size())));
}

std::size_t process::resident_bytes() const {
    std::size_t pages = 0;
    std::ifstream in("/proc/" + std::to_string(pid_) + "/statm");
    in >> pages >> pages; // the first number is the address space
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void process::send_signal(int number) const {
    ::kill(pid_, number);
}

finished_process process::finish() {
    if (in_ >= 0) {
        ::fcntl(in_, F_SETFL, O_NONBLOCK);
    }
    std::size_t written = 0;
    while (in_ >= 0 || out_fd_ >= 0 || err_fd_ >= 0) {
        if (in_ >= 0 && written == input_.size()) {
            close_end(in_);
            continue;
        }
        std::array<pollfd, 3> fds{pollfd{in_, POLLOUT, 0}, pollfd{out_fd_, POLLIN, 0},
                                  pollfd{err_fd_, POLLIN, 0}};
        ::poll(fds.data(), fds.size(), -1);
        if (fds[0].revents != 0) {
            const ssize_t count = ::write(in_, input_.data() + written, input_.size() - written);
            if (count < 0) {
                close_end(in_);
            } else {
                written += static_cast<std::size_t>(count);
            }
        }
        if (fds[1].revents != 0 && !read_some(out_fd_, out_)) {
            close_end(out_fd_);
        }
        if (fds[2].revents != 0 && !read_some(err_fd_, err_)) {
            close_end(err_fd_);
        }
    }
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), std::move(out_),
            std::move(err_)};
}

finished_process run(std::vector<std::string> arguments, std::string input,
                     std::map<std::string, std::string> environment) {
    process_options options;
    options.arguments = std::move(arguments);
    options.input = std::move(input);
    options.environment = std::move(environment);
    return process(options).finish();
}

} // namespace tests
