// `serve` and `demo` as processes: what they say at start, how signals end them, taken ports.
#include "proxy/demo/model_server.hpp"

#include "tests/app/process.hpp"
#include "tests/support/raw_client.hpp"
#include "tests/support/sanitizers.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

/// A listening socket on a free loopback port that nobody else can have meanwhile.
class taken_port {
  public:
    taken_port() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof(address);
        BOOST_REQUIRE(::bind(fd_, any, size) == 0 && ::listen(fd_, 8) == 0);
        BOOST_REQUIRE(::getsockname(fd_, any, &size) == 0);
        port_ = ntohs(address.sin_port);
    }

    ~taken_port() { ::close(fd_); }

    taken_port(const taken_port&) = delete;
    taken_port& operator=(const taken_port&) = delete;

    /// Returns once somebody has connected; the connection waits, unanswered.
    void wait_for_connection() const {
        pollfd readable{fd_, POLLIN, 0};
        BOOST_REQUIRE(::poll(&readable, 1, 10'000) == 1);
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  private:
    int fd_;
    unsigned port_ = 0;
};

tests::process_options serve_options(std::vector<std::string> more = {}) {
    tests::process_options options;
    options.arguments = {"serve", "--listen",   "127.0.0.1:0",          "--threads",
                         "1",     "--upstream", "http://127.0.0.1:9/v1"};
    options.arguments.insert(options.arguments.end(), more.begin(), more.end());
    return options;
}

} // namespace

BOOST_AUTO_TEST_SUITE(serve_cli)

BOOST_AUTO_TEST_CASE(the_first_line_names_address_and_upstream) {
    tests::process process(serve_options({"--upstream", "http://127.0.0.1:10"}));
    BOOST_REQUIRE(process.wait_for_error("\n"));
    const std::string& line = process.error_text();
    BOOST_TEST(line.find("listening on http://127.0.0.1:") != std::string::npos, line);
    BOOST_TEST(line.find("listening on http://127.0.0.1:0,") == std::string::npos, line);
    BOOST_TEST(line.find("upstream http://127.0.0.1:9/v1, then http://127.0.0.1:10") !=
                   std::string::npos,
               line);
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_admin_listener_says_where_it_is_and_warns_beyond_loopback) {
    const struct {
        const char* listen;
        bool warned;
    } rows[] = {{"127.0.0.1:0", false}, {"0.0.0.0:0", true}};

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.listen) {
            tests::process process(serve_options({"--admin-listen", row.listen}));
            BOOST_REQUIRE(process.wait_for_error("admin listening on http://"));
            process.send_signal(SIGTERM);
            const tests::finished_process p = process.finish();
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST((p.err.find("reads the metrics") != std::string::npos) == row.warned, p.err);
            BOOST_TEST(p.err.find(std::string(row.listen) + "\n") == std::string::npos, p.err);
        }
    }
}

BOOST_AUTO_TEST_CASE(too_few_descriptors_for_all_streams_are_told_at_start) {
    const struct {
        unsigned allowed;
        bool warned;
    } rows[] = {{271, true}, {272, false}}; // 100 streams, 64 of the process, 8 of its thread

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.allowed) {
            auto options = serve_options();
            options.environment["UNSCAFFOLD_LIMITS_STREAMS"] = "100";
            options.shell_setup = "ulimit -n " + std::to_string(row.allowed);
            tests::process process(options);
            BOOST_REQUIRE(process.wait_for_error("listening on"));
            process.send_signal(SIGTERM);
            const tests::finished_process p = process.finish();
            BOOST_TEST((p.err.find("limits.streams 100 needs 272 file descriptors, the system "
                                   "allows 271") != std::string::npos) == row.warned,
                       p.err);
        }
    }
}

