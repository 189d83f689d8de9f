#include "proxy/upstream/fields.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace proxy::upstream {

namespace {

constexpr std::string_view token_marks = "!#$%&'*+-.^_`|~";

constexpr std::array<bool, 256> make_token_table() {
    std::array<bool, 256> table{};
    for (unsigned c = '0'; c <= '9'; ++c) {
        table[c] = true;
    }
    for (unsigned c = 'A'; c <= 'Z'; ++c) {
        table[c] = true;
        table[c + ('a' - 'A')] = true;
    }
    for (const char mark : token_marks) {
        table[static_cast<unsigned char>(mark)] = true;
    }
    return table;
}

constexpr auto token_table = make_token_table();

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool is_value(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
            return false;
        }
    }
    return true;
}

// What RFC 9110 names, and the settings of an h2c upgrade (RFC 7540 3.2.1).
constexpr std::array<std::string_view, 11> of_one_connection = {"connection",
                                                                "keep-alive",
                                                                "proxy-connection",
                                                                "proxy-authenticate",
                                                                "proxy-authorization",
                                                                "te",
                                                                "proxy-authentication-info",
                                                                "trailer",
                                                                "transfer-encoding",
                                                                "upgrade",
                                                                "http2-settings"};

// Without them the reader takes the content for something else; no list can remove them.
constexpr std::array<std::string_view, 3> of_the_content = {"content-type", "content-encoding",
                                                            "content-length"};

// By size, then by letters of any case: an order for searching only.
bool before(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return a.size() < b.size();
    }
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return lower(x) < lower(y); });
}

field_error read_line(std::string_view line, field_list& fields) {
    if (line.front() == ' ' || line.front() == '\t') {
        return field_error::folded;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
        return field_error::name;
    }
    const auto value = trim(line.substr(colon + 1));
    if (!is_value(value)) {
        return field_error::value;
    }
    fields.push_back({line.substr(0, colon), value});
    return field_error::none;
}

} // namespace

std::string_view to_string(field_error error) {
    switch (error) {
    case field_error::none:
        return "no error";
    case field_error::line_end:
        return "a header line does not end in CRLF";
    case field_error::folded:
        return "a header line is folded";
    case field_error::name:
        return "a header name is not valid";
    case field_error::value:
        return "a header value holds a control character";
    case field_error::too_many:
        return "too many header lines";
    }
    return "";
}

std::optional<std::size_t> head_length(std::string_view bytes, std::size_t from) {
    // The line end that an earlier search saw last may be continued by the new bytes.
    std::size_t at = from > 2 ? from - 2 : 0;
    while (at < bytes.size()) {
        const auto* found =
            static_cast<const char*>(std::memchr(bytes.data() + at, '\n', bytes.size() - at));
        if (found == nullptr) {
            return std::nullopt;
        }
        at = static_cast<std::size_t>(found - bytes.data()) + 1;
        const auto rest = bytes.substr(at);
        if (rest.starts_with('\n')) {
            return at + 1;
        }
        if (rest.starts_with("\r\n")) {
            return at + 2;
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> take_line(std::string_view& head) {
    const auto end = head.find('\n');
    if (end == std::string_view::npos || end == 0 || head[end - 1] != '\r') {
        return std::nullopt;
    }
    const auto line = head.substr(0, end - 1);
    if (line.find('\r') != std::string_view::npos) {
        return std::nullopt;
    }
    head.remove_prefix(end + 1);
    return line;
}

field_error read_fields(std::string_view block, std::size_t lines_max, field_list& fields) {
    while (true) {
        const auto line = take_line(block);
        if (!line) {
            return field_error::line_end;
        }
        if (line->empty()) {
            return block.empty() ? field_error::none : field_error::line_end;
        }
        if (fields.size() >= lines_max) {
            return field_error::too_many;
        }
        if (const auto error = read_line(*line, fields); error != field_error::none) {
            return error;
        }
    }
}

bool is_token_char(char c) {
    return token_table[static_cast<unsigned char>(c)];
}

bool is_token(std::string_view text) {
    for (const char c : text) {
        if (!is_token_char(c)) {
            return false;
        }
    }
    return !text.empty();
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

std::optional<std::string_view> find_field(const field_list& fields, std::string_view name) {
    for (const auto& f : fields) {
        if (equals_ignoring_case(f.name, name)) {
            return f.value;
        }
    }
    return std::nullopt;
}

std::size_t count_fields(const field_list& fields, std::string_view name) {
    std::size_t count = 0;
    for (const auto& f : fields) {
        count += equals_ignoring_case(f.name, name) ? 1 : 0;
    }
    return count;
}

std::optional<std::uint64_t> read_decimal(std::string_view text) {
    if (text.empty() || text.size() > 18) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        value = value * 10 + static_cast<unsigned>(c - '0');
    }
    return value;
}

bool lists(const field_list& fields, std::string_view name, std::string_view element) {
    bool found = false;
    for (const auto& f : fields) {
        if (!equals_ignoring_case(f.name, name)) {
            continue;
        }
        each_element(f.value, [&](std::string_view candidate) {
            found = found || equals_ignoring_case(candidate, element);
            return !found;
        });
    }
    return found;
}

hop_by_hop::hop_by_hop(const field_list& fields) {
    for (const auto& f : fields) {
        if (!equals_ignoring_case(f.name, "connection")) {
            continue;
        }
        each_element(f.value, [&](std::string_view option) {
            if (!is_one_of(of_one_connection, option) && !equals_ignoring_case(option, "close") &&
                !is_one_of(of_the_content, option)) {
                listed_.push_back(option);
            }
            return true;
        });
    }
    std::sort(listed_.begin(), listed_.end(), before);
}

bool hop_by_hop::holds(std::string_view name) const {
    return is_one_of(of_one_connection, name) ||
           (!listed_.empty() && std::binary_search(listed_.begin(), listed_.end(), name, before));
}

} // namespace proxy::upstream
