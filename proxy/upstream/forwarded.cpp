#include "proxy/upstream/forwarded.hpp"

#include <array>

namespace proxy::upstream {

namespace {

// All values of a list field in one.
std::string joined(const field_list& fields, std::string_view name) {
    std::string out;
    for (const auto& f : fields) {
        if (equals_ignoring_case(f.name, name) && !f.value.empty()) {
            out.append(out.empty() ? "" : ", ").append(f.value);
        }
    }
    return out;
}

void append_field(std::string& out, std::string_view name, std::string_view before,
                  std::string_view value) {
    if (before.empty() && value.empty()) {
        return;
    }
    out.append(name).append(": ").append(before);
    out.append(before.empty() || value.empty() ? "" : ", ").append(value).append("\r\n");
}

// RFC 7239 4 and 6: an IPv6 address stands in brackets and quotes; `_` begins a name of our own.
std::string element_of(const forwarded_parts& of) {
    std::string node = of.client.empty() ? "_unix" : of.client;
    if (node.find(':') != std::string::npos) {
        node = "\"[" + node + "]\"";
    }
    return "for=" + node + (of.encrypted ? ";proto=https" : ";proto=http");
}

} // namespace

bool is_forwarded(std::string_view name) {
    static constexpr std::array<std::string_view, 5> names = {
        "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded", "via"};
    return is_one_of(names, name);
}

void append_forwarded(std::string& out, const forwarded_parts& of, const field_list& fields) {
    const auto told = [&](std::string_view name) {
        return of.trusted ? joined(fields, name) : std::string();
    };
    append_field(out, "x-forwarded-for", told("x-forwarded-for"), of.client);
    const auto proto = told("x-forwarded-proto");
    append_field(out, "x-forwarded-proto", proto,
                 proto.empty() ? (of.encrypted ? "https" : "http") : "");
    const auto host = told("x-forwarded-host");
    append_field(out, "x-forwarded-host", host,
                 host.empty() ? find_field(fields, "host").value_or("") : "");
    if (const auto before = told("forwarded"); !before.empty()) {
        append_field(out, "forwarded", before, element_of(of));
    }
    append_field(out, "via", joined(fields, "via"),
                 of.http_1_0 ? "1.0 unscaffold" : "1.1 unscaffold");
}

} // namespace proxy::upstream
