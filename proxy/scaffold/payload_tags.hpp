// Calls written as tags: <function=NAME><parameter=KEY>…, <invoke name="N"><parameter name="k">…,
// and the form in which the tag itself is the key.
//
// Values are free text that may hold tags of every sort, so a closer only ends a value by what
// stands behind it; see close_value().
#pragma once

#include "proxy/scaffold/payload_bytes.hpp"
#include "proxy/scaffold/payload_json.hpp"
#include "proxy/scaffold/payload_tag_reader.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class tag_scanner final : public byte_scanner {
  public:
    /// With `key_tags`, `<KEY>value</KEY>` is a parameter. An opener that is no whole tag
    /// (`<function=`, `<｜DSML｜invoke name=`) is read on; a whole one is a wrapper or names the
    /// call.
    tag_scanner(const payload_start& start, bool key_tags);

    step take(char c) override;
    bool whole_at_end() override;
    std::size_t skip(std::string_view text) const override;

    std::string_view name() const override { return name_; }

    /// True in front of a call's tag, outside any tag: another kind of payload may begin here.
    bool idle() const { return phase_ == phase::outer && !reader_.open() && noise_ == 0; }

  private:
    enum class phase : std::uint8_t {
        outer,        // in a wrapper, no call yet
        head,         // in the call's tag
        body,         // behind the call's tag
        value,        // in a parameter's value
        behind_value, // behind its closer, or what could be
        cut_value,    // in a value, behind the closer of the call
        json,         // the body is JSON
        behind_json,
        behind_call,
    };

    void start_from(std::string_view opener);

    bool is_foreign(const tag& found, std::string_view raw) const;

    bool structural() const { return phase_ != phase::value && phase_ != phase::json; }

    step take_noise(char c);
    step take_json(char c);
    step on_text(char c);
    step on_junk(std::size_t pending);
    bool head_is_broken(char c) const;
    step on_tag(const tag& found);
    step on_outer_tag(const tag& found);
    step on_body_tag(const tag& found);
    step on_value_tag(const tag& found);
    step on_tag_behind_value(const tag& found);
    step on_tag_in_cut_value(const tag& found);
    step on_tag_behind_call(const tag& found);
    step begin_call(const tag& found);
    step begin_value(const tag& found);
    step close_value(bool surely);
    step close_call();
    step stop_before(const tag& found);
    bool is_key(const tag& found) const;

    const format* fmt_;
    bool key_tags_;
    bool in_wrapper_ = false;
    std::string call_word_; // invoke or function: what the open call's tag says
    bool barred_ = false;   // bars stand in front of the words of all its tags (DSML)
    phase phase_ = phase::outer;
    tag_reader reader_;
    json_scanner json_{json_scanner::shape::any, nullptr};
    std::string name_;
    std::string key_;           // the key that a closer must name, with key_tags_
    std::size_t tag_bytes_ = 0; // of the tag just read
    std::size_t gap_ = 0;       // bytes since the last part that surely belongs to the payload
    std::size_t noise_ = 0;     // bytes of a prefix that stands in front of every tag
    bool line_ended_ = false;   // the gap holds a line feed
    bool surely_ = false;       // no tag inside the value is open
    unsigned inner_params_ = 0; // open inside the value
    unsigned inner_calls_ = 0;
    unsigned inner_wrappers_ = 0;
};

} // namespace proxy::scaffold
