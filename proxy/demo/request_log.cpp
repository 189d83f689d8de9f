#include "proxy/demo/request_log.hpp"

#include "proxy/json/escape.hpp"

#include <algorithm>

namespace proxy::demo {

namespace {

void append_member(std::string& out, std::string_view key, std::string_view text) {
    out += '"';
    out += key;
    out += "\":\"";
    json::append_escaped(out, text);
    out += "\",";
}

void append_number(std::string& out, std::string_view key, std::uint64_t value) {
    out += '"';
    out += key;
    out += "\":" + std::to_string(value) + ",";
}

std::uint64_t unix_ms(std::chrono::system_clock::time_point when) {
    const auto since =
        std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch());
    return static_cast<std::uint64_t>(since.count());
}

void append_record(std::string& out, const request_record& record) {
    out += '{';
    append_number(out, "number", record.number);
    append_member(out, "model", record.model);
    append_member(out, "method", record.method);
    append_member(out, "target", record.target);
    append_member(out, "state", to_string(record.state));
    append_number(out, "status", record.status);
    append_number(out, "writes", record.writes);
    append_number(out, "began_unix_ms", unix_ms(record.began));
    append_number(out, "ended_unix_ms", unix_ms(record.ended));
    out += R"("correction":)" + std::string(record.correction ? "true," : "false,");
    out += R"("headers":{)";
    for (const auto& [name, value] : record.headers) {
        append_member(out, name, value);
    }
    if (!record.headers.empty()) {
        out.pop_back();
    }
    out += "},";
    append_number(out, "body_bytes", record.body_bytes);
    append_member(out, "body", record.body);
    out.back() = '}';
}

} // namespace

std::string_view to_string(progress value) {
    switch (value) {
    case progress::active:
        return "active";
    case progress::answered:
        return "answered";
    case progress::closed_by_peer:
        return "closed_by_peer";
    }
    return "";
}

std::uint64_t request_log::begin(request_record record) {
    const std::lock_guard lock(mutex_);
    record.number = ++last_number_;
    record.began = std::chrono::system_clock::now();
    record.body_bytes = record.body.size();
    record.body.resize(std::min(record.body.size(), record_body_max));
    ++count_;
    ++active_;
    ++by_model_[record.model.substr(0, record.model.find('?'))];
    body_bytes_ += record.body.size();
    records_.push_back(std::move(record));
    while (records_.size() > records_max || body_bytes_ > record_bodies_max) {
        forget_oldest();
    }
    return last_number_;
}

void request_log::forget_oldest() {
    body_bytes_ -= records_.front().body.size();
    records_.pop_front();
}

void request_log::end(std::uint64_t number, unsigned status, progress state, std::size_t writes) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::lower_bound(records_, number, {}, &request_record::number);
    if (found != records_.end() && found->number == number) {
        found->status = status;
        found->state = state;
        found->writes = writes;
        found->ended = std::chrono::system_clock::now();
    }
    --active_;
    idle_.notify_all();
}

std::vector<request_record> request_log::records() const {
    const std::lock_guard lock(mutex_);
    return {records_.begin(), records_.end()};
}

std::uint64_t request_log::count() const {
    const std::lock_guard lock(mutex_);
    return count_;
}

std::uint64_t request_log::count(std::string_view model) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_model_.find(model);
    return found == by_model_.end() ? 0 : found->second;
}

bool request_log::wait_idle(std::uint64_t count, std::chrono::milliseconds limit) const {
    std::unique_lock lock(mutex_);
    return idle_.wait_for(lock, limit, [&] { return count_ >= count && active_ == 0; });
}

void request_log::clear() {
    const std::lock_guard lock(mutex_);
    records_.clear();
    by_model_.clear();
    count_ = 0;
    body_bytes_ = 0;
}

std::string request_log::json() const {
    const std::lock_guard lock(mutex_);
    std::string out = "{";
    append_number(out, "count", count_);
    append_number(out, "active", active_);
    out += R"("requests":[)";
    for (const auto& record : records_) {
        append_record(out, record);
        out += ',';
    }
    if (!records_.empty()) {
        out.pop_back();
    }
    out += "]}";
    return out;
}

} // namespace proxy::demo
