#include "proxy/front/route.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy::front;

namespace {

struct surface_row {
    std::string method;
    std::string target;
    surface expected;
};

const std::vector<surface_row> surface_rows = {
    {"POST", "/v1/chat/completions", surface::chat},
    {"POST", "/chat/completions", surface::chat},
    {"POST", "/api/v1/chat/completions", surface::chat},
    {"POST", "/openai/deployments/x/chat/completions?api-version=1", surface::chat},
    {"POST", "/v1/chat/completions/", surface::chat},
    {"POST", "//v1//chat///completions//", surface::chat},
    {"POST", "/v1/chat%2Fcompletions", surface::chat},
    {"POST", "/v1/%63hat/c%6fmpletions", surface::chat},
    {"POST", "/v1/chat/completions?x=/../", surface::chat},
    {"POST", "/v1/completions", surface::completions},
    {"POST", "/completions", surface::completions},
    {"POST", "/v1/xchat/completions", surface::completions},
    {"GET", "/v1/chat/completions", surface::other},
    {"post", "/v1/chat/completions", surface::other},
    {"POST", "/v1/chat/completions/abc", surface::other},
    {"POST", "/v1/chat/Completions", surface::other},
    {"POST", "/v1/chat/xcompletions", surface::other},
    {"POST", "/v1/chat/%2563ompletions", surface::other},
    {"POST", "/v1/responses", surface::other},
    {"POST", "/v1/chat/completions%zz", surface::other},
    {"POST", "/?/chat/completions", surface::other},
    {"OPTIONS", "*", surface::other},
    {"GET", "/", surface::other},
    {"POST", "/v1/../chat/completions", surface::refused},
    {"POST", "/v1/./chat/completions", surface::refused},
    {"POST", "/v1/%2e%2e/chat/completions", surface::refused},
    {"POST", "/v1/%2E./chat/completions", surface::refused},
    {"POST", "/v1/chat/completions/..", surface::refused},
    {"POST", "/v1/x%2f..%2fchat/completions", surface::refused},
    {"POST", "/v1\\..\\admin", surface::refused},
    {"GET", "/..", surface::refused},
    {"GET", "/v1/...", surface::other},
    {"GET", "/v1/models/a..b", surface::other},
};

struct target_row {
    std::string target;
    std::string base;
    std::string expected;
};

const std::vector<target_row> target_rows = {
    {"/v1/chat/completions", "", "/v1/chat/completions"},
    {"/anything?x=1", "", "/anything?x=1"},
    {"/v1/models", "/v1", "/v1/models"},
    {"/models", "/v1", "/v1/models"},
    {"/chat/completions?api-version=1", "/v1", "/v1/chat/completions?api-version=1"},
    {"/v1/chat/completions", "/openai/v1", "/openai/v1/chat/completions"},
    {"/chat/completions", "/openai/v1", "/openai/v1/chat/completions"},
    {"/openai/v1/chat/completions", "/openai/v1", "/openai/v1/chat/completions"},
    {"/v1", "/openai/v1", "/openai/v1"},
    {"/v1?x", "/openai/v1", "/openai/v1?x"},
    {"/v1x/models", "/openai/v1", "/openai/v1/v1x/models"},
    {"/v10/models", "/v1", "/v1/v10/models"},
    {"//v1/models", "/openai", "/openai/models"},
    {"/v1//chat%2Fcompletions/?a=%20b", "/b", "/b//chat%2Fcompletions/?a=%20b"},
    {"*", "/v1", "*"},
    {"?x=/v1", "", "/?x=/v1"},
    {"?x", "/v1", "/v1/?x"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(routes)

BOOST_AUTO_TEST_CASE(requests_are_sorted_by_the_tail_of_their_decoded_path) {
    for (const auto& row : surface_rows) {
        BOOST_TEST(static_cast<int>(find_surface(row.method, row.target)) ==
                       static_cast<int>(row.expected),
                   row.method << " " << row.target);
    }
}

BOOST_AUTO_TEST_CASE(targets_are_put_under_the_base_path_byte_for_byte) {
    for (const auto& row : target_rows) {
        BOOST_TEST(upstream_target(row.target, row.base) == row.expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
