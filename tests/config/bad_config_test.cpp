// Every way to get a configuration wrong that we could think of, with what the message must say.
#include "proxy/base/limits.hpp"
#include "proxy/config/keys.hpp"

#include "tests/config/config_support.hpp"

#include <boost/test/unit_test.hpp>

using namespace proxy::config;

namespace {

struct row {
    const char* name;
    std::string yaml;
    std::vector<const char*> parts; ///< of the message, in any order
};

std::string with_upstream(const std::string& yaml) {
    return std::string(one_upstream) + yaml;
}

std::string upstream(const char* members) {
    return std::string("upstreams:\n  - base_url: http://h:8000/v1\n    ") + members + "\n";
}

void check_rows(const std::vector<row>& rows) {
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.name) {
            const std::string message = refusal(r.yaml);
            BOOST_TEST(message != "");
            for (const char* part : r.parts) {
                BOOST_TEST(message.find(part) != std::string::npos, message << " lacks: " << part);
            }
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(bad_config)

BOOST_AUTO_TEST_CASE(unknown_keys_name_the_nearest_known_one) {
    check_rows({
        {"section misspelt",
         with_upstream("limit: {body: 1MiB}"),
         {"c.yaml:2: limit: unknown key", "did you mean limits?"}},
        {"key misspelt",
         with_upstream("limits: {bodys: 1MiB}"),
         {"c.yaml:2: limits.bodys: ", "did you mean body?"}},
        {"key outside of its section",
         with_upstream("body: 1MiB"),
         {"c.yaml:2: body: ", "did you mean limits.body?"}},
        {"key in another section",
         with_upstream("log: {keepalive: 1s}"),
         {"log.keepalive", "recovery.keepalive?"}},
        {"nothing near",
         with_upstream("zzzzzzzz: 1"),
         {"c.yaml:2: zzzzzzzz: unknown key; allowed here: admin, clients, limits, listen, log"}},
        {"upstream key",
         upstream("api-key: x"),
         {"c.yaml:3: upstreams[0].api-key: ", "did you mean api_key?"}},
        {"upstream key, nothing near",
         upstream("weight: 3"),
         {"upstreams[0].weight: unknown key; allowed here: name, base_url"}},
        {"upstream for upstreams",
         "upstream: http://h",
         {"c.yaml:1: upstream: ", "did you mean upstreams?"}},
        {"case matters",
         with_upstream("Threads: 2"),
         {"c.yaml:2: Threads: ", "did you mean threads?"}},
        {"control bytes are escaped", with_upstream("\"a\\x1b[31m\": 1"), {"\"a\\x1b[31m\""}},
        {"merge keys", with_upstream("<<: {threads: 1}"), {"unknown key"}},
    });
}

BOOST_AUTO_TEST_CASE(values_out_of_range_or_form_name_what_is_allowed) {
    check_rows({
        {"threads",
         with_upstream("threads: 257"),
         {"c.yaml:2: threads: value \"257\": allowed 0 to 256"}},
        {"threads negative", with_upstream("threads: -1"), {"value \"-1\": allowed 0 to 256"}},
        {"threads word", with_upstream("threads: auto"), {"value \"auto\": allowed 0 to 256"}},
        {"listen without port",
         with_upstream("listen: 127.0.0.1"),
         {"c.yaml:2: listen: value \"127.0.0.1\": allowed IP:PORT"}},
        {"listen name", with_upstream("listen: example.org:80"), {"allowed IP:PORT"}},
        {"listen on a relative path",
         with_upstream("listen: unix:run/u.sock"),
         {"c.yaml:2: listen: value \"unix:run/u.sock\": allowed IP:PORT", "unix:/PATH"}},
        {"listen on a path that no socket can have",
         with_upstream("listen: unix:/" + std::string(107, 'p')),
         {"c.yaml:2: listen: value", "unix:/PATH"}},
        {"certificate without key",
         with_upstream("tls: {certificate: a.pem}"),
         {"c.yaml:2: tls.certificate: value \"a.pem\"", "must stand together"}},
        {"key without certificate",
         with_upstream("tls: {key: k.pem}"),
         {"c.yaml:2: tls.key: value \"k.pem\"", "must stand together"}},
        {"client key too short",
         with_upstream("clients: {keys: [short]}"),
         {"c.yaml:2: clients.keys: value ***: allowed 16 to 4096 visible"}},
        {"client key twice",
         with_upstream("clients: {keys: [0123456789abcdef, 0123456789abcdef]}"),
         {"c.yaml:2: clients.keys: value ***: stands twice"}},
        {"clients trusted",
         with_upstream("clients: {trusted: [10.0.0.0/8, 10.0.0.1/8]}"),
         {"c.yaml:2: clients.trusted: value \"10.0.0.1/8\": allowed an IP address or a network"}},
        {"clients open", with_upstream("clients: {open: maybe}"), {"allowed false, true, on, off"}},
        {"body below",
         with_upstream("limits: {body: 1023}"),
         {"c.yaml:2: limits.body: value \"1023\": allowed 1KiB to 4GiB"}},
        {"body above", with_upstream("limits: {body: 5GiB}"), {"allowed 1KiB to 4GiB"}},
        {"memory below",
         with_upstream("limits: {memory: 1KiB}"),
         {"c.yaml:2: limits.memory: value \"1KiB\": allowed 1MiB to 1024GiB"}},
        {"body unit", with_upstream("limits: {body: 64MB}"), {"value \"64MB\"", "KiB, MiB or GiB"}},
        {"head above the read buffer",
         with_upstream("limits: {head: 65KiB}"),
         {"allowed 1KiB to 64KiB"}},
        {"header lines", with_upstream("limits: {header_lines: 0}"), {"allowed 8 to 1000"}},
        {"target",
         with_upstream("limits: {target: 10}"),
         {"limits.target: value \"10\": allowed 256 to 64KiB"}},
        {"target not below head",
         with_upstream("limits:\n  head: 8KiB\n  target: 8KiB"),
         {"c.yaml:4: limits.target: value \"8KiB\": ", "below limits.head"}},
        {"head not above target",
         with_upstream("limits: {head: 4KiB}"),
         {"c.yaml:2: limits.head: value \"4KiB\": ", "below limits.head (16KiB, 4KiB)"}},
        {"event", with_upstream("limits: {event: 1KiB}"), {"allowed 4KiB to 1GiB"}},
        {"streams", with_upstream("limits: {streams: 0}"), {"allowed 1 to 1000000"}},
        {"duration without unit",
         with_upstream("timeouts: {drain: 30}"),
         {"timeouts.drain: value \"30\": allowed 1ms to 24h"}},
        {"duration zero", with_upstream("timeouts: {client_head: 0}"), {"allowed 1ms to 24h"}},
        {"duration above", with_upstream("timeouts: {client_body: 25h}"), {"allowed 1ms to 24h"}},
        {"client_write", with_upstream("timeouts: {client_write: 1d}"), {"allowed 1ms to 24h"}},
        {"client_idle", with_upstream("timeouts: {client_idle: -1s}"), {"allowed 1ms to 24h"}},
        {"keepalive",
         with_upstream("recovery: {keepalive: 10}"),
         {"allowed 0 for off, or 1ms to 24h"}},
        {"max_tokens",
         with_upstream("recovery: {max_tokens: 10000001}"),
         {"allowed 0 to 10000000"}},
        {"enabled",
         with_upstream("recovery: {enabled: maybe}"),
         {"value \"maybe\": allowed true, false"}},
        {"log level",
         with_upstream("log: {level: verbose}"),
         {"value \"verbose\": allowed trace, debug, info, warn, error, off"}},
        {"log format", with_upstream("log: {format: xml}"), {"allowed text, json"}},
        {"log spans", with_upstream("log: {spans: some}"), {"allowed on, off"}},
        {"reasoning", with_upstream("sanitize: {reasoning: hide}"), {"allowed pass, detect"}},
        {"unknown format",
         with_upstream("sanitize: {formats: {disable: [no_such_format]}}"),
         {"c.yaml:2: sanitize.formats.disable: value \"no_such_format\": no format has this name",
          "unscaffold formats"}},
        {"base_url without scheme",
         "upstreams: [{base_url: 'h:8000/v1'}]",
         {"upstreams[0].base_url: value \"h:8000/v1\": allowed http://HOST"}},
        {"base_url of another scheme",
         "upstreams: [{base_url: wss://api.example.com/v1}]",
         {"allowed http://HOST[:PORT][/PATH] or https://"}},
        {"socket", upstream("socket: run/m.sock"), {"upstreams[0].socket: value", "absolute path"}},
        {"socket and https",
         "upstreams: [{base_url: https://h/v1, socket: /run/m.sock}]",
         {"c.yaml:1: upstreams[0].socket: value \"/run/m.sock\"", "over TCP only"}},
        {"our own socket",
         "listen: unix:/run/u.sock\nupstreams: [{base_url: http://h/v1, socket: /run/u.sock}]",
         {"c.yaml:2: upstreams[0].socket", "our own listen address"}},
        {"tls no map", upstream("tls: on"), {"c.yaml:3: upstreams[0].tls: must hold keys"}},
        {"tls verify",
         upstream("tls: {verify: maybe}"),
         {"c.yaml:3: upstreams[0].tls.verify: value \"maybe\": allowed true, false, on, off"}},
        {"tls server_name",
         upstream("tls: {server_name: 'a b'}"),
         {"c.yaml:3: upstreams[0].tls.server_name: value \"a b\": allowed a host name"}},
        {"tls unknown key",
         upstream("tls: {verfy: true}"),
         {"c.yaml:3: upstreams[0].tls.verfy: unknown key; did you mean tls.verify?"}},
        {"base_url query", "upstreams: [{base_url: 'http://h/v1?a=b'}]", {"query"}},
        {"base_url missing",
         "upstreams: [{name: a}]",
         {"c.yaml:1: upstreams[0]: base_url: is missing"}},
        {"name",
         upstream("name: 'a b'"),
         {"c.yaml:3: upstreams[0].name: value \"a b\": allowed 1 to 64 letters"}},
        {"auth", upstream("auth: always"), {"allowed client, override"}},
        {"mode", upstream("mode: on"), {"allowed enforce, shadow, off"}},
        {"connect_timeout", upstream("connect_timeout: 0s"), {"allowed 1ms to 24h"}},
        {"first_byte_timeout",
         upstream("first_byte_timeout: 1w"),
         {"upstreams[0].first_byte_timeout"}},
        {"idle_timeout", upstream("idle_timeout: ''"), {"upstreams[0].idle_timeout: value \"\""}},
        {"pool_idle_timeout", upstream("pool_idle_timeout: 4"), {"upstreams[0].pool_idle_timeout"}},
        {"long values are cut",
         with_upstream("threads: "
                       "111111111111111111111111111111111111111111111111111111111111111111111111111"
                       "1111111111111111111111"),
         {"1111…\""}},
    });
}

BOOST_AUTO_TEST_CASE(keys_of_later_versions_are_refused_and_not_swallowed) {
    check_rows({
        {"admin without port",
         with_upstream("admin: {listen: 127.0.0.1}"),
         {"c.yaml:2: admin.listen: value \"127.0.0.1\": allowed off, IP:PORT"}},
        {"admin switched on by a word",
         with_upstream("admin: {listen: on}"),
         {"c.yaml:2: admin.listen: value \"on\": allowed off, IP:PORT"}},
        {"admin on the clients' address",
         with_upstream("admin: {listen: '127.0.0.1:8484'}"),
         {"c.yaml:2: admin.listen: value \"127.0.0.1:8484\": clients have this address"}},
        {"admin on the clients' port of every interface",
         with_upstream("admin: {listen: '127.0.0.1:9'}\nlisten: 0.0.0.0:9"),
         {"c.yaml:2: admin.listen: value", "(listen 0.0.0.0:9)"}},
        {"admin on every interface, the clients' port",
         with_upstream("admin: {listen: '[::]:8484'}"),
         {"c.yaml:2: admin.listen: value \"[::]:8484\": clients have"}},
        {"admin on the clients' socket",
         with_upstream("admin: {listen: 'unix:/run/u'}\nlisten: unix:/run/u"),
         {"c.yaml:2: admin.listen: value \"unix:/run/u\": clients have"}},
        {"an upstream that is the admin listener",
         "admin: {listen: '127.0.0.1:8485'}\nupstreams: [{base_url: 'http://localhost:8485'}]",
         {"c.yaml:2: upstreams[0].base_url: ", "our own listen address 127.0.0.1:8485"}},
        {"an upstream that is the admin socket",
         "admin: {listen: 'unix:/a'}\nupstreams: [{base_url: http://h, socket: /a}]",
         {"c.yaml:2: upstreams[0].socket: ", "our own listen address"}},
        {"formats.add",
         with_upstream("sanitize: {formats: {add: []}}"),
         {"sanitize.formats.add: has no effect in this version"}},
        {"strip",
         with_upstream("sanitize: {reasoning: strip}"),
         {"value \"strip\": has no effect in this version; allowed pass, detect"}},
    });
}

BOOST_AUTO_TEST_CASE(wrong_structure_says_what_belongs_there) {
    check_rows({
        {"root is a list", "- a\n", {"c.yaml:1: must hold keys: admin, clients, limits, listen"}},
        {"root is a word", "hello", {"c.yaml:1: must hold keys"}},
        {"section is a word",
         with_upstream("limits: big"),
         {"c.yaml:2: limits: must hold keys: body, event"}},
        {"section is a list",
         with_upstream("log: [info]"),
         {"log: must hold keys: format, level, spans"}},
        {"value is a list",
         with_upstream("threads: [1]"),
         {"c.yaml:2: threads: must be a single value"}},
        {"value is a map", with_upstream("listen: {port: 1}"), {"listen: must be a single value"}},
        {"value is missing", with_upstream("threads:"), {"threads: needs a value"}},
        {"upstreams is a word", "upstreams: http://h", {"c.yaml:1: upstreams: must be a list"}},
        {"upstreams is a map", "upstreams: {base_url: http://h}", {"upstreams: must be a list"}},
        {"upstream is a word",
         "upstreams: [http://h]",
         {"upstreams[0]: must hold keys: name, base_url"}},
        {"list is a word",
         with_upstream("sanitize: {formats: {disable: a}}"),
         {"sanitize.formats.disable: must be a list"}},
        {"item is a map",
         with_upstream("sanitize: {formats: {disable: [{a: b}]}}"),
         {"each item must be a word"}},
        {"equal keys",
         with_upstream("threads: 1\nthreads: 1"),
         {"c.yaml:3: threads: stands twice, first in line 2"}},
        {"equal keys below",
         with_upstream("log: {level: info, level: warn}"),
         {"level: stands twice"}},
        {"equal formats",
         with_upstream("sanitize: {formats: {disable: [a, a]}}"),
         {"value \"a\": stands twice"}},
        {"broken", with_upstream("log: {level: info"), {"c.yaml:", "broken YAML"}},
        // yaml-cpp takes the end of the file for the missing quote.
        {"quote without end", with_upstream("threads: \"4\n"), {"value \"4 \": allowed"}},
        {"two documents", with_upstream("---\nthreads: 1"), {"more than one YAML document"}},
    });
}

BOOST_AUTO_TEST_CASE(dangerous_combinations_are_refused) {
    const std::string keyed = "upstreams: [{base_url: http://h, api_key: secret-key-value}]\n";
    check_rows({
        {"no upstream",
         "threads: 1",
         {"no upstream", "unscaffold --upstream http://127.0.0.1:8000/v1"}},
        {"empty list", "upstreams: []", {"no upstream"}},
        {"key on every interface",
         keyed + "listen: 0.0.0.0:8484",
         {"c.yaml:1: upstreams[0].api_key: value ***", "0.0.0.0:8484", "clients.open"}},
        {"key on a LAN address", keyed + "listen: 10.0.0.1:8484", {"could spend this key"}},
        {"key on [::]", keyed + "listen: '[::]:8484'", {"[::]:8484"}},
        {"own address",
         "upstreams: [{base_url: http://127.0.0.1:8484/v1}]",
         {"c.yaml:1: upstreams[0].base_url: ", "our own listen address 127.0.0.1:8484"}},
        {"own address by name",
         "upstreams: [{base_url: http://localhost:8484/v1}]",
         {"our own listen address"}},
        {"own address through a wildcard",
         "listen: 0.0.0.0:9\nupstreams: [{base_url: http://127.0.0.1:9}]",
         {"our own listen address"}},
        {"own address in v6",
         "listen: '[::1]:9'\nupstreams: [{base_url: 'http://[::1]:9'}]",
         {"our own listen address"}},
        {"wildcard as upstream",
         "upstreams: [{base_url: http://0.0.0.0:8484}]",
         {"our own listen address"}},
        {"second upstream is our own",
         "upstreams: [{base_url: http://h}, {base_url: http://127.0.0.1:8484}]",
         {"upstreams[1].base_url"}},
        {"port 80 is the default port",
         "listen: 127.0.0.1:80\nupstreams: [{base_url: http://127.0.0.1/v1}]",
         {"our own listen address"}},
        {"equal names",
         "upstreams: [{name: a, base_url: http://h}, {name: a, base_url: http://i}]",
         {"upstreams[1].name: value \"a\": another upstream has this name"}},
        {"default name taken",
         "upstreams: [{name: upstream2, base_url: http://h}, {base_url: http://i}]",
         {"another upstream has this name"}},
    });
}

BOOST_AUTO_TEST_CASE(variables_that_are_not_set_are_named) {
    check_rows({
        {"unset",
         "upstreams: [{base_url: http://h, api_key: '${NOT_SET}'}]",
         {"c.yaml:1: upstreams[0].api_key: environment variable NOT_SET is not set"}},
        {"unset in a list",
         with_upstream("sanitize: {formats: {disable: ['${X}']}}"),
         {"environment variable X is not set"}},
        {"no name", with_upstream("threads: '${}'"), {"c.yaml:2: threads: \"${\" needs the name"}},
        {"no end", with_upstream("threads: '${N'"), {"\"${\" needs the name"}},
        {"no word", with_upstream("threads: '${N:-4}'"), {"\"${\" needs the name"}},
    });
}

BOOST_AUTO_TEST_CASE(environment_and_flags_are_named_as_the_place) {
    using pairs = std::vector<std::pair<variables, const char*>>;
    for (const auto& [env, part] :
         pairs{{{{"UNSCAFFOLD_THREADS", "many"}},
                "environment: UNSCAFFOLD_THREADS: value \"many\": allowed 0 to 256"},
               {{{"UNSCAFFOLD_LISTEN", "x"}}, "environment: UNSCAFFOLD_LISTEN: value \"x\""},
               {{{"UNSCAFFOLD_UPSTREAM", "x"}},
                "environment: UNSCAFFOLD_UPSTREAM: value \"x\": allowed http://"},
               {{{"UNSCAFFOLD_UPSTREAM", "http://127.0.0.1:8484"}},
                "environment: UNSCAFFOLD_UPSTREAM: value"},
               {{{"UNSCAFFOLD_LOG_LEVEL", "loud"}}, "environment: UNSCAFFOLD_LOG_LEVEL"},
               {{{"UNSCAFFOLD_TIMEOUTS_DRAIN", "1"}}, "environment: UNSCAFFOLD_TIMEOUTS_DRAIN"}}) {
        BOOST_TEST_CONTEXT(part) {
            BOOST_TEST(refusal(one_upstream, env).find(part) == 0u, refusal(one_upstream, env));
        }
    }
    const std::string drop_in = refusal("", {{"OPENAI_BASE_URL", "http://127.0.0.1:8484/v1"}});
    BOOST_TEST(drop_in.find("environment: OPENAI_BASE_URL: value") == 0u);
    BOOST_TEST(drop_in.find("our own listen address") != std::string::npos);
    BOOST_TEST(
        refusal("", {{"OPENAI_BASE_URL", "ftp://api.openai.com/v1"}}).find("allowed http://HOST") !=
        std::string::npos);
    BOOST_TEST(refusal(one_upstream, {}, {{"--threads", "threads", "x"}}) ==
               "command line: --threads: value \"x\": allowed 0 to 256");
    BOOST_TEST(refusal(one_upstream, {}, {{"--upstream", "upstream", "x"}})
                   .find("command line: --upstream: value \"x\"") == 0u);
}

BOOST_AUTO_TEST_CASE(no_message_shows_a_secret) {
    const char* const secret = "sk-planted-0123456789";
    const std::string spaced = std::string("'") + secret + " '";
    const std::string messages[] = {
        refusal("upstreams: [{base_url: http://h, api_key: " + spaced + "}]"),
        refusal(std::string("listen: 0.0.0.0:1\nupstreams: [{base_url: http://h, api_key: ") +
                secret + "}]"),
        refusal("upstreams: [{base_url: http://h, api_key: '${K}'}]",
                {{"K", std::string(secret) + "\n"}}),
        refusal(std::string("upstreams: [{base_url: 'http://user:") + secret + "@h/v1'}]"),
        refusal("", {{"UNSCAFFOLD_UPSTREAM", std::string("http://user:") + secret + "@h/v1"}}),
        refusal("",
                {{"OPENAI_BASE_URL", "http://h"}, {"OPENAI_API_KEY", std::string(secret) + "\t"}}),
        refusal("listen: 0.0.0.0:1", {{"OPENAI_BASE_URL", "http://h"}, {"OPENAI_API_KEY", secret}}),
        refusal(std::string("upstreams: [{base_url: http://h, api_key: [") + secret + "]}]"),
    };
    for (const std::string& message : messages) {
        BOOST_TEST_CONTEXT(message) {
            BOOST_TEST(message != "");
            BOOST_TEST(message.find("planted") == std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(nearest_name_stays_silent_when_nothing_is_near) {
    const std::vector<std::string> names{"listen", "threads", "limits.body", "limits.head"};
    BOOST_TEST(nearest_name("lisen", names) == "listen");
    BOOST_TEST(nearest_name("thread", names) == "threads");
    BOOST_TEST(nearest_name("head", names) == "limits.head");
    BOOST_TEST(nearest_name("limits.bodyy", names) == "limits.body");
    for (const char* word : {"", "x", "completely_else", "port"}) {
        BOOST_TEST_CONTEXT(word) {
            BOOST_TEST(nearest_name(word, names) == "");
        }
    }
    BOOST_TEST(nearest_name(std::string(100'000, 'l'), names) == "");
}

BOOST_AUTO_TEST_CASE(one_trusted_network_too_many_is_refused) {
    std::string listed;
    for (std::size_t i = 0; i < proxy::limits::trusted_networks_max; ++i) {
        listed += "10.0." + std::to_string(i) + ".0/24, ";
    }
    const auto with = [&](const std::string& last) {
        return with_upstream("clients: {trusted: [" + listed + last + "]}");
    };
    BOOST_TEST(load_from(with("")).clients.trusted.size() == proxy::limits::trusted_networks_max);
    BOOST_TEST(refusal(with("10.1.0.0/16")).find("allowed at most 256") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
