#include "proxy/app/signals.hpp"

#include <csignal>
#include <initializer_list>
#include <unistd.h>

namespace proxy::app {

namespace {

constexpr int wake_signal = SIGUSR1;

sigset_t handled() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : {SIGTERM, SIGINT, SIGHUP, wake_signal}) {
        sigaddset(&set, number);
    }
    return set;
}

} // namespace

void block_signals() {
    const sigset_t set = handled();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

signal_kind wait_signal() {
    const sigset_t set = handled();
    int number = 0;
    sigwait(&set, &number);
    if (number == wake_signal) {
        return signal_kind::woken;
    }
    return number == SIGHUP ? signal_kind::reload : signal_kind::terminate;
}

void wake() {
    ::kill(::getpid(), wake_signal);
}

} // namespace proxy::app
