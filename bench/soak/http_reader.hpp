// Reads one HTTP/1.1 message and keeps it: head, body without framing, and whether it was whole.
// For both ends of the recordings, and to read again what a model server wrote. It refuses nothing
// that does not keep it from finding the message's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench::soak {

class http_reader {
  public:
    enum class kind { request, answer, answer_to_head };
    enum class state { head, body, complete, broken };

    explicit http_reader(kind what) : kind_(what) {}

    /// Takes bytes up to the message's end; what is behind it waits in rest().
    state feed(std::string_view bytes);

    /// The connection ended.
    state closed();

    state now() const { return state_; }

    /// Of the final answer; empty until it is whole. Lower and upper case are kept.
    const std::string& head() const { return head_; }

    const std::string& body() const { return body_; }

    const std::string& rest() const { return pending_; }

    int status() const { return status_; }

    /// A byte of the message has come.
    bool begun() const { return begun_; }

    /// The connection may carry another message behind this one.
    bool keep_alive() const { return keep_alive_; }

  private:
    enum class framing { none, length, chunked, until_close };

    bool take_head();
    bool take_chunked();
    void choose_framing();
    void read_length();

    kind kind_;
    state state_ = state::head;
    framing framing_ = framing::none;
    std::uint64_t left_ = 0; // of the body or the chunk
    bool in_trailer_ = false;
    bool begun_ = false;
    bool keep_alive_ = true;
    int status_ = 0;
    std::string head_;
    std::string body_;
    std::string pending_;
};

/// The value of a header line of `head`; empty when it has none. `name` in any case.
std::string_view field_of(std::string_view head, std::string_view name);

} // namespace bench::soak
