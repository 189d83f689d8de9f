#include "proxy/front/route.hpp"

#include "proxy/base/hex.hpp"

namespace proxy::front {

namespace {

// Decodes once; a broken escape stays as it is.
std::string decode(std::string_view path) {
    std::string out;
    out.reserve(path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '%' && i + 2 < path.size() && base::hex_value(path[i + 1]) >= 0 &&
            base::hex_value(path[i + 2]) >= 0) {
            out.push_back(static_cast<char>(base::hex_value(path[i + 1]) * 16 +
                                            base::hex_value(path[i + 2])));
            i += 2;
        } else {
            out.push_back(path[i]);
        }
    }
    return out;
}

// The segments' last two, and whether any is `.` or `..`. A backslash separates too: some servers
// take it for a slash.
struct tail {
    std::string_view last;
    std::string_view before;
    bool dots = false;
};

tail read_tail(std::string_view path) {
    tail out;
    while (!path.empty()) {
        const auto end = path.find_first_of("/\\");
        const auto segment = path.substr(0, end);
        if (segment == "." || segment == "..") {
            out.dots = true;
        }
        if (!segment.empty()) {
            out.before = out.last;
            out.last = segment;
        }
        path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    }
    return out;
}

// True if `path` is `prefix` or lies below it.
bool lies_below(std::string_view path, std::string_view prefix) {
    return path.starts_with(prefix) && (path.size() == prefix.size() ||
                                        path[prefix.size()] == '/' || path[prefix.size()] == '?');
}

} // namespace

surface find_surface(std::string_view method, std::string_view target) {
    const auto path = decode(target.substr(0, target.find('?')));
    const auto end = read_tail(path);
    if (end.dots) {
        return surface::refused;
    }
    if (method != "POST" || end.last != "completions") {
        return surface::other;
    }
    return end.before == "chat" ? surface::chat : surface::completions;
}

std::string upstream_target(std::string_view target, std::string_view base) {
    if (target.starts_with('?')) {
        return std::string(base).append("/").append(target);
    }
    if (base.empty() || target == "*") {
        return std::string(target);
    }
    auto rest = target;
    while (rest.starts_with("//")) {
        rest.remove_prefix(1);
    }
    if (lies_below(rest, base)) {
        return std::string(target);
    }
    if (lies_below(rest, "/v1")) {
        rest.remove_prefix(3);
    }
    return std::string(base).append(rest);
}

} // namespace proxy::front
