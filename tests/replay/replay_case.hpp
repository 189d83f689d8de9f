// One exchange of tests/replay/cases: what the client asks, what the upstream writes, and what the
// client must make of it. See README.md beside it for the members.
#pragma once

#include <boost/json/object.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tests::replay {

/// How an upstream's body ends.
enum class body_end { whole, close, reset };

struct upstream_answer {
    unsigned status = 200;
    std::map<std::string, std::string> headers;
    std::vector<std::string> writes; ///< one TCP write each, without the transfer coding
    body_end end = body_end::whole;

    bool is_stream() const;
    std::string body() const; ///< all writes
};

struct replay_case {
    std::string id;
    std::string category;
    std::string kind; ///< pass, strip, correct, error, other
    std::string request;
    std::vector<upstream_answer> upstream; ///< to the first request, to the second
    boost::json::object expect;

    /// True if the expectation follows from a rule and not from a choice of the design.
    bool is_rule() const { return expect.at("decision").as_string() == "rule"; }
};

/// The names of all case files, sorted, without ".json".
std::vector<std::string> case_names();

/// Reads one; throws std::runtime_error that names the file.
replay_case load_case(const std::string& name);

} // namespace tests::replay
