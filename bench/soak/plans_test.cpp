// Plans, and the two recorders against each other: without a proxy between them the client must get
// what the model server wrote.
#include <boost/test/unit_test.hpp>

#include "bench/soak/client.hpp"
#include "bench/soak/composer.hpp"
#include "bench/soak/http_reader.hpp"
#include "bench/soak/model_server.hpp"
#include "bench/soak/nonce.hpp"
#include "bench/soak/plan.hpp"
#include "bench/soak/plan_rows.hpp"
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>

using namespace bench::soak;

namespace {

std::string wire_bytes(const script& of) {
    std::string bytes;
    for (const auto& step : of.steps) {
        bytes += step.bytes;
    }
    return bytes;
}

// The plan named `name`, as the first of a run that has it.
plan plan_named(std::string_view name) {
    for (std::uint64_t number = 0;; ++number) {
        auto made = make_plan(load_kind::chaos, 1, number);
        if (made.name == name) {
            return made;
        }
    }
}

// Runs it without a proxy and gives what was recorded once both sides have ended.
recording recorded(plan what) {
    ledger seen;
    registry exchanges(seen);
    model_server model(exchanges);
    const auto nonce = what.nonce;
    client worker(exchanges, model.port());
    worker.run({std::move(what)});
    const auto of = exchanges.find(nonce);
    constexpr std::int64_t overdue_ns = 1'000'000'000;
    const auto until = static_cast<std::int64_t>(bench::now_ns()) + 5 * overdue_ns;
    while (static_cast<std::int64_t>(bench::now_ns()) < until && model.connections() > 0 &&
           !of->is_ready(until + 2 * overdue_ns)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return of->take();
}

} // namespace

BOOST_AUTO_TEST_SUITE(soak_plans)

BOOST_AUTO_TEST_CASE(a_run_goes_through_all_its_plans_and_no_nonce_comes_twice) {
    for (const auto kind : {load_kind::soak, load_kind::chaos}) {
        std::set<std::string> names;
        std::set<std::string> nonces;
        constexpr std::uint64_t plans = 3'000;
        for (std::uint64_t number = 0; number < plans; ++number) {
            const auto made = make_plan(kind, 1, number);
            names.insert(made.name);
            nonces.insert(made.nonce);
        }
        BOOST_TEST(nonces.size() == plans);
        for (const auto& name : plan_names()) {
            BOOST_TEST(names.contains(name), name);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_drain_run_has_all_ordinary_plans_and_no_other) {
    std::set<std::string> names;
    std::set<std::string> ordinary;
    for (const auto& row : ordinary_rows()) {
        ordinary.emplace(row.name);
    }
    for (std::uint64_t number = 0; number < 200; ++number) {
        names.insert(make_plan(load_kind::drain, 1, number).name);
    }
    BOOST_TEST(names == ordinary, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_finds_nobody_listening_is_refused_and_done_with_at_once) {
    const auto reserved = bench::reserve_port();
    ledger seen;
    registry exchanges(seen);
    exchanges.drain();
    client worker(exchanges, bench::local_port(reserved));
    BOOST_TEST(!worker.run({make_plan(load_kind::drain, 1, 0)}));
    BOOST_TEST(exchanges.in_flight() == 0u);
    exchanges.check_ready(false);
    BOOST_TEST(exchanges.running() == 0u);
    BOOST_TEST(exchanges.counted().refused == 1u);
    BOOST_TEST(seen.broken() == 0u);
    exchanges.settle();
    BOOST_TEST(!worker.run({make_plan(load_kind::drain, 1, 1)}));
    exchanges.check_ready(false);
    BOOST_TEST(seen.broken(7) == 1u);
}

BOOST_AUTO_TEST_CASE(a_kept_connection_that_was_closed_is_not_used_again) {
    ledger seen;
    registry exchanges(seen);
    model_server model(exchanges);
    client worker(exchanges, model.port());
    BOOST_TEST(worker.run({plan_named("JSON")}));
    model.kill();
    while (model.connections() > 0) {
    }
    while (connect_to(model.port()).open()) {
    }
    model.revive();
    auto next = plan_named("JSON leak");
    next.client.fresh = false;
    const auto nonce = next.nonce;
    BOOST_TEST(worker.run({std::move(next)}));
    const auto of = exchanges.find(nonce);
    BOOST_REQUIRE(of != nullptr);
    BOOST_TEST((of->take().client.end == client_end::whole));
}

BOOST_AUTO_TEST_CASE(the_same_number_gives_the_same_plan) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        const auto one = make_plan(load_kind::chaos, 5, number);
        const auto other = make_plan(load_kind::chaos, 5, number);
        BOOST_TEST(one.request == other.request);
        BOOST_TEST(wire_bytes(one.answers[0]) == wire_bytes(other.answers[0]));
        BOOST_TEST(one.nonce != make_plan(load_kind::chaos, 6, number).nonce);
    }
}

BOOST_AUTO_TEST_CASE(requests_hold_their_nonce_and_the_planted_credentials) {
    for (std::uint64_t number = 0; number < 600; ++number) {
        const auto made = make_plan(load_kind::chaos, 1, number);
        BOOST_TEST_CONTEXT(made.name) {
            BOOST_TEST(first_nonce(made.request) == made.nonce);
            BOOST_TEST(foreign_nonce(made.request, made.nonce).empty());
            BOOST_TEST(made.request.find(planted_secret) != std::string::npos);
            for (const auto& answer : made.answers) {
                BOOST_TEST(foreign_nonce(wire_bytes(answer), made.nonce).empty());
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(ordinary_plans_are_whole_requests_with_whole_answers) {
    for (const auto& row : ordinary_rows()) {
        BOOST_TEST_CONTEXT(row.name) {
            composer with(make_nonce(3), 3);
            plan made;
            row.make(with, made);
            http_reader request(http_reader::kind::request);
            BOOST_TEST((request.feed(made.request) == http_reader::state::complete));
            http_reader answer(made.request.starts_with("HEAD") ? http_reader::kind::answer_to_head
                                                                : http_reader::kind::answer);
            BOOST_TEST((answer.feed(wire_bytes(made.answers[0])) == http_reader::state::complete));
            BOOST_TEST(answer.rest().empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(no_answer_takes_longer_than_a_drain_of_the_proxy) {
    for (std::uint64_t number = 0; number < 1'500; ++number) {
        const auto made = make_plan(load_kind::chaos, 1, number);
        unsigned pauses_ms = 0;
        for (const auto& step : made.answers[0].steps) {
            pauses_ms += step.ms;
        }
        BOOST_TEST(pauses_ms <= 10'000u, made.name);
    }
}

BOOST_AUTO_TEST_CASE(without_a_proxy_the_client_gets_what_the_server_wrote) {
    for (const auto* name : {"clean", "leak", "JSON", "passed GET", "passed HEAD",
                             "many events at once", "uploads in chunks", "completion"}) {
        BOOST_TEST_CONTEXT(name) {
            const auto made = plan_named(name);
            const auto seen = recorded(made);
            BOOST_TEST((seen.client.end == client_end::whole));
            BOOST_TEST(seen.client.status == 200);
            BOOST_REQUIRE(seen.attempts.size() == 1u);
            BOOST_TEST((seen.attempts[0].end == attempt_end::kept));
            BOOST_TEST(seen.attempts[0].sent == wire_bytes(made.answers[0]));
            BOOST_TEST(seen.attempts[0].request_body == seen.client.request_body);
            http_reader answer(http_reader::kind::answer);
            answer.feed(seen.attempts[0].sent);
            BOOST_TEST((answer.body() == seen.client.body || seen.client.body.empty()));
            BOOST_TEST(seen.client.end_ns >= seen.attempts[0].last_write_ns);
        }
    }
}

BOOST_AUTO_TEST_CASE(without_a_proxy_a_fault_is_seen_as_what_it_is) {
    const std::map<std::string, std::pair<client_end, attempt_end>> rows = {
        {"closed before the head", {client_end::unserved, attempt_end::closed}},
        {"reset before the head", {client_end::unserved, attempt_end::reset}},
        {"closed in the head", {client_end::cut, attempt_end::closed}},
        {"closed between events", {client_end::cut, attempt_end::closed}},
        {"reset between events", {client_end::cut, attempt_end::reset}},
        {"passed bytes cut", {client_end::cut, attempt_end::closed}},
        {"leaves a silent stream", {client_end::left, attempt_end::peer_left}},
        {"leaves in prefill", {client_end::left, attempt_end::peer_left}},
        {"leaves passed bytes", {client_end::left, attempt_end::peer_left}},
    };
    for (const auto& [name, ends] : rows) {
        BOOST_TEST_CONTEXT(name) {
            const auto seen = recorded(plan_named(name));
            BOOST_TEST((seen.client.end == ends.first));
            BOOST_REQUIRE(seen.attempts.size() == 1u);
            const bool either = name == "passed bytes cut"; // it is closed or reset
            BOOST_TEST((either || seen.attempts[0].end == ends.second));
            BOOST_TEST((seen.client.left_ns > 0) == (ends.first == client_end::left));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_request_of_no_exchange_is_a_break) {
    ledger seen;
    registry exchanges(seen);
    model_server model(exchanges);
    auto peer = connect_to(model.port());
    auto done = std::size_t{0};
    peer.write("GET / HTTP/1.1\r\nx-request-id: " + make_nonce(9) + "\r\n\r\n", 1'000, done);
    BOOST_TEST((peer.watch(5'000) == io::ended));
    BOOST_TEST(seen.broken(11) == 1u);
}

BOOST_AUTO_TEST_CASE(a_killed_server_refuses_until_it_is_revived) {
    ledger seen;
    registry exchanges(seen);
    model_server model(exchanges);
    auto peer = connect_to(model.port());
    BOOST_TEST(peer.open());
    model.kill();
    BOOST_TEST((peer.watch(5'000) != io::again));
    while (connect_to(model.port()).open()) { // until the last user of the listener is gone
    }
    model.revive();
    BOOST_TEST(connect_to(model.port()).open());
    BOOST_TEST(seen.broken() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
