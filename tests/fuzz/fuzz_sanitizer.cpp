// The whole turn: the same output at any cut, one terminal event at the very end, at most one
// correction. Input: a seed for the cuts, how the first body ends, the first answer, NUL, the second.

#include "proxy/config/formats_file.hpp"
#include "tests/fuzz/expect.hpp"
#include "tests/turn/driver.hpp"

#include <algorithm>
#include <random>

namespace {

constexpr std::string_view request =
    R"({"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user",)"
    R"("content":"q"}],"tools":[{"type":"function","function":{"name":"lookup_tide"}}]})";

std::vector<std::size_t> cuts(std::size_t bytes, unsigned seed) {
    std::minstd_rand random(seed + 1U);
    const std::size_t longest = 1 + random() % 64;
    std::vector<std::size_t> lengths;
    for (std::size_t at = 0; at < bytes; at += lengths.back()) {
        lengths.push_back(std::min<std::size_t>(1 + random() % longest, bytes - at));
    }
    return lengths;
}

void check_end(const tests::result& got) {
    FUZZ_EXPECT(got.finished);
    FUZZ_EXPECT(got.downstream.find("[DONE]") != std::string::npos);
    const std::size_t last_line = got.downstream.find_last_not_of("\r\n");
    FUZZ_EXPECT(last_line != std::string::npos);
    FUZZ_EXPECT(got.facts.corrections <= 1);
    FUZZ_EXPECT(got.correction.has_value() == (got.facts.corrections == 1));
    if (got.correction) {
        FUZZ_EXPECT(got.correction->find("\"tools\"") == std::string::npos);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
    static const auto formats = proxy::config::built_in_catalog();
    if (size < 2) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes) + 2, size - 2);
    const std::size_t nul = std::min(text.find('\0'), text.size());
    std::vector<tests::answer> answers(2);
    answers[0].body = text.substr(0, nul);
    answers[0].end = static_cast<proxy::turn::upstream_end>(bytes[1] % 3);
    answers[1].body = text.substr(std::min(nul + 1, text.size()));
    answers[1].json = (bytes[1] & 4U) != 0; // one body instead of a stream
    const proxy::turn::turn_settings settings;

    const auto whole = tests::play_whole(formats, settings, request, answers);
    check_end(whole);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto cut = tests::play(formats, settings, request, answers, i,
                                     cuts(answers[i].body.size(), bytes[0]));
        FUZZ_EXPECT(cut.downstream == whole.downstream);
        FUZZ_EXPECT(cut.correction == whole.correction);
        FUZZ_EXPECT(cut.facts.scaffold_chars == whole.facts.scaffold_chars);
        FUZZ_EXPECT(cut.facts.outcome == whole.facts.outcome);
    }
    return 0;
}
