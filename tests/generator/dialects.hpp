// The formats, spelled a second time: a grammar for each, written from how the models' templates
// and the reports describe them and not from the product's catalog, so that neither can copy the
// other's mistake.
#pragma once

#include "tests/generator/values.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tests::generator {

/// How a span may be told from prose.
enum class evidence {
    sentinel, ///< by its marks alone, with tools in context or without
    tagged,   ///< with tools in context, or where it starts the turn
    shaped,   ///< with tools in context and a declared name
};

enum class place {
    anywhere, ///< also in the middle of a line
    line,     ///< as the first thing of a line
    last,     ///< anywhere, but nothing follows: no closer, the payload ends with the text
    turn,     ///< nothing else in the turn
};

/// One span as a model would write it.
struct markup {
    std::string text;
    std::size_t sure = std::string::npos; ///< cut behind here, the rest up to the end is payload
    std::size_t body_end = std::string::npos; ///< the payload is whole here; closers follow
};

struct dialect {
    std::string_view name;
    evidence shows = evidence::tagged;
    place where = place::anywhere;
    std::size_t calls_max = 1; ///< in one span
    std::size_t arguments_min = 0;
    bool plain_names = false;
    bool self_ending = true; ///< without its closers, the span ends with the payload
    text_rule rule = {};
    std::string_view opener = {}; ///< for sentences about it and for lone openers; may be empty
    std::string_view closer = {}; ///< its last one; empty if it has none
    markup (*write)(dice&, const std::vector<call>&) = nullptr;
};

/// Writes a markup piece by piece.
class draft {
  public:
    draft& add(std::string_view text) {
        out_.text += text;
        return *this;
    }

    /// From here on there is evidence enough; the first mark counts.
    draft& sure() {
        out_.sure = out_.sure == std::string::npos ? out_.text.size() : out_.sure;
        return *this;
    }

    /// The payload ends here; the last mark counts.
    draft& body_end() {
        out_.body_end = out_.text.size();
        return *this;
    }

    operator markup() const { return out_; }

  private:
    markup out_;
};

/// A call as an object, and where its name has been said.
struct json_call {
    std::string text;
    std::size_t sure = 0;
};

/// {"name": …, "arguments": …} with the key names, orders and wrappings that models use.
json_call random_json_call(dice& chance, const call& from);

/// The same with the two keys given, in this order.
json_call plain_json_call(dice& chance, const call& from, std::string_view name_key,
                          std::string_view arguments_key);

/// Several calls as an array between two marks.
markup list_in(dice& chance, const std::vector<call>& all, std::string_view open,
               std::string_view close);

/// f(a=1, b="x")
std::string python_call(dice& chance, const call& from);

/// An optional line feed.
std::string_view maybe_line(dice& chance);

// One table for each part of the catalog.
std::vector<dialect> json_dialects();
std::vector<dialect> json_token_dialects();
std::vector<dialect> tag_dialects();
std::vector<dialect> prefixed_tag_dialects();
std::vector<dialect> pair_dialects();
std::vector<dialect> named_dialects();
std::vector<dialect> token_dialects();
std::vector<dialect> shaped_dialects();
std::vector<dialect> text_dialects();

const std::vector<dialect>& all_dialects();

} // namespace tests::generator
