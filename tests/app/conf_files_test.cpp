// The configuration files that we ship, and -t on broken ones, through the built binary.
#include "proxy/config/load.hpp"

#include "tests/app/process.hpp"
#include "tests/support/files.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace proxy;
using tests::finished_process;
using tests::run;

namespace {

const std::string conf = std::string(SOURCE_DIR) + "/conf/";

std::string key_of(const std::string& line) {
    const auto first = line.find_first_not_of(" -");
    const auto colon = line.find(':', std::min(first, line.size()));
    return first == std::string::npos || colon == std::string::npos
               ? ""
               : line.substr(first, colon - first);
}

} // namespace

BOOST_AUTO_TEST_SUITE(conf_files)

BOOST_AUTO_TEST_CASE(shipped_files_are_good) {
    for (const char* name : {"unscaffold.yaml", "sidecar.yaml"}) {
        BOOST_TEST_CONTEXT(name) {
            const finished_process p = run({"-t", "-c", conf + name});
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST(p.out == conf + name + ": good\n");
            BOOST_TEST(p.err == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(the_full_file_holds_every_key_with_its_default) {
    config::sources from;
    from.environment = [](const std::string&) { return std::nullopt; };
    from.flags = {{"--upstream", "upstream", "http://127.0.0.1:8000/v1"}};
    const config::settings defaults = config::load(from);
    from.flags.clear();
    from.file = conf + "unscaffold.yaml";
    BOOST_TEST((config::load(from) == defaults));

    const std::string text = tests::read_file(conf + "unscaffold.yaml");
    std::istringstream printed(config::print_config(defaults));
    std::size_t keys = 0;
    for (std::string line; std::getline(printed, line); ++keys) {
        BOOST_TEST(text.find(key_of(line) + ":") != std::string::npos, line);
    }
    BOOST_TEST(keys > 30u);
    BOOST_TEST(text.find("# api_key:") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_sidecar_is_reached_from_its_own_host_only) {
    const finished_process p = run({"--print-config", "-c", conf + "sidecar.yaml"}, "",
                                   {{"UNSCAFFOLD_UPSTREAM", "http://model-server:8000/v1"}});
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out.find("listen: 127.0.0.1:8484\n") != std::string::npos);
    BOOST_TEST(p.out.find("base_url: http://model-server:8000/v1\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bad_files_exit_2_with_file_line_and_key_and_open_nothing) {
    struct row {
        const char* yaml;
        const char* part; ///< behind the file's name
    };

    const std::string url = "upstreams: [{base_url: http://127.0.0.1:8000/v1}]\n";
    const row rows[] = {
        {"thread: 2", ":2: thread: unknown key; did you mean threads?"},
        {"limits: {boddy: 1MiB}", ":2: limits.boddy: unknown key; did you mean body?"},
        {"max_tokens: 5", ":2: max_tokens: unknown key; did you mean recovery.max_tokens?"},
        {"nothing_like_it: 5", ":2: nothing_like_it: unknown key; allowed here: admin"},
        {"threads: 257", ":2: threads: value \"257\": allowed 0 to 256"},
        {"threads: -1", ":2: threads: value \"-1\""},
        {"threads:", ":2: threads: needs a value"},
        {"threads: [1]", ":2: threads: must be a single value"},
        {"threads: 1\nthreads: 2", ":3: threads: stands twice, first in line 2"},
        {"listen: 8484", ":2: listen: value \"8484\": allowed IP:PORT"},
        {"listen: unix:run/x", ":2: listen: value \"unix:run/x\": allowed IP:PORT"},
        {"tls: {certificate: /nowhere/c.pem, key: /nowhere/k.pem}",
         "tls.certificate /nowhere/c.pem, tls.key /nowhere/k.pem: the certificate can't be read: "
         "No "
         "such file or directory"},
        {"listen: 127.0.0.1:8000", ":1: upstreams[0].base_url: value"},
        {"listen: 127.0.0.1:70000", ":2: listen: value"},
        {"limits:\n  body: 1", ":3: limits.body: value \"1\": allowed 1KiB to 4GiB"},
        {"limits:\n  head: 1MiB", ":3: limits.head: value \"1MiB\": allowed 1KiB to 64KiB"},
        {"limits:\n  head: 2KiB", ":3: limits.head: value \"2KiB\": limits.target must be below"},
        {"limits:\n  header_lines: many", ":3: limits.header_lines: value \"many\""},
        {"limits:\n  target: 1", ":3: limits.target: value \"1\""},
        {"limits:\n  event: 1", ":3: limits.event: value \"1\""},
        {"limits:\n  streams: 0", ":3: limits.streams: value \"0\""},
        {"limits:\n  memory: 1", ":3: limits.memory: value \"1\": allowed 1MiB"},
        {"limits: 5", ":2: limits: must hold keys"},
        {"timeouts: {drain: 30}", ":2: timeouts.drain: value \"30\": allowed 1ms to 24h"},
        {"timeouts: {client_head: 0s}", ":2: timeouts.client_head: value \"0s\""},
        {"timeouts: {client_body: x}", ":2: timeouts.client_body: value \"x\""},
        {"timeouts: {client_write: 25h}", ":2: timeouts.client_write: value \"25h\""},
        {"timeouts: {client_idle: 1}", ":2: timeouts.client_idle: value \"1\""},
        {"log: {level: all}", ":2: log.level: value \"all\": allowed trace"},
        {"log: {format: csv}", ":2: log.format: value \"csv\": allowed text, json"},
        {"log: {spans: 8}", ":2: log.spans: value \"8\": allowed on, off"},
        {"log: {file: x}", ":2: log.file: unknown key"},
        {"admin: {listen: '8485'}", ":2: admin.listen: value \"8485\": allowed off, IP:PORT"},
        {"clients: {keys: [a]}", ":2: clients.keys: value ***: allowed 16 to 4096"},
        {"sanitize: {reasoning: strip}",
         ":2: sanitize.reasoning: value \"strip\": has no effect in this version"},
        {"sanitize: {header: maybe}",
         ":2: sanitize.header: value \"maybe\": allowed true, false, on, off"},
        {"sanitize: {formats: {add: []}}",
         ":2: sanitize.formats.add: has no effect in this version"},
        {"sanitize: {formats: {disable: [hermess]}}",
         ":2: sanitize.formats.disable: value \"hermess\": no format has this name; did you mean "
         "hermes?"},
        {"recovery: {enabled: 2}", ":2: recovery.enabled: value \"2\": allowed true, false"},
        {"recovery: {empty: sometimes}",
         ":2: recovery.empty: value \"sometimes\": allowed off, no_tools, always"},
        {"recovery: {upstream: mainn}",
         ":2: recovery.upstream: value \"mainn\": no upstream has this name; did you mean main? "
         "(allowed: main)"},
        {"recovery: {budget_ratio: 1.5}",
         ":2: recovery.budget_ratio: value \"1.5\": allowed 0 to 1"},
        {"recovery: {budget_ratio: half}", ":2: recovery.budget_ratio: value \"half\": allowed 0"},
        {"limits: {response: 1}", ":2: limits.response: value \"1\": allowed 1KiB"},
        {"recovery: {keepalive: 5}", ":2: recovery.keepalive: value \"5\": allowed 0 for off"},
        {"recovery: {max_tokens: -5}", ":2: recovery.max_tokens: value \"-5\""},
        {"upstreams: []", ":2: upstreams: stands twice"},
        {"threads: ${NOT_SET_ANYWHERE}",
         ":2: threads: environment variable NOT_SET_ANYWHERE is not set"},
        {"log: {level: info", ": broken YAML"},
        {"---\nthreads: 1", ": holds more than one YAML document"},
        {"threads: &a 1\nlimits: {streams: *a}", ":3: aliases"},
    };
    const auto folder = std::filesystem::temp_directory_path() /
                        ("unscaffold_conf_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "bad.yaml").string();
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.yaml) {
            std::ofstream(path) << url << r.yaml << "\n";
            for (const bool only_test : {true, false}) { // serving refuses just as -t does
                const finished_process p = only_test ? run({"-t", "-c", path}) : run({"-c", path});
                BOOST_TEST(p.exit_code == 2);
                BOOST_TEST(p.out == "");
                BOOST_TEST(p.err.starts_with("unscaffold: " + path), p.err);
                BOOST_TEST(p.err.find(r.part) != std::string::npos, p.err << " lacks: " << r.part);
                BOOST_TEST(p.err.find("listening") == std::string::npos);
            }
        }
    }
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
