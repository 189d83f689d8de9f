#include "bench/script.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace bench {

namespace {

constexpr std::string_view stamp_key = R"("sent_ns":)";
constexpr std::string_view stamp_digits = "1000000000000000000"; // 31 years of clock

constexpr std::string_view text = R"TEXT(
Each ring buffer keeps the last **N** samples [1] without moving them:

```cpp
template <typename T, std::size_t N> class ring {
    std::array<T, N> slots_{};
    std::size_t head_ = 0, tail_ = 0;
public:
    bool push(const T& value) {
        const auto next = (head_ + 1) % N;
        if (next == tail_) return false;      // full
        slots_[head_] = value;
        head_ = next;
        return true;
    }
    std::vector<std::pair<std::string, T>> dump() const;
};
for (int i = 0; i < 10 && a[i] <= b[j]; ++i) { std::cout << a[i] << "\n"; }
```

Two positions are enough: the writer adds at `head`, the reader takes at `tail`, and both wrap at
the end. When head == tail the buffer is empty; when (head + 1) % N == tail it is full, so one slot
stays free. Other designs count instead, which costs an atomic [2, section 3] but uses every slot.

For x < y the loop runs y - x times; for x >= y it does not run at all. In a shell the same is
`while read -r line; do [[ $line == "#"* ]] || echo "$line"; done <input.txt >output.txt`, and in a
page one would write <b>bold</b>, <a href="#top">back</a> or <br/> for the breaks. As JSON the list
is {"items": [1, 2, 3], "name": "ring", "open": true}, as a matrix [[1, 0], [0, 1]].

| n | time [ms] | note |
|---|-----------|------|
| 10 | < 1 | cold |
| 1000 | 12 | see [the figures](https://example.org/ring#n) |

Which of them is better? If N is small (N < 64) and known when you compile, take the array. If it
grows, a `std::deque<T>` is simpler, and the cost of a few µs – measured, not guessed – hardly ever
matters. Does that answer your question? If not, tell me how many readers there are.
)TEXT";

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Indentation is one piece; else a space or none, then letters or punctuation.
std::size_t token_length(std::string_view rest) {
    constexpr std::size_t token_chars_max = 7;
    const auto spaces = std::min(rest.find_first_not_of(' '), rest.size());
    if (spaces > 1 || spaces == rest.size()) {
        return std::max(spaces - 1, std::size_t{1});
    }
    const auto word = is_word(rest[spaces]);
    auto length = spaces;
    while (length < rest.size() && length < token_chars_max && is_word(rest[length]) == word &&
           rest[length] != ' ') {
        ++length;
    }
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) {
        ++length; // never inside a character
    }
    return length;
}

} // namespace

std::optional<pace> parse_pace(std::string_view model) {
    constexpr std::string_view prefix = "bench-";
    constexpr std::size_t number_max = 10'000'000;
    if (!model.starts_with(prefix)) {
        return std::nullopt;
    }
    auto result = pace{};
    auto rest = model.substr(prefix.size());
    while (!rest.empty()) {
        const auto key = rest[0];
        auto number = std::size_t{0};
        const auto read = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
        if (read.ec != std::errc{} || number > number_max || (key != 'r' && number == 0)) {
            return std::nullopt;
        }
        switch (key) {
        case 'w':
            result.events_per_write = number;
            break;
        case 'r':
            result.writes_per_second = number;
            break;
        case 'n':
            result.events = number;
            break;
        default:
            return std::nullopt;
        }
        rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
        if (rest.starts_with('-')) {
            rest.remove_prefix(1);
        } else if (!rest.empty()) {
            return std::nullopt;
        }
    }
    return result;
}

std::string_view sample_text() {
    return text.substr(1);
}

std::vector<std::string_view> tokens_of(std::string_view whole) {
    auto tokens = std::vector<std::string_view>{};
    while (!whole.empty()) {
        const auto length = token_length(whole);
        tokens.push_back(whole.substr(0, length));
        whole.remove_prefix(length);
    }
    return tokens;
}

event_source::event_source(std::string_view model) {
    const auto pace = parse_pace(model);
    events_per_stamp_ = pace && pace->writes_per_second != 0 ? 16 : 256;
    const auto stamped = std::string(stamp_key) + std::string(stamp_digits) + ",";
    for (const auto token : tokens_of(sample_text())) {
        auto event = make_event(model, R"("content":")" + escaped(token) + '"', "null");
        append_chunk(plain_.emplace_back(), event);
        event.insert(event.find(R"("model":)"), stamped);
        auto& piece = stamped_.emplace_back();
        append_chunk(piece.bytes, event);
        piece.stamp = piece.bytes.find(stamp_key) + stamp_key.size();
    }
    append_chunk(role_, make_event(model, R"("role":"assistant","content":"")", "null"));
    append_chunk(end_, make_event(model, "", R"("stop")"));
    append_chunk(end_, "data: [DONE]\n\n");
    end_ += "0\r\n\r\n";
}

void event_source::append_role(std::string& out) const {
    out += role_;
}

void event_source::append_text(std::string& out, std::size_t index, std::uint64_t sent_ns) const {
    if (index % events_per_stamp_ != 0) {
        out += plain_[index % plain_.size()];
        return;
    }
    const auto& piece = stamped_[index % stamped_.size()];
    const auto start = out.size();
    out += piece.bytes;
    // A number may not begin with a zero, so a fixed one stands in front of the clock's digits.
    for (auto at = start + piece.stamp + stamp_digits.size(); sent_ns != 0; sent_ns /= 10) {
        out[--at] = static_cast<char>('0' + sent_ns % 10);
    }
}

void event_source::append_end(std::string& out) const {
    out += end_;
}

void append_chunk(std::string& out, std::string_view bytes) {
    auto size = std::array<char, 20>{};
    const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
    out.append(size.data(), end);
    out.append("\r\n").append(bytes).append("\r\n");
}

std::string make_event(std::string_view model, std::string_view delta, std::string_view finish) {
    auto event = std::string(
        R"(data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG",)"
        R"("object":"chat.completion.chunk","created":1767225600,"service_tier":"default","model":")");
    event.append(model).append(R"(","system_fingerprint":"fp_34a54ae93c","choices":[{"index":0,)");
    event.append(R"("delta":{)").append(delta);
    event.append(R"(},"finish_reason":)").append(finish).append("}]}\n\n");
    return event;
}

std::string escaped(std::string_view raw) {
    auto out = std::string{};
    for (const auto c : raw) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
    return out;
}

} // namespace bench
