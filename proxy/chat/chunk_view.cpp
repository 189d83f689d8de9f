#include "proxy/chat/chunk_view.hpp"

#include "proxy/base/limits.hpp"
#include "proxy/chat/chunk_reader.hpp"
#include "proxy/json/scan.hpp"

#include <simdjson.h>

namespace proxy::chat {

namespace {

namespace ondemand = simdjson::ondemand;

/// A parser keeps memory for the longest text it saw; past this it is given back.
constexpr std::size_t kept_parser_capacity_max = std::size_t{1} << 20;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// simdjson's raw tokens reach to the next structural byte.
std::string_view trimmed(std::string_view token) {
    while (!token.empty() && is_space(token.back())) {
        token.remove_suffix(1);
    }
    return token;
}

/// The inside of the key that begins at `begin` and whose value begins at `value`. Walking back
/// from the value over the colon is cheaper than searching the quote, and needs no care for
/// escapes: simdjson has seen that only a colon and white space stand between.
std::string_view key_before(const char* begin, const char* value) {
    const char* end = value;
    do {
        --end;
    } while (*end != ':');
    do {
        --end;
    } while (*end != '"');
    return {begin, static_cast<std::size_t>(end - begin)};
}

/// A value on simdjson's way through the text; must be used in document order.
class fast_node {
  public:
    explicit fast_node(ondemand::value value)
        : value_(value), raw_(value_.raw_json_token()), token_(trimmed(raw_)) {}

    char first() const { return raw_.front(); }

    std::string_view token() const { return token_; }

    bool is_container() const { return first() == '{' || first() == '['; }

    /// The byte behind the raw token is the next structural one.
    bool is_empty() const {
        const char next = raw_.data()[raw_.size()];
        return next == ']' || next == '}';
    }

    bool whole(std::string_view& out) {
        std::string_view raw = raw_;
        if (first() == '{') {
            ondemand::object object;
            if (value_.get_object().get(object) || object.raw_json().get(raw)) {
                return false;
            }
        } else if (first() == '[') {
            ondemand::array array;
            if (value_.get_array().get(array) || array.raw_json().get(raw)) {
                return false;
            }
        }
        out = trimmed(raw);
        return true;
    }

    template <typename Visit>
    static bool each_member(ondemand::object object, Visit&& visit) {
        for (auto result : object) {
            ondemand::field field;
            if (std::move(result).get(field)) {
                return false;
            }
            fast_node value(field.value());
            if (!visit(key_before(field.key().raw(), value.raw_.data()), value)) {
                return false;
            }
        }
        return true;
    }

    template <typename Visit>
    bool each_member(Visit&& visit) {
        ondemand::object object;
        return !value_.get_object().get(object) && each_member(object, visit);
    }

    template <typename Visit>
    bool each_element(Visit&& visit) {
        ondemand::array array;
        if (value_.get_array().get(array)) {
            return false;
        }
        for (auto result : array) {
            ondemand::value value;
            if (std::move(result).get(value)) {
                return false;
            }
            fast_node element(value);
            if (!visit(element)) {
                return false;
            }
        }
        return true;
    }

  private:
    ondemand::value value_;
    std::string_view raw_;
    std::string_view token_;
};

/// A value of the byte scan, whose text is known to be well formed.
class scan_node {
  public:
    explicit scan_node(json::value_view value) : value_(value) {}

    char first() const { return value_.raw.front(); }

    std::string_view token() const { return value_.raw; }

    bool is_container() const {
        return value_.kind == json::kind::object || value_.kind == json::kind::array;
    }

    bool is_empty() const {
        const std::string_view inside = value_.raw.substr(1, value_.raw.size() - 2);
        return trimmed(inside).empty();
    }

    bool whole(std::string_view& out) const {
        out = value_.raw;
        return true;
    }

    template <typename Visit>
    bool each_member(Visit&& visit) {
        json::object_walker members(value_);
        while (const auto member = members.next()) {
            scan_node value(member->value);
            if (!visit(member->key, value)) {
                return false;
            }
        }
        return true;
    }

    template <typename Visit>
    bool each_element(Visit&& visit) {
        json::array_walker elements(value_);
        while (const auto element = elements.next()) {
            scan_node node(*element);
            if (!visit(node)) {
                return false;
            }
        }
        return true;
    }

  private:
    json::value_view value_;
};

} // namespace

struct chunk_view::impl {
    ondemand::parser parser;
};

chunk_view::chunk_view() : impl_(std::make_unique<impl>()) {}

chunk_view::~chunk_view() = default;

bool chunk_view::parse(std::string_view data) {
    if (impl_->parser.capacity() > kept_parser_capacity_max &&
        data.size() < kept_parser_capacity_max) {
        impl_->parser = ondemand::parser();
    }
    reset(data);
    if (parse_fast()) {
        return true;
    }
    reset(data);
    if (parse_scan()) {
        return true;
    }
    reset(data);
    return false;
}

void chunk_view::set_text_only(std::string_view data, std::uint32_t index,
                               std::string_view inside) {
    reset(data);
    choices_count_ = 1;
    if (choices_.empty()) {
        choices_.emplace_back();
    }
    choice_view& c = choices_[0];
    auto copies = std::move(c.earlier_copies);
    copies.clear();
    c = {};
    c.earlier_copies = std::move(copies);
    c.index = index;
    c.text = {inside, true};
    has_choices = true;
}

void chunk_view::reset(std::string_view data) {
    data_ = data;
    choices_count_ = 0;
    orphans_.clear();
    for (text_span* span : {&id, &model, &object, &system_fingerprint}) {
        *span = {};
    }
    for (std::string_view* value :
         {&created, &id_value, &model_value, &fingerprint_value, &usage, &error}) {
        *value = {};
    }
    error_is_object = old_error_form = has_choices = false;
}

bool chunk_view::parse_fast() {
    ondemand::document document;
    ondemand::object root;
    if (impl_->parser.iterate(data_.data(), data_.size(), data_.size() + limits::json_padding)
            .get(document) ||
        document.get_object().get(root)) {
        return false;
    }
    reader read{*this};
    if (!fast_node::each_member(root, [&](std::string_view key, fast_node& value) {
            return read.top_member(key, value);
        })) {
        return false;
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
        return false; // something stands behind the object
    }
    read.finish();
    return true;
}

bool chunk_view::parse_scan() {
    const auto value = json::read_value(data_);
    if (!value || value->kind != json::kind::object) {
        return false;
    }
    reader read{*this};
    scan_node(*value).each_member(
        [&](std::string_view key, scan_node& member) { return read.top_member(key, member); });
    read.finish();
    return true;
}

} // namespace proxy::chat
