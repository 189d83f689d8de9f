#include "bench/soak/nonce.hpp"

namespace bench::soak {

namespace {

constexpr std::string_view prefix = "nz-";
constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t digit_count = 16;

// The next nonce at or behind `at`, which is moved behind it.
std::string_view next_nonce(std::string_view text, std::size_t& at) {
    while ((at = text.find(prefix, at)) != std::string_view::npos) {
        const auto word = text.substr(at, prefix.size() + digit_count);
        at += prefix.size();
        if (word.size() == prefix.size() + digit_count &&
            word.find_first_not_of(digits, prefix.size()) == std::string_view::npos) {
            return word;
        }
    }
    return {};
}

} // namespace

std::string make_nonce(std::uint64_t number) {
    auto nonce = std::string(prefix);
    for (int shift = 60; shift >= 0; shift -= 4) {
        nonce += digits[(number >> shift) & 15U];
    }
    return nonce;
}

std::string_view first_nonce(std::string_view text) {
    auto at = std::size_t{0};
    return next_nonce(text, at);
}

std::string_view foreign_nonce(std::string_view text, std::string_view own) {
    auto at = std::size_t{0};
    while (true) {
        const auto found = next_nonce(text, at);
        if (found.empty() || found != own) {
            return found;
        }
    }
}

} // namespace bench::soak
