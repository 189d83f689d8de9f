#include "proxy/front/http_date.hpp"

#include <array>

namespace proxy::front {

namespace {

// strftime() would speak the language of the environment.
constexpr std::array<std::string_view, 7> days = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void append_two_digits(std::string& out, int value) {
    out.push_back(static_cast<char>('0' + value / 10));
    out.push_back(static_cast<char>('0' + value % 10));
}

} // namespace

std::string http_date(std::time_t when) {
    std::tm parts{};
    ::gmtime_r(&when, &parts);
    std::string out(days[static_cast<std::size_t>(parts.tm_wday)]);
    out.append(", ");
    append_two_digits(out, parts.tm_mday);
    out.append(" ").append(months[static_cast<std::size_t>(parts.tm_mon)]).append(" ");
    out.append(std::to_string(1900 + parts.tm_year)).append(" ");
    append_two_digits(out, parts.tm_hour);
    out.push_back(':');
    append_two_digits(out, parts.tm_min);
    out.push_back(':');
    append_two_digits(out, parts.tm_sec);
    return out.append(" GMT");
}

std::string_view http_date_now() {
    thread_local std::time_t written_for = -1;
    thread_local std::string written;
    if (const auto now = std::time(nullptr); now != written_for) {
        written = http_date(now);
        written_for = now;
    }
    return written;
}

} // namespace proxy::front
