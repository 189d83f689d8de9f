// Questions about what a marker is, shared by everything that meets one.
#pragma once

#include "proxy/scaffold/matcher.hpp"
#include "proxy/scaffold/payload_bytes.hpp" // is_space

#include <algorithm>

namespace proxy::scaffold {

inline bool is_open(const marker_use& use) {
    return use.role == marker_role::open || use.role == marker_role::section_open;
}

inline bool is_close(const marker_use& use) {
    return use.role == marker_role::close || use.role == marker_role::section_close;
}

/// A control token: the marker itself is the span (D13).
inline bool is_control(const marker_use& use) {
    return use.role == marker_role::open && use.fmt->payload == payload_kind::none;
}

/// Tags such as <think>, which pass through with their content (D16).
inline bool is_kept_reasoning(const format& fmt) {
    return fmt.strip_as == span_kind::reasoning && fmt.cls == format_class::tagged;
}

/// A result that the model invents: any text up to its closer (D14).
inline bool is_result(const marker_use& use) {
    return use.role == marker_role::open && use.fmt->strip_as == span_kind::result &&
           use.fmt->payload == payload_kind::free_text;
}

/// Payloads that are JSON from their first byte on.
inline bool is_json(payload_kind kind) {
    return kind == payload_kind::json_call || kind == payload_kind::json_list ||
           kind == payload_kind::call_any;
}

/// The first use of `entry` that passes `test`, or null.
template <class Test>
const marker_use* find_use(const marker_entry& entry, Test test) {
    const auto it = std::ranges::find_if(entry.uses, test);
    return it == entry.uses.end() ? nullptr : &*it;
}

/// True if `entry` can close a call of some format.
inline bool closes_call(const marker_entry& entry) {
    return find_use(entry, [](const marker_use& use) {
               return is_close(use) && use.fmt->strip_as == span_kind::call;
           }) != nullptr;
}

} // namespace proxy::scaffold
