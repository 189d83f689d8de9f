// The rows of the three tables that plans come from.
#pragma once

#include "bench/soak/composer.hpp"
#include "bench/soak/plan.hpp"
#include <span>
#include <string_view>

namespace bench::soak {

struct plan_row {
    std::string_view name;
    void (*make)(composer& with, plan& out);
};

std::span<const plan_row> ordinary_rows();
std::span<const plan_row> upstream_fault_rows();
std::span<const plan_row> client_fault_rows();

/// A stream of leaked markup between two texts, and its request.
void make_leak(composer& with, plan& out);

/// An ordinary stream without markup, as long as it takes `sentences` to say.
void make_clean(composer& with, plan& out, std::size_t sentences);

/// A first answer that is markup only, and its request.
void make_emptied(composer& with, plan& out);

} // namespace bench::soak
