// Hexadecimal digits.
#pragma once

namespace proxy::base {

/// The value of a hexadecimal digit in either case, -1 for anything else.
inline int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

} // namespace proxy::base
