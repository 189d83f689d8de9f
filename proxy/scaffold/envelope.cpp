#include "proxy/scaffold/envelope.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>
#include <array>

namespace proxy::scaffold {

namespace {

constexpr std::string_view message_token = "<|message|>";
constexpr std::string_view channel_token = "<|channel|>";
constexpr std::string_view start_token = "<|start|>";
constexpr std::array<std::string_view, 4> header_tokens = {message_token, channel_token,
                                                           start_token, "<|constrain|>"};

bool is_header_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.:=/- \n").find(c) != std::string_view::npos;
}

/// The word at the begin of `text`, spaces in front of it passed over.
std::string_view word(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    return text.substr(0, text.find_first_of(" \n<"));
}

std::string_view word_behind(std::string_view text, std::size_t at, std::string_view mark) {
    return at == std::string_view::npos ? std::string_view() : word(text.substr(at + mark.size()));
}

} // namespace

void envelope_header::begin(std::string_view opener) {
    text_ = opener;
    token_ = std::string::npos;
    kind_ = segment_kind::visible;
    preamble_ = false;
}

envelope_header::status envelope_header::step(char c) {
    if (text_.size() >= limits::candidate_start_max) {
        return status::broken;
    }
    if (token_ == std::string::npos && c != '<') {
        if (!is_header_byte(c)) {
            return status::broken;
        }
        text_.push_back(c);
        return status::more;
    }
    if (token_ == std::string::npos) {
        token_ = text_.size();
    }
    text_.push_back(c);
    const auto token = std::string_view(text_).substr(token_);
    const bool known = std::ranges::any_of(
        header_tokens, [&](std::string_view t) { return t.starts_with(token); });
    if (!known) {
        return status::broken;
    }
    if (token == message_token) {
        return finish();
    }
    if (token.ends_with("|>")) {
        token_ = std::string::npos;
    }
    return status::more;
}

envelope_header::status envelope_header::finish() {
    const std::string_view text = text_;
    const auto role = word_behind(text, text.rfind(start_token), start_token);
    const auto channel = word_behind(text, text.rfind(channel_token), channel_token);
    const auto recipient = word_behind(text, text.rfind("to="), "to=");
    if (role.starts_with("functions.") || role == "tool") {
        kind_ = segment_kind::result;
    } else if (!role.empty() && role != "assistant") {
        return status::broken; // another role's turn: someone explains the format
    } else if (!recipient.empty() && recipient != "assistant" && recipient != "user") {
        kind_ = segment_kind::call;
    } else if (channel.starts_with("analysis")) {
        kind_ = segment_kind::reasoning;
    } else if (channel.starts_with("commentary")) {
        preamble_ = true;
    } else if (!channel.starts_with("final") && !(channel.empty() && !role.empty())) {
        return status::broken;
    }
    return status::done;
}

} // namespace proxy::scaffold
