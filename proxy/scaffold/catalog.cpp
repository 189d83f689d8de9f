#include "proxy/scaffold/catalog.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/scaffold/matcher.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace proxy::scaffold {

namespace {

[[noreturn]] void refuse(const format& fmt, const std::string& what) {
    throw std::invalid_argument("format '" + fmt.name + "': " + what);
}

void check_markers(const format& fmt, const std::vector<marker>& markers) {
    for (const auto& m : markers) {
        if (m.literal.size() < 2) {
            refuse(fmt, "a marker needs at least 2 bytes");
        }
        if (m.literal.size() > limits::marker_bytes_max) {
            refuse(fmt, "marker '" + m.literal + "' is longer than " +
                            std::to_string(limits::marker_bytes_max) + " bytes");
        }
    }
}

void check(const format& fmt, std::set<std::string>& names) {
    if (!names.insert(fmt.name).second) {
        refuse(fmt, "the name stands twice");
    }
    if (fmt.open.empty() && fmt.section_open.empty() && fmt.cls != format_class::shaped) {
        refuse(fmt, "no opener");
    }
    check_markers(fmt, fmt.open);
    check_markers(fmt, fmt.close);
    check_markers(fmt, fmt.section_open);
    check_markers(fmt, fmt.section_close);
}

} // namespace

catalog::catalog(std::vector<format> formats) : formats_(std::move(formats)) {
    if (formats_.size() > limits::formats_max) {
        throw std::invalid_argument("more than " + std::to_string(limits::formats_max) +
                                    " formats");
    }
    std::set<std::string> names;
    for (const auto& fmt : formats_) {
        check(fmt, names);
    }
    // Moving the vector keeps its elements where they are, so the matcher may point to them.
    matcher_ = std::make_unique<matcher>(formats_);
}

catalog::~catalog() = default;
catalog::catalog(catalog&&) noexcept = default;
catalog& catalog::operator=(catalog&&) noexcept = default;

bool context::declared(std::string_view name) const {
    return std::binary_search(names.begin(), names.end(), name);
}

} // namespace proxy::scaffold
