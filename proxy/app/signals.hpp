// Signals as answers of a function: they are blocked in every thread and waited for in one.
#pragma once

namespace proxy::app {

enum class signal_kind {
    terminate, ///< TERM or INT
    reload,    ///< HUP
    woken,     ///< wake() was called
};

/// Blocks TERM, INT and HUP for this thread and those it starts from now on, and ignores PIPE: a
/// peer that has gone is an error of a write and not the end of the process. Call before the first
/// thread.
void block_signals();

/// Waits for the next of them. From the thread that called block_signals().
signal_kind wait_signal();

/// Makes wait_signal() return. From any thread.
void wake();

} // namespace proxy::app
