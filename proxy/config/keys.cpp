#include "proxy/config/keys.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/config/access_keys.hpp"
#include "proxy/config/key_rows.hpp"
#include "proxy/config/values.hpp"

#include <algorithm>
#include <utility>

namespace proxy::config {

namespace {

// Field of a section: a function that works on const and non-const settings alike.
#define PROXY_FIELD(member)                                                                        \
    [](auto& s) -> auto& {                                                                         \
        return s.member;                                                                           \
    }

key<settings> listen_key() {
    return row<settings>(
        "listen",
        [](settings& to, std::string_view text) -> std::string {
            const auto value = parse_address(text);
            if (!value) {
                return "allowed IP:PORT, as in 127.0.0.1:8484 or [::1]:8484, or unix:/PATH";
            }
            to.listen = *value;
            return {};
        },
        [](const settings& from) { return from.listen.str(); });
}

key<settings> disable_key() {
    key<settings> result;
    result.name = "sanitize.formats.disable";
    result.list = true;
    result.set = [](settings& to, std::string_view text) -> std::string {
        if (std::find(to.formats_disable.begin(), to.formats_disable.end(), text) !=
            to.formats_disable.end()) {
            return "stands twice";
        }
        to.formats_disable.emplace_back(text);
        return {};
    };
    result.get = [](const settings& from) { return from.formats_disable; };
    return result;
}

key<upstream_settings> name_key() {
    return row<upstream_settings>(
        "name",
        [](upstream_settings& to, std::string_view text) -> std::string {
            const auto allowed = [](char c) {
                return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '_' || c == '-';
            };
            if (text.empty() || text.size() > limits::config_name_bytes_max ||
                !std::all_of(text.begin(), text.end(), allowed)) {
                return "allowed 1 to 64 letters, digits, '.', '_' and '-'";
            }
            to.name = text;
            return {};
        },
        [](const upstream_settings& from) { return from.name; });
}

key<upstream_settings> api_key_key() {
    auto result = row<upstream_settings>(
        "api_key",
        [](upstream_settings& to, std::string_view text) -> std::string {
            if (text.size() > limits::key_bytes_max || !is_token_text(text)) {
                return "allowed at most 4096 visible ASCII characters without a space";
            }
            to.api_key = text;
            return {};
        },
        [](const upstream_settings& from) { return from.api_key; });
    result.secret = true;
    return result;
}

key<settings> correction_upstream_key() {
    return row<settings>(
        "recovery.upstream",
        [](settings& to, std::string_view text) -> std::string {
            to.recovery.upstream = text; // which names there are is known only at the end
            return {};
        },
        [](const settings& from) { return from.recovery.upstream; });
}

key<settings> model_key() {
    return row<settings>(
        "recovery.model",
        [](settings& to, std::string_view text) -> std::string {
            if (text.size() > limits::config_name_bytes_max * 4) {
                return "allowed at most 256 bytes; empty for the client's model";
            }
            to.recovery.model = text;
            return {};
        },
        [](const settings& from) { return from.recovery.model; });
}

template <class Target>
void insert_behind(std::vector<key<Target>>& all, std::string_view name,
                   std::vector<key<Target>> rows) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& k) { return k.name == name; });
    all.insert(found + 1, std::make_move_iterator(rows.begin()),
               std::make_move_iterator(rows.end()));
}

