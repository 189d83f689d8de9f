#include "tests/support/raw_client.hpp"

#include "tests/support/client_view.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace tests {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void set_limit(int fd, std::chrono::milliseconds limit) {
    timeval value{};
    value.tv_sec = static_cast<time_t>(limit.count() / 1000);
    value.tv_usec = static_cast<suseconds_t>(limit.count() % 1000 * 1000);
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &value, sizeof value);
}

response split_response(std::string_view bytes) {
    response out;
    const auto head_end = bytes.find("\r\n\r\n");
    if (head_end == std::string_view::npos) {
        out.head = bytes;
        return out;
    }
    out.head = bytes.substr(0, head_end + 2);
    std::ranges::transform(out.head, out.head.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    out.status = static_cast<unsigned>(std::atoi(out.head.c_str() + out.head.find(' ')));
    out.body = bytes.substr(head_end + 4);
    return out;
}

/// True once the body is complete by its own framing.
bool complete(const response& got) {
    const auto length = got.header("content-length");
    if (!length.empty()) {
        return got.body.size() >= std::stoul(length);
    }
    return got.header("transfer-encoding") == "chunked" && dechunk(got.body).has_value();
}

} // namespace

std::string response::header(std::string_view name) const {
    const auto line = "\r\n" + std::string(name) + ": ";
    const auto found = head.find(line);
    if (found == std::string::npos) {
        return {};
    }
    const auto begin = found + line.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

std::string response::data() const {
    if (header("transfer-encoding") != "chunked") {
        return body;
    }
    auto data = dechunk(body);
    if (!data) {
        throw std::runtime_error("broken chunk framing");
    }
    return *data;
}

raw_client::raw_client(std::uint16_t port, std::chrono::milliseconds limit) {
    fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
        fail("connect");
    }
    set_limit(fd_, limit);
}

raw_client::raw_client(const std::string& path, std::chrono::milliseconds limit) {
    fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    path.copy(where.sun_path, sizeof where.sun_path - 1);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
        fail("connect");
    }
    set_limit(fd_, limit);
}

raw_client::~raw_client() {
    close();
}

void raw_client::close() {
    if (fd_ >= 0) {
        ::close(fd_);
        fd_ = -1;
    }
}

void raw_client::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            fail("send");
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

bool raw_client::read_some() {
    std::array<char, 65536> buffer{};
    const auto got = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (got > 0) {
        received_.append(buffer.data(), static_cast<std::size_t>(got));
        return true;
    }
    if (got < 0) {
        end_ = errno == EAGAIN ? stream_end::timeout : stream_end::rst;
    }
    return false;
}

std::string raw_client::read_until(std::string_view text) {
    while (received_.find(text) == std::string::npos) {
        if (!read_some()) {
            throw std::runtime_error("the connection ended before: " + std::string(text));
        }
    }
    return received_;
}

response raw_client::read_response() {
    while (read_some()) {
    }
    auto out = split_response(received_);
    out.end = end_;
    return out;
}

response raw_client::read_one() {
    read_until("\r\n\r\n");
    auto out = split_response(received_);
    while (!complete(out) && read_some()) {
        out = split_response(received_);
    }
    out.end = end_;
    received_.clear();
    return out;
}

std::string post(std::string_view target, std::string_view body, std::string_view extra) {
    return "POST " + std::string(target) + " HTTP/1.1\r\nhost: test\r\n" + std::string(extra) +
           "content-type: application/json\r\ncontent-length: " + std::to_string(body.size()) +
           "\r\n\r\n" + std::string(body);
}

std::string chat_body(std::string_view model, bool stream, bool tools, std::string_view more) {
    std::string out = R"({"model":")" + std::string(model) + R"(","stream":)";
    out += stream ? "true" : "false";
    out += R"(,"messages":[{"role":"system","content":"You are a harbour desk."},)";
    out += R"({"role":"user","content":"When is high water at Brest?"}])";
    if (tools) {
        out += R"(,"tools":[{"type":"function","function":{"name":"lookup_tide","parameters":)";
        out += R"({"type":"object","properties":{"port":{"type":"string"}}}}}])";
    }
    out += more;
    return out + "}";
}

} // namespace tests
