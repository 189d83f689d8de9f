// The catalog of formats with the automaton over all their markers: built once at start, shared
// read-only by every filter of every thread.
#pragma once

#include "proxy/scaffold/format.hpp"

#include <memory>
#include <vector>

namespace proxy::scaffold {

class matcher;

class catalog {
  public:
    /// Compiles `formats`. Throws std::invalid_argument, naming the format, for an empty or too
    /// long marker, a doubled name, or a format without opener. Start-up only.
    explicit catalog(std::vector<format> formats);
    ~catalog();
    catalog(catalog&&) noexcept;
    catalog& operator=(catalog&&) noexcept;

    const std::vector<format>& formats() const { return formats_; }

    const matcher& markers() const { return *matcher_; }

  private:
    std::vector<format> formats_;
    std::unique_ptr<matcher> matcher_;
};

} // namespace proxy::scaffold
