#include "proxy/base/limits.hpp"
#include "proxy/config/keys.hpp"

#include <algorithm>

namespace proxy::config {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> line(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        line[j] = j;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = line[0];
        line[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = line[j + 1];
            line[j + 1] = std::min({above + 1, line[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
            diagonal = above;
        }
    }
    return line.back();
}

} // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
    if (word.empty() || word.size() > limits::config_name_bytes_max) {
        return {};
    }
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, std::min<std::size_t>(3, word.size() / 3));
    for (const std::string& name : names) {
        const auto dot = name.rfind('.');
        const auto last = dot == std::string::npos ? name : name.substr(dot + 1);
        const std::size_t distance = std::min(edit_distance(word, name), edit_distance(word, last));
        if (distance <= best_distance && (best.empty() || distance < best_distance)) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

} // namespace proxy::config
