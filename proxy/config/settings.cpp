#include "proxy/config/settings.hpp"

namespace proxy::config {

std::string address::str() const {
    if (!path.empty()) {
        return "unix:" + path;
    }
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

} // namespace proxy::config
