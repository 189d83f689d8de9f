// unscaffold-micro: what the pure core costs for each event, without sockets: nanoseconds of
// processor time (median and minimum of the rounds) and allocations. Instruction counts of the
// whole proxy: ./bench/run callgrind.
#include "proxy/base/limits.hpp"
#include "proxy/chat/chunk_view.hpp"
#include "proxy/chat/request_view.hpp"
#include "proxy/config/formats_file.hpp"
#include "proxy/scaffold/choice_filter.hpp"
#include "proxy/sse/event_parser.hpp"
#include "proxy/turn/sanitizer.hpp"

#include "bench/linear.hpp"
#include "bench/script.hpp"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::size_t allocations = 0;

} // namespace

// Never inlined: g++ 12 would see malloc() beside operator delete and warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace bench {

namespace {

constexpr std::size_t rounds = 15;
constexpr std::uint64_t round_ns = 20'000'000;

/// What the measured functions gave, so that the compiler can't leave them out.
std::size_t kept = 0;

/// Only lines whose name holds this are measured.
std::string_view wanted;

/// Processor time of this process: what else the machine does counts less than on a clock.
std::uint64_t cpu_ns() {
    auto now = timespec{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

/// Times `once`, which does `items` pieces of work, and prints one line.
void measure(std::string_view name, std::size_t items, const std::function<void()>& once) {
    if (name.find(wanted) == std::string_view::npos) {
        return;
    }
    once(); // warm
    once();
    const auto before = allocations;
    once();
    const auto each = static_cast<double>(items);
    const auto allocated = static_cast<double>(allocations - before) / each;
    auto times = std::vector<double>{};
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto began = cpu_ns();
        auto repeats = std::size_t{0};
        auto spent = std::uint64_t{0};
        do {
            once();
            ++repeats;
            spent = cpu_ns() - began;
        } while (spent < round_ns);
        times.push_back(static_cast<double>(spent) / (static_cast<double>(repeats) * each));
    }
    std::sort(times.begin(), times.end());
    std::printf("%-52.*s %9.1f %9.1f %8.2f\n", static_cast<int>(name.size()), name.data(),
                times[rounds / 2], times.front(), allocated);
    std::fflush(stdout);
}

/// Bytes of SSE with the padding that the core's in-place parsing needs.
struct padded_stream {
    std::string bytes;
    std::vector<std::string_view> events;
};

padded_stream make_stream(const std::vector<std::string_view>& tokens, std::size_t count) {
    auto result = padded_stream{};
    auto sizes = std::vector<std::size_t>{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto text = escaped(tokens[i % tokens.size()]);
        const auto event = make_event("bench-w1-r50-n1000", R"("content":")" + text + '"', "null");
        result.bytes += event;
        sizes.push_back(event.size());
    }
    const auto size = result.bytes.size();
    result.bytes.append(proxy::limits::json_padding, ' ');
    auto rest = std::string_view(result.bytes).substr(0, size);
    for (const auto length : sizes) {
        result.events.push_back(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    return result;
}

const std::string request_body =
    R"({"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}],"tools":[)"
    R"({"type":"function","function":{"name":"get_weather","parameters":{"type":"object"}}}]})";

std::string repeated(std::string_view text, std::size_t size) {
    auto out = std::string{};
    while (out.size() < size) {
        out += text;
    }
    out.resize(size);
    return out;
}

void measure_parts(const padded_stream& stream, const std::vector<std::string_view>& tokens,
                   const proxy::scaffold::catalog& formats) {
    const auto count = stream.events.size();
    auto parser = proxy::sse::event_parser{};
    measure("event end, all in one read", count, [&] {
        parser.push(std::string_view(stream.bytes)
                        .substr(0, stream.bytes.size() - proxy::limits::json_padding));
        while (const auto item = parser.next()) {
            kept += item->data.size();
        }
    });
    measure("event end, one event a read", count, [&] {
        for (const auto event : stream.events) {
            parser.push(event);
            while (const auto item = parser.next()) {
                kept += item->data.size();
            }
        }
    });
    auto chunk = proxy::chat::chunk_view{};
    measure("parse of a chunk", count, [&] {
        for (const auto event : stream.events) {
            kept += chunk.parse(event.substr(6, event.size() - 8)) ? 1U : 0U;
        }
    });
    auto context = proxy::scaffold::context{};
    context.tools = true;
    context.names = {"get_weather"};
    auto filter = proxy::scaffold::choice_filter{formats, context};
    auto decided = proxy::scaffold::decisions{};
    measure("filter, a token of prose and code", tokens.size(), [&] {
        for (const auto token : tokens) {
            decided.clear();
            filter.feed(token, decided);
            kept += decided.runs.size();
        }
    });
}

void measure_texts(const proxy::scaffold::catalog& formats) {
    struct sample {
        std::string_view name;
        std::string text;
    };

    const auto code = std::string_view(
        "for (int i = 0; i < n[0]; ++i) { out << a[i] << \"<b>\" << v[i][1] << \"</b>\\n\"; }\n");
    const auto call = std::string_view(
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n"
        "</tool_call>\n");
    const auto prose = std::string_view(
        "The weather in Oslo is cold in winter, so take a coat; in July it is mild, and evenings "
        "are long. Most visitors come between May and September, when boats run every hour. ");
    const sample samples[] = {{"4 KiB of prose", repeated(prose, 4096)},
                              {"4 KiB of code full of < and [", repeated(code, 4096)},
                              {"4 KiB of prose with one call",
                               repeated(prose, 2000) + std::string(call) + repeated(prose, 2000)},
                              {"4 KiB of calls", repeated(call, 4096)}};
    auto context = proxy::scaffold::context{};
    context.tools = true;
    context.names = {"get_weather"};
    auto decided = proxy::scaffold::decisions{};
    for (const auto& [name, text] : samples) {
        measure("filter, " + std::string(name), 1, [&, whole = std::string_view(text)] {
            auto filter = proxy::scaffold::choice_filter{formats, context};
            decided.clear();
            filter.feed(whole, decided);
            filter.finish(decided);
            kept += decided.runs.size();
        });
    }
}

/// A turn over the stream in reads of `per_read` events.
void measure_turn(std::string_view name, const padded_stream& stream, std::size_t per_read,
                  const proxy::scaffold::catalog& formats) {
    const auto request = proxy::chat::read_request(request_body);
    auto work = proxy::turn::make_workspace();
    auto out = proxy::turn::output{};
    const auto settings = proxy::turn::turn_settings{};
    measure(name, stream.events.size(), [&] {
        auto turn = proxy::turn::sanitizer{settings, formats, *work, request, request_body};
        for (std::size_t i = 0; i < stream.events.size(); i += per_read) {
            const auto last = std::min(i + per_read, stream.events.size()) - 1;
            const auto* const begin = stream.events[i].data();
            const auto* const end = stream.events[last].data() + stream.events[last].size();
            out.clear();
            turn.push({begin, static_cast<std::size_t>(end - begin)}, out);
            kept += out.bytes();
        }
        turn.cancelled();
    });
}

void run() {
    const auto formats = proxy::config::built_in_catalog();
    const auto tokens = tokens_of(sample_text());
    const auto words = std::vector<std::string_view>{" plain", " words", " only", ",", " here"};
    const auto mixed = make_stream(tokens, 2000);
    const auto plain = make_stream(words, 2000);
    std::printf("%-52s %9s %9s %8s\n", "ns each", "median", "minimum", "allocs");
    measure_parts(mixed, tokens, formats);
    measure_turn("turn, plain words, 1 event a read", plain, 1, formats);
    measure_turn("turn, plain words, 16 events a read", plain, 16, formats);
    measure_turn("turn, prose and code, 1 event a read", mixed, 1, formats);
    measure_turn("turn, prose and code, 16 events a read", mixed, 16, formats);
    measure_texts(formats);
    if (kept == 0) {
        throw std::runtime_error("nothing has that in its name");
    }
}

} // namespace

} // namespace bench

// The argument, if there is one, chooses the lines to measure. `linear [MIB]` measures long texts.
int main(int argc, char** argv) {
    bench::wanted = argc > 1 ? argv[1] : "";
    try {
        if (bench::wanted == "linear") {
            const auto mib = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 16UL;
            const auto formats = proxy::config::built_in_catalog();
            return bench::print_linear(formats, std::clamp(mib, 1UL, 256UL) << 20) ? 0 : 1;
        }
        bench::run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "unscaffold-micro: %s\n", error.what());
        return 1;
    }
}
