// The program as a process short of something: descriptors, memory, a reader of its log, time to
// end in; and what it holds for clients that do not read.
#include "tests/app/process.hpp"
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/waiting_streams.hpp"
#include "tests/support/sanitizers.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <list>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace proxy;
using namespace proxy::tests;
using std::chrono::milliseconds;
using ::tests::process;

namespace {

::tests::process_options serving(const scripted_upstream& model, const std::string& setup = "",
                                 const std::string& listen = "127.0.0.1:0") {
    ::tests::process_options options;
    options.arguments = {"serve",
                         "--listen",
                         listen,
                         "--threads",
                         "1",
                         "--upstream",
                         "http://127.0.0.1:" + std::to_string(model.port())};
    options.shell_setup = setup;
    return options;
}

template <class Condition>
void await(Condition holds) {
    const auto end = std::chrono::steady_clock::now() + wire::patience;
    while (!holds()) {
        BOOST_REQUIRE((std::chrono::steady_clock::now() < end));
        std::this_thread::yield();
    }
}

std::string text_of(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::string proc(const process& program, const char* file) {
    return "/proc/" + std::to_string(program.pid()) + "/" + file;
}

std::size_t descriptors(const process& program) {
    const std::filesystem::directory_iterator all(proc(program, "fd"));
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// User and system time so far.
milliseconds processor_time(const process& program) {
    const auto text = text_of(proc(program, "stat"));
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) {
        fields >> skipped;
    }
    long user = 0, system = 0;
    fields >> user >> system;
    return milliseconds((user + system) * 1'000 / ::sysconf(_SC_CLK_TCK));
}

// Memory of its own that the process has touched, in bytes.
std::size_t own_memory(const process& program) {
    const auto text = text_of(proc(program, "status"));
    const std::string key = "RssAnon:";
    return std::stoul(text.substr(text.find(key) + key.size())) * 1'024;
}

bool takes_connections(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool taken =
        ::connect(fd, static_cast<sockaddr*>(static_cast<void*>(&address)), sizeof address) == 0;
    ::close(fd);
    return taken;
}

std::list<wire> connect_many(std::uint16_t port, std::size_t count, int receive_bytes = 0) {
    std::list<wire> out;
    while (out.size() < count) {
        out.push_back(connect_to(port, receive_bytes));
    }
    return out;
}

void open_streams(std::list<wire>& clients) {
    for (auto& client : clients) {
        client.send(chat_request());
    }
    for (auto& client : clients) {
        BOOST_TEST(client.read_until("one").ends_with("one"));
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(processes)

BOOST_AUTO_TEST_CASE(on_term_two_hundred_streams_finish_and_nobody_new_is_taken) {
    waiting_streams upstream;
    process program(serving(upstream.model()));
    const auto port = program.wait_for_port();
    auto clients = connect_many(port, 200);
    open_streams(clients);
    program.send_signal(SIGTERM);
    BOOST_REQUIRE(program.wait_for_error("draining"));
    await([&] { return !takes_connections(port); });
    upstream.go_on();
    std::size_t whole = 0;
    for (auto& client : clients) {
        const auto rest = client.read_to_end();
        whole += rest.find("two") != std::string::npos && rest.ends_with("0\r\n\r\n") &&
                 rest.find("\"error\"") == std::string::npos;
    }
    BOOST_TEST(whole == 200u);
    BOOST_TEST(program.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(streams_past_the_grace_time_end_loudly) {
    waiting_streams upstream;
    auto options = serving(upstream.model());
    options.environment["UNSCAFFOLD_TIMEOUTS_DRAIN"] = "300ms";
    process program(options);
    auto clients = connect_many(program.wait_for_port(), 20);
    open_streams(clients);
    program.send_signal(SIGTERM);
    std::size_t loud = 0;
    for (auto& client : clients) {
        const auto rest = client.read_to_end();
        loud += rest.find("\"code\":\"upstream_interrupted\"") != std::string::npos &&
                rest.find(done_event) != std::string::npos && rest.ends_with("0\r\n\r\n");
    }
    BOOST_TEST(loud == 20u);
    BOOST_TEST(program.finish().exit_code == 0);
    upstream.go_on();
}

BOOST_AUTO_TEST_CASE(without_descriptors_accepting_rests_and_recovers) {
    const scripted_upstream model(serve_ok);
    process program(serving(model, "ulimit -n 40"));
    const auto port = program.wait_for_port();
    auto clients = connect_many(port, 100);
    await([&] { return descriptors(program) >= 40; });
    const auto before = processor_time(program);
    BOOST_TEST(!clients.back().closed_within(milliseconds(1'000)));
    BOOST_TEST((processor_time(program) - before).count() < 100);
    // Who is connected is served as far as that needs no descriptor.
    clients.front().send(request("GET", "/.."));
    BOOST_TEST(clients.front().read_message().status() == 400u);
    clients.front().send(request("GET", "/v1/x"));
    BOOST_TEST(clients.front().read_message().status() == 503u);
    auto last = std::move(clients.back());
    clients.clear();
    last.send(request("GET", "/v1/x"));
    BOOST_TEST(last.read_message().body == "ok");
    program.send_signal(SIGTERM);
    last.close();
    BOOST_TEST(program.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_log_that_nobody_reads_costs_lines_and_no_request) {
    const scripted_upstream model(serve_ok);
    process program(serving(model));
    auto client = connect_to(program.wait_for_port());
    // A pipe holds 64 KiB, the queue 2,048 lines: far less than this.
    std::size_t answered = 0;
    for (int i = 0; i < 12'000; ++i) {
        client.send(request("GET", "/v1/x"));
        answered += client.read_message().body == "ok";
    }
    BOOST_TEST(answered == 12'000u);
    client.close();
    program.send_signal(SIGTERM);
    const auto ended = program.finish();
    BOOST_TEST(ended.exit_code == 0);
    BOOST_TEST(ended.err.find("log lines were lost") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_log_on_a_full_disk_costs_no_request) {
    const scripted_upstream model(serve_ok);
    // Bound and not listening: the port is nobody else's, and the program may bind it, too.
    const int reserved = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(reserved, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* place = static_cast<sockaddr*>(static_cast<void*>(&address));
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(reserved, place, size) == 0);
    BOOST_REQUIRE(::getsockname(reserved, place, &size) == 0);
    const auto port = ntohs(address.sin_port);
    process program(serving(model, "exec 2>/dev/full", "127.0.0.1:" + std::to_string(port)));
    await([&] { return takes_connections(port); });
    auto client = connect_to(port);
    for (int i = 0; i < 100; ++i) {
        client.send(request("GET", "/v1/x"));
        BOOST_TEST(client.read_message().body == "ok");
    }
    client.close();
    program.send_signal(SIGTERM);
    BOOST_TEST(program.finish().exit_code == 0);
    ::close(reserved);
}

BOOST_AUTO_TEST_CASE(without_memory_a_request_fails_and_the_program_lives,
                     *boost::unit_test::enable_if<plain_memory>()) {
    const scripted_upstream model(serve_ok);
    process program(serving(model, "ulimit -v 400000"));
    const auto port = program.wait_for_port();
    BOOST_REQUIRE(port != 0);
    // Ten bodies that do not fit together, none of them whole.
    const std::string head = "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 60000001\r\n\r\n";
    auto clients = connect_many(port, 10);
    std::size_t ended = 0;
    for (auto& client : clients) {
        ended += client.try_send(head + std::string(60'000'000, 'x')) &&
                         !client.closed_within(milliseconds(0))
                     ? 0
                     : 1;
    }
    BOOST_TEST(ended > 0u);
    clients.clear();
    auto client = connect_to(port);
    client.send(request("GET", "/v1/x"));
    BOOST_TEST(client.read_message().body == "ok");
    client.close();
    program.send_signal(SIGTERM);
    BOOST_TEST(program.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(without_memory_an_answer_fails_and_the_program_lives,
                     *boost::unit_test::enable_if<plain_memory>()) {
    // Ten answers that do not fit together, none of them whole.
    scripted_upstream model([](wire& client, unsigned) {
        const auto asked = client.read_message();
        if (asked.body.empty()) {
            return client.send(ok_answer);
        }
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                              "content-length: 60000001\r\n\r\n");
        (void)client.try_send(std::string(60'000'000, 'x'));
        (void)client.wait_closed();
    });
    process program(serving(model, "ulimit -v 400000"));
    const auto port = program.wait_for_port();
    auto clients = connect_many(port, 10);
    for (auto& client : clients) {
        client.send(chat_request(R"({"model":"m","messages":[]})"));
    }
    await([&] {
        return std::any_of(clients.begin(), clients.end(), [](const wire& client) {
            return client.closed_within(milliseconds(0));
        });
    });
    clients.clear();
    auto client = connect_to(port);
    client.send(request("GET", "/v1/x"));
    BOOST_TEST(client.read_message().body == "ok");
    client.close();
    program.send_signal(SIGTERM);
    const auto ended = program.finish();
    BOOST_TEST(ended.exit_code == 0);
    BOOST_TEST(ended.err.find("out of memory") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(clients_that_do_not_read_pause_the_upstream_and_cost_little,
                     *boost::unit_test::enable_if<plain_memory>()) {
    constexpr std::size_t count = 50;
    std::atomic<std::size_t> stuck = 0;
    std::atomic<std::size_t> sent = 0;
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        client.send(stream_head);
        const auto event = chunk(content_event(std::string(1'000, 'x')));
        const timeval soon{1, 0};
        ::setsockopt(client.fd(), SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
        std::size_t own = 0;
        while (own < (std::size_t{64} << 20) && client.try_send(event)) {
            own += event.size();
        }
        sent += own;
        ++stuck;
        (void)client.wait_closed();
    });
    process program(serving(model));
    auto clients = connect_many(program.wait_for_port(), count, 4'096);
    const auto before = own_memory(program);
    for (auto& client : clients) {
        client.send(chat_request());
    }
    await([&] { return stuck == count; });
    const auto each = (own_memory(program) - before) / count;
    BOOST_TEST_MESSAGE("held for each stream: " << each << " bytes");
    BOOST_TEST(each <= std::size_t{256} << 10);
    BOOST_TEST(sent / count < std::size_t{16} << 20); // what the sockets between hold
    clients.clear();
    program.send_signal(SIGTERM);
    BOOST_TEST(program.finish().exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
