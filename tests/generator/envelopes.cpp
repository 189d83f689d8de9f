// Turns in envelopes: segments of which some are for the user and some are not.
#include "tests/generator/composer.hpp"
#include "tests/generator/prose.hpp"

#include <array>

namespace tests::generator {

void composer::harmony_segment(bool first, bool last) {
    const std::string start = first && chance_.chance(70) ? "" : "<|start|>assistant";
    const auto name = random_name(chance_, false);
    const auto body =
        to_json(random_arguments(chance_, {false, {"<|"}}), random_json_style(chance_));
    switch (chance_.below(turn_.ctx.tools ? 5 : 4)) {
    case 4: // a call without its recipient
        strip(start + "<|channel|>commentary<|message|>" + body + "<|end|>");
        break;
    case 0:
        strip(start + "<|channel|>analysis<|message|>" + sentence(chance_, false) + "<|end|>");
        break;
    case 1:
        strip(start + "<|channel|>commentary to=functions." + name +
              (chance_.chance(60) ? " <|constrain|>json" : "") + "<|message|>" + body + "<|call|>");
        break;
    case 2:
        strip("<|start|>assistant to=functions." + name + "<|channel|>commentary json<|message|>" +
              body + "<|call|>");
        break;
    default:
        strip(start + "<|channel|>commentary<|message|>");
        keep(paragraph(chance_, false));
        strip("<|end|>");
    }
    if (!last) {
        return;
    }
    strip("<|start|>assistant<|channel|>final<|message|>");
    keep(paragraph(chance_));
    strip(chance_.chance(60) ? "<|return|>" : chance_.chance(50) ? "<|end|>" : "");
}

void composer::harmony() {
    turn_.scenario = "envelope";
    turn_.dialect = "harmony";
    turn_.ctx.tools = chance_.chance(60);
    const bool final = chance_.chance(60);
    for (std::size_t i = 0, n = chance_.between(1, 3); i < n; ++i) {
        harmony_segment(i == 0, final && i + 1 == n);
    }
}

void composer::reasoning_envelope() {
    turn_.scenario = "reasoning";
    const auto thought = sentence(chance_, false);
    switch (chance_.below(7)) {
    case 6:
        turn_.dialect = "inkling";
        strip("<|message_model|><|content_thinking|>" + thought + "<|end_message|>");
        strip("<|message_model|><|content_text|>");
        keep(paragraph(chance_));
        strip("<|end_message|>");
        return;
    case 5:
        turn_.dialect = "muse";
        strip("to=self<|message|>" + thought + "<|eom|>to=user<|message|>");
        keep(paragraph(chance_));
        return;
    case 4:
        turn_.dialect = "harmony-channels";
        strip("analysis" + thought + std::string(maybe_line(chance_)) + "assistantfinal");
        keep(paragraph(chance_));
        return;
    case 0:
        turn_.dialect = "cohere";
        strip("<|START_THINKING|>" + thought + "<|END_THINKING|><|START_RESPONSE|>");
        keep(paragraph(chance_));
        strip("<|END_RESPONSE|>");
        return;
    case 1:
        turn_.dialect = "gemma4-channel";
        strip("<|channel>thought\n" + thought + "\n<channel|>");
        keep(paragraph(chance_));
        return;
    case 2: {
        const auto& d = draw([](const dialect& one) { return one.where == place::anywhere; });
        keep("<think>" + thought + "</think>\n");
        one_call(d, true);
        return;
    }
    default:
        turn_.dialect = "think";
        keep("<think>" + thought + "</think>\n" + paragraph(chance_));
    }
}

} // namespace tests::generator
