#include "tests/replay/correction_check.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace tests::replay {

namespace json = boost::json;

namespace {

constexpr std::string_view line =
    "Your previous reply contained raw tool-call markup, which is not interpreted here. "
    "Answer the user's question directly in plain text — no tool syntax.";

constexpr std::array<std::string_view, 5> removed = {"tools", "tool_choice", "parallel_tool_calls",
                                                     "functions", "function_call"};

bool is_system(const json::value& message) {
    const auto& role = message.at("role").as_string();
    return role == "system" || role == "developer";
}

/// `first` without what a correction removes; `messages` apart.
json::object rest_of(json::object body) {
    for (const auto name : removed) {
        body.erase(name);
    }
    body.erase("messages");
    return body;
}

bool holds(std::string_view name, const json::value& wanted, const json::object& asked,
           const json::object& sent) {
    const auto& messages = sent.at("messages").as_array();
    const auto& leading = messages.front().at("content");
    if (name == "tools_absent") {
        return !sent.contains("tools");
    }
    if (name == "tool_choice_absent") {
        return !sent.contains("tool_choice");
    }
    if (name == "stream") {
        return sent.at("stream") == wanted;
    }
    if (name == "single_leading_system_message") {
        return is_system(messages.front()) && std::ranges::count_if(messages, is_system) == 1;
    }
    if (name == "system_starts_with") {
        return leading.as_string().starts_with(wanted.as_string());
    }
    if (name == "system_content_is_list") {
        return leading.is_array() == wanted.as_bool();
    }
    if (name == "message_count") {
        return messages.size() == wanted.to_number<std::size_t>();
    }
    if (name == "user_message_unchanged") {
        return messages.back() == asked.at("messages").as_array().back();
    }
    return name == "max_upstream_requests"; // told by the number of requests
}

} // namespace

void check_correction(const std::string& first, const std::string& second,
                      const json::object& conditions, std::vector<std::string>& wrong) {
    const auto asked = json::parse(first).as_object();
    const auto sent = json::parse(second).as_object();
    for (const auto& condition : conditions) {
        if (!holds(condition.key(), condition.value(), asked, sent)) {
            wrong.push_back("correction: not " + std::string(condition.key()));
        }
    }
    if (rest_of(asked) != rest_of(sent)) {
        wrong.push_back("correction: members were changed that are not its own");
    }
    const auto system = json::serialize(sent.at("messages").as_array().front());
    if (system.find(line) == std::string::npos) {
        wrong.push_back("correction: its line is missing");
    }
}

} // namespace tests::replay
