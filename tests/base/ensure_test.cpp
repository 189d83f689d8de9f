#include "proxy/base/ensure.hpp"
#include "proxy/base/limits.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct death {
    int signal = 0;
    std::string message;
};

// Runs PROXY_ENSURE(condition) in a child and reports how it ended.
death ensure_in_child(bool condition) {
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL);
        PROXY_ENSURE(condition);
        _exit(0);
    }
    close(ends[1]);
    death seen;
    char buffer[512];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
        seen.message.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    seen.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(ensure)

BOOST_AUTO_TEST_CASE(a_broken_invariant_names_itself_and_aborts_in_every_build) {
    const death seen = ensure_in_child(false);
    BOOST_CHECK_EQUAL(seen.signal, SIGABRT);
    BOOST_CHECK(seen.message.find("broken invariant: condition") != std::string::npos);
    BOOST_CHECK(seen.message.find("ensure_test.cpp") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_kept_invariant_costs_nothing_visible) {
    const death seen = ensure_in_child(true);
    BOOST_CHECK_EQUAL(seen.signal, 0);
    BOOST_CHECK_EQUAL(seen.message, "");
}

BOOST_AUTO_TEST_CASE(a_candidate_fits_into_what_may_be_held) {
    BOOST_CHECK_LT(proxy::limits::candidate_start_max, proxy::limits::candidate_bytes_max);
    BOOST_CHECK_LE(proxy::limits::head_bytes_max, proxy::limits::read_bytes);
}

BOOST_AUTO_TEST_SUITE_END()
