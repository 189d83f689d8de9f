// Stands between this test program and the C library, so that a test can give a name addresses of
// its choice and move the clocks. Without such orders everything is the system's.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tests {

/// From now on `name` has these IPv4 addresses, in this order.
void set_addresses(const std::string& name, const std::vector<std::string>& addresses);

/// How often a name of set_addresses() was looked up.
unsigned lookups();

/// Moves the wall clock, as an operator or NTP would; the steady clock goes on as it did.
void move_wall_clock(std::chrono::seconds by);

/// Moves the steady clock forward: as if that time had passed.
void move_steady_clock(std::chrono::seconds by);

} // namespace tests
