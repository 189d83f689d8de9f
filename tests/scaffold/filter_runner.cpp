#include "tests/scaffold/filter_runner.hpp"

#include "proxy/config/formats_file.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

namespace proxy::tests {

const scaffold::catalog& formats() {
    static const scaffold::catalog built_in = config::built_in_catalog();
    return built_in;
}

const scaffold::context& context_of(bool tools) {
    static const scaffold::context without;
    static const scaffold::context with = [] {
        scaffold::context ctx;
        ctx.tools = true;
        ctx.names = {"calculate",  "create_event", "get_time",  "get_weather",
                     "list_files", "lookup_order", "read_file", "run_shell",
                     "search_web", "send_email",   "translate", "write_file"};
        return ctx;
    }();
    return tools ? with : without;
}

namespace {

void take(const scaffold::decisions& out, std::string_view text, std::size_t& at, filtered& into) {
    for (const auto& r : out.runs) {
        const auto bytes = text.substr(at, r.bytes);
        BOOST_REQUIRE_EQUAL(bytes.size(), r.bytes);
        at += r.bytes;
        (r.kind == scaffold::run_kind::strip ? into.stripped : into.clean) += bytes;
        if (r.kind == scaffold::run_kind::reasoning) {
            into.reasoning += bytes;
        }
        if (!into.runs.empty() && into.runs.back().kind == r.kind) {
            into.runs.back().bytes += r.bytes;
        } else {
            into.runs.push_back(r);
        }
    }
    into.spans.insert(into.spans.end(), out.spans.begin(), out.spans.end());
}

} // namespace

filtered run_filter(const scaffold::context& ctx, const std::vector<std::string_view>& pieces,
                    const scaffold::catalog& catalog) {
    scaffold::choice_filter filter(catalog, ctx);
    scaffold::decisions out;
    filtered result;
    std::string text;
    std::size_t at = 0;
    for (const auto piece : pieces) {
        const std::string own(piece); // the filter must not keep views of what it was fed
        text += own;
        out.clear();
        filter.feed(own, out);
        take(out, text, at, result);
        BOOST_REQUIRE_EQUAL(at + filter.held(), text.size());
        result.held_max = std::max(result.held_max, filter.held());
    }
    out.clear();
    filter.finish(out);
    take(out, text, at, result);
    BOOST_REQUIRE_EQUAL(at, text.size());
    BOOST_REQUIRE_EQUAL(filter.held(), 0);
    return result;
}

filtered run_whole(const scaffold::context& ctx, std::string_view text) {
    return run_filter(ctx, {text});
}

std::string visible(std::string text) {
    const bool blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
    return blank ? std::string() : text;
}

std::vector<std::string_view> cut_every(std::string_view text, std::size_t bytes) {
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < text.size(); i += bytes) {
        pieces.push_back(text.substr(i, bytes));
    }
    return pieces;
}

std::vector<std::string_view> cut_code_points(std::string_view text) {
    std::vector<std::string_view> pieces;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= text.size(); ++i) {
        if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            pieces.push_back(text.substr(begin, i - begin));
            begin = i;
        }
    }
    return pieces;
}

std::vector<std::string_view> cut_randomly(std::string_view text, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t bytes = 1 + random() % 9;
        pieces.push_back(text.substr(i, bytes));
        i += bytes;
    }
    return pieces;
}

bool same(const filtered& expected, const filtered& got) {
    const auto runs_equal = [](const scaffold::run& a, const scaffold::run& b) {
        return a.kind == b.kind && a.bytes == b.bytes;
    };
    const auto spans_equal = [](const scaffold::span& a, const scaffold::span& b) {
        return a.fmt == b.fmt && a.kind == b.kind && a.offset == b.offset && a.bytes == b.bytes &&
               a.chars == b.chars && a.excerpt == b.excerpt && a.rule == b.rule;
    };
    return expected.clean == got.clean && std::ranges::equal(expected.runs, got.runs, runs_equal) &&
           std::ranges::equal(expected.spans, got.spans, spans_equal);
}

filtered run_at_all_cuts(const scaffold::context& ctx, std::string_view text) {
    const auto whole = run_whole(ctx, text);
    const auto check = [&](const std::vector<std::string_view>& pieces, const std::string& how) {
        const auto got = run_filter(ctx, pieces);
        BOOST_TEST(same(whole, got), how << " gives '" << got.clean << "' and not '" << whole.clean
                                         << "' for '" << text.substr(0, 300) << "'");
    };
    for (std::size_t i = 1; i < text.size(); ++i) {
        check({text.substr(0, i), text.substr(i)}, "cut at " + std::to_string(i));
    }
    check(cut_every(text, 1), "byte by byte");
    check(cut_every(text, 4), "in fours");
    check(cut_code_points(text), "by code points");
    for (std::uint32_t seed : {1U, 7U, 2026U}) {
        check(cut_randomly(text, seed), "at random, seed " + std::to_string(seed));
    }
    return whole;
}

} // namespace proxy::tests
