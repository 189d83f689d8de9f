// Unix sockets on both sides, and what becomes of their files.
#include "proxy/front/socket_file.hpp"

#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

using namespace proxy;
using namespace proxy::tests;

namespace {

namespace fs = std::filesystem;

struct folder {
    fs::path path;

    folder() {
        std::string name = (fs::temp_directory_path() / "sockets-XXXXXX").string();
        BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }

    ~folder() { fs::remove_all(path); }

    std::string file(const char* name) const { return (path / name).string(); }
};

int connect_fd(const std::string& path) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::memcpy(place.sun_path, path.c_str(), path.size() + 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* address = static_cast<const sockaddr*>(static_cast<const void*>(&place));
    if (::connect(fd, address, sizeof place) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

// A proxy on a unix socket in front of a model server over TCP.
config::settings on_socket(const std::string& path, std::uint16_t port) {
    auto settings = settings_for(port);
    settings.listen.path = path;
    return settings;
}

void answer_ok(wire& client) {
    while (!client.read_message().head.empty() &&
           client.try_send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")) {
    }
}

int error_of(const std::string& path) {
    try {
        const front::socket_file file(path);
    } catch (const std::system_error& error) {
        return error.code().value();
    }
    return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(unix_sockets)

BOOST_AUTO_TEST_CASE(clients_and_upstreams_may_be_on_them) {
    const folder here;
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send(
            std::string(stream_head) +
            chunk(content_event("Hello.") + finish_event() + std::string(done_event)) +
            std::string(last_chunk));
    });
    running_proxy inner(on_socket(here.file("inner.sock"), model.port()));
    auto settings = settings_for(1);
    settings.upstreams[0].socket = here.file("inner.sock");
    settings.upstreams[0].authority = "localhost";
    running_proxy outer(settings);
    auto client = outer.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body.find("Hello.") != std::string::npos);
    BOOST_TEST(answer.body.ends_with(done_event));
}

BOOST_AUTO_TEST_CASE(all_threads_take_connections_of_one) {
    const folder here;
    scripted_upstream model([](wire& client, unsigned) { answer_ok(client); });
    auto settings = on_socket(here.file("p.sock"), model.port());
    settings.threads = 3;
    running_proxy proxy(settings);
    for (int i = 0; i < 20; ++i) {
        wire client(connect_fd(here.file("p.sock")));
        client.send("GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n");
        BOOST_TEST(client.read_message().body == "ok");
    }
}

BOOST_AUTO_TEST_CASE(an_upstream_that_is_not_there_is_unavailable) {
    const folder here;
    auto settings = settings_for(1);
    settings.upstreams[0].socket = here.file("nobody.sock");
    running_proxy proxy(settings);
    auto client = proxy.connect();
    client.send(chat_request());
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 502u);
    BOOST_TEST(answer.body.find("upstream_unavailable") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_file_goes_with_its_listener) {
    const folder here;
    const auto path = here.file("p.sock");
    {
        running_proxy proxy(on_socket(path, closed_port()));
        BOOST_TEST(fs::is_socket(path));
    }
    BOOST_TEST(!fs::exists(path));
}

BOOST_AUTO_TEST_CASE(a_drained_listener_takes_no_more_and_removes_its_file) {
    const folder here;
    const auto path = here.file("p.sock");
    running_proxy proxy(on_socket(path, closed_port()));
    proxy.server().drain();
    proxy.server().join();
    BOOST_TEST(!fs::exists(path));
    BOOST_TEST(connect_fd(path) == -1);
}

BOOST_AUTO_TEST_CASE(who_had_connected_before_a_drain_is_answered) {
    const folder here;
    const auto path = here.file("p.sock");
    auto settings = on_socket(path, closed_port());
    settings.threads = 2;
    running_proxy proxy(settings);
    std::list<wire> clients;
    for (int i = 0; i < 60; ++i) {
        clients.emplace_back(connect_fd(path));
        clients.back().send(request("GET", "/v1/x"));
    }
    proxy.server().drain();
    std::size_t answered = 0;
    for (auto& client : clients) {
        answered += client.read_message().status() == 502u;
    }
    BOOST_TEST(answered == clients.size());
    proxy.server().join();
}

BOOST_AUTO_TEST_CASE(an_abandoned_file_is_replaced) {
    const folder here;
    const auto path = here.file("old.sock");
    {
        front::socket_file left(path);
        ::close(left.release());
        fs::rename(path, here.file("kept")); // so that its end does not remove it
    }
    fs::rename(here.file("kept"), path);
    BOOST_REQUIRE(fs::is_socket(path));
    BOOST_TEST(connect_fd(path) == -1);
    const front::socket_file file(path);
    const int fd = connect_fd(path);
    BOOST_TEST(fd >= 0);
    ::close(fd);
}

BOOST_AUTO_TEST_CASE(a_file_in_use_and_a_file_that_is_no_socket_are_left_alone) {
    const folder here;
    const front::socket_file living(here.file("living.sock"));
    BOOST_TEST(error_of(here.file("living.sock")) == EADDRINUSE);
    std::ofstream(here.file("text")) << "text";
    BOOST_TEST(error_of(here.file("text")) == EADDRINUSE);
    BOOST_TEST(fs::file_size(here.file("text")) == 4u);
    BOOST_TEST(error_of(here.file("no/such/folder.sock")) == ENOENT);
}

BOOST_AUTO_TEST_CASE(a_file_that_another_process_put_there_is_not_removed) {
    const folder here;
    const auto path = here.file("p.sock");
    auto first = std::make_unique<front::socket_file>(path);
    fs::remove(path);
    const front::socket_file second(path);
    first.reset();
    BOOST_TEST(fs::is_socket(path));
}

BOOST_AUTO_TEST_SUITE_END()
