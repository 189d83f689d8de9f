// A state machine over JSON as models write it: no text is kept but the last key and string.
//
// It takes single quotes, the literals of Python, trailing commas, raw line feeds in strings,
// doubled braces and a missing or surplus brace. It refuses what templates hold in the place of
// values: `<args>`, `...`, bare words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

/// What the last byte brought to its end.
enum class json_event : std::uint8_t {
    none,
    opened, ///< an object or array, under key() where its parent is an object
    closed,
    key,    ///< key() and its colon
    string, ///< a string value: text(), under key() where it stands in an object
    scalar, ///< a number or literal has begun
};

class json_machine {
  public:
    /// Takes one byte; false if it can't stand here. Must not be called once whole().
    bool take(char c);

    /// What the byte just taken brought.
    json_event event() const { return event_; }

    /// The root is closed.
    bool whole() const { return place_ == place::whole; }

    /// Containers open after the byte just taken.
    unsigned depth() const { return depth_; }

    /// Only the brace of the root and white space were taken.
    bool at_object_begin() const { return place_ == place::first_key && depth_ == 1; }

    bool in_object() const { return depth_ != 0 && (objects_ & bit(depth_ - 1)) != 0; }

    /// True behind a value inside a container, where a comma or a closer may come.
    bool behind_value() const;

    /// The last key and the last string as they stand in the text, without quotes, escapes kept.
    /// Longer ones than limits::name_bytes_max are cut to one byte more than that.
    std::string_view key() const { return key_; }

    std::string_view text() const { return text_; }

    /// Bytes at the begin of `text` that are plain text of a string already too long to be kept.
    std::size_t skip(std::string_view text) const;

    /// Takes the plain text of the open string at the begin of `text` and returns its length.
    std::size_t run(std::string_view text);

  private:
    enum class place : std::uint8_t {
        root,
        first_key,    // behind {
        next_key,     // behind a comma in an object
        colon,        // behind a key
        value,        // behind a colon
        element,      // behind [ or a comma in an array
        behind_value, // behind any value
        string,
        escape,
        number,
        literal,
        whole,
    };

    std::size_t plain_length(std::string_view text) const;

    static std::uint64_t bit(unsigned level) { return std::uint64_t{1} << level; }

    bool take_key_place(char c);
    bool take_value(char c);
    bool take_behind_value(char c);
    bool take_in_string(char c);
    bool take_in_literal(char c);
    bool open(bool object);
    bool close(char c);
    void begin_string(char quote, bool is_key);
    void end_string();
    void keep(std::string_view bytes);

    place place_ = place::root;
    json_event event_ = json_event::none;
    unsigned depth_ = 0;
    std::uint64_t objects_ = 0; // one bit a level: object or array
    char quote_ = 0;
    bool string_is_key_ = false;
    unsigned surplus_ = 0; // closing braces that close nothing
    std::string text_;
    std::string key_;
};

} // namespace proxy::scaffold
