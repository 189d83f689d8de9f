#include "proxy/turn/text_cut.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::turn {

void add_range(std::vector<byte_range>& to, byte_range next) {
    if (next.begin == next.end) {
        return;
    }
    if (!to.empty() && to.back().end == next.begin) {
        to.back().end = next.end;
    } else {
        to.push_back(next);
    }
}

std::uint64_t code_points(std::string_view text) {
    return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

void cut_places::add(std::string_view text, bool stripped) {
    const std::uint64_t chars = code_points(text);
    if (stripped) {
        const bool joins = !places_.empty() && (places_.back().at + places_.back().chars == seen_ ||
                                                places_.size() >= limits::cut_places_max);
        if (joins) {
            places_.back().chars += chars;
        } else {
            places_.push_back({seen_, chars});
        }
        stripped_ += chars;
    }
    seen_ += chars;
}

std::uint64_t cut_places::moved(std::uint64_t position) const {
    std::uint64_t gone = 0;
    for (const place& p : places_) {
        if (p.at < position) {
            gone += std::min(p.chars, position - p.at);
        }
    }
    return position - gone;
}

} // namespace proxy::turn
