// Every framing case over real sockets: refused, or forwarded in one way only, and nothing of it
// ever reaches another client. After each case a fresh client gets its own nonce back.
#include "proxy/front/framing_check.hpp"

#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/support/framing_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

// What a confused reader would take for a second request.
const std::string smuggled =
    "0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: a\r\nX-Nonce: smuggled\r\n\r\n";

// Answers each request with its nonce, and keeps all it was asked.
class nonce_upstream {
  public:
    nonce_upstream() : upstream_([this](wire& client, unsigned) { serve(client); }) {}

    std::uint16_t port() const { return upstream_.port(); }

    std::vector<wire::message> take_asked() {
        const std::lock_guard lock(mutex_);
        return std::exchange(asked_, {});
    }

  private:
    void serve(wire& client) {
        while (true) {
            auto asked = client.read_message();
            if (asked.head.empty()) {
                return;
            }
            const auto nonce = asked.header("x-nonce").value_or("none");
            {
                const std::lock_guard lock(mutex_);
                asked_.push_back(std::move(asked));
            }
            (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: " +
                                  std::to_string(nonce.size()) + "\r\n\r\n" + nonce);
        }
    }

    std::mutex mutex_;
    std::vector<wire::message> asked_;
    scripted_upstream upstream_;
};

class framing_run {
  public:
    explicit framing_run(std::uint16_t port) : proxy_(settings_for(port)) {}

    running_proxy& proxy() { return proxy_; }

    // A client that has nothing to do with what was sent before.
    void check_fresh_client() {
        const auto nonce = "nonce-" + std::to_string(++count_);
        auto client = proxy_.connect();
        client.send(request("GET", "/v1/mine", "X-Nonce: " + nonce + "\r\n"));
        const auto answer = client.read_message();
        BOOST_TEST(answer.status() == 200u);
        BOOST_TEST(answer.body == nonce);
        client.close();
    }

    unsigned fresh_clients() const { return count_; }

  private:
    running_proxy proxy_;
    unsigned count_ = 0;
};

// The requests of fresh clients are the only ones that may have come.
void check_only_fresh(const std::vector<wire::message>& asked) {
    for (const auto& each : asked) {
        BOOST_TEST(each.header("x-nonce").value_or("").starts_with("nonce-"), each.head);
    }
}

void check_refused_heads(const std::vector<::tests::refused_head>& rows) {
    nonce_upstream model;
    framing_run run(model.port());
    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.name) {
            auto client = run.proxy().connect();
            (void)client.try_send(row.bytes + smuggled);
            const auto answer = client.read_message();
            BOOST_TEST(answer.status() == row.status);
            BOOST_TEST(answer.header("connection").value_or("") == "close");
            BOOST_TEST(answer.body.starts_with(R"({"error":{"message":")"));
            BOOST_TEST(client.read_to_end() == ""); // one answer, then the end
            run.check_fresh_client();
            check_only_fresh(model.take_asked());
        }
    }
    BOOST_TEST(run.fresh_clients() == rows.size());
}

} // namespace

BOOST_AUTO_TEST_SUITE(framing_over_sockets)

BOOST_AUTO_TEST_CASE(requests_without_one_length_are_refused_and_poison_nobody) {
    check_refused_heads(::tests::doubtful_framing());
}

BOOST_AUTO_TEST_CASE(requests_of_doubtful_syntax_are_refused_and_poison_nobody) {
    check_refused_heads(::tests::doubtful_syntax());
}

BOOST_AUTO_TEST_CASE(honest_requests_go_up_once_with_one_length) {
    nonce_upstream model;
    framing_run run(model.port());
    for (const auto& row : ::tests::honest_heads()) {
        BOOST_TEST_CONTEXT(row.name) {
            auto client = run.proxy().connect();
            front::request_head head;
            BOOST_REQUIRE(!front::check_request_head(row.bytes, {}, head));
            const bool is_chunked = head.framing == upstream::framing::chunked;
            const bool has_body = is_chunked || head.content_length > 0;
            client.send(row.bytes);
            client.send(is_chunked ? "4\r\nbody\r\n0\r\n\r\n" : has_body ? "body" : "");
            BOOST_TEST(client.read_message().status() == 200u);
            const auto asked = model.take_asked();
            BOOST_REQUIRE_EQUAL(asked.size(), 1u);
            BOOST_TEST(asked[0].body == (has_body ? "body" : ""));
            BOOST_TEST(!asked[0].header("transfer-encoding"));
            BOOST_TEST(!asked[0].header("upgrade"));
            BOOST_TEST(asked[0].header("content-length").value_or("0") ==
                       std::to_string(asked[0].body.size()));
            run.check_fresh_client();
            (void)model.take_asked();
        }
    }
}

