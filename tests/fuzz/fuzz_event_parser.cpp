// Events: the same items at any split, every byte in one item, and the events that a plain reading
// of WHATWG HTML 9.2.6 finds. Input: a bound, a number of piece sizes, the sizes, the stream.

#include "tests/fuzz/expect.hpp"
#include "tests/sse/reading.hpp"

#include <algorithm>

namespace {

using proxy::sse::item_kind;
using tests::kept_item;
using tests::reading;

constexpr std::string_view bom = "\xEF\xBB\xBF";

struct plain_event {
    std::string data, type;

    bool operator==(const plain_event&) const = default;
};

/// Reads the whole text line by line, as the standard tells it.
std::vector<plain_event> plain_reading(std::string_view text) {
    std::vector<plain_event> events;
    std::string data, type;
    bool has_data = false;
    while (true) {
        const std::size_t end = text.find_first_of("\r\n");
        if (end == std::string_view::npos) {
            return events;
        }
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
        const std::size_t colon = std::min(line.find(':'), line.size());
        std::string_view value = line.substr(std::min(colon + 1, line.size()));
        value.remove_prefix(value.starts_with(' ') ? 1 : 0);
        if (line.empty()) {
            if (has_data) {
                events.push_back({data.substr(0, data.size() - 1), type});
            }
            data.clear();
            type.clear();
            has_data = false;
        } else if (line.substr(0, colon) == "data") {
            data.append(value).append("\n");
            has_data = true;
        } else if (line.substr(0, colon) == "event") {
            type = value;
        }
    }
}

void check_events(const reading& got, std::string_view text) {
    std::vector<plain_event> events;
    for (const kept_item& it : got.items) {
        if (it.kind == item_kind::event) {
            events.push_back({it.data, it.type});
        }
    }
    FUZZ_EXPECT(events == plain_reading(text));
    FUZZ_EXPECT(got.all_bytes() == text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::size_t bound = data[0] == 0 ? proxy::limits::event_bytes_max : data[0];
    const std::size_t sizes_count = std::min<std::size_t>(data[1] % 16, size - 2);
    std::vector<std::size_t> sizes(data + 2, data + 2 + sizes_count);
    sizes.push_back(1 + data[1] / 16);
    const std::string_view text = tests::as_text(data + 2 + sizes_count, size - 2 - sizes_count);

    const reading whole = tests::read_whole(text, bound);
    FUZZ_EXPECT(tests::read_in_pieces(text, sizes, bound) == whole);
    FUZZ_EXPECT(tests::read_in_pieces(text, {1}, bound) == whole);
    if (!whole.too_large) {
        check_events(whole, text.starts_with(bom) ? text.substr(bom.size()) : text);
    }
    return 0;
}
