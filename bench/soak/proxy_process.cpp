#include "bench/soak/proxy_process.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench::soak {

namespace {

std::string make_directory() {
    auto name = (std::filesystem::temp_directory_path() / "unscaffold-soak-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no directory for the configuration: " + name);
    }
    return name;
}

} // namespace

std::string configuration(const proxy_options& options) {
    const auto limit = std::to_string(options.limit_ms) + "ms\n";
    return "listen: 127.0.0.1:" + std::to_string(options.port) +
           "\nthreads: " + std::to_string(options.threads) +
           "\nupstreams:\n  - name: main\n    base_url: http://127.0.0.1:" +
           std::to_string(options.upstream_port) + "/v1\n    first_byte_timeout: " + limit +
           "    idle_timeout: " + limit +
           "    connect_timeout: 1s\n    pool_idle_timeout: 1s\n"
           "recovery: {budget_ratio: 1, keepalive: 1s}\n"
           "limits: {body: " +
           std::to_string(body_limit) + ", event: " + std::to_string(event_limit) +
           "}\ntimeouts:\n  client_head: " + limit + "  client_body: " + limit +
           "  client_write: " + limit +
           "  client_idle: 20s\n  drain: " + std::to_string(drain_limit_ms) +
           "ms\nlog: {format: json}\n";
}

proxy_process::proxy_process(const proxy_options& options,
                             std::function<void(std::string_view)> take_line)
    : take_line_(std::move(take_line)), directory_(make_directory()) {
    std::ofstream(directory_ + "/soak.yaml") << configuration(options);
    start(options);
    reader_ = std::thread([this] { read_log(); });
    while (port_ == 0 && !ended_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (port_ == 0) {
        reader_.join();
        wait();
        std::filesystem::remove_all(directory_);
        throw std::runtime_error(options.binary + " did not start");
    }
}

proxy_process::~proxy_process() {
    if (exit_code_ < 0) {
        kill();
    }
    wait();
    reader_.join();
    std::filesystem::remove_all(directory_);
}

void proxy_process::start(const proxy_options& options) {
    auto ends = std::array<int, 2>{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    log_ = fd{ends[0]};
    const auto writer = fd{ends[1]};
    const auto file = directory_ + "/soak.yaml";
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a run that is killed leaves nobody behind
        ::dup2(ends[1], STDERR_FILENO);
        ::execl(options.binary.c_str(), options.binary.c_str(), "serve", "-c", file.c_str(),
                nullptr);
        ::_exit(127);
    }
    if (pid_ < 0) {
        throw std::runtime_error("can't start " + options.binary);
    }
}

void proxy_process::read_log() {
    constexpr std::string_view listening = "listening on http://127.0.0.1:";
    auto buffer = std::array<char, 65'536>{};
    auto text = std::string{};
    auto got = ssize_t{0};
    while ((got = ::read(log_.get(), buffer.data(), buffer.size())) > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
        auto begin = std::size_t{0};
        for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
            const auto line = std::string_view(text).substr(begin, end - begin);
            begin = end + 1;
            if (const auto at = line.find(listening); at != std::string_view::npos) {
                auto port = std::uint16_t{0};
                std::from_chars(line.data() + at + listening.size(), line.data() + line.size(),
                                port);
                port_ = port;
            }
            take_line_(line);
        }
        text.erase(0, begin);
    }
    ended_ = true;
}

void proxy_process::drain() const {
    ::kill(pid_, SIGTERM);
}

void proxy_process::kill() const {
    ::kill(pid_, SIGKILL);
}

bool proxy_process::take_status(int options) {
    auto status = 0;
    if (exit_code_ < 0 && ::waitpid(pid_, &status, options) == pid_) {
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return exit_code_ >= 0;
}

bool proxy_process::ended() {
    return take_status(WNOHANG);
}

int proxy_process::wait() {
    take_status(0);
    return exit_code_;
}

std::uint64_t proxy_process::resident_bytes() const {
    auto pages = std::uint64_t{0};
    auto size = std::uint64_t{0};
    std::ifstream("/proc/" + std::to_string(pid_) + "/statm") >> size >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t proxy_process::descriptors() const {
    auto error = std::error_code{};
    const auto place = "/proc/" + std::to_string(pid_) + "/fd";
    const auto all = std::filesystem::directory_iterator(place, error);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

} // namespace bench::soak
