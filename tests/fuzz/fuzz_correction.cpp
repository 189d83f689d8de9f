// The correction request: whatever the client sent, the second body is JSON, declares no tools,
// holds the added line, raises no limit, and every other member keeps its bytes.
// Input: one byte of options, then the client's body.

#include "proxy/chat/request_view.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/turn/correction.hpp"

#include "tests/fuzz/expect.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

using proxy::chat::request_view;
using proxy::json::kind;
using proxy::json::member_view;
using proxy::turn::correction_options;

constexpr std::uint64_t bound = 300;

correction_options options_of(unsigned char bits) {
    correction_options options;
    options.reason = (bits & 1) != 0 ? proxy::turn::correction_reason::empty
                                     : proxy::turn::correction_reason::markup;
    options.max_tokens = (bits & 2) != 0 ? bound : 0;
    options.model = (bits & 4) != 0 ? "other/\"model\"" : "";
    options.flatten_tool_history = (bits & 8) != 0;
    return options;
}

bool is_one_of(const member_view& member, std::initializer_list<std::string_view> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
        return proxy::json::equals(member.key, key);
    });
}

bool is_limit(const member_view& member) {
    return is_one_of(member, {"max_tokens", "max_completion_tokens"});
}

/// The members that the correction may not touch.
std::vector<std::string_view> kept(std::string_view body, const correction_options& options) {
    std::vector<std::string_view> whole;
    proxy::json::object_walker members(*proxy::json::read_value(body));
    while (const auto member = members.next()) {
        const bool edited =
            is_one_of(*member, {"messages", "tools", "tool_choice", "parallel_tool_calls",
                                "functions", "function_call"}) ||
            (options.max_tokens != 0 && is_limit(*member)) ||
            (!options.model.empty() && is_one_of(*member, {"model"}));
        if (!edited) {
            whole.push_back(member->whole);
        }
    }
    return whole;
}

/// No limit is above the bound, and there is one.
void check_limits(std::string_view corrected) {
    bool found = false;
    proxy::json::object_walker members(*proxy::json::read_value(corrected));
    while (const auto member = members.next()) {
        if (is_limit(*member)) {
            found = true;
            const std::string_view digits = member->value.raw;
            const bool plain = digits.find_first_not_of("0123456789") == std::string_view::npos;
            FUZZ_EXPECT(!plain || digits.size() < 3 || (digits.size() == 3 && digits <= "300") ||
                        digits.front() == '0');
        }
    }
    FUZZ_EXPECT(found);
}

/// One insertion, or a null that became the line, turned `before` into `after`.
void check_one_edit(std::string_view before, std::string_view after) {
    const auto front = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto same = static_cast<std::size_t>(front.first - before.begin());
    const auto back = std::mismatch(before.rbegin(), before.rend() - static_cast<long>(same),
                                    after.rbegin(), after.rend() - static_cast<long>(same));
    const auto rest = static_cast<std::size_t>(back.first - before.rbegin());
    const std::string_view gone = before.substr(same, before.size() - same - rest);
    FUZZ_EXPECT(gone.empty() || gone == "null");
}

void check(std::string_view body, const request_view& request, const correction_options& options) {
    const std::string corrected = proxy::turn::build_correction(body, request, options);
    const auto root = proxy::json::read_value(corrected);
    FUZZ_EXPECT(root && root->kind == kind::object);
    const request_view again = proxy::chat::read_request(corrected);
    FUZZ_EXPECT(again.correctable && !again.declares_tools);
    FUZZ_EXPECT(again.stream == request.stream && again.echo == request.echo);
    FUZZ_EXPECT(kept(corrected, options) == kept(body, options));
    std::string line;
    proxy::json::append_escaped(line, proxy::turn::correction_line(options.reason));
    FUZZ_EXPECT(again.messages.find(line) != std::string_view::npos);
    if (options.max_tokens != 0) {
        check_limits(corrected);
    }
    if (options.flatten_tool_history) {
        FUZZ_EXPECT(!again.history_has_tools);
    } else {
        check_one_edit(request.messages, again.messages);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view body = tests::as_text(data + 1, size - 1);
    const request_view request = proxy::chat::read_request(body);
    if (request.correctable) {
        check(body, request, options_of(data[0]));
    }
    return 0;
}
