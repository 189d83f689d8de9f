#include "bench/soak/plan.hpp"

#include "bench/soak/nonce.hpp"
#include "bench/soak/plan_rows.hpp"

namespace bench::soak {

namespace {

// Spreads neighbouring numbers over all of them (splitmix64).
std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31);
}

const plan_row& fault_row(std::uint64_t turn) {
    const auto upstream = upstream_fault_rows();
    const auto client = client_fault_rows();
    const auto at = turn % (upstream.size() + client.size());
    return at < upstream.size() ? upstream[at] : client[at - upstream.size()];
}

const plan_row& row_of(load_kind kind, std::uint64_t number) {
    const auto ordinary = ordinary_rows();
    if (kind == load_kind::drain) {
        return ordinary[number % ordinary.size()];
    }
    const std::uint64_t every = kind == load_kind::soak ? 20 : 2;
    if (number % every == every - 1) {
        return fault_row(number / every);
    }
    return ordinary[(number - number / every) % ordinary.size()];
}

} // namespace

plan make_plan(load_kind kind, std::uint64_t seed, std::uint64_t number) {
    const auto id = mix(mix(seed) + number);
    auto with = composer(make_nonce(id), id);
    const auto& row = row_of(kind, number);
    auto out = plan{};
    out.name = row.name;
    out.nonce = with.nonce();
    out.client.fresh = with.number(0, 3) == 0;
    row.make(with, out);
    out.leaked = with.leaked();
    if (kind == load_kind::drain) {
        out.end_limit_ns = std::int64_t{faultless_limit_ms} * 1'000'000;
    }
    return out;
}

std::vector<std::string> plan_names() {
    auto names = std::vector<std::string>{};
    for (const auto rows : {ordinary_rows(), upstream_fault_rows(), client_fault_rows()}) {
        for (const auto& row : rows) {
            names.emplace_back(row.name);
        }
    }
    return names;
}

} // namespace bench::soak
