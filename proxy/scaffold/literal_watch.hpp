// Finds literals in text that comes byte by byte.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy::scaffold {

/// Watches a text for the first of some literals. Work and state are bounded by the longest one.
class literal_watch {
  public:
    literal_watch() = default;

    explicit literal_watch(std::vector<std::string> literals) : literals_(std::move(literals)) {
        for (const auto& literal : literals_) {
            firsts_ += literal.front();
        }
    }

    /// Takes a byte. The literal that ends with it, or nothing; the view lives as long as this.
    std::string_view take(char c) {
        mark_ += c;
        while (!mark_.empty() && !begins_one()) {
            mark_.erase(0, 1); // what is left may still be the begin of one
        }
        const auto found = std::ranges::find(literals_, mark_);
        if (found == literals_.end()) {
            return {};
        }
        mark_.clear();
        return *found;
    }

    /// Bytes taken that may be the begin of a literal.
    std::size_t pending() const { return mark_.size(); }

    /// Bytes at the begin of `text` that can't begin a literal; 0 while one may have begun.
    std::size_t skip(std::string_view text) const {
        return mark_.empty() ? std::min(text.find_first_of(firsts_), text.size()) : 0;
    }

  private:
    bool begins_one() const {
        return std::ranges::any_of(literals_,
                                   [this](const auto& one) { return one.starts_with(mark_); });
    }

    std::vector<std::string> literals_;
    std::string firsts_;
    std::string mark_;
};

} // namespace proxy::scaffold
