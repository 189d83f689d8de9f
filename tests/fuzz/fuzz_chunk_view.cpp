// Chunks: where the byte scan and simdjson both read a text they read the same, simdjson refuses no
// well-formed text but for its characters, and an edit at a string's place gives a chunk that
// differs in that string only.

#include "proxy/base/limits.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/json/splices.hpp"

#include "tests/chat/chunk_outline.hpp"
#include "tests/fuzz/expect.hpp"

namespace {

using proxy::chat::choice_view;
using proxy::chat::chunk_view;
using proxy::chat::chunk_view_paths;
using way = chunk_view_paths::way;

constexpr std::string_view replacement = "an edited text";

/// Only bytes that simdjson takes anywhere in a text.
bool is_printable_ascii(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7E) {
            return false;
        }
    }
    return true;
}

void replace(proxy::json::splices& edits, const chunk_view& view, std::string_view inside) {
    FUZZ_EXPECT(tests::lies_in(inside, view.data()));
    FUZZ_EXPECT(inside.data()[-1] == '"' && inside.data()[inside.size()] == '"');
    edits.replace(static_cast<std::size_t>(inside.data() - view.data().data()), inside.size(),
                  replacement);
}

/// Edits every text and its copies; the rest must read as before.
void check_edit(const chunk_view& view) {
    proxy::json::splices edits;
    for (std::size_t i = 0; i < view.choices_count(); ++i) {
        const choice_view& c = view.choices()[i];
        if (c.text.present) {
            replace(edits, view, c.text.inside);
        }
        for (const std::string_view copy : c.earlier_copies) {
            replace(edits, view, copy);
        }
    }
    std::string edited;
    edits.apply(view.data(), edited);
    const std::size_t size = edited.size();
    edited.append(proxy::limits::json_padding, ' ');
    chunk_view again;
    FUZZ_EXPECT(again.parse(std::string_view(edited).substr(0, size)));
    FUZZ_EXPECT(again.choices_count() == view.choices_count());
    for (std::size_t i = 0; i < view.choices_count(); ++i) {
        const choice_view& before = view.choices()[i];
        const choice_view& after = again.choices()[i];
        FUZZ_EXPECT(after.text.present == before.text.present);
        FUZZ_EXPECT(!after.text.present || after.text.inside == replacement);
        FUZZ_EXPECT(after.earlier_copies.size() == before.earlier_copies.size());
        FUZZ_EXPECT(after.index == before.index);
        FUZZ_EXPECT(after.finish_reason.inside == before.finish_reason.inside);
        FUZZ_EXPECT(after.role_member == before.role_member);
    }
    FUZZ_EXPECT(again.usage == view.usage && again.error == view.error);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = tests::as_text(data, size);
    const std::string fast = chunk_view_paths::outline(way::fast, text);
    const std::string scan = chunk_view_paths::outline(way::scan, text);
    FUZZ_EXPECT(fast == "no" || scan == "no" || fast == scan);
    FUZZ_EXPECT(fast != "no" || scan == "no" || !is_printable_ascii(text));

    std::string padded(text);
    padded.append(proxy::limits::json_padding, '}');
    chunk_view view;
    if (view.parse(std::string_view(padded).substr(0, size))) {
        check_edit(view);
    } else {
        FUZZ_EXPECT(fast == "no" && scan == "no");
    }
    return 0;
}
