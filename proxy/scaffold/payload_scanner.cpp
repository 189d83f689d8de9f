#include "proxy/scaffold/payload_scanner.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/scaffold/payload_any.hpp"
#include "proxy/scaffold/payload_arrow_map.hpp"
#include "proxy/scaffold/payload_attr_tokens.hpp"
#include "proxy/scaffold/payload_channel_text.hpp"
#include "proxy/scaffold/payload_gemma.hpp"
#include "proxy/scaffold/payload_json.hpp"
#include "proxy/scaffold/payload_named_text.hpp"
#include "proxy/scaffold/payload_python_tag.hpp"
#include "proxy/scaffold/payload_pythonic.hpp"
#include "proxy/scaffold/payload_tags.hpp"
#include "proxy/scaffold/payload_text.hpp"

namespace proxy::scaffold {

namespace {

/// A whole wrapper tag says nothing of what stands in it; a call's own tag does.
bool is_wrapper(std::string_view opener) {
    const std::size_t begin = opener.rfind('<');
    if (begin == std::string_view::npos || !opener.ends_with('>')) {
        return false;
    }
    const auto found = read_tag(opener.substr(begin));
    return !found || found->word != tag_word::call;
}

std::unique_ptr<payload_scanner> make_tags(const payload_start& start) {
    if (is_wrapper(start.opener)) {
        return std::make_unique<any_scanner>(start);
    }
    return std::make_unique<tag_scanner>(start, false);
}

std::unique_ptr<payload_scanner> make_json(json_scanner::shape shape, const payload_start& start) {
    return std::make_unique<json_scanner>(shape, start.fmt);
}

std::unique_ptr<payload_scanner> make_named_text(const payload_start& start,
                                                 named_text_scanner::input ends) {
    return std::make_unique<named_text_scanner>(start, ends);
}

} // namespace

bool payload_scanner::reads_like(const payload_scanner& other) const {
    const auto& mine = reader();
    const auto& others = other.reader();
    const bool leads_on = &mine != this || &others != &other;
    return leads_on && mine.reads_like(others);
}

std::unique_ptr<payload_scanner> make_scanner(const payload_start& start) {
    PROXY_ENSURE(start.fmt != nullptr);
    switch (start.fmt->payload) {
    case payload_kind::none:
        return std::make_unique<empty_scanner>();
    case payload_kind::json_call:
        return make_json(json_scanner::shape::call, start);
    case payload_kind::json_list:
        return make_json(json_scanner::shape::list, start);
    case payload_kind::json_single_key:
        return make_json(json_scanner::shape::single_key, start);
    case payload_kind::json_any:
        return make_json(json_scanner::shape::any, start);
    case payload_kind::name_sep_json:
    case payload_kind::name_kv:
    case payload_kind::call_any:
        return std::make_unique<any_scanner>(start);
    case payload_kind::param_tags:
    case payload_kind::attr_params:
        return make_tags(start);
    case payload_kind::tag_params:
        return std::make_unique<tag_scanner>(start, true);
    case payload_kind::pythonic:
        return make_pythonic(start);
    case payload_kind::gemma_map:
        return std::make_unique<gemma_scanner>(start.fmt);
    case payload_kind::name_sep_line:
        return make_named_text(start, named_text_scanner::input::to_line_end);
    case payload_kind::name_sep_text:
        return make_named_text(start, named_text_scanner::input::to_closer);
    case payload_kind::arrow_map:
        return std::make_unique<arrow_map_scanner>(start.fmt);
    case payload_kind::attr_tokens:
        return std::make_unique<attr_token_scanner>(start);
    case payload_kind::channel_text:
        return std::make_unique<channel_text_scanner>(start);
    case payload_kind::python_tag:
        return std::make_unique<python_tag_scanner>(start.fmt);
    case payload_kind::harmony: // the header is the envelope's; what is left is its body
    case payload_kind::free_text:
        return std::make_unique<text_scanner>();
    }
    PROXY_ENSURE(false);
}

} // namespace proxy::scaffold
