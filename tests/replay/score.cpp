#include "tests/replay/score.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace tests::replay {

namespace {

std::map<std::string, score>& tables() {
    static std::map<std::string, score> all;
    return all;
}

/// Prints behind the last test.
struct printer {
    ~printer() { std::cout << score::report(); }
};

std::string line(std::string name, std::size_t passed, std::size_t all) {
    name.resize(12, ' ');
    return "  " + name + std::to_string(passed) + " of " + std::to_string(all) + "\n";
}

} // namespace

score& score::of(const std::string& title) {
    return tables()[title];
}

void score::add(const std::string& category, bool passed) {
    auto& row = rows_[category];
    ++row.all;
    row.passed += passed ? 1 : 0;
}

std::string score::report() {
    std::string text;
    for (const auto& [title, table] : tables()) {
        tally sum;
        text += "replay, " + title + "\n";
        for (const auto& [category, row] : table.rows_) {
            text += line(category, row.passed, row.all);
            sum.passed += row.passed;
            sum.all += row.all;
        }
        text += line("all", sum.passed, sum.all);
    }
    return text;
}

BOOST_TEST_GLOBAL_FIXTURE(printer);

} // namespace tests::replay
