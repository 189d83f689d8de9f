// Rules of the source tree that no compiler checks: what may include what, which constructs g++ 12
// gets wrong, how long a line may be.

#include "tests/tidy/source_tree.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using tests::source_file;

// Left may never include right. The pure core ends with turn.
const std::vector<std::string> order = {"base",     "json",  "sse",    "chat",
                                        "scaffold", "turn",  "config", "telemetry",
                                        "upstream", "front", "demo",   "app"};
constexpr long core_last = 5;

long rank_of(const std::string& folder) {
    const auto at = std::find(order.begin(), order.end(), folder);
    return at == order.end() ? -1 : at - order.begin();
}

bool in_core(const source_file& file) {
    return file.path.starts_with("proxy/") && rank_of(file.folder) <= core_last;
}

std::string place(const source_file& file, std::size_t line) {
    return file.path + ":" + std::to_string(line + 1);
}

// Calls check(file, line number, line) for each line of our C++.
template <class Check>
void each_line(const std::vector<std::string>& roots, Check check) {
    std::size_t seen = 0;
    for (const std::string& root : roots) {
        for (const source_file& file : tests::sources_below(root)) {
            for (std::size_t i = 0; i < file.lines.size(); ++i) {
                check(file, i, file.lines[i]);
            }
            ++seen;
        }
    }
    BOOST_REQUIRE_GT(seen, 20U);
}

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(tidy)

BOOST_AUTO_TEST_CASE(an_include_goes_only_to_the_left) {
    each_line({"proxy"}, [](const source_file& file, std::size_t i, const std::string& line) {
        const std::string path = tests::included(line);
        if (!path.starts_with("proxy/")) {
            return;
        }
        const std::string folder = path.substr(6, path.find('/', 6) - 6);
        BOOST_CHECK_MESSAGE(rank_of(folder) >= 0, place(file, i) << ": unknown folder " << folder);
        BOOST_CHECK_MESSAGE(rank_of(folder) <= rank_of(file.folder),
                            place(file, i) << ": " << file.folder << " may not include " << path);
    });
}

BOOST_AUTO_TEST_CASE(the_core_knows_no_sockets_clocks_threads_or_logs) {
    const std::vector<std::string> banned = {
        "boost/asio", "boost/beast", "spdlog",   "fmt/", "yaml-cpp", "CLI/",  "thread",
        "chrono",     "mutex",       "iostream", "sys/", "unistd.h", "ctime", "condition_variable"};
    each_line({"proxy"}, [&](const source_file& file, std::size_t i, const std::string& line) {
        if (!in_core(file)) {
            return;
        }
        const std::string path = tests::included(line);
        for (const std::string& word : banned) {
            BOOST_CHECK_MESSAGE(!path.starts_with(word), place(file, i) << ": includes " << path);
        }
    });
}

BOOST_AUTO_TEST_CASE(simdjson_is_known_to_json_and_chat_only) {
    each_line({"proxy"}, [](const source_file& file, std::size_t i, const std::string& line) {
        const bool allowed = file.folder == "json" || file.folder == "chat";
        BOOST_CHECK_MESSAGE(allowed || !tests::included(line).starts_with("simdjson"),
                            place(file, i) << ": simdjson outside json and chat");
    });
}

BOOST_AUTO_TEST_CASE(few_files_pay_for_asio_and_beast) {
    std::set<std::string> proxy_files;
    std::set<std::string> demo_files;
    each_line({"proxy"}, [&](const source_file& file, std::size_t, const std::string& line) {
        const std::string path = tests::included(line);
        if (!file.is_header() &&
            (path.starts_with("boost/asio") || path.starts_with("boost/beast"))) {
            (file.folder == "demo" ? demo_files : proxy_files).insert(file.path);
        }
    });
    BOOST_CHECK_LE(proxy_files.size(), 7U);
    BOOST_CHECK_LE(demo_files.size(), 4U);
}

BOOST_AUTO_TEST_CASE(slow_umbrella_headers_are_never_included) {
    each_line({"proxy", "tests"},
              [](const source_file& file, std::size_t i, const std::string& line) {
                  const std::string path = tests::included(line);
                  for (const char* banned :
                       {"boost/asio.hpp", "boost/beast.hpp", "boost/test/included/unit_test.hpp"}) {
                      BOOST_CHECK_MESSAGE(path != banned, place(file, i) << ": " << banned);
                  }
              });
}

