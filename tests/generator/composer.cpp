#include "tests/generator/composer.hpp"

#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

constexpr std::array<std::string_view, 7> end_tokens = {
    "<|im_end|>", "<|eot_id|>",    "<|endoftext|>", "<｜end▁of▁sentence｜>",
    "<|im_end|>", "<end_of_turn>", "<|im_end|>"};

bool leaves_blank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

bool is_call_anywhere(const dialect& d) {
    return d.where != place::turn;
}

bool is_whole_turn(const dialect& d) {
    return d.where == place::turn;
}

} // namespace

std::string turn::raw() const {
    std::string all;
    for (const auto& p : parts) {
        all += p.text;
    }
    return all;
}

std::string turn::expected() const {
    std::string kept;
    for (const auto& p : parts) {
        kept += p.keep ? p.text : "";
    }
    return leaves_blank(kept) ? "" : kept;
}

composer::composer(std::uint64_t seed) : chance_(seed) {
    for (std::size_t i = chance_.between(1, 6); i > 0; --i) {
        turn_.ctx.names.push_back(random_name(chance_, i % 2 == 1));
    }
    std::ranges::sort(turn_.ctx.names);
    turn_.ctx.names.erase(std::ranges::unique(turn_.ctx.names).begin(), turn_.ctx.names.end());
    turn_.ctx.tools = true;
}

turn composer::take() {
    if (!turn_.ctx.tools) {
        turn_.ctx.names.clear();
    }
    return std::move(turn_);
}

const dialect& composer::draw(bool (*fits)(const dialect&)) {
    while (true) {
        const auto& d = chance_.pick(all_dialects());
        if (fits(d)) {
            turn_.dialect = turn_.dialect.empty() ? std::string(d.name)
                                                  : turn_.dialect + " + " + std::string(d.name);
            return d;
        }
    }
}

std::vector<call> composer::calls_for(const dialect& d, const text_rule& rule, bool declared) {
    std::vector<std::string> names;
    std::ranges::copy_if(turn_.ctx.names, std::back_inserter(names), [&](const auto& name) {
        return !d.plain_names ||
               name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos;
    });
    std::vector<call> all;
    for (std::size_t i = chance_.between(1, d.calls_max); i > 0; --i) {
        const auto name =
            declared ? std::string(chance_.pick(names)) : "un" + random_name(chance_, true);
        all.push_back({name, random_arguments(chance_, rule, d.arguments_min)});
    }
    return all;
}

markup composer::write(const dialect& d, bool declared) {
    return d.write(chance_, calls_for(d, d.rule, declared));
}

void composer::keep(std::string text, bool free) {
    turn_.parts.push_back({std::move(text), true, free});
}

void composer::strip(std::string text) {
    turn_.parts.push_back({std::move(text), false, false});
}

void composer::lead(place where, bool some) {
    const std::size_t roll = chance_.below(where == place::line ? 65 : 100);
    if (turn_.parts.empty() && roll < 20 && !some) {
        return;
    }
    if (roll < 35 && turn_.parts.empty()) {
        keep(block(chance_) + "\n\n", true);
    }
    if (roll < 50) {
        keep(block(chance_) + "\n\n");
    } else if (roll < 65) {
        keep(paragraph(chance_) + "\n");
    } else {
        keep(paragraph(chance_) + (roll < 85 ? " " : ""));
    }
}

void composer::follow(bool broken) {
    const std::size_t roll = chance_.below(100);
    if (roll < 40) {
        keep("\n\n" + block(chance_));
    } else if (roll < 60) {
        keep("\n" + paragraph(chance_));
    } else {
        keep((broken ? "\n" : roll < 90 ? " " : "") + paragraph(chance_));
    }
    keep("\n\n" + block(chance_), true);
}

