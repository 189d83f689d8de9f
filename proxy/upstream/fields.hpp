// HTTP/1.1 header fields as views: one strict reader for requests and responses (RFC 9112 5), and
// the small questions that the rules ask of them. Framing attacks live in lenient readers, so there
// is no leniency here: no folding, no bare CR or LF, no space around a name.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace proxy::upstream {

/// One field line; both views point into the head, without surrounding white space.
struct field {
    std::string_view name;
    std::string_view value;
};

using field_list = std::vector<field>;

enum class field_error { none, line_end, folded, name, value, too_many };

/// A sentence for people, without the offending bytes.
std::string_view to_string(field_error error);

/// Where the head that starts at `bytes` ends, its empty line included; nothing while it is
/// incomplete. Takes a bare LF for a line end too, so that a head of that kind is read as a whole
/// and then refused. `from` is where an earlier search gave up (its bytes.size()).
std::optional<std::size_t> head_length(std::string_view bytes, std::size_t from = 0);

/// Splits off the first line of `head` without its CRLF; nothing if it doesn't end in CRLF or holds
/// another CR.
std::optional<std::string_view> take_line(std::string_view& head);

/// Reads all lines of `block`, which ends with the head's empty line, into `fields`.
field_error read_fields(std::string_view block, std::size_t lines_max, field_list& fields);

bool is_token_char(char c);
bool is_token(std::string_view text);

/// ASCII case ignored.
bool equals_ignoring_case(std::string_view a, std::string_view b);

/// ASCII case ignored.
template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, std::string_view name) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view candidate) {
        return equals_ignoring_case(candidate, name);
    });
}

std::string_view trim(std::string_view text);

/// The value of the first field of that name; nothing if there is none.
std::optional<std::string_view> find_field(const field_list& fields, std::string_view name);

std::size_t count_fields(const field_list& fields, std::string_view name);

/// Decimal digits only, no sign, no list, at most 18 digits.
std::optional<std::uint64_t> read_decimal(std::string_view text);

/// Calls `use(element)` for each element of a comma list, trimmed, empty ones left out; stops when
/// it returns false.
template <class Use>
void each_element(std::string_view list, Use&& use) {
    while (!list.empty()) {
        const auto comma = list.find(',');
        const auto element = trim(list.substr(0, comma));
        if (!element.empty() && !use(element)) {
            return;
        }
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
}

/// True if any field `name` lists `element` (ASCII case ignored).
bool lists(const field_list& fields, std::string_view name, std::string_view element);

/// Which fields belong to one connection only (RFC 9110 7.6.1): some by their names, others because
/// a Connection field lists them. The lists are read once, however many fields are asked about;
/// what says how the content is to be read is never theirs.
class hop_by_hop {
  public:
    /// The views of `fields` must outlive this.
    explicit hop_by_hop(const field_list& fields);

    /// True if a field of this name may not be passed on.
    bool holds(std::string_view name) const;

  private:
    std::vector<std::string_view> listed_; // sorted by before()
};

} // namespace proxy::upstream
