#include "proxy/config/values.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::config;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(values)

BOOST_AUTO_TEST_CASE(durations_are_read_with_their_units) {
    const std::pair<const char*, int> rows[] = {{"0", 0},      {"1ms", 1},      {"600ms", 600},
                                                {"5s", 5'000}, {"2m", 120'000}, {"24h", 86'400'000},
                                                {"0s", 0},     {"007s", 7'000}};
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            const auto value = parse_duration(text);
            BOOST_REQUIRE(value.has_value());
            BOOST_TEST(value->count() == expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(other_durations_are_refused) {
    for (const char* text :
         {"", "5", "s", "5 s", " 5s", "5s ", "-5s", "+5s", "1.5s", "5S", "5sec", "1h30m", "5us",
          "0x5s", "9999999999999999999s", "999999999999999999h"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST(!parse_duration(text).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(sizes_are_read_in_bytes_and_binary_units) {
    const std::pair<const char*, std::size_t> rows[] = {{"0", 0},
                                                        {"1", 1},
                                                        {"65536", 65'536},
                                                        {"64KiB", 65'536},
                                                        {"64MiB", 67'108'864},
                                                        {"2GiB", 2'147'483'648}};
    for (const auto& [text, expected] : rows) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(parse_size(text).value() == expected);
        }
    }
    for (const char* text : {"", "64MB", "64M", "64 MiB", "MiB", "-1", "1.5GiB", "64mib", "1e6",
                             "99999999999999999GiB"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST(!parse_size(text).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_share_lies_between_nothing_and_all) {
    BOOST_TEST(parse_share("0").value() == 0.0);
    BOOST_TEST(parse_share("0.5").value() == 0.5);
    BOOST_TEST(parse_share("1").value() == 1.0);
    for (const char* const text :
         {"", "1.01", "-0.1", "half", "1e-1", "0.5 ", "nan", "0.5.5", "2"}) {
        BOOST_TEST(!parse_share(text).has_value(), text);
    }
    for (const double value : {0.0, 0.1, 0.25, 1.0}) {
        BOOST_TEST(parse_share(print_share(value)).value() == value);
    }
}

BOOST_AUTO_TEST_CASE(what_is_printed_reads_back_in_the_largest_exact_unit) {
    BOOST_TEST(print_duration(milliseconds(0)) == "0");
    BOOST_TEST(print_duration(milliseconds(1'500)) == "1500ms");
    BOOST_TEST(print_duration(milliseconds(120'000)) == "2m");
    BOOST_TEST(print_duration(milliseconds(75'000)) == "75s");
    BOOST_TEST(print_size(std::size_t{64} << 20) == "64MiB");
    BOOST_TEST(print_size(1'000) == "1000");
    for (const std::size_t value : {1ul, 999ul, 1'024ul, 65'537ul, 1'048'576ul, 3ul << 30}) {
        BOOST_TEST(parse_size(print_size(value)).value() == value);
        const milliseconds duration(value);
        BOOST_TEST(parse_duration(print_duration(duration)).value().count() == duration.count());
    }
}

BOOST_AUTO_TEST_CASE(listen_addresses_are_ip_literals_with_a_port) {
    const std::tuple<const char*, const char*, int> rows[] = {{"127.0.0.1:8484", "127.0.0.1", 8484},
                                                              {"0.0.0.0:0", "0.0.0.0", 0},
                                                              {"[::1]:8484", "::1", 8484},
                                                              {"[::]:65535", "::", 65535},
                                                              {"localhost:80", "127.0.0.1", 80}};
    for (const auto& [text, host, port] : rows) {
        BOOST_TEST_CONTEXT(text) {
            const auto value = parse_address(text);
            BOOST_REQUIRE(value.has_value());
            BOOST_TEST(value->host == host);
            BOOST_TEST(value->port == port);
        }
    }
    for (const char* text :
         {"", ":8484", "8484", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:8484", "[::1]",
          "[::1]8484", "[127.0.0.1]:1", "example.org:80", "127.0.0.1:8484/", "127.0.0.1:-1",
          "127.0.0.1:00080x", "256.0.0.1:1", "[::1:8484", "127.0.0.1:000080"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST(!parse_address(text).has_value());
        }
    }
    BOOST_TEST((address{"::1", 8484}.str()) == "[::1]:8484");
    BOOST_TEST((address{"127.0.0.1", 1}.str()) == "127.0.0.1:1");
}

BOOST_AUTO_TEST_CASE(base_urls_are_taken_apart) {
    struct row {
        const char *text, *host;
        int port;
        const char *authority, *path;
    };

    const row rows[] = {
        {"http://127.0.0.1:8000/v1", "127.0.0.1", 8000, "127.0.0.1:8000", "/v1"},
        {"http://127.0.0.1:8000/v1/", "127.0.0.1", 8000, "127.0.0.1:8000", "/v1"},
        {"http://models.local", "models.local", 80, "models.local", ""},
        {"http://models.local/", "models.local", 80, "models.local", ""},
        {"http://models.local:80/v1", "models.local", 80, "models.local", "/v1"},
        {"http://[::1]:11434/v1", "::1", 11434, "[::1]:11434", "/v1"},
        {"http://[::1]", "::1", 80, "[::1]", ""},
        {"http://vllm_1:8000/a/b%20c//", "vllm_1", 8000, "vllm_1:8000", "/a/b%20c"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.text) {
            upstream_settings upstream;
            BOOST_TEST(read_base_url(r.text, upstream) == "");
            BOOST_TEST(upstream.base_url == r.text);
            BOOST_TEST(upstream.host == r.host);
            BOOST_TEST(upstream.port == r.port);
            BOOST_TEST(upstream.authority == r.authority);
            BOOST_TEST(upstream.path == r.path);
        }
    }
}

BOOST_AUTO_TEST_CASE(other_base_urls_are_refused_and_change_nothing) {
    for (const char* text : {"",
                             "http://",
                             "127.0.0.1:8000/v1",
                             "ftp://h/v1",
                             "HTTP://h/v1",
                             "http:///v1",
                             "http://h:/v1",
                             "http://h:0/v1",
                             "http://h:65536/v1",
                             "http://h:8a/v1",
                             "http://user:pw@h/v1",
                             "http://h/v1?x=1",
                             "http://h/v1#f",
                             "http://h/a b",
                             "http://h/\n",
                             "http://h/{x}",
                             "http://h/../v1",
                             "http://h/v1/.",
                             "http://[::1/v1",
                             "http://[h]:1/",
                             "http://::1:80/",
                             "http://-h/v1",
                             "http://h\\v1",
                             "https://",
                             "https://h:0/v1",
                             "HTTPS://h/v1",
                             "http://h\xc3\xa9/v1"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            upstream_settings upstream;
            BOOST_TEST(!read_base_url(text, upstream).empty());
            BOOST_TEST((upstream == upstream_settings{}));
        }
    }
}

BOOST_AUTO_TEST_CASE(loopback_and_wildcard_hosts_are_known) {
    for (const char* host : {"127.0.0.1", "127.8.9.10", "::1", "localhost", "0:0:0:0:0:0:0:1"}) {
        BOOST_TEST_CONTEXT(host) {
            BOOST_TEST(is_loopback(host));
            BOOST_TEST(!is_wildcard(host));
        }
    }
    for (const char* host : {"0.0.0.0", "::"}) {
        BOOST_TEST_CONTEXT(host) {
            BOOST_TEST(!is_loopback(host));
            BOOST_TEST(is_wildcard(host));
        }
    }
    for (const char* host : {"10.0.0.1", "128.0.0.1", "localhost.example.org", "", "::2"}) {
        BOOST_TEST_CONTEXT(host) {
            BOOST_TEST(!is_loopback(host));
            BOOST_TEST(!is_wildcard(host));
        }
    }
}

BOOST_AUTO_TEST_CASE(counts_and_switches_take_nothing_else) {
    BOOST_TEST(parse_count("0").value() == 0u);
    BOOST_TEST(parse_count("123456789012345678").value() == 123456789012345678u);
    for (const char* text : {"", "-1", "+1", " 1", "1 ", "1.0", "0x10", "1234567890123456789"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST(!parse_count(text).has_value());
        }
    }
    BOOST_TEST(parse_switch("on").value());
    BOOST_TEST(parse_switch("true").value());
    BOOST_TEST(!parse_switch("off").value());
    BOOST_TEST(!parse_switch("false").value());
    for (const char* text : {"", "yes", "ON", "1"}) {
        BOOST_TEST_CONTEXT("'" << text << "'") {
            BOOST_TEST(!parse_switch(text).has_value());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
