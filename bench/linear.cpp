#include "bench/linear.hpp"

#include "proxy/scaffold/choice_filter.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t token = 4;
constexpr std::size_t part = 8;     // of the text, to see how the work grows
constexpr double growth_max = 2.5;  // quadratic work would show as 8
constexpr double prose_ratio = 4.0; // what is above is marked

struct sample {
    std::string_view name;
    std::string_view head;
    std::string_view unit; ///< repeated
};

constexpr std::string_view prose =
    "The weather in Oslo is cold in winter, so take a coat; in July it's mild, and evenings are\n"
    "long. Most visitors come between May and September, when boats (\"ferries\") run hourly.\n\n";

constexpr sample samples[] = {
    {"prose", "", prose},
    {"openers", "", "<tool_call>"},
    {"openers and braces", "", "<tool_call>{"},
    {"an opener, then braces", "<tool_call>", "{"},
    {"an opener, then a long string", "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"",
     "ab "},
    {"half an opener", "", "<tool_cal"},
    {"half a sentinel", "", "<|action_start|>"},
    {"DSML openers", "", "<｜DSML｜tool_calls>"},
    {"closers", "", "</tool_call>"},
    {"closers on lines", "", "</tool_call>\n"},
    {"calls", "", "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n"},
    {"openers in code marks", "", "`<tool_call>"},
    {"angle brackets", "", "<"},
    {"square brackets", "", "["},
    {"braces", "", "{"},
    {"braces on lines", "", "\n{\"name\": \"get_weather\", "},
    {"backticks", "", "`"},
    {"fences", "", "```\n"},
    {"quotes", "", "\""},
    {"backslashes", "", "\\"},
    {"line ends", "", "\n"},
    {"spaces", "", " "},
    {"Action: lines", "", "Action: x\n"},
    {"functions.x:0", "", "functions.x:0"},
    {"functions.x:0 on lines", "", "functions.x:0\n"},
    {"a name and a long tag", "",
     "<tool_call>f<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    {"control tokens", "", "<|im_end|>"},
};

std::string text_of(const sample& from, std::size_t bytes) {
    auto text = std::string(from.head);
    text.reserve(bytes + from.unit.size());
    while (text.size() < bytes) {
        text += from.unit;
    }
    text.resize(bytes);
    return text;
}

/// Processor time for a byte in nanoseconds, the best of some runs: other work only adds to it.
double ns_for(const proxy::scaffold::catalog& formats, std::string_view text, std::size_t piece) {
    auto context = proxy::scaffold::context{};
    context.tools = true;
    context.names = {"get_weather"};
    auto decided = proxy::scaffold::decisions{};
    auto best = std::numeric_limits<double>::max();
    for (int round = 0; round < 2; ++round) {
        auto filter = proxy::scaffold::choice_filter{formats, context};
        const auto began = std::clock();
        for (std::size_t at = 0; at < text.size(); at += piece) {
            decided.clear();
            filter.feed(text.substr(at, piece), decided);
        }
        filter.finish(decided);
        best = std::min(best, static_cast<double>(std::clock() - began));
    }
    return best * 1e9 / CLOCKS_PER_SEC / static_cast<double>(text.size());
}

struct column {
    double ns = 0;
    double ratio = 0;
    double growth = 0;
};

column measure(const proxy::scaffold::catalog& formats, std::string_view text, std::size_t piece,
               double of_prose) {
    auto out = column{};
    out.ns = ns_for(formats, text, std::min(piece, text.size()));
    out.ratio = of_prose == 0 ? 1 : out.ns / of_prose;
    const auto eighth = text.substr(0, text.size() / part);
    out.growth = out.ns / ns_for(formats, eighth, std::min(piece, eighth.size()));
    return out;
}

void print(const column& of) {
    std::printf(" %9.2f %7.1f%c %7.2f", of.ns, of.ratio, of.ratio > prose_ratio ? '!' : ' ',
                of.growth);
}

} // namespace

bool print_linear(const proxy::scaffold::catalog& formats, std::size_t bytes) {
    std::printf("%zu MiB each; %zu bytes a piece\n%-32s %9s %7s %8s %9s %7s %8s\n", bytes >> 20,
                token, "", "whole, ns", "/prose", "growth", "pieces", "/prose", "growth");
    auto base = std::vector<double>(2);
    bool linear = true;
    for (const auto& from : samples) {
        const auto text = text_of(from, bytes);
        const auto whole = measure(formats, text, bytes, base[0]);
        const auto pieces = measure(formats, text, token, base[1]);
        if (base[0] == 0) {
            base = {whole.ns, pieces.ns};
        }
        std::printf("%-32.*s", static_cast<int>(from.name.size()), from.name.data());
        print(whole);
        print(pieces);
        std::printf("\n");
        std::fflush(stdout);
        linear = linear && whole.growth < growth_max && pieces.growth < growth_max;
    }
    return linear;
}

} // namespace bench
