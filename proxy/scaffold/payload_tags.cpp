#include "proxy/scaffold/payload_tags.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::scaffold {

namespace {

// One token of MiniMax M3 stands in front of each of its tags.
constexpr std::string_view tag_noise = "]<]minimax[>[";

} // namespace

tag_scanner::tag_scanner(const payload_start& start, bool key_tags)
    : fmt_{start.fmt}, key_tags_{key_tags} {
    start_from(start.opener);
}

void tag_scanner::start_from(std::string_view opener) {
    in_wrapper_ = true;
    const std::size_t begin = opener.rfind('<');
    if (begin == std::string_view::npos) {
        return;
    }
    if (!opener.ends_with('>')) {
        reader_.seed(opener.substr(begin));
        phase_ = phase::head;
        in_wrapper_ = false;
        return;
    }
    const auto found = read_tag(opener.substr(begin));
    if (!found ||
        (found->word != tag_word::call && !(key_tags_ && found->word == tag_word::other))) {
        return;
    }
    name_ = found->word == tag_word::call ? found->name : found->base;
    call_word_ = found->base;
    phase_ = phase::body;
    in_wrapper_ = false;
}

step tag_scanner::take(char c) {
    if (phase_ == phase::json) {
        return take_json(c);
    }
    if (structural() && (noise_ != 0 || (c == ']' && !reader_.open()))) {
        return take_noise(c);
    }
    if (phase_ == phase::head && head_is_broken(c)) {
        return step::broken;
    }
    switch (reader_.take(c)) {
    case tag_reader::verdict::text:
        return on_text(c);
    case tag_reader::verdict::inside:
        if (phase_ == phase::head && c == '=' && is_sentinel(fmt_)) {
            confirm();
        }
        return step::more;
    case tag_reader::verdict::whole: {
        const auto found = read_tag(reader_.bytes());
        tag_bytes_ = reader_.bytes().size();
        const step result = found ? on_tag(*found) : on_junk(tag_bytes_);
        reader_.reset();
        return result == step::back ? step::done : result;
    }
    case tag_reader::verdict::no_tag: {
        const std::size_t pending = reader_.bytes().size();
        reader_.reset();
        const step result = on_junk(pending);
        return result == step::more ? take(c) : result;
    }
    }
    return step::broken;
}

std::size_t tag_scanner::skip(std::string_view text) const {
    if (phase_ == phase::json) {
        return json_.skip(text);
    }
    const bool plain = phase_ == phase::value && !reader_.open();
    return plain ? std::min(text.find('<'), text.size()) : 0;
}

bool tag_scanner::whole_at_end() {
    switch (phase_) {
    case phase::outer:
    case phase::head:
    case phase::body:
    case phase::value:
        return false;
    case phase::json:
        if (json_.whole_at_end()) {
            tail_ = json_.tail();
            return true;
        }
        return false;
    case phase::behind_value:
        if (!surely_) {
            return false;
        }
        break;
    case phase::cut_value:
    case phase::behind_json:
    case phase::behind_call:
        break;
    }
    if (reader_.open() || noise_ != 0) {
        return false; // a cut closer of ours: all of it is markup
    }
    tail_ = gap_;
    return true;
}

step tag_scanner::take_noise(char c) {
    if (c != tag_noise[noise_] || gap_ > limits::payload_gap_max) {
        const std::size_t pending = noise_;
        noise_ = 0;
        const step result = on_junk(pending);
        const bool retake = result == step::more && phase_ == phase::value;
        return retake ? take(c) : result;
    }
    if (++noise_ == tag_noise.size()) {
        noise_ = 0;
        gap_ += tag_noise.size();
    }
    return step::more;
}

step tag_scanner::take_json(char c) {
    const step result = json_.take(c);
    if (json_.state() == payload_state::confirmed) {
        confirm();
    }
    if (result == step::more || result == step::broken) {
        return result;
    }
    phase_ = phase::behind_json;
    gap_ = json_.tail();
    line_ended_ = false;
    return result == step::done ? step::more : take(c);
}

step tag_scanner::on_text(char c) {
    if (phase_ == phase::value) {
        return step::more;
    }
    if (is_space(c)) {
        line_ended_ = line_ended_ || c == '\n';
        const bool waits = phase_ == phase::outer || (phase_ == phase::body && !confirmed());
        if (++gap_ <= limits::payload_gap_max || waits) {
            return step::more;
        }
        --gap_;
        return on_junk(0);
    }
    if (phase_ == phase::body && (c == '{' || c == '`') && !key_tags_) {
        if (c == '{') { // a name and a brace are evidence (D1)
            confirm();
        }
        phase_ = phase::json;
        return take_json(c);
    }
    const bool in_json = c == '"' || c == '}' || c == ']';
    if (phase_ == phase::behind_value && key_tags_ && gap_ == 0 && in_json) {
        phase_ = phase::value; // `{"q": "</arguments>"}` in <arguments>: no closer yet
        return step::more;
    }
    const step result = on_junk(0);
    return result == step::more ? take(c) : result;
}

/// `pending` bytes behind the gap, and the byte that was just refused, are no tag.
step tag_scanner::on_junk(std::size_t pending) {
    switch (phase_) {
    case phase::outer:
    case phase::head:
        return step::broken;
    case phase::body:
        if (!confirmed()) {
            return step::broken;
        }
        break;
    case phase::value:
    case phase::json:
        return step::more;
    case phase::behind_value:
        // On the closer's own line the text is still the value's; on a new line the value was whole
        // and the call's closer is missing.
        if (surely_ && (line_ended_ || key_tags_)) {
            break;
        }
        phase_ = phase::value;
        return step::more;
    case phase::cut_value:
        phase_ = phase::value;
        return step::more;
    case phase::behind_json:
    case phase::behind_call:
        break;
    }
    tail_ = gap_ + pending;
    return step::back;
}

/// A name behind `=` holds no spaces: `<function=beam is` is prose.
bool tag_scanner::head_is_broken(char c) const {
    const std::string_view head = reader_.bytes();
    const std::size_t equals = head.find('=');
    if (equals == std::string_view::npos || !head.substr(0, equals).ends_with("function")) {
        return false;
    }
    return !is_name_byte(c) && c != '>' && c != '"' && c != '\'';
}

} // namespace proxy::scaffold
