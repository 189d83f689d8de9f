#include "proxy/config/load.hpp"

#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/config/checks.hpp"
#include "proxy/config/file_reader.hpp"
#include "proxy/config/keys.hpp"
#include "proxy/config/messages.hpp"
#include "proxy/config/values.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace proxy::config {

namespace {

std::string read_file(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) {
        throw config_error(path + ": is a directory");
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        const std::error_code reason(errno, std::generic_category());
        throw config_error(path + ": can't be read: " + reason.message());
    }
    std::string text;
    char block[4'096];
    while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
        text.append(block, static_cast<std::size_t>(stream.gcount()));
        if (text.size() > limits::config_bytes_max) {
            throw config_error(path + ": is larger than 1MiB");
        }
    }
    return text;
}

std::string variable_name(std::string_view key) {
    std::string name = "UNSCAFFOLD_";
    for (const char c : key) {
        name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return name;
}

std::string default_name(std::size_t index) {
    return index == 0 ? "main" : "upstream" + std::to_string(index + 1);
}

// A list of upstreams from base URLs alone; it replaces what an earlier source gave.
void take_upstreams(loaded& into, const std::vector<std::string>& urls, const std::string& where) {
    into.value.upstreams.clear();
    for (const std::string& url : urls) {
        upstream_settings upstream;
        upstream.name = default_name(into.value.upstreams.size());
        const std::string problem = read_base_url(url, upstream);
        if (!problem.empty()) {
            throw_bad_value(where, url, false, problem);
        }
        into.places["upstreams[" + std::to_string(into.value.upstreams.size()) + "].base_url"] =
            where;
        into.value.upstreams.push_back(std::move(upstream));
    }
}

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',') {
            parts.emplace_back();
        } else if (c != ' ') {
            parts.back() += c;
        }
    }
    std::erase(parts, std::string());
    return parts;
}

// An empty variable counts as not set: that is how it is unset in many deployment files.
std::optional<std::string> variable(const environment& env, const std::string& name) {
    auto value = env(name);
    return value && value->empty() ? std::nullopt : value;
}

void take_environment(loaded& into, const environment& env) {
    for (const key<settings>& k : settings_keys()) {
        const std::string name = variable_name(k.name);
        const auto value = k.list || !k.get ? std::nullopt : variable(env, name);
        if (value) {
            take_value(into, k, *value, "environment: " + name);
        }
    }
    if (const auto urls = variable(env, "UNSCAFFOLD_UPSTREAM")) {
        take_upstreams(into, split_list(*urls), "environment: UNSCAFFOLD_UPSTREAM");
    }
}

void take_flags(loaded& into, const std::vector<flag_value>& flags) {
    std::vector<std::string> urls;
    std::string url_flag;
    for (const flag_value& f : flags) {
        const std::string where = "command line: " + f.flag;
        if (f.key == "upstream") {
            urls.push_back(f.value);
            url_flag = where;
            continue;
        }
        const auto& keys = settings_keys();
        const auto found = std::find_if(keys.begin(), keys.end(),
                                        [&](const key<settings>& k) { return k.name == f.key; });
        PROXY_ENSURE(found != keys.end());
        take_value(into, *found, f.value, where);
    }
    if (!urls.empty()) {
        take_upstreams(into, urls, url_flag);
    }
}

void take_openai_variables(loaded& into, const environment& env) {
    const auto url = variable(env, "OPENAI_BASE_URL");
    if (!into.value.upstreams.empty() || !url) {
        return;
    }
    take_upstreams(into, {*url}, "environment: OPENAI_BASE_URL");
    if (const auto api_key = variable(env, "OPENAI_API_KEY")) {
        const auto& keys = upstream_keys();
        const auto found = std::find_if(keys.begin(), keys.end(),
                                        [](const auto& k) { return k.name == "api_key"; });
        const std::string where = "environment: OPENAI_API_KEY";
        const std::string problem = found->set(into.value.upstreams[0], *api_key);
        if (!problem.empty()) {
            throw_bad_value(where, *api_key, true, problem);
        }
        into.places["upstreams[0].api_key"] = where;
    }
}

} // namespace

std::optional<std::string> process_environment(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

settings load_text(std::string_view yaml, const sources& from) {
    loaded result;
    take_file(result, yaml, from.file.value_or("configuration"), from.environment);
    take_environment(result, from.environment);
    take_flags(result, from.flags);
    take_openai_variables(result, from.environment);
    check(result);
    return std::move(result.value);
}

settings load(const sources& from) {
    return load_text(from.file ? read_file(*from.file) : std::string(), from);
}

} // namespace proxy::config