std::vector<key<settings>> make_settings_keys() {
    constexpr std::size_t kib = 1'024;
    using reasoning = turn::reasoning_mode;
    using empty = turn::empty_mode;
    std::vector<word<std::string>> levels;
    for (const char* const level : {"trace", "debug", "info", "warn", "error", "off"}) {
        levels.push_back({level, level});
    }
    const std::vector<word<bool>> on_off{
        {"on", true}, {"off", false}, {"true", true}, {"false", false}};
    const std::vector<word<bool>> true_false{
        {"true", true}, {"false", false}, {"on", true}, {"off", false}};
    std::vector<key<settings>> all{
        listen_key(),
        count("threads", PROXY_FIELD(threads), 0, 256),
        choice<settings, reasoning>("sanitize.reasoning", PROXY_FIELD(reasoning),
                                    {{"pass", reasoning::pass}, {"detect", reasoning::detect}},
                                    "strip"),
        choice<settings, bool>("sanitize.header", PROXY_FIELD(mode_header), true_false),
        disable_key(),
        choice<settings, bool>("recovery.enabled", PROXY_FIELD(recovery.enabled), true_false),
        choice<settings, empty>(
            "recovery.empty", PROXY_FIELD(recovery.empty),
            {{"off", empty::off}, {"no_tools", empty::no_tools}, {"always", empty::always}}),
        share("recovery.budget_ratio", PROXY_FIELD(recovery.budget_ratio)),
        correction_upstream_key(),
        model_key(),
        count("recovery.max_tokens", PROXY_FIELD(recovery.max_tokens), 0, 10'000'000),
        duration<settings>("recovery.keepalive", PROXY_FIELD(recovery.keepalive), true),
        size("limits.body", PROXY_FIELD(limits.body), kib, 4 * kib * kib * kib),
        size("limits.response", PROXY_FIELD(limits.response), kib, 4 * kib * kib * kib),
        size("limits.head", PROXY_FIELD(limits.head), kib, limits::head_bytes_max),
        count("limits.header_lines", PROXY_FIELD(limits.header_lines), 8, 1'000),
        size("limits.target", PROXY_FIELD(limits.target), 256, limits::head_bytes_max),
        size("limits.event", PROXY_FIELD(limits.event), 4 * kib, kib * kib * kib),
        size("limits.memory", PROXY_FIELD(limits.memory), kib * kib, kib * kib * kib * kib),
        count("limits.streams", PROXY_FIELD(limits.streams), 1, 1'000'000),
        duration<settings>("timeouts.client_head", PROXY_FIELD(timeouts.client_head)),
        duration<settings>("timeouts.client_body", PROXY_FIELD(timeouts.client_body)),
        duration<settings>("timeouts.client_write", PROXY_FIELD(timeouts.client_write)),
        duration<settings>("timeouts.client_idle", PROXY_FIELD(timeouts.client_idle)),
        duration<settings>("timeouts.drain", PROXY_FIELD(timeouts.drain)),
        choice<settings, std::string>("log.level", PROXY_FIELD(log.level), std::move(levels)),
        choice<settings, log_format>("log.format", PROXY_FIELD(log.format),
                                     {{"text", log_format::text}, {"json", log_format::json}}),
        choice<settings, bool>("log.spans", PROXY_FIELD(log.spans), on_off),
    };
    insert_behind(all, "threads", access_keys());
    return all;
}

std::vector<key<upstream_settings>> make_upstream_keys() {
    using mode = upstream_mode;
    std::vector<key<upstream_settings>> all{
        name_key(),
        row<upstream_settings>(
            "base_url",
            [](upstream_settings& to, std::string_view text) { return read_base_url(text, to); },
            [](const upstream_settings& from) { return from.base_url; }),
        api_key_key(),
        choice<upstream_settings, bool>("auth", PROXY_FIELD(auth_override),
                                        {{"client", false}, {"override", true}}),
        choice<upstream_settings, mode>(
            "mode", PROXY_FIELD(mode),
            {{"enforce", mode::enforce}, {"shadow", mode::shadow}, {"off", mode::off}}),
        choice<upstream_settings, bool>("tool_history", PROXY_FIELD(flatten_tool_history),
                                        {{"keep", false}, {"flatten", true}}),
        duration<upstream_settings>("connect_timeout", PROXY_FIELD(connect_timeout)),
        duration<upstream_settings>("first_byte_timeout", PROXY_FIELD(first_byte_timeout)),
        duration<upstream_settings>("idle_timeout", PROXY_FIELD(idle_timeout)),
        duration<upstream_settings>("pool_idle_timeout", PROXY_FIELD(pool_idle_timeout)),
    };
    insert_behind(all, "pool_idle_timeout", upstream_access_keys());
    return all;
}

#undef PROXY_FIELD

} // namespace

const std::vector<key<settings>>& settings_keys() {
    static const auto keys = make_settings_keys();
    return keys;
}

const std::vector<key<upstream_settings>>& upstream_keys() {
    static const auto keys = make_upstream_keys();
    return keys;
}

} // namespace proxy::config
