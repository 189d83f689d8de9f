// JSON text: the three ways to decode a string agree, offsets lead back, what is escaped decodes to
// itself, and the walkers find every part of what the scanner accepts.

#include "proxy/base/limits.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"

#include "tests/fuzz/expect.hpp"

namespace {

using proxy::json::kind;
using proxy::json::value_view;

void check_string(std::string_view raw) {
    proxy::json::decoded_string s;
    s.set(raw);
    const std::string_view text = s.text();
    FUZZ_EXPECT(proxy::json::unescape(raw) == text);
    FUZZ_EXPECT(proxy::json::equals(raw, text));
    std::size_t before = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const std::size_t at = s.raw_offset(i);
        FUZZ_EXPECT(at >= before && at <= raw.size());
        before = at;
    }
    FUZZ_EXPECT(before == raw.size());

    std::string escaped;
    proxy::json::append_escaped(escaped, raw);
    FUZZ_EXPECT(proxy::json::unescape(escaped) == raw);
    FUZZ_EXPECT(proxy::json::read_value('"' + escaped + '"').has_value());
}

/// Walks everything; a part read on its own is the same part.
void check_value(const value_view& value) {
    const auto again = proxy::json::read_value(value.raw);
    FUZZ_EXPECT(again && again->kind == value.kind && again->raw == value.raw);
    if (value.kind == kind::object) {
        proxy::json::object_walker members(value);
        std::size_t searched = 0; // each search walks the object: not for all of thousands
        while (const auto member = members.next()) {
            FUZZ_EXPECT(tests::lies_in(member->whole, value.raw));
            FUZZ_EXPECT(member->whole.ends_with(member->value.raw));
            const std::string key = proxy::json::unescape(member->key);
            if (searched++ < 16) {
                FUZZ_EXPECT(proxy::json::find_last(value, key).has_value());
            }
        }
    } else if (value.kind == kind::string) {
        check_string(value.inside());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = tests::as_text(data, size);
    check_string(text);
    if (const auto value = proxy::json::read_value(text)) {
        check_value(*value);
        if (value->kind == kind::array) {
            proxy::json::array_walker elements(*value);
            while (const auto element = elements.next()) {
                check_value(*element);
            }
        }
    }
    return 0;
}
