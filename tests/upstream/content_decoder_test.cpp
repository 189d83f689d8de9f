#include "proxy/base/limits.hpp"
#include "proxy/upstream/content_decoder.hpp"

#include "tests/support/compress.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy;
using proxy::upstream::content_decoder;
using tests::coding;

namespace {

struct result {
    std::string plain;
    std::string rest; // not read
    bool complete = false;
    bool failed = false;
};

// Feeds `wire` in pieces of `length` bytes.
result decode(std::string_view name, std::string_view wire, std::size_t length) {
    const auto decoder = content_decoder::make(name);
    BOOST_REQUIRE(decoder != nullptr);
    result out;
    while (!wire.empty() && !decoder->failed()) {
        std::string_view input = wire.substr(0, length);
        wire.remove_prefix(input.size());
        while (const auto piece = decoder->next(input)) {
            BOOST_TEST(piece->size() <= limits::decoded_piece);
            out.plain.append(*piece);
        }
        out.rest.append(input);
    }
    out.complete = decoder->complete();
    out.failed = decoder->failed();
    return out;
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        text += "data: {\"n\":" + std::to_string(i * 7919) + "}\n\n";
    }
    return text;
}

struct form {
    const char* title;
    const char* name;
    coding how;
};

const std::vector<form> forms = {
    {"gzip", "gzip", coding::gzip},
    {"gzip by its old name", "x-gzip", coding::gzip},
    {"capital letters", "GZip", coding::gzip},
    {"deflate as the RFC says", "deflate", coding::zlib},
    {"deflate as some servers send it", "deflate", coding::raw},
};

} // namespace

BOOST_AUTO_TEST_SUITE(a_content_coding)

