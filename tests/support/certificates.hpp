// Certificates for tests, made when they are needed: an authority, and what it signs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace tests {

struct certificate_files {
    std::filesystem::path certificate; ///< PEM, the chain
    std::filesystem::path key;         ///< PEM
};

class authority {
  public:
    /// Keeps its files in a folder of its own, which goes with it.
    authority();
    ~authority();
    authority(const authority&) = delete;
    authority& operator=(const authority&) = delete;

    /// Its own certificate.
    std::filesystem::path file() const;

    /// A certificate for `names` as OpenSSL writes them ("DNS:localhost,IP:127.0.0.1"), valid from
    /// now on for so many days; a negative number is one that has expired.
    certificate_files issue(const std::string& names, int days = 2) const;

  private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace tests
