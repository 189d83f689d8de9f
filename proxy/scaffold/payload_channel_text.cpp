#include "proxy/scaffold/payload_channel_text.hpp"

#include "proxy/base/limits.hpp"

namespace proxy::scaffold {

namespace {

constexpr std::string_view final_channel = "assistantfinal";

/// Text glued to a channel's name begins like a text, and not like the rest of a word or sentence.
bool begins_text(char c) {
    const bool upper = c >= 'A' && c <= 'Z';
    return upper || is_digit(c) || (c & 0x80) != 0 ||
           std::string_view("{[#*\"").find(c) != std::string_view::npos;
}

} // namespace

channel_text_scanner::channel_text_scanner(const payload_start& start)
    : next_channel_({std::string(final_channel), "assistantcommentary to="}),
      final_{start.opener.ends_with("final")} {}

step channel_text_scanner::take(char c) {
    if (final_) {
        return begins_text(c) ? step::back : step::broken;
    }
    // Without the next channel it stays an answer, which waits no longer than any other.
    if ((taken_ == 0 && !begins_text(c)) || ++taken_ >= limits::candidate_bytes_max) {
        return step::broken;
    }
    begin();
    const auto next = next_channel_.take(c);
    if (next.empty()) {
        return step::more;
    }
    tail_ = next == final_channel ? 0 : next.size();
    return step::done;
}

} // namespace proxy::scaffold
