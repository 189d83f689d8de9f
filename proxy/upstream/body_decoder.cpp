#include "proxy/upstream/body_decoder.hpp"

#include <algorithm>

namespace proxy::upstream {

std::optional<std::string_view> body_decoder::next(std::string_view& input) {
    switch (kind_) {
    case framing::none:
        return std::nullopt;
    case framing::chunked:
        return chunks_.next(input);
    case framing::length:
    case framing::until_close:
        break;
    }
    auto size = input.size();
    if (kind_ == framing::length) {
        size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, size));
        left_ -= size;
    }
    if (size == 0) {
        return std::nullopt;
    }
    const auto piece = input.substr(0, size);
    input.remove_prefix(size);
    return piece;
}

bool body_decoder::complete() const {
    switch (kind_) {
    case framing::none:
        return true;
    case framing::length:
        return left_ == 0;
    case framing::chunked:
        return chunks_.done();
    case framing::until_close:
        return false;
    }
    return false;
}

} // namespace proxy::upstream
