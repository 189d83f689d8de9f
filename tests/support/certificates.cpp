#include "tests/support/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

namespace tests {

namespace {

constexpr long day = 24 * 3'600;

struct deleter {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }

    void operator()(X509* certificate) const { X509_free(certificate); }
};

using key_ptr = std::unique_ptr<EVP_PKEY, deleter>;
using certificate_ptr = std::unique_ptr<X509, deleter>;

void require(bool good) {
    if (!good) {
        throw std::runtime_error("a certificate for a test can't be made");
    }
}

// What EVP_EC_gen() is without its old-style cast.
key_ptr make_key() {
    key_ptr key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
    require(key != nullptr);
    return key;
}

void add_extension(X509* to, int kind, const std::string& value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    require(extension != nullptr && X509_add_ext(to, extension, -1) == 1);
    X509_EXTENSION_free(extension);
}

certificate_ptr make_certificate(const std::string& common_name, EVP_PKEY* key, long serial,
                                 int days) {
    certificate_ptr made(X509_new());
    X509* x = made.get();
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
    const long from = days < 0 ? (days - 1) * day : -day;
    X509_gmtime_adj(X509_getm_notBefore(x), from);
    X509_gmtime_adj(X509_getm_notAfter(x), days * day);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1,
                               0);
    require(X509_set_pubkey(x, key) == 1);
    return made;
}

template <class Write>
void write_pem(const std::filesystem::path& path, const Write& write) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    require(file != nullptr);
    const int done = write(file);
    require(std::fclose(file) == 0 && done == 1);
}

std::filesystem::path own_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "certificates-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr);
    return name;
}

} // namespace

struct authority::state {
    std::filesystem::path folder = own_folder();
    key_ptr key = make_key();
    certificate_ptr own = make_certificate(folder.filename().string(), key.get(), 1, 2);
    mutable std::atomic<long> serial{1};
};

authority::authority() : state_(std::make_unique<state>()) {
    X509* own = state_->own.get();
    X509_set_issuer_name(own, X509_get_subject_name(own));
    add_extension(own, NID_basic_constraints, "critical,CA:TRUE");
    require(X509_sign(own, state_->key.get(), EVP_sha256()) != 0);
    write_pem(file(), [&](std::FILE* to) { return PEM_write_X509(to, own); });
}

authority::~authority() {
    std::filesystem::remove_all(state_->folder);
}

std::filesystem::path authority::file() const {
    return state_->folder / "authority.pem";
}

certificate_files authority::issue(const std::string& names, int days) const {
    const long serial = ++state_->serial;
    const auto key = make_key();
    const auto made = make_certificate("a test", key.get(), serial, days);
    X509_set_issuer_name(made.get(), X509_get_subject_name(state_->own.get()));
    add_extension(made.get(), NID_subject_alt_name, names);
    require(X509_sign(made.get(), state_->key.get(), EVP_sha256()) != 0);
    const auto base = state_->folder / std::to_string(serial);
    const certificate_files files{base.string() + ".pem", base.string() + ".key"};
    write_pem(files.certificate, [&](std::FILE* to) { return PEM_write_X509(to, made.get()); });
    write_pem(files.key, [&](std::FILE* to) {
        return PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
    return files;
}

} // namespace tests
