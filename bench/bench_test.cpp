// The bench tools' own parts: what they count must be right at any split of the bytes.
#include <boost/test/unit_test.hpp>

#include "bench/histogram.hpp"
#include "bench/load_client.hpp"
#include "bench/script.hpp"
#include "bench/socket.hpp"
#include "bench/stream_reader.hpp"
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct collector : bench::stream_sink {
    void on_text(std::string_view raw, std::uint64_t sent_ns) override {
        text += raw;
        stamps.push_back(sent_ns);
    }

    void on_error(std::string_view data) override { errors.emplace_back(data); }

    std::string text;
    std::vector<std::uint64_t> stamps;
    std::vector<std::string> errors;
};

using state = bench::stream_reader::state;

constexpr std::string_view chunked_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                          "transfer-encoding: Chunked\r\n\r\n";

std::string chunked_answer(const std::vector<std::string>& chunks) {
    auto bytes = std::string(chunked_head);
    for (const auto& chunk : chunks) {
        bench::append_chunk(bytes, chunk);
    }
    return bytes + "0\r\n\r\n";
}

// What a whole answer gave, for comparing splits.
struct seen_answer {
    state end = state::head;
    std::string text;
    std::size_t errors = 0;
    bool done = false;
    bool finish = false;
    std::uint64_t events = 0;

    bool operator==(const seen_answer&) const = default;
};

std::ostream& operator<<(std::ostream& out, const seen_answer& seen) {
    return out << seen.text << " errors " << seen.errors << " events " << seen.events << " end "
               << static_cast<int>(seen.end);
}

seen_answer read_in_pieces(std::string_view bytes, std::size_t first, std::size_t size) {
    auto sink = collector{};
    auto reader = bench::stream_reader{sink};
    auto last = reader.feed(bytes.substr(0, first));
    for (auto at = first; at < bytes.size(); at += size) {
        last = reader.feed(bytes.substr(at, size));
    }
    return {last,           sink.text, sink.errors.size(), reader.saw_done(), reader.saw_finish(),
            reader.events()};
}

std::string sample_answer() {
    const auto model = std::string_view("m");
    return chunked_answer({bench::make_event(model, R"("role":"assistant","content":"")", "null"),
                           ": comment\n\n",
                           bench::make_event(model, R"("content":"say \"hi\" \\")", "null"),
                           "data: {\"choices\":[{\"delta\":{\"content\":", "\"two\"}}]}\r\n\r\n",
                           "data:{\"error\":{\"message\":\"no\"}}\n\n",
                           bench::make_event(model, "", R"("stop")"), "data: [DONE]\n\n"});
}

BOOST_AUTO_TEST_SUITE(stream_reader)

BOOST_AUTO_TEST_CASE(an_answer_reads_the_same_at_every_split) {
    const auto bytes = sample_answer();
    const auto whole = read_in_pieces(bytes, bytes.size(), bytes.size());
    const auto expected = seen_answer{state::complete, R"(say \"hi\" \\two)", 1, true, true, 6};
    BOOST_TEST(whole == expected);
    for (std::size_t split = 0; split <= bytes.size(); ++split) {
        BOOST_TEST(read_in_pieces(bytes, split, bytes.size()) == whole);
    }
    for (const std::size_t size : {1U, 2U, 3U, 7U}) {
        BOOST_TEST(read_in_pieces(bytes, 0, size) == whole);
    }
}

BOOST_AUTO_TEST_CASE(kept_connection_gives_answer_after_answer) {
    auto sink = collector{};
    auto reader = bench::stream_reader{sink};
    for (auto i = 0; i < 3; ++i) {
        BOOST_TEST((reader.feed(sample_answer()) == state::complete));
        BOOST_TEST(reader.keep_alive());
        reader.next();
    }
    BOOST_TEST(sink.errors.size() == 3U);
}

BOOST_AUTO_TEST_CASE(error_answer_with_a_length_keeps_its_body) {
    auto sink = collector{};
    auto reader = bench::stream_reader{sink};
    const auto bytes = std::string("HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\nnothing");
    BOOST_TEST((reader.feed(bytes) == state::complete));
    BOOST_TEST(reader.status() == 404);
    BOOST_TEST(reader.other_body() == "nothing");
}

BOOST_AUTO_TEST_CASE(close_ends_only_an_answer_without_other_end) {
    auto sink = collector{};
    auto reader = bench::stream_reader{sink};
    reader.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: [DONE]\n\n");
    BOOST_TEST((reader.closed() == state::complete));
    BOOST_TEST(!reader.keep_alive());
    reader.next();
    reader.feed(chunked_head);
    BOOST_TEST((reader.closed() == state::broken));
}

