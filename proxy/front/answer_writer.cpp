#include "proxy/front/answer_writer.hpp"

#include "proxy/base/free_memory.hpp"
#include "proxy/base/limits.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace proxy::front {

namespace {

// The size line of a chunk, written by hand: this is done for every read.
class size_line {
  public:
    explicit size_line(std::size_t size) {
        static constexpr std::string_view digits = "0123456789abcdef";
        text_[--from_] = '\n';
        text_[--from_] = '\r';
        do {
            text_[--from_] = digits[size & 15];
            size >>= 4;
        } while (size != 0);
    }

    std::string_view text() const { return {text_.data() + from_, text_.size() - from_}; }

  private:
    std::array<char, 18> text_{};
    std::size_t from_ = text_.size();
};

// Pieces of one write, as many as the kernel is given at once.
class gather {
  public:
    void add(std::string_view piece) {
        if (!piece.empty()) {
            // sendmsg() does not write to its buffers; its type just can't say so.
            pieces_[count_++] = {const_cast<char*>(piece.data()), piece.size()};
        }
    }

    std::span<const iovec> pieces() const { return {pieces_.data(), count_}; }

  private:
    std::array<iovec, limits::gather_pieces_max> pieces_; // only the first count_ are set
    std::size_t count_ = 0;
};

// Head, size line, and the end of a chunk or of the body stand beside the pieces.
constexpr std::size_t frame_pieces = 3;

} // namespace

void answer_writer::begin(std::string head, answer_framing framing) {
    head_ = std::move(head);
    framing_ = framing;
    begun_ = true;
}

bool answer_writer::write(session& client, turn::output& out, bool last) {
    const bool is_chunked = framing_ == answer_framing::chunked;
    const bool has_body = !out.empty() && framing_ != answer_framing::none;
    const size_line size(has_body ? out.bytes() : 0);
    std::string joined;
    gather all;
    all.add(head_);
    if (has_body) {
        if (is_chunked) {
            all.add(size.text());
        }
        // More pieces than one gather takes: the last ones are joined.
        const std::size_t direct =
            std::min(out.pieces(), limits::gather_pieces_max - frame_pieces - 1);
        for (std::size_t i = 0; i < direct; ++i) {
            all.add(out.piece(i));
        }
        for (std::size_t i = direct; i < out.pieces(); ++i) {
            joined.append(out.piece(i));
        }
        all.add(joined);
    }
    if (is_chunked) {
        const std::string_view end = has_body ? "\r\n0\r\n\r\n" : "0\r\n\r\n";
        all.add(last ? end : end.substr(0, has_body ? 2 : 0));
    }
    const bool sent = all.pieces().empty() || client.write(all.pieces());
    out.clear();
    if (!head_.empty()) {
        base::free_memory(head_);
    }
    return sent;
}

} // namespace proxy::front
