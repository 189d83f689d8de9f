// Turns what a client sends into whole requests, one after the other: head, check, body. No
// sockets; bytes may come in any pieces.
#pragma once

#include "proxy/front/body_memory.hpp"
#include "proxy/front/client_keys.hpp"
#include "proxy/front/framing_check.hpp"
#include "proxy/upstream/body_decoder.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace proxy::front {

struct client_request {
    explicit client_request(body_memory& of) : memory(of) {}

    std::string head_text; ///< what the views of `head` point into
    request_head head;
    std::string body;               ///< without its chunked coding
    upstream::body_decoder decoder; ///< while the body comes
    memory_claim memory;
};

/// Who may send what.
struct request_rules {
    head_limits head;
    std::size_t body_bytes_max;
    const client_keys& keys; ///< let requests in by their heads
    body_memory& memory;
};

class request_reader {
  public:
    /// `rules` must outlive the reader.
    explicit request_reader(const request_rules& rules) : rules_(rules) {}

    enum class progress {
        more,    ///< the request is not whole yet
        ready,   ///< take() it
        refused, ///< why() says so; nothing more can be read from this client
    };

    /// Takes the next bytes of the client; those behind the request are kept for the next one.
    progress feed(std::string_view bytes);

    /// Keeps bytes that come while a request is being answered.
    void keep(std::string_view bytes) { kept_.append(bytes); }

    /// Bytes kept and not read yet.
    std::size_t kept() const { return kept_.size(); }

    /// Nothing of the next request has come.
    bool idle() const { return !request_ && kept_.empty(); }

    /// The head is read and passed, the body is not whole yet.
    bool in_body() const { return request_ != nullptr; }

    /// Of the request whose body comes.
    const request_head& head() const { return request_->head; }

    std::size_t body_bytes() const { return request_ ? request_->body.size() : 0; }

    /// The request that is read, or was refused, is a HEAD: its answer has no body.
    bool to_head() const { return to_head_; }

    /// The client waits for a 100 before it sends its body. True once for each request.
    bool wants_continue();

    /// Behind ready: the request. feed() then reads the next one, with no bytes from those kept.
    std::unique_ptr<client_request> take();

    /// Behind refused.
    const refusal& why() const { return why_; }

  private:
    progress read_head(std::string_view& input);
    progress read_body(std::string_view& input);
    progress refuse(const refusal& why);

    const request_rules& rules_;
    std::string kept_;
    std::size_t searched_ = 0; // bytes of kept_ without the end of a head
    bool skipped_line_ = false;
    bool wants_continue_ = false;
    bool to_head_ = false;
    std::unique_ptr<client_request> request_;
    refusal why_;
};

} // namespace proxy::front