BOOST_AUTO_TEST_CASE(chunked_bodies_are_refused_or_go_up_with_one_length) {
    nonce_upstream model;
    framing_run run(model.port());
    const std::string head = "POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const auto& row : ::tests::bad_chunked_bodies()) {
        BOOST_TEST_CONTEXT(row.name) {
            auto client = run.proxy().connect();
            (void)client.try_send(head + row.bytes + smuggled);
            BOOST_TEST(client.read_message().status() == 400u);
            BOOST_TEST(client.read_to_end() == "");
            run.check_fresh_client();
            check_only_fresh(model.take_asked());
        }
    }
    for (const auto& row : ::tests::good_chunked_bodies()) {
        BOOST_TEST_CONTEXT(row.name) {
            auto client = run.proxy().connect();
            client.send(head + row.bytes);
            BOOST_TEST(client.read_message().status() == 200u);
            const auto asked = model.take_asked();
            BOOST_REQUIRE_EQUAL(asked.size(), 1u);
            BOOST_TEST(asked[0].body == row.data);
            BOOST_TEST(!asked[0].header("authorization"));
            BOOST_TEST(asked[0].head.find("evil") == std::string::npos);
            run.check_fresh_client();
            (void)model.take_asked();
        }
    }
}

BOOST_AUTO_TEST_CASE(hostile_answers_are_a_502_and_reach_nobody_else) {
    std::mutex mutex;
    std::string next;
    scripted_upstream model([&](wire& client, unsigned) {
        while (true) {
            const auto asked = client.read_message();
            if (asked.head.empty()) {
                return;
            }
            const auto nonce = asked.header("x-nonce");
            std::string answer;
            {
                const std::lock_guard lock(mutex);
                answer = next + "evil-bytes";
            }
            if (nonce) {
                answer = "HTTP/1.1 200 OK\r\ncontent-length: " + std::to_string(nonce->size()) +
                         "\r\n\r\n" + *nonce;
            }
            (void)client.try_send(answer);
        }
    });
    framing_run run(model.port());
    for (const auto& row : ::tests::bad_answer_heads()) {
        BOOST_TEST_CONTEXT(row.name) {
            {
                const std::lock_guard lock(mutex);
                next = row.bytes;
            }
            auto client = run.proxy().connect();
            client.send(chat_request());
            const auto answer = client.read_message();
            BOOST_TEST(answer.status() == 502u);
            BOOST_TEST(answer.whole);
            BOOST_TEST(answer.body.find("evil") == std::string::npos);
            run.check_fresh_client();
        }
    }
    BOOST_TEST(run.fresh_clients() >= 30u);
}

BOOST_AUTO_TEST_CASE(answers_with_bytes_behind_them_give_those_to_nobody) {
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"length and coding", "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: "
                              "chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"},
        {"equal lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok"},
        {"bytes behind a length", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"},
        {"bytes behind a chunked body",
         "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"},
        {"bytes behind no content", "HTTP/1.1 204 No Content\r\n\r\n"},
    };
    for (const auto& [name, bytes] : rows) {
        BOOST_TEST_CONTEXT(name) {
            scripted_upstream model([&](wire& client, unsigned) {
                while (true) {
                    const auto asked = client.read_message();
                    if (asked.head.empty()) {
                        return;
                    }
                    const auto nonce = asked.header("x-nonce");
                    (void)client.try_send(
                        nonce ? "HTTP/1.1 200 OK\r\ncontent-length: " +
                                    std::to_string(nonce->size()) + "\r\n\r\n" + *nonce
                              : bytes + "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
                }
            });
            framing_run run(model.port());
            auto client = run.proxy().connect();
            client.send(request("GET", "/v1/x"));
            BOOST_TEST(client.read_message().body == (name.ends_with("no content") ? "" : "ok"));
            run.check_fresh_client();
            BOOST_TEST(model.connections() == 2u);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
