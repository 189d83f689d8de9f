#include "proxy/base/limits.hpp"
#include "proxy/upstream/body_decoder.hpp"
#include "proxy/upstream/chunk_decoder.hpp"

#include "tests/support/framing_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using namespace proxy::upstream;

namespace {

struct result {
    std::string data;
    std::string rest; // bytes behind the message
    bool done = false;
    bool failed = false;
};

// Feeds `wire` in pieces that end at `cuts`.
template <class Decoder>
result decode(Decoder decoder, const std::string& wire, std::vector<std::size_t> cuts) {
    result out;
    std::size_t from = 0;
    cuts.push_back(wire.size());
    for (const auto to : cuts) {
        std::string_view input = std::string_view(wire).substr(from, to - from);
        while (const auto piece = decoder.next(input)) {
            out.data.append(*piece);
        }
        out.rest.append(input);
        from = to;
    }
    if constexpr (std::is_same_v<Decoder, chunk_decoder>) {
        out.done = decoder.done();
    } else {
        out.done = decoder.complete();
    }
    out.failed = decoder.failed();
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(chunked_bodies)

BOOST_AUTO_TEST_CASE(good_messages_give_the_same_data_at_every_split) {
    for (const auto& row : ::tests::good_chunked_bodies()) {
        for (std::size_t cut = 0; cut <= row.bytes.size(); ++cut) {
            const auto got = decode(chunk_decoder(), row.bytes, {cut});
            BOOST_TEST(got.data == row.data, row.name << " cut at " << cut);
            BOOST_TEST(got.rest == row.rest, row.name << " cut at " << cut);
            BOOST_TEST(got.done);
            BOOST_TEST(!got.failed);
        }
    }
}

BOOST_AUTO_TEST_CASE(bad_messages_fail_at_every_split_and_never_end) {
    for (const auto& row : ::tests::bad_chunked_bodies()) {
        for (std::size_t cut = 0; cut <= row.bytes.size(); ++cut) {
            const auto got = decode(chunk_decoder(), row.bytes, {cut});
            BOOST_TEST(got.failed, row.name << " cut at " << cut);
            BOOST_TEST(!got.done, row.name << " cut at " << cut);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_unfinished_message_is_neither_done_nor_failed) {
    const std::string wire = "5;x=y\r\nhello\r\n0\r\na: b\r\n\r\n";
    for (std::size_t size = 0; size < wire.size(); ++size) {
        const auto got = decode(chunk_decoder(), wire.substr(0, size), {});
        BOOST_TEST(!got.done);
        BOOST_TEST(!got.failed);
    }
}

BOOST_AUTO_TEST_CASE(extensions_and_trailers_are_bounded) {
    const std::string fits(limits::chunk_overhead_max - 16, 'x');
    const std::string too_long(limits::chunk_overhead_max + 1, 'x');
    BOOST_TEST(decode(chunk_decoder(), "1;" + fits + "\r\na\r\n0\r\n\r\n", {}).done);
    BOOST_TEST(decode(chunk_decoder(), "1;" + too_long + "\r\na\r\n0\r\n\r\n", {}).failed);
    BOOST_TEST(decode(chunk_decoder(), "0\r\na: " + too_long + "\r\n\r\n", {}).failed);
    std::string many = "0\r\n";
    for (int i = 0; i < 20'000; ++i) {
        many += "a: b\r\n";
    }
    BOOST_TEST(decode(chunk_decoder(), many + "\r\n", {}).failed);
    std::string small_chunks;
    for (int i = 0; i < 2'000; ++i) {
        small_chunks += "1;" + std::string(64, 'y') + "\r\na\r\n";
    }
    BOOST_TEST(decode(chunk_decoder(), small_chunks + "0\r\n\r\n", {}).failed);
}

BOOST_AUTO_TEST_CASE(data_is_given_in_place) {
    const std::string wire = "5\r\nhello\r\n0\r\n\r\n";
    chunk_decoder decoder;
    std::string_view input = wire;
    const auto piece = decoder.next(input);
    BOOST_REQUIRE(piece.has_value());
    BOOST_TEST(piece->data() == wire.data() + 3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(framed_bodies)

BOOST_AUTO_TEST_CASE(a_length_ends_the_body_and_leaves_what_follows) {
    const std::string wire = "hello!next";
    for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
        const auto got = decode(body_decoder(framing::length, 6), wire, {cut});
        BOOST_TEST(got.data == "hello!");
        BOOST_TEST(got.rest == "next");
        BOOST_TEST(got.done);
    }
}

BOOST_AUTO_TEST_CASE(a_length_is_not_whole_at_an_early_close) {
    body_decoder decoder(framing::length, 6);
    std::string_view input = "hello";
    BOOST_TEST(decoder.next(input).value_or("") == "hello");
    BOOST_TEST(!decoder.complete());
    BOOST_TEST(!decoder.whole_at_close());
}

BOOST_AUTO_TEST_CASE(a_length_of_zero_and_no_body_are_complete_at_once) {
    BOOST_TEST(body_decoder(framing::length, 0).complete());
    body_decoder none;
    std::string_view input = "x";
    BOOST_TEST(none.complete());
    BOOST_TEST(!none.next(input).has_value());
    BOOST_TEST(input == "x");
}

BOOST_AUTO_TEST_CASE(only_a_close_ends_a_body_without_framing) {
    body_decoder decoder(framing::until_close, 0);
    std::string_view input = "hello";
    BOOST_TEST(decoder.next(input).value_or("") == "hello");
    BOOST_TEST(!decoder.next(input).has_value());
    BOOST_TEST(!decoder.complete());
    BOOST_TEST(decoder.whole_at_close());
}

BOOST_AUTO_TEST_CASE(a_chunked_body_is_not_whole_at_a_close_before_its_last_chunk) {
    body_decoder decoder(framing::chunked, 0);
    std::string_view input = "5\r\nhello\r\n";
    while (decoder.next(input)) {
    }
    BOOST_TEST(!decoder.whole_at_close());
    input = "0\r\n\r\n";
    BOOST_TEST(!decoder.next(input).has_value());
    BOOST_TEST(decoder.whole_at_close());
}

BOOST_AUTO_TEST_SUITE_END()
