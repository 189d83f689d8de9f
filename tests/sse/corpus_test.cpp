// Every framing of data/sse.jsonl at several cuts: the events, comments and retry values that a
// reader by WHATWG HTML 9.2.6 sees, and every byte in exactly one item.

#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include "tests/sse/reading.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <charconv>
#include <fstream>
#include <set>

namespace {

using proxy::json::value_view;
using proxy::sse::item_kind;
using tests::kept_item;
using tests::reading;

struct dispatched {
    std::string type, data, id;

    bool operator==(const dispatched&) const = default;
};

std::ostream& operator<<(std::ostream& out, const dispatched& d) {
    return out << "{type " << d.type << ", data " << tests::shown(d.data) << ", id " << d.id << "}";
}

struct framing {
    std::string name;
    std::string wire;
    std::vector<std::size_t> writes;
    std::vector<dispatched> events;
    std::vector<std::size_t> retry;
    std::size_t comments = 0;
};

std::string text_of(const value_view& record, std::string_view key) {
    const auto member = proxy::json::find_last(record, key);
    BOOST_REQUIRE_MESSAGE(member, "no member " << key);
    return proxy::json::unescape(member->value.inside());
}

value_view value_of(const value_view& record, std::string_view key) {
    const auto member = proxy::json::find_last(record, key);
    BOOST_REQUIRE_MESSAGE(member, "no member " << key);
    return member->value;
}

std::size_t number(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::vector<std::size_t> numbers(const value_view& array) {
    std::vector<std::size_t> out;
    proxy::json::array_walker elements(array);
    while (const auto element = elements.next()) {
        out.push_back(number(element->raw));
    }
    return out;
}

std::string from_base64(std::string_view text) {
    static constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0;
    unsigned held = 0;
    for (const char c : text) {
        if (c == '=') {
            break;
        }
        bits = (bits << 6) | static_cast<unsigned>(alphabet.find(c));
        held += 6;
        if (held >= 8) {
            held -= 8;
            out += static_cast<char>((bits >> held) & 0xFF);
        }
    }
    return out;
}

framing read_framing(const value_view& record) {
    framing f;
    f.name = text_of(record, "id") + "/" + text_of(record, "flavour");
    f.wire = from_base64(text_of(record, "wire_b64"));
    f.writes = numbers(value_of(record, "writes"));
    f.retry = numbers(value_of(record, "retry"));
    f.comments = number(value_of(record, "comments").raw);
    proxy::json::array_walker events(value_of(record, "events"));
    while (const auto e = events.next()) {
        f.events.push_back({text_of(*e, "type"), text_of(*e, "data"), text_of(*e, "id")});
    }
    return f;
}

std::vector<framing> read_corpus() {
    std::ifstream file(TESTS_DIR "/sse/data/sse.jsonl");
    std::vector<framing> out;
    std::string line;
    while (std::getline(file, line)) {
        const auto record = proxy::json::read_value(line);
        BOOST_REQUIRE(record);
        out.push_back(read_framing(*record));
    }
    return out;
}

/// The lines of a block, without their ends.
std::vector<std::string> lines_of(std::string_view raw) {
    std::vector<std::string> lines;
    while (!raw.empty()) {
        const std::size_t end = raw.find_first_of("\r\n");
        BOOST_REQUIRE(end != std::string_view::npos);
        lines.emplace_back(raw.substr(0, end));
        const bool crlf = raw.substr(end, 2) == "\r\n";
        raw.remove_prefix(end + (crlf ? 2 : 1));
    }
    return lines;
}

/// What a client keeps between events: the last id, the retry values, the comments it skipped.
struct client {
    std::string last_id;
    std::vector<dispatched> events;
    std::vector<std::size_t> retry;
    std::size_t comments = 0;

    void take(const kept_item& it) {
        if (it.kind == item_kind::comment) {
            ++comments;
            return;
        }
        if (it.kind == item_kind::event || it.kind == item_kind::fields) {
            for (const std::string& line : lines_of(it.raw)) {
                take_line(line);
            }
        }
        if (it.kind == item_kind::event) {
            events.push_back({it.type.empty() ? "message" : it.type, it.data, last_id});
        }
    }

    void take_line(const std::string& line) {
        comments += line.starts_with(':') ? 1 : 0;
        const std::size_t colon = std::min(line.find(':'), line.size());
        const std::string name = line.substr(0, colon);
        std::string value = line.substr(std::min(colon + 1, line.size()));
        value = value.starts_with(' ') ? value.substr(1) : value;
        if (name == "id" && value.find('\0') == std::string::npos) {
            last_id = value;
        }
        if (name == "retry" && !value.empty() &&
            value.find_first_not_of("0123456789") == std::string::npos) {
            retry.push_back(number(value));
        }
    }
};

std::string without_bom(const std::string& wire) {
    return wire.starts_with("\xEF\xBB\xBF") ? wire.substr(3) : wire;
}

/// The invalid UTF-8 of a few records was written down as U+FFFD; the parser passes bytes.
std::string as_text(std::string_view bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes.size();) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        std::size_t size = lead < 0x80   ? 1
                           : lead < 0xC2 ? 0
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                                         : 4;
        std::size_t good = size == 0 || lead > 0xF4 ? 0 : 1;
        while (good > 0 && good < size && i + good < bytes.size()) {
            const auto c = static_cast<unsigned char>(bytes[i + good]);
            const bool second = good == 1;
            const unsigned low = second && lead == 0xE0   ? 0xA0
                                 : second && lead == 0xF0 ? 0x90
                                                          : 0x80;
            const unsigned high = second && lead == 0xED   ? 0x9F
                                  : second && lead == 0xF4 ? 0x8F
                                                           : 0xBF;
            if (c < low || c > high) {
                break;
            }
            ++good;
        }
        if (good > 0 && good == size) {
            out.append(bytes, i, size);
        } else {
            out += "\xEF\xBF\xBD";
        }
        i += std::max<std::size_t>(good, 1);
    }
    return out;
}

