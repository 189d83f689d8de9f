// Request and error bodies: every view lies in the body, and what may be corrected has the members
// that a correction needs.

#include "proxy/base/limits.hpp"
#include "proxy/chat/error_object.hpp"
#include "proxy/chat/request_view.hpp"
#include "proxy/json/scan.hpp"

#include "tests/fuzz/expect.hpp"

#include <algorithm>

namespace {

using proxy::chat::content_kind;
using proxy::chat::request_view;
using proxy::json::kind;

void check_slot(const request_view& request) {
    const auto message = proxy::json::read_value(request.system->whole);
    FUZZ_EXPECT(message && message->kind == kind::object);
    FUZZ_EXPECT(tests::lies_in(request.system->whole, request.messages));
    FUZZ_EXPECT(tests::lies_in(request.system->content_raw, request.system->whole));
    const auto content = proxy::json::read_value(request.system->content_raw);
    switch (request.system->content) {
    case content_kind::string:
        FUZZ_EXPECT(content && content->kind == kind::string);
        break;
    case content_kind::parts:
        FUZZ_EXPECT(content && content->kind == kind::array);
        break;
    case content_kind::null_or_absent:
        FUZZ_EXPECT(!content || content->is_null());
        break;
    case content_kind::other:
        FUZZ_EXPECT(content.has_value());
        break;
    }
}

void check_request(const request_view& request, std::string_view body) {
    FUZZ_EXPECT(tests::lies_in(request.messages, body));
    FUZZ_EXPECT(tests::lies_in(request.model, body));
    FUZZ_EXPECT(tests::lies_in(request.first_message, request.messages));
    FUZZ_EXPECT(request.is_object || !request.correctable);
    const auto& names = request.tool_names;
    FUZZ_EXPECT(std::is_sorted(names.begin(), names.end()));
    FUZZ_EXPECT(std::adjacent_find(names.begin(), names.end()) == names.end());
    FUZZ_EXPECT(names.empty() || tools_in_context(request));
    if (request.correctable) {
        const auto messages = proxy::json::read_value(request.messages);
        FUZZ_EXPECT(messages && messages->kind == kind::array);
        const auto first = proxy::json::array_walker(*messages).next();
        FUZZ_EXPECT(first.has_value() == !request.first_message.empty());
    }
    if (request.system) {
        check_slot(request);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body = tests::as_text(data, size);
    check_request(proxy::chat::read_request(body), body);
    const std::string message = proxy::chat::error_message(body);
    FUZZ_EXPECT(message.size() <= 300);
    const std::string error = proxy::chat::error_json({message, "t", "c"});
    FUZZ_EXPECT(proxy::chat::error_message(error) == message);
    if (proxy::chat::read_request(body).is_object) {
        const std::string nested = proxy::chat::nested_error(body);
        FUZZ_EXPECT(proxy::json::read_value(nested).has_value());
        FUZZ_EXPECT(nested.find_first_of("\r\n") == std::string::npos);
    }
    return 0;
}
