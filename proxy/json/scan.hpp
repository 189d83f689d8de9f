// A small structural scanner over JSON text that needs no valid UTF-8 and no padding: it finds
// members and elements by their bytes. Used where simdjson refuses a text for its characters, and
// to cut members out of a request without re-serialising it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace proxy::json {

enum class kind { object, array, string, number, literal };

/// One value in a text: its bytes without surrounding white space.
struct value_view {
    json::kind kind = json::kind::literal;
    std::string_view raw;

    /// The bytes between the quotes of a string; empty for other kinds.
    std::string_view inside() const;

    bool is_null() const { return raw == "null"; }
};

/// One member of an object. `key` is the raw inside of its quotes (compare with json::equals);
/// `whole` runs from the key's opening quote to the value's last byte.
struct member_view {
    std::string_view key;
    value_view value;
    std::string_view whole;
};

/// Reads the single value that is all of `text` (white space around it allowed). Checks structure:
/// brackets, commas, colons, terminated strings, number and literal syntax; not UTF-8, not escapes.
/// Nothing when it is not one whole JSON value or nested deeper than limits::json_depth_max.
std::optional<value_view> read_value(std::string_view text);

/// Walks the members of an object (or the elements of an array) that read_value() accepted.
class object_walker {
  public:
    /// `object` must be a value of kind object that read_value() (or a walker) gave.
    explicit object_walker(value_view object);

    std::optional<member_view> next();

  private:
    std::string_view rest_;
};

class array_walker {
  public:
    explicit array_walker(value_view array);

    std::optional<value_view> next();

  private:
    std::string_view rest_;
};

/// The last member of `object` whose key decodes to `key`: of equal keys the last counts.
std::optional<member_view> find_last(value_view object, std::string_view key);

} // namespace proxy::json