void check(const framing& f, const std::vector<std::size_t>& sizes) {
    const reading got = tests::read_in_pieces(f.wire, sizes);
    client seen;
    for (const kept_item& it : got.items) {
        seen.take(it);
    }
    for (dispatched& e : seen.events) {
        e.data = as_text(e.data);
    }
    BOOST_TEST(seen.events == f.events, boost::test_tools::per_element());
    BOOST_TEST(seen.retry == f.retry, boost::test_tools::per_element());
    BOOST_TEST(seen.comments == f.comments);
    BOOST_TEST(got.all_bytes() == without_bom(f.wire));
    BOOST_TEST(!got.too_large);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sse_corpus)

BOOST_AUTO_TEST_CASE(the_corpus_is_whole) {
    BOOST_TEST(read_corpus().size() == 150U);
}

BOOST_AUTO_TEST_CASE(every_framing_gives_its_events_at_every_cut) {
    for (const framing& f : read_corpus()) {
        for (const std::size_t size : {1U, 2U, 3U, 7U, 1U << 30}) {
            BOOST_TEST_CONTEXT(f.name << " in pieces of " << size) {
                check(f, {size});
            }
        }
        BOOST_TEST_CONTEXT(f.name << " as written") {
            check(f, f.writes.empty() ? std::vector<std::size_t>{1} : f.writes);
        }
    }
}

BOOST_AUTO_TEST_CASE(only_a_cut_block_is_left_at_the_end) {
    const std::set<std::string> cut = {"eof-no-blank/plain", "eof-no-blank/llm",
                                       "eof-no-newline/plain", "eof-no-newline/llm",
                                       "bom-half/raw"};
    for (const framing& f : read_corpus()) {
        for (const std::size_t size : {1U, 3U, 1U << 30}) {
            BOOST_TEST_CONTEXT(f.name << " in pieces of " << size) {
                BOOST_TEST(tests::read_in_pieces(f.wire, {size}).pending.empty() ==
                           (cut.count(f.name) == 0));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(items_are_the_same_at_every_cut) {
    for (const framing& f : read_corpus()) {
        const reading whole = tests::read_whole(f.wire);
        for (const std::size_t size : {1U, 2U, 3U, 5U, 7U, 64U}) {
            BOOST_TEST_CONTEXT(f.name << " in pieces of " << size) {
                BOOST_TEST((tests::read_in_pieces(f.wire, {size}) == whole));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
