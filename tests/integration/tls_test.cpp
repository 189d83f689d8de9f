// TLS on both sides over real sockets: who is trusted, what is spoken, and that an end by force
// never looks like an end.
#include "tests/integration/running_proxy.hpp"
#include "tests/integration/scripted_upstream.hpp"
#include "tests/integration/tls_peer.hpp"

#include <boost/test/unit_test.hpp>

#include <mutex>
#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::tests;

namespace {

const ::tests::authority& trusted() {
    static const ::tests::authority made;
    return made;
}

const ::tests::certificate_files& for_localhost() {
    static const auto made = trusted().issue("DNS:localhost");
    return made;
}

std::string stream(const std::string& events) {
    return std::string(stream_head) + chunk(events) + std::string(last_chunk);
}

std::string hello() {
    return content_event("Hello.") + finish_event() + std::string(done_event);
}

// What an upstream saw of its connections.
struct seen {
    std::mutex mutex;
    std::vector<std::string> names, protocols, versions;
    std::vector<bool> resumed;
};

// Serves one request for each connection with `answer`.
class tls_upstream {
  public:
    explicit tls_upstream(std::string answer, ::tests::certificate_files files = for_localhost(),
                          int most = 0, const std::string& alpn = "http/1.1", bool notify = true)
        : answer_(std::move(answer)), notify_(notify), peer_(tls_peer::server(files, alpn, most)),
          upstream_([this](wire& client, unsigned) { serve(client); }) {}

    std::uint16_t port() const { return upstream_.port(); }

    unsigned connections() const { return upstream_.connections(); }

    seen facts;

  private:
    // One connection after the other: they share a peer, and with it its session keys.
    void serve(wire& client) {
        const std::lock_guard lock(facts.mutex);
        if (!peer_->begin(client)) {
            return;
        }
        facts.names.push_back(peer_->asked_name());
        facts.protocols.push_back(peer_->protocol());
        facts.versions.push_back(peer_->version());
        facts.resumed.push_back(peer_->resumed());
        (void)peer_->read_until("]}");
        (void)peer_->send(answer_);
        if (notify_) {
            peer_->finish();
        }
    }