void composer::form(const dialect& d, const markup& made, bool end_of_turn) {
    const bool closed = made.body_end < made.text.size();
    const std::size_t roll = chance_.below(100);
    if (roll < 15 && closed && (d.self_ending || end_of_turn)) {
        turn_.scenario += ", not closed";
        strip(made.text.substr(0, made.body_end));
    } else if (roll < 25 && closed && !d.closer.empty()) {
        turn_.scenario += ", closed twice";
        strip(made.text + std::string(maybe_line(chance_)) + std::string(d.closer));
    } else if (roll < 35 && closed && (d.name == "hermes" || d.name == "hermes-alias")) {
        constexpr std::array<std::string_view, 4> closers = {"</function>", "</tool_call>",
                                                             "</tools>", "</function_call>"};
        turn_.scenario += ", closed by another";
        strip(made.text.substr(0, made.body_end) + std::string(chance_.pick(closers)));
    } else if (roll < 55 && end_of_turn && made.sure < made.text.size()) {
        turn_.scenario += ", cut off";
        auto cut = chance_.between(made.sure, made.text.size() - 1);
        const auto behind = made.text.find_first_not_of(" \n", std::min(made.body_end, cut));
        if (cut > made.body_end && behind >= cut) {
            cut = made.body_end; // white space behind a whole payload may be its own or not
        }
        strip(made.text.substr(0, cut));
    } else {
        strip(made.text);
    }
}

void composer::one_call(const dialect& d, bool end_of_turn) {
    const bool declared = d.shows == evidence::shaped || chance_.chance(80);
    form(d, write(d, declared), end_of_turn || d.where == place::last);
}

void composer::calls_in_prose() {
    turn_.scenario = "calls";
    const std::size_t count = chance_.between(1, 3);
    for (std::size_t i = 1; i <= count; ++i) {
        const auto& d = draw(is_call_anywhere);
        if (i > 1) {
            keep("\n\n");
        }
        if (i == 1 || chance_.chance(70)) {
            lead(d.where);
        }
        const bool last = i == count && chance_.chance(50);
        one_call(d, last);
        if (d.where == place::last || last) {
            break;
        }
        follow(d.where == place::line);
    }
    if (!turn_.parts.back().keep || !chance_.chance(20)) {
        return;
    }
    keep("\n\n" + sentence(chance_));
    strip(std::string(chance_.pick(end_tokens)));
}

void composer::whole_turn_call() {
    turn_.scenario = "whole turn";
    const auto& d = draw(is_whole_turn);
    strip(write(d, true).text);
}

turn make_turn(std::uint64_t seed) {
    struct weighted {
        std::size_t weight;
        void (composer::*make)();
    };

    constexpr std::array<weighted, 23> all = {{{250, &composer::calls_in_prose},
                                               {70, &composer::whole_turn_call},
                                               {90, &composer::example_in_code},
                                               {50, &composer::example_and_call},
                                               {70, &composer::example_without_tools},
                                               {40, &composer::undeclared_name},
                                               {60, &composer::named_in_a_sentence},
                                               {50, &composer::closers_only},
                                               {40, &composer::harmony},
                                               {30, &composer::reasoning_envelope},
                                               {30, &composer::calls_in_a_row},
                                               {20, &composer::result_behind_a_call},
                                               {20, &composer::lone_backtick},
                                               {20, &composer::answer_in_json},
                                               {20, &composer::placeholder},
                                               {20, &composer::defused},
                                               {19, &composer::open_fence},
                                               {1, &composer::long_value},
                                               {30, &composer::among_punctuation},
                                               {20, &composer::opener_at_end},
                                               {10, &composer::lone_result},
                                               {20, &composer::control_token},
                                               {20, &composer::windows_line_ends}}};
    dice chance(seed);
    composer made(chance.next());
    auto roll = chance.below(1000);
    for (const auto& one : all) {
        if (roll < one.weight) {
            (made.*one.make)();
            break;
        }
        roll -= one.weight;
    }
    return made.take();
}

} // namespace tests::generator
