#include "tests/turn/driver.hpp"

#include "proxy/chat/request_view.hpp"

#include <stdexcept>

namespace tests {

namespace {

using proxy::turn::action;

class driver {
  public:
    driver(const proxy::scaffold::catalog& formats, const proxy::turn::turn_settings& settings,
           std::string_view request)
        : work_(proxy::turn::make_workspace()),
          turn_(settings, formats, *work_, proxy::chat::read_request(request), request) {}

    action feed(const answer& upstream, const std::vector<std::size_t>& lengths) {
        std::size_t at = 0;
        for (const std::size_t length : lengths) {
            const action next = taken(
                turn_.push(buffer_.load(std::string_view(upstream.body).substr(at, length)), out_));
            at += length;
            if (next != action::proceed) {
                return next;
            }
        }
        return taken(turn_.end(upstream.end, out_));
    }

    action second(const answer& upstream, const std::vector<std::size_t>& lengths) {
        result_.correction = turn_.correction_body();
        if (upstream.refused) {
            return taken(turn_.second_refused(*upstream.refused, out_));
        }
        if (upstream.json) {
            return taken(turn_.second_body(upstream.body, out_));
        }
        turn_.begin_second();
        return feed(upstream, lengths);
    }

    result take() {
        result_.finished = turn_.finished();
        result_.facts = turn_.facts();
        return std::move(result_);
    }

  private:
    action taken(action next) {
        result_.downstream += out_.str();
        out_.clear();
        buffer_.spoil();
        return next;
    }

    proxy::turn::workspace_ptr work_;
    proxy::turn::sanitizer turn_;
    proxy::turn::output out_;
    read_buffer buffer_;
    result result_;
};

} // namespace

result play(const proxy::scaffold::catalog& formats, const proxy::turn::turn_settings& settings,
            std::string_view request, const std::vector<answer>& answers, std::size_t cut_answer,
            const std::vector<std::size_t>& lengths) {
    driver loop(formats, settings, request);
    const auto cut = [&](std::size_t i) {
        return i == cut_answer ? lengths : std::vector<std::size_t>{answers[i].body.size()};
    };
    action next = loop.feed(answers.at(0), cut(0));
    if (next == action::correct) {
        if (answers.size() < 2) {
            throw std::runtime_error("a second request that the test has no answer for");
        }
        next = loop.second(answers[1], cut(1));
    }
    result played = loop.take();
    if (next != action::finish) {
        throw std::runtime_error("the turn did not finish");
    }
    return played;
}

result play_whole(const proxy::scaffold::catalog& formats,
                  const proxy::turn::turn_settings& settings, std::string_view request,
                  const std::vector<answer>& answers) {
    return play(formats, settings, request, answers, 0, {answers.at(0).body.size()});
}

} // namespace tests