    std::string answer_;
    bool notify_;
    std::unique_ptr<tls_peer> peer_;
    scripted_upstream upstream_;
};

config::settings secure_settings(std::uint16_t port) {
    auto settings = settings_for(port);
    auto& upstream = settings.upstreams[0];
    upstream.secure = true;
    upstream.host = "localhost";
    upstream.authority = "localhost:" + std::to_string(port);
    upstream.tls.ca_file = trusted().file();
    return settings;
}

wire::message ask(running_proxy& proxy) {
    auto client = proxy.connect();
    client.send(chat_request());
    return client.read_message();
}

config::settings with_certificate(std::uint16_t port) {
    auto settings = settings_for(port);
    settings.tls.certificate = for_localhost().certificate;
    settings.tls.key = for_localhost().key;
    return settings;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tls_to_the_upstream)

BOOST_AUTO_TEST_CASE(a_stream_comes_through_with_name_protocol_and_version_as_agreed) {
    tls_upstream model(stream(hello()));
    running_proxy proxy(secure_settings(model.port()));
    const auto answer = ask(proxy);
    BOOST_TEST(answer.whole);
    BOOST_TEST(answer.body == hello());
    const std::lock_guard lock(model.facts.mutex);
    BOOST_TEST(model.facts.names.at(0) == "localhost");
    BOOST_TEST(model.facts.protocols.at(0) == "http/1.1");
    BOOST_TEST(model.facts.versions.at(0) == "TLSv1.3");
}

BOOST_AUTO_TEST_CASE(the_next_connection_resumes_the_session) {
    for (const int most : {0, 0x0303}) {
        tls_upstream model("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: "
                           "text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n" +
                               chunk(hello()) + std::string(last_chunk),
                           for_localhost(), most);
        running_proxy proxy(secure_settings(model.port()));
        BOOST_TEST(ask(proxy).body == hello());
        BOOST_TEST(ask(proxy).body == hello());
        const std::lock_guard lock(model.facts.mutex);
        BOOST_REQUIRE(model.facts.resumed.size() == 2u);
        BOOST_TEST(!model.facts.resumed[0]);
        BOOST_TEST(model.facts.resumed[1]);
    }
}

BOOST_AUTO_TEST_CASE(who_can_not_be_trusted_gets_no_request_and_answer_and_log_say_why) {
    const ::tests::authority unknown;

    const struct {
        const char* title;
        ::tests::certificate_files files;
        const char* reason;
        int most = 0;
    } rows[] = {
        {"another name", trusted().issue("DNS:example.org"), "ostname mismatch"},
        {"a wildcard inside a label", trusted().issue("DNS:local*"), "ostname mismatch"},
        {"an address, where a name was asked for", trusted().issue("IP:127.0.0.1"),
         "ostname mismatch"},
        {"expired", trusted().issue("DNS:localhost", -1), "certificate has expired"},
        {"of an unknown authority", unknown.issue("DNS:localhost"),
         "unable to get local issuer certificate"},
        {"TLS 1.1 at most", for_localhost(), "TLS handshake failed", 0x0302},
    };

    for (const auto& row : rows) {
        tls_upstream model(stream(hello()), row.files, row.most);
        running_proxy proxy(secure_settings(model.port()));
        const auto answer = ask(proxy);
        BOOST_TEST(answer.status() == 502u, row.title);
        BOOST_TEST(answer.body.find("upstream_unavailable") != std::string::npos, row.title);
        BOOST_TEST(answer.body.find(row.reason) != std::string::npos, answer.body);
        const auto logged = proxy.records(1)[0].reason;
        BOOST_TEST(logged.find(row.reason) != std::string::npos, row.title << ": " << logged);
    }
}

BOOST_AUTO_TEST_CASE(a_server_without_tls_is_no_upstream) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_some();
        (void)client.try_send("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
    running_proxy proxy(secure_settings(model.port()));
    BOOST_TEST(ask(proxy).status() == 502u);
}

BOOST_AUTO_TEST_CASE(a_handshake_that_stalls_ends_with_the_connect_limit) {
    scripted_upstream model([](wire& client, unsigned) { (void)client.wait_closed(); });
    auto settings = secure_settings(model.port());
    settings.upstreams[0].connect_timeout = std::chrono::milliseconds(300);
    running_proxy proxy(settings);
    const auto answer = ask(proxy);
    BOOST_TEST(answer.status() == 504u);
    BOOST_TEST(answer.body.find("upstream_timeout") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(trust_can_be_told_otherwise) {
    const auto elsewhere = trusted().issue("DNS:model.internal");
    const auto address = trusted().issue("IP:127.0.0.1");
    tls_upstream named(stream(hello()), elsewhere);
    auto settings = secure_settings(named.port());
    settings.upstreams[0].tls.server_name = "model.internal";
    running_proxy by_name(settings);
    BOOST_TEST(ask(by_name).body == hello());

    tls_upstream at_address(stream(hello()), address);
    settings = secure_settings(at_address.port());
    settings.upstreams[0].host = "127.0.0.1";
    running_proxy by_address(settings);
    BOOST_TEST(ask(by_address).body == hello());

    tls_upstream anybody(stream(hello()), trusted().issue("DNS:example.org", -1));
    settings = secure_settings(anybody.port());
    settings.upstreams[0].tls.verify = false;
    running_proxy blind(settings);
    BOOST_TEST(ask(blind).body == hello());
}

BOOST_AUTO_TEST_CASE(the_next_upstream_is_asked_when_the_first_is_not_trusted) {
    tls_upstream bad(stream(hello()), trusted().issue("DNS:example.org"));
    tls_upstream good(stream(hello()));
    auto settings = secure_settings(bad.port());
    settings.upstreams.push_back(secure_settings(good.port()).upstreams[0]);
    settings.upstreams[1].name = "second";
    running_proxy proxy(settings);
    BOOST_TEST(ask(proxy).body == hello());
    BOOST_TEST(proxy.records(1)[0].upstream == "second");
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_cut_does_not_end_a_body) {
    const std::string answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{}";
    tls_upstream whole(answer);
    running_proxy to_whole(secure_settings(whole.port()));
    BOOST_TEST(ask(to_whole).status() == 200u);
    tls_upstream cut(answer, for_localhost(), 0, "http/1.1", false);
    running_proxy to_cut(secure_settings(cut.port()));
    BOOST_TEST(ask(to_cut).status() == 502u);
}

BOOST_AUTO_TEST_CASE(large_bodies_go_both_ways) {
    std::string events;
    while (events.size() < 3'000'000) {
        events += content_event("word " + std::to_string(events.size()));
    }
    events += finish_event() + std::string(done_event);
    tls_upstream model(stream(events));
    running_proxy proxy(secure_settings(model.port()));
    auto client = proxy.connect();
    client.send(
        chat_request(R"({"model":"m","stream":true,"messages":[{"role":"user","content":")" +
                     std::string(20'000, 'x') + "\"}]}"));
    BOOST_TEST((client.read_message().body == events));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(tls_from_clients)

BOOST_AUTO_TEST_CASE(a_stream_is_served_and_the_connection_kept) {
    scripted_upstream model([](wire& client, unsigned) {
        while (!client.read_message().head.empty() && client.try_send(stream(hello()))) {
        }
    });
    running_proxy proxy(with_certificate(model.port()));
    for (const int most : {0, 0x0303}) {
        const auto client = tls_peer::client(trusted().file(), "http/1.1", most);
        const auto socket = proxy.connect();
        BOOST_REQUIRE(client->begin(socket));
        BOOST_TEST(client->protocol() == "http/1.1");
        for (int i = 0; i < 3; ++i) {
            BOOST_TEST(client->send(chat_request()));
            BOOST_TEST(client->read_until(last_chunk).find("Hello.") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_client_without_alpn_is_served_and_one_that_speaks_h2_only_is_not) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    running_proxy proxy(with_certificate(model.port()));
    const auto plain = tls_peer::client(trusted().file(), "");
    const auto first = proxy.connect();
    BOOST_TEST(plain->begin(first));
    const auto modern = tls_peer::client(trusted().file(), "h2");
    const auto second = proxy.connect();
    BOOST_TEST(!modern->begin(second));
    const auto old = tls_peer::client(trusted().file(), "http/1.1", 0x0302);
    const auto third = proxy.connect();
    BOOST_TEST(!old->begin(third));
}

BOOST_AUTO_TEST_CASE(a_client_without_tls_is_told_so_and_nothing_else) {
    running_proxy proxy(with_certificate(closed_port()));
    auto client = proxy.connect();
    client.send("GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n");
    const auto answer = client.read_message();
    BOOST_TEST(answer.status() == 400u);
    BOOST_TEST(answer.body.find("https") != std::string::npos);
    BOOST_TEST(client.read_to_end() == "");
    auto other = proxy.connect();
    other.send("EHLO a\r\n");
    BOOST_TEST(other.read_to_end().find("HTTP/") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(half_a_record_does_not_keep_a_connection_past_its_limits) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    auto settings = with_certificate(model.port());
    settings.timeouts.client_head = std::chrono::milliseconds(500);
    settings.timeouts.client_idle = std::chrono::milliseconds(500);
    running_proxy proxy(settings);
    const std::string_view half("\x16\x03\x01\x00\xc8\x01", 6);

    auto before = proxy.connect(); // its handshake
    before.send(half);
    BOOST_TEST(before.wait_closed().has_value());

    const auto client = tls_peer::client(trusted().file());
    auto kept = proxy.connect(); // its second request
    BOOST_REQUIRE(client->begin(kept));
    BOOST_TEST(client->send(request("GET", "/v1/models")));
    BOOST_TEST(client->read_until("ok").ends_with("ok"));
    kept.send({"\x17\x03\x03\x00\x40", 5});
    BOOST_TEST(kept.wait_closed().has_value());
}

BOOST_AUTO_TEST_CASE(an_answer_that_ends_the_connection_ends_it_orderly) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    running_proxy proxy(with_certificate(model.port()));
    for (const std::string& request : std::vector<std::string>{
             "GET /v1/models HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"}) {
        const auto client = tls_peer::client(trusted().file());
        const auto socket = proxy.connect();
        BOOST_REQUIRE(client->begin(socket));
        BOOST_TEST(client->send(request));
        BOOST_TEST(client->read_to_end().starts_with("HTTP/1.1 "));
        BOOST_TEST(client->ended_orderly());
    }
}

BOOST_AUTO_TEST_CASE(a_broken_answer_has_no_orderly_end) {
    scripted_upstream model([](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok");
    });
    running_proxy proxy(with_certificate(model.port()));
    const auto client = tls_peer::client(trusted().file());
    const auto socket = proxy.connect();
    BOOST_REQUIRE(client->begin(socket));
    BOOST_TEST(client->send("GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n"));
    (void)client->read_to_end();
    BOOST_TEST(!client->ended_orderly());
}

BOOST_AUTO_TEST_CASE(a_client_that_leaves_closes_the_upstream) {
    std::mutex mutex;
    std::optional<std::chrono::milliseconds> closed;
    {
        scripted_upstream model([&](wire& upstream, unsigned) {
            (void)upstream.read_message();
            (void)upstream.try_send(std::string(stream_head) + chunk(content_event("Hello.")));
            const auto waited = upstream.wait_closed();
            const std::lock_guard lock(mutex);
            closed = waited;
        });
        running_proxy proxy(with_certificate(model.port()));
        auto socket = proxy.connect();
        const auto client = tls_peer::client(trusted().file());
        BOOST_REQUIRE(client->begin(socket));
        BOOST_TEST(client->send(chat_request()));
        BOOST_TEST(client->read_until("Hello.").find("Hello.") != std::string::npos);
        socket.close();
    }
    BOOST_REQUIRE(closed.has_value());
}

BOOST_AUTO_TEST_CASE(a_slow_reader_gets_everything) {
    std::string events;
    while (events.size() < 2'000'000) {
        events += content_event("word " + std::to_string(events.size()));
    }
    events += finish_event() + std::string(done_event);
    scripted_upstream model([&](wire& client, unsigned) {
        (void)client.read_message();
        (void)client.try_send(std::string(stream_head) + chunk(events) + std::string(last_chunk));
    });
    running_proxy proxy(with_certificate(model.port()));
    const auto socket = proxy.connect(4'096);
    const auto client = tls_peer::client(trusted().file());
    BOOST_REQUIRE(client->begin(socket));
    BOOST_TEST(client->send(chat_request()));
    const auto got = client->read_until(last_chunk);
    BOOST_TEST(got.size() > events.size());
    BOOST_TEST(got.find("[DONE]") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
