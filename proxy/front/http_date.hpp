// The Date field: who has a clock must send one (RFC 9110 6.6.1), and adds it to what it passes on
// without one.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace proxy::front {

/// `when` as HTTP writes it: Sun, 06 Nov 1994 08:49:37 GMT.
std::string http_date(std::time_t when);

/// The same of this moment; written anew once a second. The view lasts until the thread's next
/// call.
std::string_view http_date_now();

} // namespace proxy::front