BOOST_AUTO_TEST_CASE(term_and_int_drain_and_exit_0) {
    for (const int signal : {SIGTERM, SIGINT}) {
        BOOST_TEST_CONTEXT(signal) {
            tests::process process(serve_options());
            BOOST_REQUIRE(process.wait_for_error("listening on"));
            process.send_signal(signal);
            const tests::finished_process p = process.finish();
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST(p.err.find("draining") != std::string::npos, p.err);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_second_signal_does_not_wait_for_the_streams) {
    const taken_port silent; // takes the connection and never answers
    tests::process_options options = serve_options();
    options.arguments[6] = "http://" + silent.address() + "/v1";
    tests::process process(options);
    const std::uint16_t port = process.wait_for_port();
    BOOST_REQUIRE(port != 0);
    tests::raw_client client(port);
    client.send(tests::post("/v1/chat/completions", tests::chat_body("m", true)));
    silent.wait_for_connection();
    process.send_signal(SIGTERM);
    BOOST_REQUIRE(process.wait_for_error("draining"));
    process.send_signal(SIGTERM);
    const tests::finished_process p = process.finish();
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.err.find("stopping at once") != std::string::npos, p.err);
    BOOST_TEST(p.err.find("outcome=") != std::string::npos, p.err);
}

BOOST_AUTO_TEST_CASE(the_memory_of_large_bodies_goes_back_to_the_system,
                     *boost::unit_test::enable_if<proxy::tests::plain_memory>()) {
    constexpr std::size_t mib = 1 << 20;
    tests::process proxy(serve_options());
    const auto port = proxy.wait_for_port();
    BOOST_REQUIRE(port != 0);
    tests::raw_client client(port);
    const auto ask = [&](std::size_t bytes) {
        client.send(tests::post("/v1/files", std::string(bytes, 'x')));
        BOOST_TEST(client.read_one().status == 502u); // nobody listens there
    };
    ask(1);
    const auto before = proxy.resident_bytes();
    BOOST_TEST(before > mib);
    for (int i = 0; i < 3; ++i) {
        ask(20 * mib);
    }
    ask(1); // behind it the last large one is let go
    BOOST_TEST(proxy.resident_bytes() < before + 4 * mib);
}

BOOST_AUTO_TEST_CASE(hup_is_answered_with_a_line_and_serving_goes_on) {
    tests::process process(serve_options());
    BOOST_REQUIRE(process.wait_for_error("listening on"));
    process.send_signal(SIGHUP);
    BOOST_REQUIRE(process.wait_for_error("reload is not supported yet"));
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_taken_port_exits_1_and_names_the_address) {
    const taken_port port;
    tests::process_options options = serve_options();
    options.arguments[2] = port.address();
    tests::process serve(options);
    const tests::finished_process p = serve.finish();
    BOOST_TEST(p.exit_code == 1);
    BOOST_TEST(p.err.find("can't listen on " + port.address() + ": Address already in use") !=
                   std::string::npos,
               p.err);

    tests::process admin(serve_options({"--admin-listen", port.address()}));
    const tests::finished_process a = admin.finish();
    BOOST_TEST(a.exit_code == 1);
    BOOST_TEST(a.err.find("can't listen on " + port.address()) != std::string::npos, a.err);

    const tests::finished_process demo =
        tests::run({"demo", "--listen", "127.0.0.1:0", "--model-listen", port.address()});
    BOOST_TEST(demo.exit_code == 1);
    BOOST_TEST(demo.err.find("can't listen on " + port.address()) != std::string::npos, demo.err);
}

BOOST_AUTO_TEST_CASE(demo_prints_both_addresses_and_a_call_to_try) {
    tests::process_options options;
    options.arguments = {"demo", "--listen", "127.0.0.1:0", "--model-listen", "127.0.0.1:0"};
    tests::process process(options);
    BOOST_REQUIRE(process.wait_for_error("/v1/models"));
    const std::string& text = process.error_text();
    BOOST_TEST(text.find("proxy           http://127.0.0.1:") != std::string::npos, text);
    BOOST_TEST(text.find("scripted model  http://127.0.0.1:") != std::string::npos, text);
    BOOST_TEST(text.find("curl -sN http://127.0.0.1:") != std::string::npos, text);
    BOOST_TEST(text.find("127.0.0.1:0/") == std::string::npos, text);
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(json_logs_begin_with_the_first_line) {
    tests::process process(serve_options({"--log-format", "json"}));
    BOOST_REQUIRE(process.wait_for_error("\n"));
    BOOST_TEST(process.error_text().starts_with("{\"time\":\""), process.error_text());
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_sidecar_file_serves_over_a_unix_socket_too) {
    proxy::demo::model_server model({});
    model.start();
    std::string folder = (std::filesystem::temp_directory_path() / "sidecar-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::string socket = folder + "/proxy.sock";
    tests::process_options options;
    options.arguments = {"serve",
                         "-c",
                         SOURCE_DIR "/conf/sidecar.yaml",
                         "--listen",
                         "unix:" + socket,
                         "--upstream",
                         "http://127.0.0.1:" + std::to_string(model.port()) + "/v1"};
    tests::process process(options);
    BOOST_REQUIRE(process.wait_for_error("listening on unix:" + socket));
    {
        tests::raw_client client(socket);
        client.send(
            tests::post("/v1/chat/completions", tests::chat_body("leak-hermes", true, true)));
        const std::string text = client.read_one().data();
        BOOST_TEST(text.find("tool_call") == std::string::npos, text);
        BOOST_TEST(text.find("data: [DONE]") != std::string::npos, text);
    }
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
    BOOST_TEST(!std::filesystem::exists(socket));
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(an_upstream_that_is_believed_blindly_is_said_at_every_start) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("unscaffold_blind_test_" + std::to_string(::getpid()) + ".yaml");
    std::ofstream(file)
        << "upstreams: [{base_url: https://127.0.0.1:9/v1, tls: {verify: false}}]\n";
    tests::process_options options;
    options.arguments = {"serve", "-c", file.string(), "--listen", "127.0.0.1:0"};
    tests::process process(options);
    BOOST_REQUIRE(process.wait_for_error("listening on"));
    BOOST_TEST(process.error_text().find("tls.verify is false") != std::string::npos,
               process.error_text());
    process.send_signal(SIGTERM);
    BOOST_TEST(process.finish().exit_code == 0);
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_SUITE_END()
