// CPU time of another process, from /proc.
#pragma once

namespace bench {

struct process_time {
    double total_us = 0;  ///< of all its threads, exact where the kernel keeps schedstat
    double user_us = 0;   ///< from clock ticks: coarse
    double system_us = 0; ///< likewise
};

/// Throws std::runtime_error when there is no such process.
process_time read_process_time(int pid);

} // namespace bench
