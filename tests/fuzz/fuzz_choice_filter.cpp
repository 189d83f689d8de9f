// Any text at any cuts: no byte gets lost, the decisions don't depend on the cuts, spans and runs
// agree, and nothing is held but what may still become markup.
//
// Input: one byte of flags, one byte that seeds the cuts, then the text.

#include "proxy/base/limits.hpp"
#include "proxy/config/formats_file.hpp"
#include "proxy/scaffold/choice_filter.hpp"

#include "tests/fuzz/expect.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace {

using namespace proxy::scaffold;

struct result {
    std::vector<run> runs;
    std::vector<span> spans;
};

context make_context(std::uint8_t flags) {
    context ctx;
    ctx.tools = (flags & 1U) != 0;
    ctx.json_answer = (flags & 2U) != 0;
    ctx.sentinels_only = (flags & 4U) != 0;
    if (ctx.tools) {
        ctx.names = {"get_time", "get_weather", "read_file"};
    }
    return ctx;
}

void take(const decisions& out, result& into, std::size_t& decided) {
    for (const auto& r : out.runs) {
        FUZZ_EXPECT(r.bytes != 0);
        decided += r.bytes;
        if (!into.runs.empty() && into.runs.back().kind == r.kind) {
            into.runs.back().bytes += r.bytes;
        } else {
            into.runs.push_back(r);
        }
    }
    into.spans.insert(into.spans.end(), out.spans.begin(), out.spans.end());
}

/// `seed` 0 feeds the text whole.
result filter_text(const catalog& formats, const context& ctx, std::string_view text,
                   std::uint32_t seed) {
    choice_filter filter(formats, ctx);
    decisions out;
    result got;
    std::size_t decided = 0;
    for (std::size_t at = 0; at < text.size();) {
        seed = seed * 1664525U + (seed == 0 ? 0U : 1013904223U);
        const std::size_t bytes = seed == 0 ? text.size() : 1 + (seed >> 24U) % 7;
        const std::string piece(text.substr(at, bytes));
        at += piece.size();
        out.clear();
        filter.feed(piece, out);
        take(out, got, decided);
        FUZZ_EXPECT(decided + filter.held() == at);
        FUZZ_EXPECT(!filter.idle() || filter.held() == 0);
    }
    out.clear();
    filter.finish(out);
    take(out, got, decided);
    FUZZ_EXPECT(decided == text.size() && filter.held() == 0);
    return got;
}

void expect_same(const result& a, const result& b) {
    FUZZ_EXPECT(a.runs.size() == b.runs.size() && a.spans.size() == b.spans.size());
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        FUZZ_EXPECT(a.runs[i].kind == b.runs[i].kind && a.runs[i].bytes == b.runs[i].bytes);
    }
    for (std::size_t i = 0; i < a.spans.size(); ++i) {
        FUZZ_EXPECT(a.spans[i].fmt == b.spans[i].fmt && a.spans[i].kind == b.spans[i].kind);
        FUZZ_EXPECT(a.spans[i].offset == b.spans[i].offset && a.spans[i].bytes == b.spans[i].bytes);
        FUZZ_EXPECT(a.spans[i].excerpt == b.spans[i].excerpt && a.spans[i].rule == b.spans[i].rule);
    }
}

void expect_spans_to_cover_what_is_stripped(const result& got, std::string_view text) {
    std::uint64_t stripped = 0;
    for (const auto& r : got.runs) {
        stripped += r.kind == run_kind::strip ? r.bytes : 0;
    }
    std::uint64_t end = 0;
    for (const auto& s : got.spans) {
        FUZZ_EXPECT(s.offset >= end && s.bytes != 0 && s.chars <= s.bytes);
        FUZZ_EXPECT(text.substr(s.offset, s.bytes).starts_with(s.excerpt));
        FUZZ_EXPECT(!s.rule.empty());
        end = s.offset + s.bytes;
        stripped -= s.bytes;
    }
    FUZZ_EXPECT(end <= text.size() && stripped == 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const catalog formats = proxy::config::built_in_catalog();
    if (size < 2) {
        return 0;
    }
    const auto ctx = make_context(data[0]);
    const auto text = tests::as_text(data + 2, size - 2);
    const auto whole = filter_text(formats, ctx, text, 0);
    expect_spans_to_cover_what_is_stripped(whole, text);
    expect_same(whole, filter_text(formats, ctx, text, 1U + data[1]));
    return 0;
}
