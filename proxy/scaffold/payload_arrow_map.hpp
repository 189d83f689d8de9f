// Calls as a map in the style of Perl: `{tool => "NAME", args => {city => "Oslo"}}`. What stands in
// the arguments is not read, only where it ends: models write flags, JSON and pairs there.
#pragma once

#include "proxy/scaffold/literal_watch.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace proxy::scaffold {

class arrow_map_scanner final : public byte_scanner {
  public:
    explicit arrow_map_scanner(const format* fmt);

    step take(char c) override;

    std::string_view name() const override { return name_; }

  private:
    enum class phase : std::uint8_t {
        waiting,
        key,
        behind_key,
        arrow, // behind `=`
        behind_arrow,
        name,
        rest,
        string, // in the rest
        escape,
    };

    step take_head(char c);
    step take_name(char c);
    step take_rest(char c);

    phase phase_ = phase::waiting;
    literal_watch closers_;
    std::string key_;
    std::string name_;
    char quote_ = 0;
    unsigned depth_ = 1;
};

} // namespace proxy::scaffold
