#include "proxy/turn/output.hpp"

namespace proxy::turn {

namespace {

// An arena up to this size is kept for the next read; a larger one is given back.
constexpr std::size_t kept_arena_bytes = 16 * 1024;

} // namespace

void output::pass(std::string_view bytes) {
    if (bytes.empty()) {
        return;
    }
    bytes_ += bytes.size();
    if (!pieces_.empty()) {
        part& last = pieces_.back();
        if (last.view != nullptr && last.view + last.length == bytes.data()) {
            last.length += bytes.size();
            return;
        }
    }
    pieces_.push_back({bytes.data(), 0, bytes.size()});
}

void output::own(std::string_view bytes) {
    const std::size_t mark = arena_.size();
    arena_.append(bytes);
    own_since(mark);
}

void output::own_since(std::size_t mark) {
    const std::size_t length = arena_.size() - mark;
    if (length == 0) {
        return;
    }
    bytes_ += length;
    if (!pieces_.empty()) {
        part& last = pieces_.back();
        if (last.view == nullptr && last.offset + last.length == mark) {
            last.length += length;
            return;
        }
    }
    pieces_.push_back({nullptr, mark, length});
}

std::string_view output::piece(std::size_t i) const {
    const part& p = pieces_[i];
    return {p.view != nullptr ? p.view : arena_.data() + p.offset, p.length};
}

std::string output::str() const {
    std::string all;
    all.reserve(bytes_);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        all.append(piece(i));
    }
    return all;
}

void output::clear() {
    pieces_.clear();
    bytes_ = 0;
    if (arena_.capacity() > kept_arena_bytes) {
        std::string().swap(arena_);
    } else {
        arena_.clear();
    }
}

} // namespace proxy::turn
