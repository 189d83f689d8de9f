// Formats as data: what a dialect of leaked markup looks like. The rows come from
// conf/formats.yaml; a new dialect is one row there. See formats' `source` for where each was seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::scaffold {

/// How much evidence an opener carries by itself.
enum class format_class : std::uint8_t {
    sentinel, ///< special characters or a namespace: nearly never ordinary text
    tagged,   ///< plain tags or brackets that real answers hold too
    shaped,   ///< no unique literal
};

/// What a span counts as for the verdict on a turn.
enum class span_kind : std::uint8_t { call, result, reasoning, control };

/// How the payload behind an opener is read; each is one recogniser (see payload_scanner.hpp).
enum class payload_kind : std::uint8_t {
    none,            ///< the marker itself is the span (control tokens)
    json_call,       ///< object with a name-like key; also a list, a python dict, doubled braces
    json_list,       ///< array of such objects, or objects one per line
    json_single_key, ///< array of {"name": {arguments}}
    json_any,        ///< any one JSON object (behind an opener that carries the name)
    name_sep_json,   ///< NAME, separators, JSON object (Mistral, DeepSeek, Kimi)
    name_sep_line,   ///< NAME, separator, text to the end of its line that is no JSON (ReAct)
    name_sep_text,   ///< NAME, separator, any text up to a closer (Inkling)
    name_kv,         ///< NAME, then key and value tags (GLM)
    param_tags,      ///< <parameter=KEY>value</parameter> behind <function=NAME>
    attr_params,     ///< <invoke name="N"><parameter name="k">v</parameter></invoke>, any prefix
    tag_params,      ///< the tag is the key
    pythonic,        ///< [f(a=1), g()] or f(a=1), one per line
    gemma_map,       ///< call:NAME{key:value} with its own quotes
    arrow_map,       ///< {tool => "NAME", args => {…}}
    attr_tokens,     ///< attributes and values between tokens (Kimi K3)
    channel_text,    ///< Harmony's channels without their tokens, up to the next channel
    harmony,         ///< header words up to <|message|>, then a body
    call_any,        ///< whatever a wrapper may hold, told by its first bytes: any of the above
    python_tag,      ///< JSON call, call form, or raw python
    free_text,       ///< anything up to the closer (results)
};

/// Where an opener counts.
enum class anchor_kind : std::uint8_t {
    anywhere,
    line, ///< only as the first thing of a line
    turn, ///< only as the first thing of the turn
};

/// Where a control token counts (D13).
enum class control_place : std::uint8_t {
    trailing, ///< in a run at the end of the turn, glued to text or on its own line
    header,   ///< a role header: at the start of the turn or between two parts
    envelope, ///< a segment's wrapper: wherever it is glued to text or starts a line
};

/// A literal with its equivalents. `fold`: bars (U+FF5C, U+007C, U+2016; single or doubled,
/// optional space) and low lines (U+2581, `_`, space) are one; U+200B never is.
struct marker {
    std::string literal;
    bool fold = false;
    bool label = false; ///< in front of a final `>` may stand `:LABEL` (Hunyuan)
};

struct format {
    std::string name;
    format_class cls = format_class::tagged;
    span_kind strip_as = span_kind::call;
    std::vector<marker> open;
    std::vector<marker> close;        ///< closers; any of them may follow the payload, several too
    std::vector<marker> section_open; ///< wrappers around several calls of this format
    std::vector<marker> section_close;
    payload_kind payload = payload_kind::json_call;
    std::vector<std::string> separators; ///< for name_sep_json: literals between name and JSON
    std::vector<std::string> keys;       ///< name-like keys besides the usual ones
    std::vector<std::string> list_keys;  ///< keys besides `tool_calls` that hold a list of calls
    std::string prefix;                  ///< tag prefix, for attr_params and name_kv ("longcat_")
    anchor_kind anchor = anchor_kind::anywhere;
    control_place place = control_place::trailing; ///< for payload none
    bool glued = false;                ///< no white space between the opener and its payload
    bool alone = false;                ///< counts only if nothing follows it in the turn
    bool behind_call = false;          ///< counts only right behind a span that was removed (D14)
    bool repeat = true;                ///< several calls may follow each other in one span
    bool needs_tools = false;          ///< only with tools in context (D5)
    bool needs_declared_name = false;  ///< only for a declared name (D9)
    std::vector<std::string> families; ///< model families, for people
    std::vector<std::string> aka;      ///< other names of what this row reads
    std::string risk;                  ///< low, medium, high
    std::string source;                ///< where it was seen (URL or repository path)
};

/// What the request says about the text that will come; outlives the filters that use it.
struct context {
    bool tools = false; ///< tools in context (declared, in the history, or correction)
    bool correction_pass = false;
    bool json_answer = false;       ///< rules for bare JSON are off
    bool sentinels_only = false;    ///< legacy completions
    std::vector<std::string> names; ///< declared names, sorted

    bool declared(std::string_view name) const;
};

} // namespace proxy::scaffold
