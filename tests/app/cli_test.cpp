// The command line of the built binary: help, version, flags, what is refused and how.
#include "proxy/base/version.hpp"

#include "tests/app/process.hpp"

#include <boost/test/unit_test.hpp>

using tests::finished_process;
using tests::run;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(cli)

BOOST_AUTO_TEST_CASE(version_is_one_line) {
    const finished_process p = run({"--version"});
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == std::string("unscaffold ") + proxy::base::version + "\n");
    BOOST_TEST(p.err == "");
}

BOOST_AUTO_TEST_CASE(help_shows_flags_subcommands_and_examples) {
    const finished_process p = run({"--help"});
    BOOST_TEST(p.exit_code == 0);
    for (const char* part :
         {"--config", "--test", "--print-config", "--listen", "--admin-listen", "--upstream",
          "--threads", "--log-level", "--log-format", "--version", "serve", "demo", "filter",
          "formats", "Examples:", "unscaffold --upstream http://127.0.0.1:8000/v1", "base URL"}) {
        BOOST_TEST(has(p.out, part), part);
    }
    BOOST_TEST(p.err == "");
}

BOOST_AUTO_TEST_CASE(each_subcommand_has_a_help_of_its_own) {
    const std::pair<const char*, const char*> rows[] = {{"serve", "--upstream"},
                                                        {"demo", "--model-listen"},
                                                        {"filter", "--tools"},
                                                        {"formats", "--markdown"}};
    for (const auto& [name, flag] : rows) {
        BOOST_TEST_CONTEXT(name) {
            const finished_process p = run({name, "--help"});
            BOOST_TEST(p.exit_code == 0);
            BOOST_TEST(has(p.out, flag), p.out);
        }
    }
}

BOOST_AUTO_TEST_CASE(bad_command_lines_exit_2_and_say_why) {
    struct row {
        std::vector<std::string> arguments;
        std::vector<const char*> parts;
    };

    const std::vector<row> rows = {
        {{}, {"no upstream", "unscaffold --upstream http://127.0.0.1:8000/v1", "unscaffold demo"}},
        {{"serve"}, {"no upstream"}},
        {{"--no-such-flag"}, {"--no-such-flag", "unscaffold --help"}},
        {{"sreve"}, {"sreve"}},
        {{"serve", "demo"}, {"demo"}},
        {{"--threads"}, {"--threads"}},
        {{"--upstream", "http://h", "--threads", "x"},
         {"command line: --threads: value \"x\": allowed 0 to 256"}},
        {{"serve", "--upstream", "http://h", "--threads", "300"}, {"command line: --threads"}},
        {{"--upstream", "ftp://h/v1"}, {"command line: --upstream", "or https://"}},
        {{"--upstream", "http://h", "--upstream", "h2"}, {"value \"h2\""}},
        {{"--upstream", "http://h", "--listen", "unix:x"}, {"--listen", "or unix:/PATH"}},
        {{"--upstream", "http://h", "--log-level", "loud"}, {"--log-level", "allowed trace"}},
        {{"--upstream", "http://h", "--log-format", "xml"}, {"--log-format", "allowed text, json"}},
        {{"--upstream", "http://127.0.0.1:8484/v1"}, {"our own listen address"}},
        {{"--upstream", "http://h", "--admin-listen", "1"},
         {"command line: --admin-listen: value \"1\": allowed off"}},
        {{"--upstream", "http://h", "--admin-listen", "127.0.0.1:8484"},
         {"command line: --admin-listen", "clients have this address already"}},
        {{"-c", "/no/such/file.yaml"}, {"/no/such/file.yaml: can't be read: No such file"}},
        {{"-c", "/"}, {"/: is a directory"}},
        {{"demo", "--upstream", "http://h"}, {"--upstream"}},
        {{"--upstream", "http://h", "demo"}, {"demo brings its own upstream"}},
        {{"demo", "--model-listen", "nowhere"},
         {"--model-listen: value \"nowhere\": allowed IP:PORT"}},
        {{"demo", "--listen", "127.0.0.1:8486"}, {"--model-listen", "our own listen address"}},
        {{"filter", "--as", "xml"}, {"--as"}},
        {{"filter", "--request", "/no/such.json"}, {"--request /no/such.json: can't be read"}},
        {{"filter", "--request", "a", "--tools", "b"}, {"--request", "--tools"}},
        {{"--threads", "2", "filter"}, {"flags of serve"}},
        {{"-t", "formats"}, {"flags of serve"}},
        {{"formats", "--html"}, {"--html"}},
    };
    for (const row& r : rows) {
        std::string line;
        for (const std::string& word : r.arguments) {
            line += word + " ";
        }
        BOOST_TEST_CONTEXT(line) {
            const finished_process p = run(r.arguments);
            BOOST_TEST(p.exit_code == 2);
            BOOST_TEST(p.out == "");
            BOOST_TEST(p.err.starts_with("unscaffold: "), p.err);
            for (const char* part : r.parts) {
                BOOST_TEST(has(p.err, part), p.err << " lacks: " << part);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(print_config_shows_what_is_in_force_with_secrets_masked) {
    const finished_process p = run({"--print-config", "--threads", "3"}, "",
                                   {{"OPENAI_BASE_URL", "http://models:8000/v1"},
                                    {"OPENAI_API_KEY", "planted-secret-key"},
                                    {"UNSCAFFOLD_LISTEN", "127.0.0.1:9"}});
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(has(p.out, "listen: 127.0.0.1:9\nthreads: 3\n"), p.out);
    BOOST_TEST(has(p.out, "base_url: http://models:8000/v1\n    api_key: \"***\"\n"), p.out);
    BOOST_TEST(!has(p.out + p.err, "planted-secret-key"));
    BOOST_TEST(run({"serve", "--print-config", "--upstream", "http://a", "--upstream", "http://b"})
                   .out.find("name: upstream2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(test_says_that_a_configuration_is_good) {
    const finished_process p = run({"-t", "--upstream", "http://127.0.0.1:8000/v1"});
    BOOST_TEST(p.exit_code == 0);
    BOOST_TEST(p.out == "configuration: good\n");
    BOOST_TEST(run({"demo", "-t"}).exit_code == 0);
    BOOST_TEST(run({"demo", "-t", "--model-listen", "127.0.0.1:0"}).exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
