#include "proxy/app/body_filter.hpp"

#include "proxy/base/text.hpp"
#include "proxy/json/escape.hpp"
#include "proxy/json/scan.hpp"
#include "proxy/json/splices.hpp"

#include <utility>
#include <vector>

namespace proxy::app {

namespace {

class body_filter {
  public:
    body_filter(std::string_view body, const scaffold::catalog& formats,
                const scaffold::context& context, strip_summary& summary)
        : body_(body), formats_(formats), context_(context), summary_(summary) {}

    void choice(json::value_view value) {
        each_member(value, "text", &body_filter::text);
        each_member(value, "message", &body_filter::message);
        each_member(value, "delta", &body_filter::message);
    }

    std::string finish() {
        std::string out;
        edits_.apply(body_, out);
        return out;
    }

  private:
    // All copies of a member: which of equal keys a reader takes is not for us to know.
    void each_member(json::value_view object, std::string_view key,
                     void (body_filter::*take)(json::value_view)) {
        if (object.kind != json::kind::object) {
            return;
        }
        json::object_walker walker(object);
        while (const auto member = walker.next()) {
            if (json::equals(member->key, key)) {
                (this->*take)(member->value);
            }
        }
    }

    void message(json::value_view value) { each_member(value, "content", &body_filter::text); }

    void text(json::value_view value) {
        if (value.kind != json::kind::string) {
            return;
        }
        json::decoded_string decoded;
        decoded.set(value.inside());
        scaffold::choice_filter filter(formats_, context_);
        scaffold::decisions decided;
        filter.feed(decoded.text(), decided);
        filter.finish(decided);
        for (const scaffold::span& found : decided.spans) {
            summary_.add(found);
        }
        cut(decoded, decided);
    }

    // Takes the stripped runs out of the raw text, so that what is kept keeps its escapes; a text
    // of which only white space is left is empty.
    void cut(const json::decoded_string& decoded, const scaffold::decisions& decided) {
        const auto base = static_cast<std::size_t>(decoded.raw().data() - body_.data());
        std::size_t at = 0;
        bool blank = true;
        std::vector<std::pair<std::size_t, std::size_t>> stripped; // raw offsets
        for (const scaffold::run& run : decided.runs) {
            if (run.kind == scaffold::run_kind::strip) {
                stripped.emplace_back(decoded.raw_offset(at), decoded.raw_offset(at + run.bytes));
            } else {
                blank = blank && run.kind == scaffold::run_kind::text &&
                        base::is_blank(decoded.text().substr(at, run.bytes));
            }
            at += run.bytes;
        }
        if (!stripped.empty() && blank) {
            stripped.assign(1, {0, decoded.raw().size()});
        }
        for (const auto& [from, to] : stripped) {
            edits_.replace(base + from, to - from, "");
        }
    }

    std::string_view body_;
    const scaffold::catalog& formats_;
    const scaffold::context& context_;
    strip_summary& summary_;
    json::splices edits_;
};

} // namespace

std::optional<std::string> filter_body(std::string_view body, const scaffold::catalog& formats,
                                       const scaffold::context& context, strip_summary& summary) {
    const auto root = json::read_value(body);
    if (!root || root->kind != json::kind::object) {
        return std::nullopt;
    }
    const auto choices = json::find_last(*root, "choices");
    if (!choices || choices->value.kind != json::kind::array) {
        return std::nullopt;
    }
    body_filter filter(body, formats, context, summary);
    json::array_walker walker(choices->value);
    while (const auto choice = walker.next()) {
        filter.choice(*choice);
    }
    return filter.finish();
}

} // namespace proxy::app
