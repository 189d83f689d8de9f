// Harmony channels whose tokens a server skipped: `analysisWe need …assistantfinalIt is …`. Only
// the words are left, glued to the text; both together are the evidence.
#pragma once

#include "proxy/scaffold/literal_watch.hpp"
#include "proxy/scaffold/payload_bytes.hpp"

#include <cstddef>
#include <string_view>

namespace proxy::scaffold {

class channel_text_scanner final : public byte_scanner {
  public:
    explicit channel_text_scanner(const payload_start& start);

    step take(char c) override;

  private:
    literal_watch next_channel_;
    bool final_; // the answer begins right behind the opener
    std::size_t taken_ = 0;
};

} // namespace proxy::scaffold
