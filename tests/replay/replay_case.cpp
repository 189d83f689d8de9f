#include "tests/replay/replay_case.hpp"

#include <boost/beast/core/detail/base64.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tests::replay {

namespace json = boost::json;

namespace {

const std::filesystem::path folder = std::filesystem::path(TESTS_DIR) / "replay" / "cases";

std::string from_base64(std::string_view text) {
    namespace base64 = boost::beast::detail::base64;
    std::string out(base64::decoded_size(text.size()), '\0');
    out.resize(base64::decode(out.data(), text.data(), text.size()).first);
    return out;
}

upstream_answer read_answer(const json::object& from) {
    upstream_answer out;
    out.status = from.at("status").to_number<unsigned>();
    for (const auto& header : from.at("headers").as_object()) {
        out.headers[header.key()] = header.value().as_string();
    }
    if (const auto* chunks = from.if_contains("chunks")) {
        for (const auto& chunk : chunks->as_array()) {
            out.writes.emplace_back(chunk.as_string());
        }
    } else {
        for (const auto& chunk : from.at("chunks_b64").as_array()) {
            out.writes.push_back(from_base64(chunk.as_string()));
        }
    }
    if (const auto* end = from.if_contains("end")) {
        out.end = end->as_string() == "reset" ? body_end::reset : body_end::close;
    }
    return out;
}

replay_case read_case(const json::object& from) {
    replay_case out;
    out.id = from.at("id").as_string();
    out.category = from.at("category").as_string();
    out.kind = from.at("kind").as_string();
    out.request = json::serialize(from.at("request"));
    for (const auto& answer : from.at("upstream").as_array()) {
        out.upstream.push_back(read_answer(answer.as_object()));
    }
    out.expect = from.at("expect").as_object();
    return out;
}

} // namespace

bool upstream_answer::is_stream() const {
    const auto type = headers.find("content-type");
    return type != headers.end() && type->second.starts_with("text/event-stream");
}

std::string upstream_answer::body() const {
    std::string all;
    for (const auto& write : writes) {
        all += write;
    }
    return all;
}

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::ranges::sort(names);
    return names;
}

replay_case load_case(const std::string& name) {
    std::ifstream file(folder / (name + ".json"), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        return read_case(json::parse(text).as_object());
    } catch (const std::exception& error) {
        throw std::runtime_error(name + ".json: " + error.what());
    }
}

} // namespace tests::replay