BOOST_AUTO_TEST_CASE(what_is_not_http_is_broken) {
    const std::string_view cases[] = {
        "SSH-2.0-OpenSSH_9.2p1 Debian\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    };
    for (const auto bytes : cases) {
        auto sink = collector{};
        auto reader = bench::stream_reader{sink};
        BOOST_TEST((reader.feed(bytes) == state::broken), bytes);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(script)

BOOST_AUTO_TEST_CASE(model_name_says_how_the_stream_runs) {
    const auto pace = bench::parse_pace("bench-w16-r50-n1000");
    BOOST_REQUIRE(pace.has_value());
    BOOST_TEST(pace->events_per_write == 16U);
    BOOST_TEST(pace->writes_per_second == 50U);
    BOOST_TEST(pace->events == 1000U);
    BOOST_TEST(bench::parse_pace("bench-n5")->events_per_write == 1U);
    for (const auto* name : {"gpt-4", "bench-", "bench-w0", "bench-x1", "bench-w1n2", "bench-w-1",
                             "bench-n99999999999999999999"}) {
        const auto parsed = bench::parse_pace(name);
        BOOST_TEST((!parsed || std::string_view(name) == "bench-"), name);
    }
}

BOOST_AUTO_TEST_CASE(tokens_are_small_and_join_to_the_text) {
    auto joined = std::string{};
    const auto tokens = bench::tokens_of(bench::sample_text());
    for (const auto token : tokens) {
        BOOST_TEST(!token.empty());
        BOOST_TEST(token.size() <= 16U);
        BOOST_TEST((static_cast<unsigned char>(token[0]) & 0xC0U) != 0x80U);
        joined += token;
    }
    BOOST_TEST(joined == bench::sample_text());
    BOOST_TEST(tokens.size() > 300U);
}

BOOST_AUTO_TEST_CASE(a_stream_carries_the_text_and_its_stamps) {
    const auto source = bench::event_source("bench-w1-r50");
    const auto tokens = bench::tokens_of(bench::sample_text());
    auto bytes = std::string(chunked_head);
    source.append_role(bytes);
    for (std::size_t i = 0; i < tokens.size() + 1; ++i) { // one more: the text begins again
        source.append_text(bytes, i, 7'000'000'000 + i);
    }
    source.append_end(bytes);
    auto sink = collector{};
    auto reader = bench::stream_reader{sink};
    BOOST_TEST((reader.feed(bytes) == state::complete));
    BOOST_TEST(reader.saw_done());
    BOOST_TEST(reader.saw_finish());
    BOOST_TEST(sink.text == bench::escaped(bench::sample_text()) + bench::escaped(tokens[0]));
    BOOST_REQUIRE(sink.stamps.size() == tokens.size() + 1);
    for (std::size_t i = 0; i < sink.stamps.size(); ++i) {
        const auto stamped = i % 16 == 0;
        BOOST_TEST(sink.stamps[i] == (stamped ? 7'000'000'000 + i : 0));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(histogram)

BOOST_AUTO_TEST_CASE(quantiles_are_within_two_percent) {
    auto times = bench::histogram{};
    BOOST_TEST(times.quantile(0.5) == 0U);
    for (std::uint64_t i = 1; i <= 100'000; ++i) {
        times.add(i * 37);
    }
    for (const auto share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
        const auto exact = share * 100'000 * 37;
        const auto got = static_cast<double>(times.quantile(share));
        BOOST_TEST(got >= exact * 0.999);
        BOOST_TEST(got <= exact * 1.02);
    }
}

BOOST_AUTO_TEST_CASE(any_value_has_a_bucket_at_or_above_it) {
    auto value = std::uint64_t{1};
    for (auto bit = 0; bit < 64; ++bit, value = value << 1U | 1U) {
        auto one = bench::histogram{};
        one.add(value);
        BOOST_TEST(one.quantile(0.5) == value);
        auto sum = bench::histogram{};
        sum.add(one);
        BOOST_TEST(sum.count() == 1U);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(expected_text)

BOOST_AUTO_TEST_CASE(first_stream_sets_what_the_others_must_say) {
    auto text = bench::expected_text{};
    BOOST_TEST(text.matches(0, "ab"));
    BOOST_TEST(text.matches(0, "abc"));
    BOOST_TEST(!text.matches(1, "x"));
    BOOST_TEST(text.ends_at(3));
    BOOST_TEST(!text.matches(3, "d"));
    BOOST_TEST(!text.ends_at(2));
}

BOOST_AUTO_TEST_CASE(given_text_has_one_end_only) {
    auto text = bench::expected_text{};
    text.fix("abc");
    BOOST_TEST(text.matches(0, "ab"));
    BOOST_TEST(!text.ends_at(2));
    BOOST_TEST(text.matches(2, "c"));
    BOOST_TEST(text.ends_at(3));
    BOOST_TEST(!text.matches(3, "d"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(base_url)

BOOST_AUTO_TEST_CASE(parts_of_a_url) {
    const auto url = bench::parse_base_url("http://[::1]:8484/v1/");
    BOOST_TEST(url.host == "::1");
    BOOST_TEST(url.port == "8484");
    BOOST_TEST(url.path == "/v1");
    BOOST_TEST(url.authority() == "[::1]:8484");
    BOOST_TEST(bench::parse_base_url("http://localhost").authority() == "localhost");
    for (const auto* bad : {"https://a/v1", "a:80", "http://:80/", "http://"}) {
        BOOST_CHECK_THROW(bench::parse_base_url(bad), std::runtime_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
