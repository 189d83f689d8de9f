#include "tests/config/config_support.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace proxy::config;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(load_settings)

BOOST_AUTO_TEST_CASE(an_upstream_flag_alone_runs_with_defaults) {
    settings expected;
    expected.upstreams.resize(1);
    auto& up = expected.upstreams[0];
    up.base_url = "http://127.0.0.1:8000/v1";
    up.host = "127.0.0.1";
    up.port = 8000;
    up.authority = "127.0.0.1:8000";
    up.path = "/v1";
    BOOST_TEST(
        (load_from("", {}, {{"--upstream", "upstream", "http://127.0.0.1:8000/v1"}}) == expected));
}

BOOST_AUTO_TEST_CASE(every_key_of_the_file_is_taken) {
    const settings s = load_from(R"(
listen: "[::1]:9000"
threads: 3
upstreams:
  - name: first
    base_url: http://a:8000/v1
    api_key: key-one
    auth: override
    mode: shadow
    tool_history: flatten
    preserve_host: true
    forwarded: true
    connect_timeout: 1s
    first_byte_timeout: 2m
    idle_timeout: 3h
    pool_idle_timeout: 4ms
  - base_url: http://b/v1
clients: {trusted: [10.0.0.0/8, ::1]}
sanitize: {reasoning: pass, header: false}
recovery: {enabled: false, empty: no_tools, max_tokens: 512, keepalive: 0, budget_ratio: 0.25, model: x, upstream: upstream2}
limits: {body: 1MiB, response: 2MiB, head: 32KiB, header_lines: 64, target: 8KiB, event: 2MiB, streams: 10}
timeouts: {client_head: 1s, client_body: 2s, client_write: 3s, client_idle: 4s, drain: 5s}
log: {level: debug, format: json, spans: off}
)");
    BOOST_TEST(s.listen.host == "::1");
    BOOST_TEST(s.listen.port == 9000);
    BOOST_TEST(s.threads == 3u);
    BOOST_REQUIRE_EQUAL(s.upstreams.size(), 2u);
    const upstream_settings& first = s.upstreams[0];
    BOOST_TEST(first.name == "first");
    BOOST_TEST(first.host == "a");
    BOOST_TEST(first.api_key == "key-one");
    BOOST_TEST(first.auth_override);
    BOOST_TEST(first.preserve_host);
    BOOST_TEST(first.forwarded);
    BOOST_TEST(!s.upstreams[1].forwarded);
    BOOST_REQUIRE(s.clients.trusted.size() == 2u);
    BOOST_TEST(s.clients.trusted[0].bits == 96u + 8u);
    BOOST_TEST((first.mode == upstream_mode::shadow));
    BOOST_TEST(first.connect_timeout.count() == 1'000);
    BOOST_TEST(first.first_byte_timeout.count() == 120'000);
    BOOST_TEST(first.idle_timeout.count() == 3 * 3'600'000);
    BOOST_TEST(first.pool_idle_timeout.count() == 4);
    BOOST_TEST(s.upstreams[1].name == "upstream2");
    BOOST_TEST(s.upstreams[1].port == 80);
    BOOST_TEST((s.upstreams[1].mode == upstream_mode::enforce));
    BOOST_TEST((s.reasoning == proxy::turn::reasoning_mode::pass));
    BOOST_TEST(!s.mode_header);
    BOOST_TEST(!s.recovery.enabled);
    BOOST_TEST((s.recovery.empty == proxy::turn::empty_mode::no_tools));
    BOOST_TEST(s.recovery.budget_ratio == 0.25);
    BOOST_TEST(s.recovery.model == "x");
    BOOST_TEST(s.recovery.upstream == "upstream2");
    BOOST_TEST(s.limits.response == std::size_t{2} << 20);
    BOOST_TEST(s.upstreams[0].flatten_tool_history);
    BOOST_TEST(s.recovery.max_tokens == 512u);
    BOOST_TEST(s.recovery.keepalive.count() == 0);
    BOOST_TEST(s.limits.body == std::size_t{1} << 20);
    BOOST_TEST(s.limits.head == 32u * 1024);
    BOOST_TEST(s.limits.header_lines == 64u);
    BOOST_TEST(s.limits.target == 8u * 1024);
    BOOST_TEST(s.limits.event == 2u << 20);
    BOOST_TEST(s.limits.streams == 10u);
    BOOST_TEST(s.timeouts.client_head.count() == 1'000);
    BOOST_TEST(s.timeouts.client_body.count() == 2'000);
    BOOST_TEST(s.timeouts.client_write.count() == 3'000);
    BOOST_TEST(s.timeouts.client_idle.count() == 4'000);
    BOOST_TEST(s.timeouts.drain.count() == 5'000);
    BOOST_TEST(s.log.level == "debug");
    BOOST_TEST((s.log.format == log_format::json));
    BOOST_TEST(!s.log.spans);
}

BOOST_AUTO_TEST_CASE(a_flag_stands_before_the_environment_and_that_before_the_file) {
    const std::string yaml =
        std::string(one_upstream) + "listen: 127.0.0.1:1\nthreads: 1\nlog: {level: warn}\n";
    const variables env{{"UNSCAFFOLD_LISTEN", "127.0.0.1:2"},
                        {"UNSCAFFOLD_THREADS", "2"},
                        {"UNSCAFFOLD_LIMITS_BODY", "2MiB"},
                        {"UNSCAFFOLD_LOG_FORMAT", "json"},
                        {"UNSCAFFOLD_LOG_LEVEL", ""}};
    const settings s = load_from(yaml, env, {{"--listen", "listen", "127.0.0.1:3"}});
    BOOST_TEST(s.listen.port == 3);
    BOOST_TEST(s.threads == 2u);
    BOOST_TEST(s.log.level == "warn", "an empty variable counts as not set");
    BOOST_TEST(s.limits.body == 2u << 20);
    BOOST_TEST((s.log.format == log_format::json));
}

BOOST_AUTO_TEST_CASE(upstreams_of_a_later_source_replace_all_of_an_earlier_one) {
    const std::string yaml =
        "upstreams: [{name: f1, base_url: http://f1}, {name: f2, base_url: http://f2}]";
    BOOST_TEST(load_from(yaml).upstreams.size() == 2u);
    const settings env = load_from(yaml, {{"UNSCAFFOLD_UPSTREAM", "http://e1/v1, http://e2/v1"}});
    BOOST_REQUIRE_EQUAL(env.upstreams.size(), 2u);
    BOOST_TEST(env.upstreams[0].name == "main");
    BOOST_TEST(env.upstreams[0].host == "e1");
    BOOST_TEST(env.upstreams[1].name == "upstream2");
    BOOST_TEST(env.upstreams[1].host == "e2");
    const settings flag = load_from(yaml, {{"UNSCAFFOLD_UPSTREAM", "http://e1/v1"}},
                                    {{"--upstream", "upstream", "http://g1"}});
    BOOST_REQUIRE_EQUAL(flag.upstreams.size(), 1u);
    BOOST_TEST(flag.upstreams[0].host == "g1");
}

BOOST_AUTO_TEST_CASE(openai_variables_count_only_when_nothing_else_names_an_upstream) {
    const variables openai{{"OPENAI_BASE_URL", "http://models:8000/v1"},
                           {"OPENAI_API_KEY", "key-of-openai"}};
    const settings alone = load_from("", openai);
    BOOST_REQUIRE_EQUAL(alone.upstreams.size(), 1u);
    BOOST_TEST(alone.upstreams[0].host == "models");
    BOOST_TEST(alone.upstreams[0].api_key == "key-of-openai");

    const settings file = load_from(one_upstream, openai);
    BOOST_REQUIRE_EQUAL(file.upstreams.size(), 1u);
    BOOST_TEST(file.upstreams[0].host == "127.0.0.1");
    BOOST_TEST(file.upstreams[0].api_key == "");

    const settings flag = load_from("", openai, {{"--upstream", "upstream", "http://other/v1"}});
    BOOST_TEST(flag.upstreams[0].host == "other");
    BOOST_TEST(flag.upstreams[0].api_key == "");

    variables both = openai;
    both["UNSCAFFOLD_UPSTREAM"] = "http://ours/v1";
    BOOST_TEST(load_from("", both).upstreams[0].api_key == "");
    BOOST_TEST(refusal("", {{"OPENAI_API_KEY", "key-of-openai"}}).find("no upstream") == 0u);
}

BOOST_AUTO_TEST_CASE(variables_in_values_are_replaced_once) {
    const variables env{
        {"HOST", "models"}, {"PORT", "8000"}, {"KEY", "a${HOST}b"}, {"N", "4"}, {"EMPTY", ""}};
    const settings s = load_from(
        "upstreams: [{base_url: 'http://${HOST}:${PORT}/v1', api_key: 'x$${KEY}${KEY}$y'}]\n"
        "threads: ${N}\n",
        env);
    BOOST_TEST(s.upstreams[0].base_url == "http://models:8000/v1");
    BOOST_TEST(s.upstreams[0].api_key == "x${KEY}a${HOST}b$y");
    BOOST_TEST(s.threads == 4u);
    BOOST_TEST(load_from("upstreams: [{base_url: http://h, api_key: '${EMPTY}'}]", env)
                   .upstreams[0]
                   .api_key == "");
}

BOOST_AUTO_TEST_CASE(service_variables_of_an_orchestrator_are_no_settings) {
    const settings s = load_from(one_upstream, {{"UNSCAFFOLD_PORT", "tcp://10.0.0.1:80"},
                                                {"UNSCAFFOLD_SERVICE_HOST", "10.0.0.1"},
                                                {"UNSCAFFOLD_SANITIZE_HEADER", "true"}});
    BOOST_TEST(s.listen.port == 8484);
}

BOOST_AUTO_TEST_CASE(an_own_key_is_taken_on_loopback_listeners) {
    for (const char* listen : {"127.0.0.1:1", "127.1.2.3:1", "'[::1]:1'", "localhost:1"}) {
        BOOST_TEST_CONTEXT(listen) {
            BOOST_TEST(refusal(std::string("listen: ") + listen +
                               "\nupstreams: [{base_url: http://h, api_key: k}]") == "");
        }
    }
    BOOST_TEST(refusal(std::string("listen: 0.0.0.0:1\n") + std::string(one_upstream)) == "");
}

BOOST_AUTO_TEST_CASE(the_admin_listener_is_off_until_it_has_an_address_of_its_own) {
    const std::string base = std::string(one_upstream) + "\n";
    BOOST_TEST(!load_from(base).admin.listen);
    for (const char* off : {"off", "''"}) {
        BOOST_TEST(!load_from(base + "admin: {listen: " + off + "}").admin.listen);
    }

    const struct {
        const char* yaml;
        const char* address;
    } rows[] = {
        {"admin: {listen: '127.0.0.1:8485'}", "127.0.0.1:8485"},
        {"admin: {listen: '[::1]:8484'}", "[::1]:8484"}, // clients have 127.0.0.1:8484
        {"admin: {listen: '0.0.0.0:8485'}", "0.0.0.0:8485"},
        {"admin: {listen: '127.0.0.1:0'}\nlisten: 127.0.0.1:0", "127.0.0.1:0"},
        {"admin: {listen: 'unix:/a'}\nlisten: unix:/b", "unix:/a"},
    };

    for (const auto& row : rows) {
        BOOST_TEST_CONTEXT(row.yaml) {
            const settings s = load_from(base + row.yaml);
            BOOST_REQUIRE(s.admin.listen.has_value());
            BOOST_TEST(s.admin.listen->str() == row.address);
        }
    }
    const settings by_flag = load_from(base + "admin: {listen: '127.0.0.1:1'}", {},
                                       {{"--admin-listen", "admin.listen", "127.0.0.1:2"}});
    BOOST_TEST(by_flag.admin.listen->port == 2);
    const settings by_variable = load_from(base, {{"UNSCAFFOLD_ADMIN_LISTEN", "127.0.0.1:3"}});
    BOOST_TEST(by_variable.admin.listen->port == 3);
}

BOOST_AUTO_TEST_CASE(other_ports_and_hosts_are_not_our_own_listener) {
    for (const char* pair :
         {"listen: 127.0.0.1:8484\nupstreams: [{base_url: http://127.0.0.1:8485}]",
          "listen: 127.0.0.1:8484\nupstreams: [{base_url: http://127.0.0.2:8484}]",
          "listen: 127.0.0.1:8484\nupstreams: [{base_url: http://models:8484}]",
          "listen: 0.0.0.0:8484\nupstreams: [{base_url: http://10.0.0.1:8484}]",
          "listen: 127.0.0.1:0\nupstreams: [{base_url: http://127.0.0.1:8484}]"}) {
        BOOST_TEST_CONTEXT(pair) {
            BOOST_TEST(refusal(pair) == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_file_is_read_from_disk_and_named_in_messages) {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("unscaffold_load_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "good.yaml").string();
    std::ofstream(path) << one_upstream << "threads: 7\n";
    sources from = make_sources();
    from.file = path;
    BOOST_TEST(load(from).threads == 7u);

    std::ofstream(path) << one_upstream << "threads: 700\n";
    BOOST_CHECK_EXCEPTION(load(from), config_error, [&](const config_error& error) {
        return std::string(error.what()) == path + ":2: threads: value \"700\": allowed 0 to 256";
    });
    const auto refused = [&](const std::string& file, const std::string& part) {
        from.file = file;
        BOOST_CHECK_EXCEPTION(load(from), config_error, [&](const config_error& error) {
            return std::string(error.what()).find(part) != std::string::npos;
        });
    };
    refused((folder / "missing.yaml").string(),
            "missing.yaml: can't be read: No such file or directory");
    refused(folder.string(), "is a directory");
    std::ofstream(path) << std::string((1u << 20) + 1, '#');
    refused(path, "is larger than 1MiB");
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
