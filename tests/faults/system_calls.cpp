#include "tests/faults/system_calls.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <ctime>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <netdb.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tests {

namespace {

std::mutex names_mutex;
std::map<std::string, std::vector<std::string>> names;
std::atomic<unsigned> lookup_count{0};
std::atomic<std::int64_t> wall_offset{0};
std::atomic<std::int64_t> steady_offset{0};

using lookup_function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);

int system_lookup(const char* host, const char* service, const addrinfo* hints, addrinfo** out) {
    static const auto real = reinterpret_cast<lookup_function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(host, service, hints, out);
}

std::vector<std::string> addresses_of(const char* host) {
    const std::lock_guard lock(names_mutex);
    const auto found = host == nullptr ? names.end() : names.find(host);
    return found == names.end() ? std::vector<std::string>() : found->second;
}

} // namespace

void set_addresses(const std::string& name, const std::vector<std::string>& addresses) {
    const std::lock_guard lock(names_mutex);
    names[name] = addresses;
}

unsigned lookups() {
    return lookup_count;
}

void move_wall_clock(std::chrono::seconds by) {
    wall_offset += by.count();
}

void move_steady_clock(std::chrono::seconds by) {
    steady_offset += by.count();
}

} // namespace tests

// The program's own definitions stand before the C library's.
extern "C" int getaddrinfo(const char* host, const char* service, const addrinfo* hints,
                           addrinfo** out) {
    const auto addresses = tests::addresses_of(host);
    if (addresses.empty()) {
        return tests::system_lookup(host, service, hints, out);
    }
    ++tests::lookup_count;
    addrinfo** place = out;
    for (const auto& address : addresses) {
        const int failed = tests::system_lookup(address.c_str(), service, hints, place);
        if (failed != 0) {
            return failed;
        }
        while (*place != nullptr) {
            place = &(*place)->ai_next;
        }
    }
    return 0;
}

extern "C" int clock_gettime(clockid_t clock, timespec* out) noexcept {
    const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, out));
    if (clock == CLOCK_REALTIME) {
        out->tv_sec += tests::wall_offset;
    } else if (clock == CLOCK_MONOTONIC) {
        out->tv_sec += tests::steady_offset;
    }
    return result;
}
