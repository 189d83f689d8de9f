// What the soak is made of: reading HTTP at any split, nonces, log lines, facts of answers, memory.
#include "tests/support/cuttings.hpp"

#include <boost/test/unit_test.hpp>

#include "bench/soak/answer_facts.hpp"
#include "bench/soak/drains.hpp"
#include "bench/soak/evidence.hpp"
#include "bench/soak/http_reader.hpp"
#include "bench/soak/log_lines.hpp"
#include "bench/soak/memory.hpp"
#include "bench/soak/nonce.hpp"
#include "bench/soak/proxy_process.hpp"
#include "bench/soak/registry.hpp"
#include "bench/soak/run_options.hpp"
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace bench::soak;

namespace {

using kind = http_reader::kind;
using state = http_reader::state;

struct message_row {
    std::string name;
    kind what;
    std::string bytes;
    state end; // before the connection ends
    state closed;
    std::string body;
    std::string rest = {};
};

const std::vector<message_row>& messages() {
    static const std::vector<message_row> rows = {
        {"length", kind::answer, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd",
         state::complete, state::complete, "abc", "d"},
        {"chunked", kind::answer,
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n1\r\nd\r\n0\r\na: "
         "b\r\n"
         "\r\nrest",
         state::complete, state::complete, "abcd", "rest"},
        {"until close", kind::answer, "HTTP/1.1 200 OK\r\n\r\nabc", state::body, state::complete,
         "abc"},
        {"interim answers first", kind::answer,
         "HTTP/1.1 100 Go on\r\n\r\nHTTP/1.1 103 Early\r\na: b\r\n\r\n"
         "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx",
         state::complete, state::complete, "x"},
        {"no body behind HEAD", kind::answer_to_head,
         "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n", state::complete, state::complete, ""},
        {"no body with 204", kind::answer, "HTTP/1.1 204 No\r\n\r\n", state::complete,
         state::complete, ""},
        {"a request without body", kind::request, "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
         state::complete, state::complete, ""},
        {"a request with body", kind::request, "POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\nok",
         state::complete, state::complete, "ok"},
        {"cut body", kind::answer, "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc", state::body,
         state::broken, "abc"},
        {"cut chunk", kind::answer, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc",
         state::body, state::broken, "abc"},
        {"cut head", kind::answer, "HTTP/1.1 200 OK\r\ncontent-", state::head, state::broken, ""},
        {"no HTTP", kind::answer, "ICY 200 OK\r\n\r\n", state::broken, state::broken, ""},
        {"other protocol", kind::answer, "HTTP/1.1 101 Switching\r\n\r\n", state::broken,
         state::broken, ""},
        {"bad chunk size", kind::answer,
         "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n", state::broken,
         state::broken, "ab"},
        {"chunk without its end", kind::answer,
         "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nabcd", state::broken,
         state::broken, "ab"},
        {"differing lengths", kind::answer,
         "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", state::broken,
         state::broken, ""},
        {"bad length", kind::answer, "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", state::broken,
         state::broken, ""},
        {"unknown coding", kind::answer, "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
         state::broken, state::broken, ""},
    };
    return rows;
}

std::string event(const std::string& inside) {
    return "data: " + inside + "\n\n";
}

std::string delta(const std::string& inside, const std::string& finish = "null") {
    return event(R"({"id":"a","choices":[{"index":0,"delta":{)" + inside + R"(},"finish_reason":)" +
                 finish + "}]}");
}

} // namespace

BOOST_AUTO_TEST_SUITE(soak_parts)

