// Secrets planted in headers, in the configuration, in the request's body and inside a span: none
// of them may stand in any line of the log, at any level and in either format.
#include "proxy/demo/answers.hpp"
#include "proxy/demo/model_server.hpp"

#include "tests/app/process.hpp"
#include "tests/support/raw_client.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace proxy;

namespace {

const std::vector<std::string> secrets{
    "planted-bearer-1",  "planted-api-key-2",  "planted-x-api-key-3", "planted-cookie-4",
    "planted-own-key-5", "planted-prompt-6",   "planted-answer-7",    "planted-header-8",
    "planted-query-9",   "sk-planted10abcdef", "planted-proxy-11",    "planted-cookie-12",
};

/// A model that repeats what it was told: in a call, where the log shows it, and in its text.
demo::script talkative() {
    std::string arguments;
    for (const int i : {0, 1, 2, 3, 4, 9, 10, 11}) { // what is a credential, or looks like one
        arguments += " " + secrets[static_cast<std::size_t>(i)];
    }
    const std::string call = "<tool_call>{\"name\": \"lookup_tide\", \"arguments\": {\"port\": \"" +
                             arguments + "\"}}</tool_call>";
    demo::script out{"talkative", "repeats secrets", {}};
    out.answers.push_back(
        demo::make_answer("talkative", {"planted-answer-7 " + call, 5, {}, "", ""}));
    return out;
}

std::string extra_headers() {
    return "authorization: Bearer planted-bearer-1\r\napi-key: planted-api-key-2\r\n"
           "x-api-key: planted-x-api-key-3\r\ncookie: a=planted-cookie-4; "
           "b=\"planted-cookie-12\"\r\n"
           "x-other: planted-header-8\r\nproxy-authorization: Basic planted-proxy-11\r\n"
           "connection: close\r\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(secrets_in_the_log)

BOOST_AUTO_TEST_CASE(no_planted_secret_stands_in_any_line) {
    demo::model_options model_options;
    model_options.scripts = {talkative()};
    demo::model_server model(std::move(model_options));
    model.start();
    const auto path = std::filesystem::temp_directory_path() /
                      ("unscaffold_secrets_test_" + std::to_string(::getpid()) + ".yaml");
    std::ofstream(path)
        << "listen: 127.0.0.1:0\nthreads: 1\nupstreams:\n  - base_url: http://127.0.0.1:"
        << model.port() << "/v1\n    api_key: planted-own-key-5\n";
    for (const char* format : {"text", "json"}) {
        BOOST_TEST_CONTEXT(format) {
            tests::process_options options;
            options.arguments = {"-c",    path.string(),  "--log-level",
                                 "trace", "--log-format", format};
            tests::process process(options);
            const std::uint16_t port = process.wait_for_port();
            BOOST_REQUIRE(port != 0);
            tests::raw_client client(port);
            client.send(tests::post(
                "/v1/chat/completions?key=planted-query-9",
                tests::chat_body("talkative", true, true, ",\"user\":\"planted-prompt-6\""),
                extra_headers()));
            const std::string answer = client.read_response().data();
            BOOST_TEST(answer.find("[DONE]") != std::string::npos, answer);
            BOOST_TEST(answer.find("tool_call>") == std::string::npos, answer);
            process.send_signal(SIGTERM);
            const tests::finished_process p = process.finish();
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST(p.err.find("stripped span") != std::string::npos, p.err);
            BOOST_TEST(p.err.find("***") != std::string::npos, p.err);
            for (const std::string& secret : secrets) {
                BOOST_TEST(p.err.find(secret) == std::string::npos, secret << " in " << p.err);
            }
            BOOST_TEST(p.err.find("planted") == std::string::npos, p.err);
            BOOST_TEST(p.out == "");
        }
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_SUITE_END()
