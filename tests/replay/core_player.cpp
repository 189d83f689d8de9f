#include "tests/replay/core_player.hpp"

#include "proxy/chat/error_object.hpp"
#include "proxy/config/formats_file.hpp"
#include "proxy/turn/body_turn.hpp"
#include "proxy/turn/sanitizer.hpp"

#include <memory>
#include <vector>

namespace tests::replay {

namespace chat = proxy::chat;
namespace turn = proxy::turn;

namespace {

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

turn::upstream_end end_of(body_end end) {
    return end == body_end::reset ? turn::upstream_end::cut : turn::upstream_end::whole;
}

/// One turn and what it has written so far.
class session {
public:
    explicit session(const std::string& request)
        : request_(request), facts_(chat::read_request(request_)), work_(turn::make_workspace()),
          turn_({}, formats(), *work_, facts_, request_) {
        result.requests.push_back(request_);
    }

    /// Feeds one answer; `writes` gets the client's body after each read.
    turn::action feed(const reads& pieces, body_end end, std::vector<std::string>* writes) {
        for (const auto& piece : pieces) {
            // A buffer of its own, so that nothing can live on in the one before.
            const auto buffer =
                std::make_unique<char[]>(piece.size() + proxy::limits::json_padding);
            piece.copy(buffer.get(), piece.size());
            turn::output out;
            const auto next = turn_.push({buffer.get(), piece.size()}, out);
            result.body += out.str();
            if (writes != nullptr) {
                writes->push_back(result.body);
            }
            if (next != turn::action::proceed) {
                return next;
            }
        }
        turn::output out;
        const auto next = turn_.end(end_of(end), out);
        result.body += out.str();
        return next;
    }

    turn::action feed_second(const upstream_answer& answer, const reads& pieces) {
        result.requests.push_back(turn_.correction_body());
        if (answer.status < 300 && answer.is_stream()) {
            turn_.begin_second();
            return feed(pieces, answer.end, nullptr);
        }
        turn::output out;
        const auto next = turn_.second_refused(chat::error_message(answer.body()), out);
        result.body += out.str();
        return next;
    }

    played result;

private:
    std::string request_;
    chat::request_view facts_;
    turn::workspace_ptr work_;
    turn::sanitizer turn_;
};

/// A first answer that is one JSON body.
played play_body(const replay_case& one) {
    played out;
    out.requests.push_back(one.request);
    const auto facts = chat::read_request(one.request);
    turn::body_turn turn({}, formats(), facts, one.request);
    auto next = turn.take(one.upstream.front().body(), out.body);
    if (next == turn::action::correct) {
        out.requests.push_back(turn.correction_body());
        next = turn.take(one.upstream.at(1).body(), out.body);
    }
    out.in_order = next == turn::action::finish;
    return out;
}

} // namespace

reads as_written(const replay_case& one, std::size_t i) {
    return i < one.upstream.size() ? one.upstream[i].writes : reads();
}

reads in_pieces(const std::string& bytes, std::size_t size) {
    reads pieces;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        pieces.push_back(bytes.substr(at, size));
    }
    return pieces;
}

played play_core(const replay_case& one, const reads& first, const reads& second) {
    if (!one.upstream.front().is_stream()) {
        return play_body(one);
    }
    session turn(one.request);
    auto next = turn.feed(first, one.upstream.front().end, &turn.result.after_write);
    if (next == turn::action::correct) {
        if (one.upstream.size() < 2) {
            turn.result.fault = "a second request was made that the case has no answer to";
            return turn.result;
        }
        next = turn.feed_second(one.upstream[1], second);
    }
    turn.result.in_order = next == turn::action::finish;
    return turn.result;
}

} // namespace tests::replay
