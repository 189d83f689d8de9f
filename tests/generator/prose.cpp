#include "tests/generator/prose.hpp"

#include <algorithm>
#include <array>

namespace tests::generator {

namespace {

constexpr std::array<std::string_view, 60> words = {
    "the",     "server",    "returns",   "a",       "value",     "when",   "you",     "ask",
    "for",     "it",        "and",       "then",    "waits",     "until",  "all",     "parts",
    "arrive",  "der",       "Schlüssel", "passt",   "nicht",     "zum",    "Schloss", "la",
    "réponse", "arrive",    "tôt",       "el",      "código",    "está",   "listo",   "答案",
    "在",      "这里",      "ответ",     "готов",   "回答は",    "ここに", "ответ",   "जवाब",
    "الجواب",  "odpověď",   "wynik",     "5",       "1,024",     "tool",   "call",    "function",
    "name",    "arguments", "message",   "channel", "parameter", "result", "file",    "city",
    "it's",    "isn't",     "“so”",      "🎉"};

constexpr std::array<std::string_view, 42> oddities = {"a < b",
                                                       "x > 3",
                                                       "n <= 4",
                                                       "i << 2",
                                                       "a<b>c",
                                                       "List<int>",
                                                       "Map<K, V>",
                                                       "x[0]",
                                                       "a[i][j]",
                                                       "[1]",
                                                       "[see below]",
                                                       "{x}",
                                                       "{}",
                                                       "{\"a\": 1}",
                                                       "${HOME}",
                                                       "{{ name }}",
                                                       "<b>bold</b>",
                                                       "<br>",
                                                       "<code>x</code>",
                                                       "<T>",
                                                       "`x`",
                                                       "`a < b`",
                                                       "``a`b``",
                                                       "`<tag>`",
                                                       "**bold**",
                                                       "*it*",
                                                       "->",
                                                       "=>",
                                                       "||",
                                                       "|x|",
                                                       "<-",
                                                       "[docs](https://example.org/a?b=1)",
                                                       "#include <functional>",
                                                       "std::vector<T>",
                                                       "f(x)",
                                                       "f(a=1)",
                                                       "name: value",
                                                       "<https://example.org>",
                                                       "(a, b)",
                                                       "\"quoted\"",
                                                       "'q'",
                                                       "<s>old</s>"};

std::string list(dice& chance) {
    const bool numbered = chance.chance(40);
    std::string out;
    for (std::size_t i = 0, n = chance.between(2, 4); i < n; ++i) {
        out += i == 0 ? "" : "\n";
        out += numbered ? std::to_string(i + 1) + ". " : "- ";
        out += sentence(chance);
    }
    return out;
}

std::string table(dice& chance) {
    std::string out = "| key | value |\n|---|---|";
    for (std::size_t i = chance.between(1, 3); i > 0; --i) {
        out += "\n| " + std::string(chance.pick(words)) + " | " + std::string(chance.pick(words)) +
               " |";
    }
    return out;
}

std::string code(dice& chance) {
    constexpr std::array<std::string_view, 7> lines = {
        "std::vector<std::pair<int, T>> v; // [0] {}",
        "if (a < b && c > d) { return x[i]; }",
        "{\"name\": \"widget\", \"price\": 4}",
        "<configuration><entry key=\"a\">1</entry></configuration>",
        ">>> print([f(x) for x in y])",
        "echo \"$(cat <<EOF)\"",
        "#include <functional>"};
    std::string text;
    for (std::size_t i = chance.between(1, 4); i > 0; --i) {
        text += std::string(chance.pick(lines)) + (i > 1 ? "\n" : "");
    }
    return fenced(chance, text);
}

std::string html(dice& chance) {
    return "<div class=\"note\">\n  <p>" + sentence(chance) + "</p>\n</div>";
}

std::size_t longest_run(std::string_view text, char c) {
    std::size_t longest = 0;
    for (std::size_t i = 0, run = 0; i < text.size(); ++i) {
        run = text[i] == c ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

} // namespace

std::string sentence(dice& chance, bool odd) {
    std::string out = chance.chance(70) ? "The" : "Nun";
    for (std::size_t i = chance.between(2, 10); i > 0; --i) {
        out += " ";
        out += odd && chance.chance(15) ? chance.pick(oddities) : chance.pick(words);
    }
    return out + " end.";
}

std::string paragraph(dice& chance, bool odd) {
    std::string out = sentence(chance, odd);
    for (std::size_t i = chance.below(3); i > 0; --i) {
        out += (chance.chance(30) ? "\n" : " ") + sentence(chance, odd);
    }
    return out;
}

std::string block(dice& chance) {
    switch (chance.below(10)) {
    case 0:
        return list(chance);
    case 1:
        return table(chance);
    case 2:
        return code(chance);
    case 3:
        return html(chance);
    case 4:
        return "## " + sentence(chance);
    case 5:
        return "> " + sentence(chance);
    default:
        return paragraph(chance);
    }
}

std::string fenced(dice& chance, std::string_view text) {
    constexpr std::array<std::string_view, 6> infos = {"", "xml", "json", "text", "python", "diff"};
    const char mark = chance.chance(80) ? '`' : '~';
    const std::string indent(chance.chance(15) ? chance.between(1, 3) : 0, ' ');
    const std::string fence(std::max<std::size_t>(3, longest_run(text, mark) + 1), mark);
    return indent + fence + std::string(chance.pick(infos)) + "\n" + std::string(text) + "\n" +
           indent + fence;
}

std::string inline_code(std::string_view text) {
    const std::string mark(longest_run(text, '`') + 1, '`');
    const bool padded = text.starts_with('`') || text.ends_with('`');
    const std::string pad = padded ? " " : "";
    return mark + pad + std::string(text) + pad + mark;
}

std::string indented(std::string_view text, std::string_view by) {
    std::string out(by);
    for (const char c : text) {
        out += c;
        out += c == '\n' ? by : "";
    }
    return out;
}

} // namespace tests::generator