BOOST_AUTO_TEST_CASE(a_message_is_read_the_same_at_every_split) {
    for (const auto& row : messages()) {
        BOOST_TEST_CONTEXT(row.name) {
            tests::for_each_cutting(row.bytes.size(), [&](const std::vector<std::size_t>& pieces) {
                auto reader = http_reader(row.what);
                auto at = std::size_t{0};
                for (const auto length : pieces) {
                    reader.feed(std::string_view(row.bytes).substr(at, length));
                    at += length;
                }
                BOOST_REQUIRE((reader.now() == row.end));
                BOOST_REQUIRE(reader.body() == row.body);
                BOOST_REQUIRE((row.end != state::complete || reader.rest() == row.rest));
                BOOST_REQUIRE((reader.closed() == row.closed));
            });
        }
    }
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_unless_the_message_says_otherwise) {
    const auto kept = [](std::string_view bytes) {
        auto reader = http_reader(kind::answer);
        reader.feed(bytes);
        return reader.keep_alive();
    };
    BOOST_TEST(kept("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    BOOST_TEST(!kept("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: Close\r\n\r\n"));
    BOOST_TEST(!kept("HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n"));
    BOOST_TEST(!kept("HTTP/1.1 200 OK\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(a_nonce_is_found_and_a_foreign_one_too) {
    const auto own = make_nonce(0x1234);
    const auto other = make_nonce(~std::uint64_t{0});
    BOOST_TEST(own == "nz-0000000000001234");
    BOOST_TEST(first_nonce("a nz-12 nz-xyz " + own + other) == own);
    BOOST_TEST(first_nonce("nz-").empty());
    BOOST_TEST(foreign_nonce(own + own, own).empty());
    BOOST_TEST(foreign_nonce("x" + own + "nz-" + other, own) == other);
}

BOOST_AUTO_TEST_CASE(log_lines_are_turns_and_spans_or_nothing) {
    const auto turn =
        read_log_line(R"({"level":"info","message":"turn","retries":1,"scaffold_stripped":52,)"
                      R"("request_id":"nz-1","status":200,"outcome":"corrected","corrections":1})");
    BOOST_REQUIRE(turn.has_value());
    BOOST_TEST(turn->request_id == "nz-1");
    const auto& told = std::get<log_turn>(turn->what);
    BOOST_TEST(told.stripped == 52u);
    BOOST_TEST(told.retries == 1u);
    BOOST_TEST(told.corrections == 1u);
    BOOST_TEST(told.status == 200);
    BOOST_TEST(told.outcome == "corrected");
    const auto span = read_log_line(R"({"message":"stripped span","request_id":"nz-1","attempt":2,)"
                                    R"("choice":1,"offset":9,"chars":7,"rule":"payload"})");
    BOOST_REQUIRE(span.has_value());
    const auto& found = std::get<log_span>(span->what);
    BOOST_TEST(found.attempt == 2u);
    BOOST_TEST(found.choice == 1u);
    BOOST_TEST(found.offset == 9u);
    BOOST_TEST(found.chars == 7u);
    BOOST_TEST(found.rule == "payload");
    for (const auto* other : {"", "not JSON", "[]", R"({"message":"listening"})"}) {
        BOOST_TEST(!read_log_line(other).has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_line_may_come_once_behind_the_end_of_an_exchange_without_one) {
    ledger seen;
    registry exchanges(seen);
    const auto nonce = make_nonce(7);
    auto malformed = plan{};
    malformed.nonce = nonce;
    malformed.surface = surface::malformed;
    exchanges.open(std::move(malformed));
    exchanges.check_ready(true);
    const auto before = seen.broken(14);
    const auto line = R"({"message":"turn","status":400,"request_id":")" + nonce + R"("})";
    exchanges.take_log_line(line);
    BOOST_TEST(seen.broken(14) == before);
    exchanges.take_log_line(line);
    BOOST_TEST(seen.broken(14) == before + 1);
}

BOOST_AUTO_TEST_CASE(facts_of_a_stream) {
    const auto facts =
        read_facts(": hi\n\n" + delta(R"("content":"a\n")") + delta(R"("content":"b")") +
                       delta("", "\"stop\"") + event("[DONE]"),
                   true);
    BOOST_TEST(facts.text(0) == "a\nb");
    BOOST_TEST(facts.text(1).empty());
    BOOST_TEST(facts.blocks.size() == 5u);
    BOOST_TEST(facts.dones == 1u);
    BOOST_TEST(facts.all_finished());
    BOOST_TEST(facts.ids.size() == 1u);
    BOOST_TEST(!facts.unreadable);
    BOOST_TEST(!facts.partial);
}

BOOST_AUTO_TEST_CASE(facts_of_a_stream_that_is_odd) {
    BOOST_TEST(read_facts(event("no JSON"), true).unreadable);
    BOOST_TEST(read_facts("data: {}\n", true).partial);
    BOOST_TEST(read_facts(event(R"({"error":{}})") + event("{}"), true).error_not_last);
    BOOST_TEST(read_facts(event("[DONE]") + event("{}"), true).behind_done == 1u);
    BOOST_TEST(!read_facts(delta(""), true).all_finished());
    BOOST_TEST(!read_facts("", true).all_finished());
    const auto late = read_facts(delta("", "\"stop\"") + delta(R"("content":"b")"), true);
    BOOST_TEST(late.choices.at(0).text_after_finish);
    const auto call = read_facts(delta(R"("tool_calls":[{"index":0}])"), true);
    BOOST_TEST(call.choices.at(0).answered);
    const auto none = read_facts(delta(R"("tool_calls":[],"refusal":"")"), true);
    BOOST_TEST(!none.choices.at(0).answered);
    const auto odd = read_facts(event(R"({"choices":[1,null,{"delta":7}],"id":5})"), true);
    BOOST_TEST(!odd.unreadable);
    BOOST_TEST(odd.choices.empty());
}

BOOST_AUTO_TEST_CASE(facts_of_bodies) {
    const auto body = read_facts(
        R"({"id":"a","choices":[{"message":{"content":"x"},"finish_reason":"stop"}]})", false);
    BOOST_TEST(body.text(0) == "x");
    BOOST_TEST(body.all_finished());
    BOOST_TEST(read_facts(R"({"choices":[{"index":2,"text":"y"}]})", false).text(2) == "y");
    BOOST_TEST(read_facts("[]", false).unreadable);
}

BOOST_AUTO_TEST_CASE(what_may_be_edited_is_blank_and_nothing_else) {
    const auto whole =
        blanked(R"({"id":"a","choices":[{"index":0,"delta":{"content":"x","r":1}}]})");
    BOOST_TEST(whole ==
               blanked(R"({"id":"b","choices":[{"index":0,"delta":{"content":"","r":1}}]})"));
    BOOST_TEST(whole !=
               blanked(R"({"id":"a","choices":[{"index":0,"delta":{"content":"x","r":2}}]})"));
    BOOST_TEST(blanked(R"({"choices":[{"finish_reason":"tool_calls"}]})") ==
               blanked(R"({"choices":[{"finish_reason":"stop"}]})"));
    BOOST_TEST(blanked("x").empty());
    BOOST_TEST(may_be_minted(R"({"error":{}})"));
    BOOST_TEST(may_be_minted(R"({"choices":[],"usage":{}})"));
    BOOST_TEST(may_be_minted(R"({"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]})"));
    BOOST_TEST(!may_be_minted(R"({"choices":[{"index":0,"delta":{"content":"x","y":1}}]})"));
    BOOST_TEST(!may_be_minted(R"({"choices":[]})"));
    BOOST_TEST(!may_be_minted(R"({"error":{},"choices":[]})"));
}

BOOST_AUTO_TEST_CASE(spans_are_cut_out_by_their_bytes_and_characters) {
    const auto cut = [](std::size_t offset, std::size_t chars) {
        return without_spans("aé<｜x>b", {{1, 0, offset, chars, ""}}, 1, 0);
    };
    BOOST_TEST(cut(3, 4) == "aéb");
    BOOST_TEST(cut(3, 99) == "aé");
    BOOST_TEST(cut(99, 1).empty());
    BOOST_TEST(without_spans("abc", {{2, 0, 0, 1, ""}, {1, 1, 0, 1, ""}}, 1, 0) == "abc");
    BOOST_TEST(without_spans("abcd", {{1, 0, 2, 1, ""}, {1, 0, 0, 1, ""}}, 1, 0) == "bd");
}

BOOST_AUTO_TEST_CASE(memory_is_steady_when_the_last_quarter_is_as_the_second) {
    const auto run = [](std::uint64_t second, std::uint64_t last) {
        auto samples = std::vector<std::uint64_t>{};
        for (const auto value : {std::uint64_t{500}, second, std::uint64_t{3'000}, last}) {
            samples.insert(samples.end(), 5, value);
        }
        return is_steady(quarter_medians(samples));
    };
    BOOST_TEST(run(1'000, 1'020));
    BOOST_TEST(run(1'000, 900));
    BOOST_TEST(!run(1'000, 1'021));
    BOOST_TEST(quarter_medians({1, 2, 3}).empty());
    BOOST_TEST(!is_steady({}));
    BOOST_TEST(quantile({}, 0.5) == 0);
    BOOST_TEST(quantile({5, 1, 3}, 0.5) == 3);
    BOOST_TEST(quantile({5, 1, 3}, 1) == 5);
}

BOOST_AUTO_TEST_CASE(options_say_what_is_wrong) {
    const auto parse = [](std::vector<std::string> words) {
        words.insert(words.begin(), "unscaffold-soak");
        auto pointers = std::vector<char*>{};
        for (auto& word : words) {
            pointers.push_back(word.data());
        }
        return parse_run_options(static_cast<int>(pointers.size()), pointers.data());
    };
    const auto options = parse({"chaos", "--proxy", "x", "--seconds", "7", "--streams", "5",
                                "--threads", "3", "--seed", "9"});
    BOOST_TEST((options.kind == load_kind::chaos));
    BOOST_TEST(options.binary == "x");
    BOOST_TEST(options.seconds == 7.0);
    BOOST_TEST(options.streams == 5u);
    BOOST_TEST(options.threads == 3u);
    BOOST_TEST(options.seed == 9u);
    const auto drains = parse({"drain", "--proxy", "x", "--cycles", "4"});
    BOOST_TEST((drains.kind == load_kind::drain));
    BOOST_TEST(drains.cycles == 4u);
    BOOST_TEST(!drains.help);
    BOOST_TEST(parse({"--help"}).help);
    BOOST_TEST(parse({"-h"}).help);
    BOOST_TEST(parse({"soak", "--streams", "many", "--help"}).help);
    for (const auto* word : {"soak|chaos|drain", "--proxy", "--seconds", "--cycles", "--streams",
                             "--threads", "--seed", "--help"}) {
        BOOST_TEST(std::string(run_usage).find(word) != std::string::npos, word);
    }
    const auto bad = std::vector<std::vector<std::string>>{
        {},
        {"load"},
        {"soak"},
        {"soak", "--proxy"},
        {"soak", "--proxy", "x", "--seconds", "0"},
        {"soak", "--proxy", "x", "--streams", "many"},
        {"drain", "--proxy", "x", "--cycles", "0"},
        {"soak", "--proxy", "x", "--other", "1"},
    };
    for (const auto& words : bad) {
        BOOST_CHECK_THROW(parse(words), std::runtime_error);
    }
}

BOOST_AUTO_TEST_CASE(a_drain_has_one_way_to_be_good_and_many_to_be_bad) {
    drain_facts good;
    good.in_flight = 7;
    good.took_ms = 6'000;
    good.open_ms = 3;
    good.idle_ms = 1'200;
    BOOST_TEST(fault_of(good).empty());
    const std::vector<std::pair<std::string, std::function<void(drain_facts&)>>> rows = {
        {"exit code 1", [](drain_facts& of) { of.exit_code = 1; }},
        {"it took 15000 ms", [](drain_facts& of) { of.took_ms = 15'000; }},
        {"it stayed for 3001 ms", [](drain_facts& of) { of.idle_ms = 3'001; }},
        {"taken for 1001 ms", [](drain_facts& of) { of.open_ms = 1'001; }},
        {"taken after one", [](drain_facts& of) { of.taken_again = true; }},
    };
    for (const auto& [fault, change] : rows) {
        auto bad = good;
        change(bad);
        BOOST_TEST(fault_of(bad).find(fault) != std::string::npos, fault);
        drain_record all;
        BOOST_TEST(!all.good()); // nothing was drained yet
        all.add(good);
        BOOST_TEST(all.good());
        all.add(bad);
        BOOST_TEST(!all.good());
        BOOST_TEST(all.count() == 2u);
        std::ostringstream out;
        all.report(out);
        BOOST_TEST(out.str().find("drains 2, streams in flight at TERM 14") != std::string::npos);
        BOOST_TEST(out.str().find("broken: drain 2: ") != std::string::npos);
        BOOST_TEST(out.str().find(fault) != std::string::npos, fault);
    }
}

BOOST_AUTO_TEST_CASE(a_proxy_that_does_not_start_is_said) {
    BOOST_CHECK_THROW(proxy_process({"/bin/false", 1, 0, 1}, [](std::string_view) {}),
                      std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
