// Text that no rule may touch: sentences in several languages with angle brackets, brackets, braces
// and code marks in them, lists, tables, code blocks, HTML.
#pragma once

#include "tests/generator/dice.hpp"

#include <string>
#include <string_view>

namespace tests::generator {

/// Words with a full stop; `odd` lets brackets, tags and inline code stand among them.
std::string sentence(dice& chance, bool odd = true);

/// One to three sentences, sometimes on several lines. Ends with a full stop.
std::string paragraph(dice& chance, bool odd = true);

/// A paragraph, heading, list, table, quotation, code block or piece of HTML, without a line feed
/// at its end.
std::string block(dice& chance);

/// `text` in a fence of ` or ~ that it can't close.
std::string fenced(dice& chance, std::string_view text);

/// `text` (one line) as inline code.
std::string inline_code(std::string_view text);

/// Every line of `text` behind `by`: four spaces or a tab.
std::string indented(std::string_view text, std::string_view by);

} // namespace tests::generator
