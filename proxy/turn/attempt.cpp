#include "proxy/turn/attempt.hpp"

#include "proxy/base/limits.hpp"

#include <algorithm>

namespace proxy::turn {

choice_state* attempt::choice(std::uint32_t index, const scaffold::catalog& formats,
                              const scaffold::context& ctx) {
    for (choice_state& state : choices) {
        if (state.track.index() == index) {
            return &state;
        }
    }
    if (choices.size() >= limits::choices_max) {
        return nullptr;
    }
    return &choices.emplace_back(index, formats, ctx);
}

bool attempt::whole() const {
    const auto finished = [](const choice_state& state) { return state.finished; };
    return done_seen || (!choices.empty() && std::all_of(choices.begin(), choices.end(), finished));
}

bool attempt::holds_text() const {
    return std::any_of(choices.begin(), choices.end(),
                       [](const choice_state& state) { return state.track.holds_text(); });
}

} // namespace proxy::turn
