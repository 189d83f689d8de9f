#include "proxy/turn/token_alignment.hpp"

#include "proxy/json/escape.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace proxy::turn {

std::optional<json::value_view> json_member(json::value_view object, std::string_view key,
                                            json::kind kind) {
    if (object.kind != json::kind::object) {
        return std::nullopt;
    }
    const auto found = json::find_last(object, key);
    return found && found->value.kind == kind ? std::optional(found->value) : std::nullopt;
}

std::optional<std::uint64_t> json_count(json::value_view value) {
    std::uint64_t out = 0;
    const char* end = value.raw.data() + value.raw.size();
    const auto read = std::from_chars(value.raw.data(), end, out);
    return read.ec == std::errc() && read.ptr == end ? std::optional(out) : std::nullopt;
}

namespace {

// The text of one entry of `content`: its bytes where they are told, for a token may be a part of a
// character; else its token.
std::string token_text(json::value_view entry) {
    std::string out;
    if (const auto bytes = json_member(entry, "bytes", json::kind::array)) {
        json::array_walker walker(*bytes);
        while (const auto byte = walker.next()) {
            out += static_cast<char>(json_count(*byte).value_or('?'));
        }
        return out;
    }
    const auto token = json_member(entry, "token", json::kind::string);
    return token ? json::unescape(token->inside()) : out;
}

class aligner {
  public:
    explicit aligner(const text_cut& cut) : cut_(cut) {}

    // False if the token is not the text's next part, or was cut in two.
    bool add(std::string_view token) {
        if (cut_.text.substr(at_, token.size()) != token) {
            return false;
        }
        const std::size_t end = at_ + token.size();
        const auto& ranges = *cut_.stripped;
        while (range_ < ranges.size() && ranges[range_].end <= at_) {
            ++range_;
        }
        const bool near = range_ < ranges.size() && ranges[range_].begin <= end;
        const bool inside = near && ranges[range_].begin <= at_ && end <= ranges[range_].end;
        if (near && !inside && ranges[range_].begin < end) {
            return false;
        }
        found_.stays.push_back(!inside);
        found_.begins.push_back(at_);
        at_ = end;
        return true;
    }

    std::optional<alignment> take() {
        return at_ == cut_.text.size() ? std::optional(std::move(found_)) : std::nullopt;
    }

  private:
    const text_cut& cut_;
    alignment found_;
    std::size_t at_ = 0;
    std::size_t range_ = 0; // the first one that does not end before at_
};

} // namespace

std::optional<alignment> align(json::value_view logprobs, const text_cut& cut) {
    aligner tokens(cut);
    const auto content = json_member(logprobs, "content", json::kind::array);
    const auto legacy = json_member(logprobs, "tokens", json::kind::array);
    if (!content && !legacy) {
        return std::nullopt;
    }
    json::array_walker walker(content ? *content : *legacy);
    while (const auto entry = walker.next()) {
        const bool fits = content ? tokens.add(token_text(*entry))
                                  : entry->kind == json::kind::string &&
                                        tokens.add(json::unescape(entry->inside()));
        if (!fits) {
            return std::nullopt;
        }
    }
    return tokens.take();
}

} // namespace proxy::turn
