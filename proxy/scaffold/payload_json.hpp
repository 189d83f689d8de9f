// Payloads that are JSON: one call, a list or lines of calls, name-to-arguments objects, any
// object.
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"
#include "proxy/scaffold/payload_json_machine.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

/// A Markdown fence around a payload: three backticks, an info word, and the same again behind it.
class fence_reader {
  public:
    /// Takes a byte in front of the payload; false if it is no part of a fence's opening line or
    /// of white space. The payload begins with the first byte refused.
    bool take_opening(char c);

    /// Takes a byte of the closing backticks; false if it is none.
    bool take_closing(char c);

    /// A fence has been opened and not yet closed.
    bool open() const { return opened_ == 3 && closed_ < 3; }

    bool begun() const { return opened_ != 0; }

    /// Nothing or a whole opening stands in front.
    bool may_begin_payload() const { return opened_ == 0 || opened_ == 3; }

    std::size_t closing_bytes() const { return closed_; }

  private:
    unsigned opened_ = 0;
    unsigned closed_ = 0;
    unsigned info_bytes_ = 0;
    bool in_info_ = false;
};

class json_scanner final : public byte_scanner {
  public:
    enum class shape : std::uint8_t {
        call,       ///< an object with the keys of a call, or an array of such
        list,       ///< the same, several one after another
        single_key, ///< {"name": {arguments}}, or an array of such
        any,        ///< one object of any keys
    };

    /// `fmt` (may be null) must outlive the scanner.
    json_scanner(shape kind, const format* fmt) : shape_{kind}, fmt_{fmt} {}

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;
    std::size_t run(std::string_view text) override;

    std::string_view name() const override { return name_; }

    /// Only where an object has just begun.
    bool reads_like(const payload_scanner& other) const override;

  private:
    enum class phase : std::uint8_t { waiting, inside, behind };
    enum class key_kind : std::uint8_t { other, name, function, calls, argument };

    bool at_object_begin() const;
    step take_waiting(char c);
    step take_inside(char c);
    step take_behind(char c);
    step next_object(char c);
    step give_up();
    bool judge_event();
    bool judge_key();
    bool judge_call_key();
    bool judge_string();
    bool declares();
    bool judge_opened();
    bool judge_closed();
    bool set_name(std::string_view text);
    key_kind kind_of(std::string_view key) const;

    shape shape_;
    const format* fmt_;
    phase phase_ = phase::waiting;
    fence_reader fence_;
    json_machine json_;
    std::string name_;
    unsigned call_depth_ = 0; // depth at which the keys of a call stand; 0: not known yet
    key_kind last_key_ = key_kind::other;
    bool fresh_ = true;              // no key of the present object was seen
    bool named_ = false;             // the present object has a name
    bool schema_type_ = false;       // the arguments say {"type": "object"
    bool schema_properties_ = false; // and have "properties"
    bool following_ = false;         // a whole object stands before the present one
    bool proved_ = false;            // the present object has shown a key of a call
    bool separated_ = false;         // white space stands behind the last object
    unsigned surplus_ = 0;           // closing braces behind the last object
    std::size_t gap_ = 0;            // bytes behind the last value or the last whole object
};

} // namespace proxy::scaffold
