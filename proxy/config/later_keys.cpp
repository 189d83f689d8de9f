#include "proxy/config/keys.hpp"

namespace proxy::config {

const std::vector<later_key>& later_keys() {
    static const std::vector<later_key> keys{
        {"sanitize.formats.add", "own formats come with a later version"},
    };
    return keys;
}

} // namespace proxy::config
