#include "proxy/chat/chunk_shape.hpp"

#include "proxy/base/limits.hpp"

#include <cstring>

namespace proxy::chat {

namespace {

// True if `text` can stand between the two quotes: no quote ends it early, no escape is cut off.
bool is_inside(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == '"' || byte < 0x20) {
            return false;
        }
        if (byte == '\\' && ++i == text.size()) {
            return false;
        }
    }
    return true;
}

} // namespace

void chunk_shape::learn(const chunk_view& chunk) {
    const std::string_view data = chunk.data();
    const std::string_view inside = chunk.choices()[0].text.inside;
    before_ = static_cast<std::size_t>(inside.data() - data.data());
    index_ = chunk.choices()[0].index;
    const std::size_t length = data.size() - inside.size();
    if (length > around_.capacity()) { // appending would double it, for as long as the stream lives
        std::string().swap(around_);
        around_.reserve(length + limits::shape_spare_bytes);
    }
    around_.assign(data.substr(0, before_)).append(data.substr(before_ + inside.size()));
}

bool chunk_shape::read(std::string_view data, chunk_view& chunk) const {
    if (around_.empty() || data.size() <= around_.size()) {
        return false;
    }
    const std::size_t after = around_.size() - before_;
    const std::size_t length = data.size() - around_.size();
    if (std::memcmp(data.data(), around_.data(), before_) != 0 ||
        std::memcmp(data.data() + before_ + length, around_.data() + before_, after) != 0) {
        return false;
    }
    const std::string_view inside = data.substr(before_, length);
    if (!is_inside(inside)) {
        return false;
    }
    chunk.set_text_only(data, index_, inside);
    return true;
}

} // namespace proxy::chat
