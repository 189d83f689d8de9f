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

std::string row_of(std::string name, const std::string& cases, const std::string& passed,
                   const std::string& failed) {
    name.resize(12, ' ');
    std::string text = "  " + name;
    for (const std::string& cell : {cases, passed, failed}) {
        text += std::string(cell.size() < 8 ? 8 - cell.size() : 1, ' ') + cell;
    }
    return text + "\n";
}

std::string row_of(std::string name, std::size_t cases, std::size_t passed) {
    return row_of(std::move(name), std::to_string(cases), std::to_string(passed),
                  std::to_string(cases - passed));
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
        text += "replay, " + title + "\n" + row_of("category", "cases", "passed", "failed");
        for (const auto& [category, row] : table.rows_) {
            text += row_of(category, row.all, row.passed);
            sum.passed += row.passed;
            sum.all += row.all;
        }
        text += row_of("all", sum.all, sum.passed);
    }
    return text;
}

BOOST_TEST_GLOBAL_FIXTURE(printer);

} // namespace tests::replay
