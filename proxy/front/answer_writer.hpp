// The answer's way to the client: a head, the pieces of one read framed as one chunk, the end of
// the body; all that is there at once leaves in one gather write.
#pragma once

#include "proxy/front/response_writer.hpp"
#include "proxy/front/session.hpp"
#include "proxy/turn/output.hpp"

#include <string>

namespace proxy::front {

class answer_writer {
  public:
    /// The head goes out with the next write.
    void begin(std::string head, answer_framing framing);

    bool begun() const { return begun_; }

    answer_framing framing() const { return framing_; }

    /// Sends what is pending: the head, the body bytes in `out`, and with `last` the end of the
    /// body. Clears `out`. False when the client's connection is broken.
    bool write(session& client, turn::output& out, bool last);

  private:
    std::string head_; // not sent yet
    answer_framing framing_ = answer_framing::none;
    bool begun_ = false;
};

} // namespace proxy::front
