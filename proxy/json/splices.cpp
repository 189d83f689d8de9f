#include "proxy/json/splices.hpp"

#include "proxy/base/ensure.hpp"

#include <algorithm>

namespace proxy::json {

void splices::replace(std::size_t offset, std::size_t length, std::string_view replacement) {
    edits_.push_back({offset, length, texts_.size(), replacement.size()});
    texts_.append(replacement);
}

void splices::clear() {
    edits_.clear();
    texts_.clear();
}

void splices::apply(std::string_view original, std::string& out) {
    // An insertion sorts in front of a replacement at the same place. texts_ grows with every
    // edit, so its offsets keep the order of adding where all else is equal (an in-place sort:
    // std::stable_sort would allocate).
    std::sort(edits_.begin(), edits_.end(), [](const edit& a, const edit& b) {
        if (a.offset != b.offset) {
            return a.offset < b.offset;
        }
        if ((a.length == 0) != (b.length == 0)) {
            return a.length == 0;
        }
        return a.text_offset < b.text_offset;
    });
    std::size_t copied = 0;
    for (const edit& e : edits_) {
        PROXY_ENSURE(e.offset >= copied && e.offset <= original.size());
        PROXY_ENSURE(e.length <= original.size() - e.offset);
        out.append(original, copied, e.offset - copied);
        out.append(texts_, e.text_offset, e.text_length);
        copied = e.offset + e.length;
    }
    out.append(original, copied, original.size() - copied);
}

} // namespace proxy::json
