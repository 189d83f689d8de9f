#include "proxy/config/keys.hpp"

#include "tests/config/config_support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace proxy::config;

namespace {

settings without_secrets(settings value) {
    for (upstream_settings& upstream : value.upstreams) {
        upstream.api_key.clear();
    }
    return value;
}

} // namespace

BOOST_AUTO_TEST_SUITE(print)

BOOST_AUTO_TEST_CASE(what_is_printed_loads_to_the_same_settings) {
    const char* const files[] = {
        "upstreams: [{base_url: http://127.0.0.1:8000/v1}]",
        "listen: '[::1]:9'\nadmin: {listen: 'unix:/run/admin'}\nthreads: 256\nupstreams:\n"
        "  - {name: a.b-c, base_url: 'http://[::1]:80/v1/', api_key: secret-0123456789, auth: "
        "override, mode: off}\n"
        "  - {name: d, base_url: \"http://h/a'b!$&()*+,;=:@~\", connect_timeout: 1500ms, "
        "pool_idle_timeout: 24h}\n"
        "sanitize: {reasoning: pass, header: off}\n"
        "recovery: {enabled: off, max_tokens: 10000000, keepalive: 0, upstream: d}\n"
        "limits: {body: 1025, head: 1KiB, header_lines: 8, target: 300, event: 1GiB, streams: 1}\n"
        "timeouts: {client_head: 1ms, client_body: 90s, client_write: 2h, client_idle: 24h, drain: "
        "1001ms}\n"
        "log: {level: off, format: json, spans: false}\n",
    };
    for (const char* yaml : files) {
        BOOST_TEST_CONTEXT(yaml) {
            const settings first = load_from(yaml);
            const std::string printed = print_config(first);
            const settings second = load_from(printed);
            BOOST_TEST((without_secrets(first) == without_secrets(second)), printed);
            BOOST_TEST(print_config(second) == printed);
        }
    }
}

BOOST_AUTO_TEST_CASE(secrets_are_masked_and_absent_ones_not_invented) {
    const std::string keyed =
        print_config(load_from("upstreams: [{base_url: http://h, api_key: secret-0123456789}]"));
    BOOST_TEST(keyed.find("secret-0123456789") == std::string::npos);
    BOOST_TEST(keyed.find("api_key: \"***\"") != std::string::npos);
    BOOST_TEST(print_config(load_from(one_upstream)).find("api_key") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_defaults_print_as_this_file) {
    BOOST_TEST(print_config(load_from(one_upstream)) == R"(listen: 127.0.0.1:8484
threads: 0
upstreams:
  - name: main
    base_url: http://127.0.0.1:8000/v1
    auth: client
    mode: enforce
    tool_history: keep
    connect_timeout: 5s
    first_byte_timeout: 10m
    idle_timeout: 5m
    pool_idle_timeout: 4s
    socket: ""
    preserve_host: false
    forwarded: false
    tls:
      verify: true
      ca_file: ""
      server_name: ""
tls:
  certificate: ""
  key: ""
clients:
  keys: []
  open: false
  trusted: []
admin:
  listen: off
sanitize:
  reasoning: detect
  header: true
  formats:
    disable: []
recovery:
  enabled: true
  empty: off
  budget_ratio: 0.5
  upstream: ""
  model: ""
  max_tokens: 0
  keepalive: 10s
limits:
  body: 64MiB
  response: 64MiB
  head: 64KiB
  header_lines: 256
  target: 16KiB
  event: 32MiB
  memory: 1GiB
  streams: 10000
timeouts:
  client_head: 10s
  client_body: 30s
  client_write: 1m
  client_idle: 75s
  drain: 30s
log:
  level: info
  format: text
  spans: on
)");
}

BOOST_AUTO_TEST_CASE(every_key_that_can_be_set_is_printed) {
    std::size_t printable = 0;
    for (const key<settings>& k : settings_keys()) {
        printable += k.get ? 1 : 0;
        BOOST_TEST(bool(k.set), k.name);
    }
    const std::string printed = print_config(load_from(one_upstream));
    const auto lines = static_cast<std::size_t>(std::count(printed.begin(), printed.end(), '\n'));
    constexpr std::size_t upstream_lines = 16, section_lines = 10;
    BOOST_TEST(printable + upstream_lines + section_lines == lines);
}

BOOST_AUTO_TEST_SUITE_END()
