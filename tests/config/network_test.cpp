#include "proxy/config/network.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace proxy::config;

BOOST_AUTO_TEST_SUITE(networks)

BOOST_AUTO_TEST_CASE(an_address_lies_in_a_network_or_not) {
    struct row {
        std::string network, inside, outside;
    };

    const std::vector<row> rows = {
        {"10.0.0.0/8", "10.255.0.1", "11.0.0.0"},
        {"192.168.4.0/22", "192.168.7.255", "192.168.8.0"},
        {"127.0.0.1", "127.0.0.1", "127.0.0.2"},
        {"127.0.0.1/32", "::ffff:127.0.0.1", "::1"},
        {"0.0.0.0/0", "255.1.2.3", "::1"},
        {"::1", "::1", "::2"},
        {"fd00::/8", "fdff::1", "fe00::"},
        {"2001:db8:8000::/33", "2001:db8:ffff::", "2001:db8:7fff::"},
        {"::/0", "10.0.0.1", ""},
    };
    for (const auto& each : rows) {
        BOOST_TEST_CONTEXT(each.network) {
            const auto network = parse_network(each.network);
            BOOST_REQUIRE(network.has_value());
            BOOST_TEST(network->text == each.network);
            BOOST_TEST(network->holds(parse_ip(each.inside).value()));
            if (!each.outside.empty()) {
                BOOST_TEST(!network->holds(parse_ip(each.outside).value()));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_network_is_refused) {
    for (const std::string text :
         {"", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8x",
          "10.0.0.0/8/8", "10.0.0/8", "10.0.0.1/8", "::/129", "fd00::1/8", "[::1]", "localhost",
          "10.0.0.0 /8", "1.2.3.4,5.6.7.8"}) {
        BOOST_TEST(!parse_network(text).has_value(), text);
    }
    BOOST_TEST(!parse_network(std::string("10.0.0.1\0x", 10)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
