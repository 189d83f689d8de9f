#include "proxy/front/client_keys.hpp"

#include "proxy/base/ensure.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <optional>

namespace proxy::front {

namespace {

using upstream::equals_ignoring_case;

// The token of the only Authorization field, if its scheme is Bearer.
std::optional<std::string_view> bearer_token(const upstream::field_list& fields) {
    constexpr std::string_view scheme = "bearer ";
    std::optional<std::string_view> value;
    for (const auto& f : fields) {
        if (equals_ignoring_case(f.name, "authorization")) {
            if (value) {
                return std::nullopt;
            }
            value = f.value;
        }
    }
    if (!value || value->size() <= scheme.size() ||
        !equals_ignoring_case(value->substr(0, scheme.size()), scheme)) {
        return std::nullopt;
    }
    return upstream::trim(value->substr(scheme.size()));
}

} // namespace

client_keys::client_keys(const std::vector<std::string>& keys) {
    for (const auto& key : keys) {
        hashes_.push_back(hash_of(key));
    }
}

bool client_keys::admits(const upstream::field_list& fields) const {
    if (empty()) {
        return true;
    }
    const auto token = bearer_token(fields);
    const auto given = hash_of(token.value_or(std::string_view()));
    bool found = false;
    for (const auto& known : hashes_) { // all of them, whichever it is
        found = (CRYPTO_memcmp(known.data(), given.data(), given.size()) == 0) || found;
    }
    return found && token.has_value();
}

client_keys::hash client_keys::hash_of(std::string_view key) {
    hash result{};
    unsigned size = 0;
    const int done =
        EVP_Digest(key.data(), key.size(), result.data(), &size, EVP_sha256(), nullptr);
    PROXY_ENSURE(done == 1 && size == result.size());
    return result;
}

} // namespace proxy::front
