// As main() does: OpenSSL writes to connections that may be gone.
#include <boost/test/unit_test.hpp>

#include <csignal>

namespace {

struct ignore_sigpipe {
    ignore_sigpipe() { std::signal(SIGPIPE, SIG_IGN); }
};

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(ignore_sigpipe);
