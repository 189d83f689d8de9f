// Every transcript in tests/transcripts/ at every cut: NAME.upstream.sse and, for a correction,
// NAME.upstream2.sse (or .json: one body) go in; NAME.expected.sse must come out. NAME.request.json
// is the request (transcripts without one use default.request.json), NAME.correction.json the
// second request. NAME.end says how the first body ended when it was not whole: cut or stalled.

#include "proxy/config/formats_file.hpp"

#include "tests/support/files.hpp"
#include "tests/turn/driver.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <set>

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(TESTS_DIR) / "transcripts";

struct transcript {
    std::string name;
    std::string request;
    std::vector<tests::answer> answers;
    std::string expected;
    std::string correction;
};

fs::path part(const std::string& name, const std::string& suffix) {
    return folder / (name + suffix);
}

proxy::turn::upstream_end end_of(const std::string& word) {
    if (word.starts_with("cut")) {
        return proxy::turn::upstream_end::cut;
    }
    BOOST_REQUIRE_MESSAGE(word.starts_with("stalled"), "an end is cut or stalled");
    return proxy::turn::upstream_end::stalled;
}

transcript load(const std::string& name) {
    transcript t;
    t.name = name;
    const fs::path own_request = part(name, ".request.json");
    t.request =
        tests::read_file(fs::exists(own_request) ? own_request : folder / "default.request.json");
    t.answers.push_back({tests::read_file(part(name, ".upstream.sse")), {}, {}, false});
    if (fs::exists(part(name, ".end"))) {
        t.answers[0].end = end_of(tests::read_file(part(name, ".end")));
    }
    if (fs::exists(part(name, ".upstream2.sse"))) {
        t.answers.push_back({tests::read_file(part(name, ".upstream2.sse")), {}, {}, false});
    }
    if (fs::exists(part(name, ".upstream2.json"))) {
        t.answers.push_back({tests::read_file(part(name, ".upstream2.json")), {}, {}, true});
    }
    if (fs::exists(part(name, ".correction.json"))) {
        t.correction = tests::read_file(part(name, ".correction.json"));
    }
    t.expected = tests::read_file(part(name, ".expected.sse"));
    return t;
}

std::set<std::string> names() {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string file = entry.path().filename().string();
        const std::size_t suffix = file.find(".upstream.sse");
        if (suffix != std::string::npos) {
            found.insert(file.substr(0, suffix));
        }
    }
    return found;
}

bool check(const transcript& t, const tests::result& got, const char* how) {
    const bool same = got.downstream == t.expected;
    BOOST_CHECK_MESSAGE(same, t.name << " (" << how << "): downstream differs\n--- expected\n"
                                     << t.expected << "\n--- got\n"
                                     << got.downstream);
    const bool asked_as_expected = got.correction.has_value() == (t.answers.size() > 1);
    BOOST_CHECK_MESSAGE(asked_as_expected, t.name << ": number of upstream requests");
    if (!t.correction.empty()) {
        BOOST_CHECK_EQUAL(got.correction.value_or(""), t.correction);
    }
    return same && asked_as_expected;
}

void run_all_cuts(const proxy::scaffold::catalog& formats, const transcript& t) {
    const proxy::turn::turn_settings settings;
    for (std::size_t i = 0; i < t.answers.size(); ++i) {
        bool good = true;
        tests::for_each_cutting(
            t.answers[i].body.size(), [&](const std::vector<std::size_t>& lengths) {
                if (good) {
                    good =
                        check(t, tests::play(formats, settings, t.request, t.answers, i, lengths),
                              lengths.size() == 1 ? "whole" : "cut");
                }
            });
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(transcripts)

BOOST_AUTO_TEST_CASE(come_out_as_expected_at_every_cut) {
    const auto formats = proxy::config::built_in_catalog();
    const auto all = names();
    BOOST_REQUIRE_GE(all.size(), 20U);
    for (const std::string& name : all) {
        BOOST_TEST_CONTEXT(name) {
            run_all_cuts(formats, load(name));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
