#include "proxy/telemetry/credentials.hpp"

#include <algorithm>
#include <optional>

namespace proxy::telemetry {

namespace {

constexpr std::size_t credential_bytes_min = 4; // shorter ones would blank out ordinary words
constexpr std::size_t run_bytes_min = 32;
constexpr std::size_t cut_run_bytes_min = 16; // at the end of the text, where the rest was cut off

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

bool is_alnum(char c) {
    return is_digit(c) || is_lower(c) || is_upper(c);
}

char lower(char c) {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equals_folded(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void add(std::string_view value, std::vector<std::string>& out) {
    if (!value.empty()) {
        out.emplace_back(value);
    }
}

void add_cookies(std::string_view value, std::vector<std::string>& out) {
    while (!value.empty()) {
        const auto end = std::min(value.find(';'), value.size());
        const std::string_view pair = value.substr(0, end);
        std::string_view cookie = trimmed(pair.substr(std::min(pair.find('=') + 1, pair.size())));
        if (cookie.size() >= 2 && cookie.front() == '"' && cookie.back() == '"') {
            cookie = cookie.substr(1, cookie.size() - 2);
        }
        add(cookie, out);
        value.remove_prefix(std::min(end + 1, value.size()));
    }
}

// Which bytes of a text are not to be shown.
class mask {
  public:
    explicit mask(std::string_view text) : text_(text), hidden_(text.size(), false) {}

    void hide_value(std::string_view secret);
    void hide_prefixed();
    void hide_runs();

    std::string str() const {
        std::string out;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            if (!hidden_[i]) {
                out += text_[i];
            } else if (i == 0 || !hidden_[i - 1]) {
                out += "***";
            }
        }
        return out;
    }

  private:
    void hide(std::size_t from, std::size_t to) {
        std::fill(hidden_.begin() + static_cast<std::ptrdiff_t>(from),
                  hidden_.begin() + static_cast<std::ptrdiff_t>(to), true);
    }

    // A key begins here and not within a word; the n of JSON's \n is no part of a word.
    bool word_begins(std::size_t at) const {
        return at == 0 || !is_alnum(text_[at - 1]) || (at >= 2 && text_[at - 2] == '\\');
    }

    template <class Accept>
    std::size_t end_of_run(std::size_t at, Accept accept) const {
        while (at < text_.size() &&
               (accept(text_[at]) ||
                (text_[at] == '\\' && at + 1 < text_.size() && text_[at + 1] == '/'))) {
            ++at;
        }
        return at;
    }

    std::string_view text_;
    std::vector<bool> hidden_;
};

void mask::hide_value(std::string_view secret) {
    if (secret.size() < credential_bytes_min) {
        return;
    }
    for (std::size_t start = 0; start < text_.size(); ++start) {
        std::size_t matched = 0;
        std::size_t at = start;
        for (; at < text_.size() && matched < secret.size(); ++at) {
            if (text_[at] == secret[matched]) {
                ++matched;
            } else if (text_[at] != '\\' || matched == 0) { // a backslash may be JSON's
                break;
            }
        }
        const bool cut = at == text_.size() && matched >= credential_bytes_min;
        if (matched == secret.size() || cut) {
            hide(start, at);
        }
    }
}

void mask::hide_prefixed() {
    struct prefix {
        std::string_view text;
        std::size_t bytes_min; // behind the prefix, unless the text ends before
    };

    static constexpr prefix prefixes[] = {
        {"sk-", 8},     {"sk_", 8},    {"pk-", 8},   {"hf_", 8},     {"ghp_", 8},
        {"gho_", 8},    {"ghu_", 8},   {"ghs_", 8},  {"ghr_", 8},    {"github_pat_", 8},
        {"glpat-", 8},  {"xoxb-", 8},  {"xoxp-", 8}, {"xapp-", 8},   {"gsk_", 8},
        {"xai-", 8},    {"nvapi-", 8}, {"pplx-", 8}, {"AIza", 16},   {"AKIA", 12},
        {"ASIA", 12},   {"eyJ", 16},   {"npm_", 16}, {"dop_v1_", 8}, {"r8_", 16},
        {"bearer ", 4}, {"basic ", 8}};
    const auto key_char = [](char c) {
        return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '~' || c == '+' ||
               c == '/' || c == '=';
    };
    for (std::size_t at = 0; at < text_.size(); ++at) {
        if (!word_begins(at)) {
            continue;
        }
        for (const prefix& p : prefixes) {
            const bool scheme = p.text.ends_with(' '); // authentication schemes have no case
            const std::string_view here = text_.substr(at, p.text.size());
            if (!(scheme ? equals_folded(here, p.text) : here == p.text)) {
                continue;
            }
            const std::size_t begin = at + p.text.size();
            const std::size_t end = end_of_run(begin, key_char);
            if (end - begin >= p.bytes_min || end == text_.size()) {
                hide(scheme ? begin : at, end);
            }
        }
    }
}

void mask::hide_runs() {
    const auto run_char = [](char c) {
        return is_alnum(c) || c == '+' || c == '/' || c == '_' || c == '-';
    };
    const auto padding = [](char c) { return c == '='; };
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t end = end_of_run(end_of_run(at, run_char), padding);
        const std::string_view run = text_.substr(at, end - at);
        const bool digits = std::any_of(run.begin(), run.end(), is_digit);
        const bool both_cases = std::any_of(run.begin(), run.end(), is_lower) &&
                                std::any_of(run.begin(), run.end(), is_upper);
        // Long names of tools and paths have one case and no digit; 32 random characters never do.
        const bool random = digits || both_cases;
        const bool cut = end == text_.size() && digits && run.size() >= cut_run_bytes_min;
        if (random && (run.size() >= run_bytes_min || cut)) {
            hide(at, end);
        }
        at = std::max(end, at + 1);
    }
}

} // namespace

void add_credentials(std::string_view name, std::string_view value, std::vector<std::string>& out) {
    const auto is = [&](std::string_view other) { return equals_folded(name, other); };
    value = trimmed(value);
    if (is("authorization") || is("proxy-authorization")) {
        // Scheme and token; a lone word may be a key that was sent without its scheme.
        const auto space = value.find(' ');
        add(space == std::string_view::npos ? value : trimmed(value.substr(space)), out);
    } else if (is("cookie")) {
        add_cookies(value, out);
    } else if (is("api-key") || is("x-api-key") || is("x-goog-api-key") || is("x-auth-token") ||
               is("ocp-apim-subscription-key") || is("x-amz-security-token")) {
        add(value, out);
    }
}

std::string mask_secrets(std::string_view text, std::span<const std::string> credentials,
                         shapes which) {
    mask result(text);
    for (const std::string& credential : credentials) {
        result.hide_value(credential);
    }
    result.hide_prefixed();
    if (which == shapes::all) {
        result.hide_runs();
    }
    return result.str();
}

} // namespace proxy::telemetry
