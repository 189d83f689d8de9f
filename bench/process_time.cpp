#include "bench/process_time.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace bench {

namespace {

// Fields 14 and 15 of /proc/PID/stat; the name in field 2 may hold blanks.
void read_ticks(const std::filesystem::path& place, process_time& time) {
    auto file = std::ifstream(place / "stat");
    auto line = std::string{};
    if (!std::getline(file, line)) {
        throw std::runtime_error("no process " + place.string());
    }
    auto fields = std::istringstream(line.substr(line.rfind(')') + 1));
    auto word = std::string{};
    for (auto i = 3; i < 14; ++i) {
        fields >> word;
    }
    fields >> time.user_us >> time.system_us;
    const auto tick_us = 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    time.user_us *= tick_us;
    time.system_us *= tick_us;
}

double read_run_time_us(const std::filesystem::path& place) {
    auto sum_ns = 0.0;
    for (const auto& thread : std::filesystem::directory_iterator(place / "task")) {
        auto ns = 0.0;
        std::ifstream(thread.path() / "schedstat") >> ns;
        sum_ns += ns;
    }
    return sum_ns / 1e3;
}

} // namespace

process_time read_process_time(int pid) {
    const auto place = std::filesystem::path("/proc") / std::to_string(pid);
    auto time = process_time{};
    read_ticks(place, time);
    const auto exact = read_run_time_us(place);
    time.total_us = exact > 0 ? exact : time.user_us + time.system_us;
    return time;
}

} // namespace bench
