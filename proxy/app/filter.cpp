#include "proxy/app/filter.hpp"

#include "proxy/app/body_filter.hpp"
#include "proxy/app/standard_streams.hpp"
#include "proxy/app/text_filter.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/chat/request_view.hpp"
#include "proxy/config/formats_file.hpp"
#include "proxy/turn/sanitizer.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace proxy::app {

namespace {

// What the request tells the filter; the body must outlive the views.
struct request_facts {
    std::string body;
    chat::request_view view;
    scaffold::context context;
};

bool read_request_file(const std::string& path, request_facts& into) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (!stream || !(text << stream.rdbuf())) {
        std::fprintf(stderr, "unscaffold: --request %s: can't be read\n", path.c_str());
        return false;
    }
    into.body = text.str();
    into.view = chat::read_request(into.body);
    if (!into.view.is_object) {
        std::fprintf(stderr, "unscaffold: --request %s: is not a JSON object\n", path.c_str());
        return false;
    }
    return true;
}

bool read_facts(const command& options, request_facts& into) {
    if (!options.request_file.empty() && !read_request_file(options.request_file, into)) {
        return false;
    }
    if (!options.tools.empty()) {
        into.view.is_object = true;
        into.view.declares_tools = true;
        into.view.tool_names = options.tools;
    }
    into.context.tools = chat::tools_in_context(into.view);
    into.context.json_answer = into.view.json_answer;
    into.context.names = into.view.tool_names;
    std::sort(into.context.names.begin(), into.context.names.end());
    return true;
}

// What the first bytes of an input look like.
std::string guess_kind(std::string_view head) {
    if (head.starts_with("\xef\xbb\xbf")) {
        head.remove_prefix(3);
    }
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    for (const std::string_view field : {"data:", ":", "event:", "id:", "retry:"}) {
        if (head.starts_with(field)) {
            return "sse";
        }
    }
    const bool body = head.starts_with('{') && head.find("\"choices\"") != std::string_view::npos;
    return body ? "json" : "text";
}

void print_summary(const strip_summary& summary, const request_facts& facts) {
    std::string names;
    for (const std::string& name : summary.formats) {
        names += (names.empty() ? "" : ",") + name;
    }
    std::fprintf(stderr, "filter: spans=%llu scaffold_stripped=%llu formats=%s\n",
                 static_cast<unsigned long long>(summary.spans),
                 static_cast<unsigned long long>(summary.chars),
                 names.empty() ? "-" : names.c_str());
    if (summary.spans == 0 && !facts.context.tools) {
        std::fprintf(stderr, "filter: no tools in context; most tags count only with "
                             "--request FILE or --tools NAME,...\n");
    }
}

int filter_text(input& in, const request_facts& facts, const scaffold::catalog& formats) {
    strip_summary summary;
    text_filter filter(formats, facts.context, summary);
    std::string out;
    while (const auto block = in.next()) {
        filter.feed(*block, out);
        if (!write_output(out)) {
            return 1;
        }
        out.clear();
    }
    filter.finish(out);
    const bool written = write_output(out);
    print_summary(summary, facts);
    return written && !in.failed() ? 0 : 1;
}

bool write_pieces(turn::output& out) {
    for (std::size_t i = 0; i < out.pieces(); ++i) {
        if (!write_output(out.piece(i))) {
            return false;
        }
    }
    out.clear();
    return true;
}

// The response path of the proxy itself. There is no upstream to ask again, so a turn emptied by
// stripping ends with the error that a client gets where recovery is off.
int filter_sse(input& in, const request_facts& facts, const scaffold::catalog& formats) {
    turn::turn_settings settings;
    settings.recovery_enabled = false;
    const turn::workspace_ptr work = turn::make_workspace();
    turn::sanitizer sanitizer(settings, formats, *work, facts.view, facts.body);
    turn::output out;
    bool written = true;
    while (written && !sanitizer.finished()) {
        const auto block = in.next();
        if (!block) {
            sanitizer.end(in.failed() ? turn::upstream_end::cut : turn::upstream_end::whole, out);
        } else {
            sanitizer.push(*block, out);
        }
        written = write_pieces(out);
        if (!block) {
            break;
        }
    }
    strip_summary summary;
    summary.spans = sanitizer.facts().spans;
    summary.chars = sanitizer.facts().scaffold_chars;
    for (const turn::format_sum& f : sanitizer.facts().formats) {
        summary.formats.insert(f.name);
    }
    print_summary(summary, facts);
    return written && !in.failed() ? 0 : 1;
}

int filter_json(input& in, const request_facts& facts, const scaffold::catalog& formats) {
    std::string body;
    while (const auto block = in.next()) {
        if (body.size() + block->size() > limits::response_bytes_max) {
            std::fprintf(stderr, "unscaffold: the JSON body is larger than 64MiB\n");
            return 1;
        }
        body += *block;
    }
    strip_summary summary;
    const auto filtered = filter_body(body, formats, facts.context, summary);
    if (!filtered) {
        std::fprintf(stderr, "unscaffold: the input is not a JSON object with \"choices\"\n");
        return 1;
    }
    const bool written = write_output(*filtered);
    print_summary(summary, facts);
    return written && !in.failed() ? 0 : 1;
}

} // namespace

int run_filter(const command& options) {
    request_facts facts;
    if (!read_facts(options, facts)) {
        return 2;
    }
    const scaffold::catalog formats = config::built_in_catalog();
    input in;
    const std::string kind = options.as == "auto" ? guess_kind(in.head()) : options.as;
    if (kind == "sse") {
        return filter_sse(in, facts, formats);
    }
    return kind == "json" ? filter_json(in, facts, formats) : filter_text(in, facts, formats);
}

} // namespace proxy::app
