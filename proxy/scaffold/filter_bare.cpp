// Calls without an opener: bare JSON and python lists, the residue of skipped tokens, tags named
// like a tool. They count only with the name of a declared tool, where a turn or line begins; text
// waits no longer than it could still be such a name.
#include "proxy/base/limits.hpp"
#include "proxy/scaffold/bare_call.hpp"
#include "proxy/scaffold/filter_impl.hpp"
#include "proxy/scaffold/marker_uses.hpp"

#include <algorithm>

namespace proxy::scaffold {

bool choice_filter::impl::may_be_bare(char c) const {
    if (!ctx.tools || ctx.sentinels_only || is_space(c) || code.inline_open() != 0 ||
        code.in_code() || pos < blind_until) {
        return false;
    }
    const auto at = level();
    if (at == anchor_kind::anywhere) {
        return false;
    }
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return c == '{' || c == '[' || c == '<' || (letter && at == anchor_kind::turn);
}

/// At a byte where a bare call may begin: false if the next bytes must tell.
bool choice_filter::impl::at_bare_start(bool last, decisions& out) {
    const auto rest = text.from(pos);
    const char c = rest.front();
    name_match name;
    auto kind = payload_kind::json_list;
    if (c == '<') {
        name = match_name(ctx, rest.substr(1), ">", last);
        kind = payload_kind::tag_params;
    } else if (c == '{' || c == '[') {
        const auto inner = rest.find_first_not_of(" \n\t\r", 1);
        if (inner == std::string_view::npos) {
            name.found = last || rest.size() > limits::name_bytes_max ? name_match::answer::no
                                                                      : name_match::answer::more;
        } else if (rest[inner] == '{' || (c == '{' && rest[inner] == '"')) {
            name.found = name_match::answer::yes;
        } else if (c == '[') {
            name = match_name(ctx, rest.substr(inner), "(", last);
            kind = payload_kind::pythonic;
        }
    } else {
        name = match_name(ctx, rest, behind_bare_name, last);
        kind = payload_kind::name_sep_json;
    }
    if (name.found == name_match::answer::more) {
        flush(out);
        return false;
    }
    if (name.found == name_match::answer::no) {
        pass_plain();
    } else if (kind != payload_kind::tag_params) {
        begin_bare(kind, out);
    } else if (!begin_named_tag(name.length + 2, out)) {
        pass_plain();
    }
    return true;
}

void choice_filter::impl::begin_bare(payload_kind kind, decisions& out) {
    flush(out);
    opener = &markers.bare();
    reader().begin_bare(*opener, kind, pos, level() == anchor_kind::turn);
    watching = call_done = false;
    now = state::candidate;
}

/// `<NAME>` with the name of a tool, as Cline and Roo write calls.
bool choice_filter::impl::begin_named_tag(std::size_t length, decisions& out) {
    const auto& uses = markers.bare().uses;
    const auto row = std::ranges::find_if(
        uses, [](const marker_use& u) { return u.fmt->payload == payload_kind::tag_params; });
    if (row == uses.end()) {
        return false;
    }
    flush(out);
    tag_opener = std::make_unique<marker_entry>();
    tag_opener->literal = text.from(pos).substr(0, length);
    tag_opener->uses = {*row};
    opener = tag_opener.get();
    reader().begin(*tag_opener, pos, length, where());
    watching = call_done = false;
    now = state::candidate;
    return true;
}

} // namespace proxy::scaffold
