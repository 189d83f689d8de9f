#include "tests/scaffold/payload_cases.hpp"

#include "proxy/base/limits.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <ostream>
#include <string>

namespace proxy::scaffold {

std::ostream& operator<<(std::ostream& out, payload_state state) {
    constexpr std::string_view words[] = {"waiting", "started", "confirmed", "complete", "broken"};
    return out << words[static_cast<std::size_t>(state)];
}

} // namespace proxy::scaffold

namespace tests {

namespace {

using proxy::scaffold::payload_state;

constexpr std::string_view mark = "§";

struct outcome {
    payload_state state;
    std::size_t taken;
    std::size_t tail;
    std::string name;

    bool operator==(const outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const outcome& seen) {
    return out << seen.state << " taken " << seen.taken << " tail " << seen.tail << " name "
               << seen.name;
}

bool is_final(payload_state state) {
    return state == payload_state::complete || state == payload_state::broken;
}

/// The text without its mark, and where the mark stood.
std::string without_mark(std::string_view text, std::optional<std::size_t>& at) {
    std::string plain{text};
    const std::size_t found = plain.find(mark);
    at.reset();
    if (found != std::string::npos) {
        at = found;
        plain.erase(found, mark.size());
    }
    return plain;
}

outcome run(const payload_setting& setting, std::string_view opener,
            const std::vector<std::string_view>& pieces) {
    fed_scanner scanner{setting, opener};
    for (const std::string_view piece : pieces) {
        scanner.feed(piece);
    }
    scanner.finish();
    return {scanner.state(), scanner.taken(), scanner.tail(), std::string{scanner.name()}};
}

void check_row(const payload_setting& setting, const payload_case& row) {
    BOOST_TEST_CONTEXT(row.what << ": " << row.opener << row.text) {
        std::optional<std::size_t> marked;
        const std::string text = without_mark(row.text, marked);
        const std::string_view view = text;
        const outcome whole = run(setting, row.opener, {view});
        BOOST_TEST(whole.state == row.state);
        BOOST_TEST(whole.tail <= proxy::limits::payload_tail_max);
        if (row.state == payload_state::complete) {
            BOOST_TEST(whole.taken - whole.tail == marked.value_or(text.size()));
        } else if (row.state == payload_state::broken && marked) {
            BOOST_TEST(whole.taken == *marked);
        }
        if (!row.name.empty()) {
            BOOST_TEST(whole.name == row.name);
        }
        std::vector<std::string_view> bytes;
        for (std::size_t cut = 0; cut < view.size(); ++cut) {
            bytes.push_back(view.substr(cut, 1));
            const outcome split = run(setting, row.opener, {view.substr(0, cut), view.substr(cut)});
            BOOST_TEST(split == whole);
        }
        BOOST_TEST(run(setting, row.opener, bytes) == whole);
    }
}

} // namespace

fed_scanner::fed_scanner(const payload_setting& setting, std::string_view opener)
    : opener_{opener} {
    format_.payload = setting.kind;
    format_.cls = setting.cls;
    format_.separators = setting.separators;
    format_.keys = setting.keys;
    format_.list_keys = setting.list_keys;
    for (const std::string& literal : setting.open) {
        format_.open.push_back({literal, true});
    }
    for (const std::string& literal : setting.close) {
        format_.close.push_back({literal, true});
    }
    context_.tools = true;
    context_.names = {"get_time", "get_weather", "read_file"};
    scanner_ = proxy::scaffold::make_scanner({&format_, &context_, opener_});
}

void fed_scanner::feed(std::string_view text) {
    if (is_final(state())) {
        return;
    }
    const std::size_t taken = scanner_->feed(text);
    BOOST_TEST(taken <= text.size());
    BOOST_TEST((is_final(state()) || taken == text.size()));
    taken_ += taken;
}

void fed_scanner::finish() {
    if (!is_final(state())) {
        scanner_->finish();
    }
}

void check(const payload_setting& setting, const std::vector<payload_case>& rows) {
    for (const payload_case& row : rows) {
        check_row(setting, row);
    }
}

void check_sound(const payload_setting& setting, std::string_view opener, std::string_view text) {
    BOOST_TEST_CONTEXT(static_cast<int>(setting.kind) << " " << opener << text) {
        const outcome whole = run(setting, opener, {text});
        BOOST_TEST(whole.taken <= text.size());
        BOOST_TEST(whole.tail <= whole.taken);
        BOOST_TEST(whole.tail <= proxy::limits::payload_tail_max);
        std::vector<std::string_view> bytes;
        for (std::size_t at = 0; at < text.size(); ++at) {
            bytes.push_back(text.substr(at, 1));
        }
        BOOST_TEST(run(setting, opener, bytes) == whole);
        const std::size_t cut = text.size() / 3;
        BOOST_TEST(run(setting, opener, {text.substr(0, cut), text.substr(cut)}) == whole);
    }
}

void check_evidence(const payload_setting& setting, const std::vector<evidence_case>& rows) {
    for (const evidence_case& row : rows) {
        BOOST_TEST_CONTEXT(row.what << ": " << row.opener << row.text) {
            std::optional<std::size_t> marked;
            const std::string text = without_mark(row.text, marked);
            BOOST_REQUIRE(marked.has_value());
            fed_scanner scanner{setting, row.opener};
            for (std::size_t at = 0; at < text.size() && !is_final(scanner.state()); ++at) {
                const bool early = scanner.state() == payload_state::waiting ||
                                   scanner.state() == payload_state::started;
                BOOST_TEST(early == (at < *marked), "at byte " << at);
                scanner.feed(std::string_view{text}.substr(at, 1));
            }
            BOOST_TEST(scanner.state() != payload_state::broken);
        }
    }
}

} // namespace tests
