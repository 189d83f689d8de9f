// Counts passed cases for each category and prints the table when the tests are over.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace tests::replay {

class score {
public:
    /// The table named `title`, made on first use.
    static score& of(const std::string& title);

    void add(const std::string& category, bool passed);

    /// All tables that anything was added to, as text.
    static std::string report();

private:
    struct tally {
        std::size_t passed = 0;
        std::size_t all = 0;
    };

    std::map<std::string, tally> rows_;
};

} // namespace tests::replay
