// Edits of one JSON text by position in it; everything between them keeps its bytes.
#pragma once

#include "proxy/json/scan.hpp"
#include "proxy/json/splices.hpp"

#include <string>
#include <string_view>

namespace proxy::turn {

class body_editor {
  public:
    /// `body` must outlive the editor; all positions are views into it.
    explicit body_editor(std::string_view body) : body_(body) {}

    void insert(const char* at, std::string_view text) { edits_.replace(offset(at), 0, text); }

    void replace(std::string_view old, std::string_view text) {
        edits_.replace(offset(old.data()), old.size(), text);
    }

    /// Removes the members of `object` whose raw key `is_removed` names, each run of them with one
    /// comma: the one behind, or the one in front where the run ends the object.
    void remove_members(json::value_view object, bool (*is_removed)(std::string_view raw_key));

    /// The text with all edits applied.
    std::string result();

    /// `text` as a JSON string with its quotes.
    static std::string quoted(std::string_view text);

  private:
    std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - body_.data()); }

    std::string_view body_;
    json::splices edits_;
};

} // namespace proxy::turn