BOOST_AUTO_TEST_CASE(is_undone_at_any_split) {
    for (const form& f : forms) {
        for (const std::string& text :
             {std::string(), std::string("x"), std::string("data: {}\n\ndata: [DONE]\n\n")}) {
            const std::string wire = tests::compress(text, f.how);
            for (std::size_t length = 1; length <= wire.size(); ++length) {
                const result got = decode(f.name, wire, length);
                BOOST_TEST(got.plain == text, f.title);
                BOOST_TEST(got.complete, f.title);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(of_a_long_text_comes_in_pieces) {
    const std::string text = long_text();
    for (const form& f : forms) {
        const std::string wire = tests::compress(text, f.how);
        for (const std::size_t length : {std::size_t{1}, std::size_t{977}, wire.size()}) {
            const result got = decode(f.name, wire, length);
            BOOST_TEST((got.plain == text), f.title);
            BOOST_TEST(got.complete, f.title);
            BOOST_TEST(got.rest.empty(), f.title);
        }
    }
}

BOOST_AUTO_TEST_CASE(that_is_flushed_line_by_line_is_readable_line_by_line) {
    const std::string first = "data: {\"a\":1}\n";
    const std::string whole = first + "data: [DONE]\n";
    for (const form& f : forms) {
        const auto head = tests::compress(first, f.how, true);
        const std::string wire = tests::compress(whole, f.how, true);
        std::size_t same = 0;
        while (same < head.size() && head[same] == wire[same]) {
            ++same;
        }
        BOOST_TEST(decode(f.name, wire.substr(0, same), 5).plain == first, f.title);
        BOOST_TEST(!decode(f.name, wire.substr(0, same), 5).complete, f.title);
    }
}

BOOST_AUTO_TEST_CASE(that_is_cut_anywhere_is_not_complete) {
    for (const form& f : forms) {
        const std::string wire = tests::compress("data: {\"a\":1}\n\ndata: [DONE]\n\n", f.how);
        for (std::size_t length = 1; length < wire.size(); ++length) {
            const result got = decode(f.name, wire.substr(0, length), 3);
            BOOST_TEST(!got.complete, f.title << " cut at " << length);
            BOOST_TEST(!got.failed, f.title << " cut at " << length);
        }
    }
}

BOOST_AUTO_TEST_CASE(without_a_byte_is_an_empty_body) {
    BOOST_TEST(content_decoder::make("gzip")->complete());
    BOOST_TEST(content_decoder::make("deflate")->complete());
}

BOOST_AUTO_TEST_CASE(that_is_broken_fails_and_gives_nothing_more) {
    const std::string good = tests::compress(long_text(), coding::gzip);
    std::string bad_check = good;
    bad_check[bad_check.size() - 5] = static_cast<char>(bad_check[bad_check.size() - 5] ^ 1);
    std::string bad_middle = good;
    bad_middle.replace(good.size() / 2, 64, std::string(64, '\xff'));

    struct row {
        const char* title;
        const char* name;
        std::string wire;
    };

    const std::vector<row> rows = {
        {"plain text", "gzip", "data: {}\n\n"},
        {"plain text as deflate", "deflate", "data: {}\n\n"},
        {"another coding's bytes", "gzip", tests::compress("x", coding::zlib)},
        {"a wrong check sum", "gzip", bad_check},
        {"broken in the middle", "gzip", bad_middle},
        {"bytes behind the end of gzip", "gzip", tests::compress("x", coding::gzip) + "more"},
        {"bytes behind the end of deflate", "deflate", tests::compress("x", coding::zlib) + "m"},
    };
    for (const row& r : rows) {
        for (const std::size_t length : {std::size_t{1}, std::size_t{10}, r.wire.size()}) {
            BOOST_TEST(decode(r.name, r.wire, length).failed, r.title);
            BOOST_TEST(!decode(r.name, r.wire, length).complete, r.title);
        }
    }
}

BOOST_AUTO_TEST_CASE(of_several_gzip_members_is_one_text) {
    const std::string wire =
        tests::compress("one ", coding::gzip) + tests::compress("two", coding::gzip);
    for (std::size_t length = 1; length <= wire.size(); ++length) {
        const result got = decode("gzip", wire, length);
        BOOST_TEST(got.plain == "one two");
        BOOST_TEST(got.complete);
    }
}

BOOST_AUTO_TEST_CASE(that_is_a_bomb_stops_at_its_ratio_and_at_its_size) {
    const std::string zeros(std::size_t{8} << 20, '\0');
    const std::string bomb = tests::compress(zeros, coding::gzip);
    BOOST_REQUIRE(bomb.size() * limits::decoded_ratio_max < zeros.size());
    for (const std::size_t length : {std::size_t{100}, bomb.size()}) {
        const result got = decode("gzip", bomb, length);
        BOOST_TEST(got.failed);
        BOOST_TEST(got.plain.size() <=
                   bomb.size() * limits::decoded_ratio_max + limits::decoded_ratio_floor);
    }
    // Not far packed, but longer than any answer may be.
    std::string block;
    for (unsigned i = 0; block.size() < (std::size_t{1} << 20); ++i) {
        block += std::to_string(i * 2654435761U);
    }
    std::string members;
    for (int i = 0; i < 66; ++i) {
        members += tests::compress(block, coding::gzip);
    }
    const result got = decode("gzip", members, std::size_t{64} << 10);
    BOOST_TEST(got.failed);
    BOOST_TEST(got.plain.size() <= limits::decoded_bytes_max);
}

BOOST_AUTO_TEST_CASE(that_is_small_may_be_packed_far) {
    const std::string blanks(200'000, ' ');
    BOOST_TEST(decode("gzip", tests::compress(blanks, coding::gzip), 7).plain == blanks);
}

BOOST_AUTO_TEST_CASE(of_another_kind_has_no_decoder) {
    for (const char* name : {"br", "zstd", "compress", "identity", "gzip, gzip", "gzip,deflate", "",
                             "gzip;q=1", "\"gzip\""}) {
        BOOST_TEST((content_decoder::make(name) == nullptr), name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
