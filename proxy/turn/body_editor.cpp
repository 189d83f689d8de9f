#include "proxy/turn/body_editor.hpp"

#include "proxy/json/escape.hpp"

namespace proxy::turn {

void body_editor::remove_members(json::value_view object, bool (*is_removed)(std::string_view)) {
    json::object_walker members(object);
    const char* kept_end = nullptr;  // end of the last member that stays
    const char* run_begin = nullptr; // first removed member since then
    const char* run_end = nullptr;
    while (const auto member = members.next()) {
        const char* begin = member->whole.data();
        const char* end = begin + member->whole.size();
        if (is_removed(member->key)) {
            run_begin = run_begin != nullptr ? run_begin : begin;
            run_end = end;
            continue;
        }
        if (run_begin != nullptr) {
            replace({run_begin, static_cast<std::size_t>(begin - run_begin)}, "");
            run_begin = nullptr;
        }
        kept_end = end;
    }
    if (run_begin != nullptr) {
        const char* from = kept_end != nullptr ? kept_end : run_begin;
        replace({from, static_cast<std::size_t>(run_end - from)}, "");
    }
}

std::string body_editor::result() {
    std::string out;
    edits_.apply(body_, out);
    return out;
}

std::string body_editor::quoted(std::string_view text) {
    std::string out = "\"";
    json::append_escaped(out, text);
    out += '"';
    return out;
}

} // namespace proxy::turn
