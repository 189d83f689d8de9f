#include "proxy/turn/event_edit.hpp"

#include "proxy/base/ensure.hpp"

namespace proxy::turn {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The line at the front of `rest`, with its line end.
std::string_view take_line(std::string_view& rest) {
    std::size_t end = rest.find_first_of("\r\n");
    if (end == std::string_view::npos) {
        end = rest.size();
    } else {
        end += rest.substr(end, 2) == "\r\n" ? 2 : 1;
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    return line;
}

bool is_data_line(std::string_view line) {
    return line.starts_with("data") &&
           (line.size() == 4 || line[4] == ':' || line[4] == '\n' || line[4] == '\r');
}

std::string_view line_end(std::string_view line) {
    const std::size_t at = line.find_first_of("\r\n");
    return at == std::string_view::npos ? std::string_view("\n") : line.substr(at);
}

} // namespace

void event_editor::begin(const event_bytes& event) {
    event_ = event;
    edits_.clear();
}

void event_editor::replace(std::string_view old, std::string_view text) {
    PROXY_ENSURE(old.data() >= event_.data.data() &&
                 old.data() + old.size() <= event_.data.data() + event_.data.size());
    edits_.replace(static_cast<std::size_t>(old.data() - event_.data.data()), old.size(), text);
}

void event_editor::remove_member(std::string_view whole) {
    const char* first = event_.data.data();
    const char* last = first + event_.data.size();
    const char* begin = whole.data();
    const char* end = begin + whole.size();
    while (end != last && is_space(*end)) {
        ++end;
    }
    if (end != last && *end == ',') {
        ++end;
    } else {
        end = whole.data() + whole.size();
        while (begin != first && is_space(begin[-1])) {
            --begin;
        }
        begin -= begin != first && begin[-1] == ',' ? 1 : 0;
    }
    replace({begin, static_cast<std::size_t>(end - begin)}, "");
}

void event_editor::write(std::string& out) {
    if (!event_.in_place) {
        write_joined(out);
        return;
    }
    const auto before = static_cast<std::size_t>(event_.data.data() - event_.raw.data());
    out.append(event_.raw.substr(0, before));
    edits_.apply(event_.data, out);
    out.append(event_.raw.substr(before + event_.data.size()));
}

// Several data lines: the other lines keep their bytes, the edited JSON stands where the first data
// line was, cut at its own line feeds again.
void event_editor::write_joined(std::string& out) {
    joined_.clear();
    edits_.apply(event_.data, joined_);
    std::string_view rest = event_.raw;
    bool written = false;
    while (!rest.empty()) {
        const std::string_view line = take_line(rest);
        if (!is_data_line(line)) {
            out.append(line);
            continue;
        }
        if (written) {
            continue;
        }
        written = true;
        std::string_view json = joined_;
        while (true) {
            const std::size_t feed = json.find('\n');
            out.append("data: ").append(json.substr(0, feed)).append(line_end(line));
            if (feed == std::string_view::npos) {
                break;
            }
            json.remove_prefix(feed + 1);
        }
    }
}

} // namespace proxy::turn