BOOST_AUTO_TEST_CASE(co_await_sees_only_names) {
    // g++ 12 destroys temporaries of a co_await expression twice.
    const std::regex braces(R"(co_await[^;]*\{)");
    const std::regex taken_apart(R"(auto\s*&?&?\s*\[[^\]]*\]\s*=\s*co_await)");
    const std::regex conditional(R"(\?[^;:]*co_await|co_await[^;]*\?)");
    const std::regex coroutine_lambda(R"(\[[^\]]+\]\s*\([^)]*\)[^{;]*->\s*[\w:<> ]*awaitable)");
    each_line({"proxy", "tests"},
              [&](const source_file& file, std::size_t i, const std::string& line) {
                  if (file.folder == "tidy") {
                      return;
                  }
                  for (const auto* pattern : {&braces, &taken_apart, &conditional}) {
                      const bool condition = line.find("if (") != std::string::npos ||
                                             line.find("while (") != std::string::npos;
                      BOOST_CHECK_MESSAGE((pattern == &braces && condition) ||
                                              !std::regex_search(line, *pattern),
                                          place(file, i) << ": " << line);
                  }
                  BOOST_CHECK_MESSAGE(!std::regex_search(line, coroutine_lambda),
                                      place(file, i) << ": a capturing lambda is a coroutine");
              });
}

BOOST_AUTO_TEST_CASE(memory_is_given_back_by_its_name) {
    // Assigning an empty string looks as if it did, and keeps the buffer.
    const std::regex kept(R"((_|\.\w+) = (std::string(\(\)|\{\})|"");)");
    each_line({"proxy"}, [&](const source_file& file, std::size_t i, const std::string& line) {
        BOOST_CHECK_MESSAGE(!std::regex_search(line, kept),
                            place(file, i) << ": clear() or base::free_memory(): " << line);
    });
}

BOOST_AUTO_TEST_CASE(lines_fit_and_leave_nothing_undone) {
    const std::regex undone(R"(\b(TODO|FIX)(ME)?\b)");
    each_line({"proxy", "tests", "bench"},
              [&](const source_file& file, std::size_t i, const std::string& line) {
                  if (file.folder == "tidy") {
                      return;
                  }
                  const bool data = line.find("R\"") != std::string::npos ||
                                    line.find("\"{") != std::string::npos;
                  const auto width = std::count_if(line.begin(), line.end(), [](char c) {
                      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                  });
                  BOOST_CHECK_MESSAGE(width <= 100 || data || file.path.starts_with("tests/"),
                                      place(file, i) << ": " << width << " columns");
                  BOOST_CHECK_MESSAGE(!std::regex_search(line, undone), place(file, i) << line);
              });
}

BOOST_AUTO_TEST_CASE(no_source_file_is_dead) {
    for (const std::string root : {"proxy", "tests", "bench"}) {
        for (const source_file& file : tests::sources_below(root)) {
            if (!file.path.ends_with(".cpp") || file.path.starts_with("tests/fuzz/") ||
                file.path.starts_with("tests/support/")) {
                continue;
            }
            const fs::path full = fs::path(SOURCE_DIR) / file.path;
            const std::string list = text_of(full.parent_path() / "CMakeLists.txt");
            const std::string name = full.filename().string();
            std::istringstream words(std::regex_replace(list, std::regex("[()]"), " "));
            const auto times = std::count(std::istream_iterator<std::string>(words), {}, name);
            const bool shared = file.path.starts_with("tests/"); // by several test programs
            BOOST_CHECK_MESSAGE(times == 1 || (shared && times > 1),
                                file.path << " is listed " << times << " times");
        }
    }
}

BOOST_AUTO_TEST_CASE(headers_are_guarded_and_say_what_they_are_for) {
    for (const std::string root : {"proxy", "tests", "bench"}) {
        for (const source_file& file : tests::sources_below(root)) {
            if (!file.is_header()) {
                continue;
            }
            BOOST_REQUIRE(!file.lines.empty());
            BOOST_CHECK_MESSAGE(file.lines[0].starts_with("// "), file.path << ": no purpose");
            const bool guarded =
                std::find(file.lines.begin(), file.lines.end(), "#pragma once") != file.lines.end();
            BOOST_CHECK_MESSAGE(guarded, file.path << ": no #pragma once");
        }
    }
}

BOOST_AUTO_TEST_CASE(source_files_stay_short) {
    for (const source_file& file : tests::sources_below("proxy")) {
        BOOST_CHECK_MESSAGE(file.lines.size() <= 420, file.path << ": " << file.lines.size());
    }
}

BOOST_AUTO_TEST_CASE(the_top_level_holds_what_it_may_hold) {
    const std::vector<std::string> allowed = {"CMakeLists.txt", "proxy", "tests",
                                              "conf",           "bench", "README.md"};
    for (const auto& entry : fs::directory_iterator(SOURCE_DIR)) {
        const std::string name = entry.path().filename().string();
        const bool fine = name.starts_with(".") || name.starts_with("build") ||
                          std::find(allowed.begin(), allowed.end(), name) != allowed.end();
        BOOST_CHECK_MESSAGE(fine, name << " does not belong at the top level");
    }
}

BOOST_AUTO_TEST_SUITE_END()
