#include "proxy/app/command_line.hpp"

#include "proxy/base/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace proxy::app {

namespace {

constexpr const char* about =
    "A reverse proxy that keeps raw tool-call markup out of what OpenAI-compatible\n"
    "model servers stream, and asks once more when markup was the whole answer.\n";

constexpr const char* examples =
    "Examples:\n"
    "  unscaffold --upstream http://127.0.0.1:8000/v1     serve in front of a model server\n"
    "  unscaffold -c conf/unscaffold.yaml                 serve as a file says\n"
    "  unscaffold -c conf/unscaffold.yaml -t              check the file and leave\n"
    "  unscaffold demo                                    try it with a built-in scripted model\n"
    "  unscaffold filter --tools get_weather < leak.txt   strip one text\n"
    "  unscaffold formats                                 the dialects that are known\n"
    "\n"
    "Clients then use http://127.0.0.1:8484/v1 as their base URL. A request with the field\n"
    "x-unscaffold: shadow is only watched, one with x-unscaffold: off is not looked at.\n"
    "Order: flag, environment (UNSCAFFOLD_LISTEN, UNSCAFFOLD_UPSTREAM, ...), file, default.\n";

constexpr const char* filter_examples =
    "Examples:\n"
    "  unscaffold filter --tools get_weather,search < answer.txt\n"
    "  curl -sN ... | unscaffold filter --as sse --request request.json\n"
    "\n"
    "Standard input goes to standard output without the markup; a summary goes to standard\n"
    "error. Plain tags count as markup only where tools are in use: name them.\n";

constexpr const char* formats_examples =
    "Examples:\n"
    "  unscaffold formats --markdown > formats.md\n"
    "  unscaffold formats --cases mine.jsonl --tools get_weather,search\n";

// Where the options of serve and demo put what they read; one for the program and each of both,
// so that `unscaffold --threads 2` and `unscaffold serve --threads 2` are the same.
struct serve_options {
    std::string file;
    std::string listen, threads, log_level, log_format, admin_listen;
    std::vector<std::string> upstreams;
    bool test = false;
    bool print_config = false;
};

void add_serve_options(CLI::App& app, serve_options& to, bool upstream) {
    app.add_option("-c,--config", to.file, "Configuration file (YAML)")->type_name("FILE");
    app.add_option("--listen", to.listen, "Where clients connect (127.0.0.1:8484)")
        ->type_name("IP:PORT");
    app.add_option("--admin-listen", to.admin_listen,
                   "Where /metrics, /livez, /readyz and /version are (off)")
        ->type_name("IP:PORT");
    if (upstream) {
        app.add_option("--upstream", to.upstreams,
                       "Base URL of the model server; again for one to turn to when the first "
                       "can't be reached")
            ->type_name("URL")
            ->allow_extra_args(false);
    }
    app.add_option("--threads", to.threads, "Threads; 0: one for each core (0)")->type_name("N");
    app.add_option("--log-level", to.log_level, "trace, debug, info, warn, error, off (info)")
        ->type_name("LEVEL");
    app.add_option("--log-format", to.log_format, "text or json (text)")->type_name("FORMAT");
    app.add_flag("-t,--test", to.test, "Check the configuration and leave");
    app.add_flag("--print-config", to.print_config,
                 "Print the configuration in force, secrets masked, and leave");
}

// Takes over what one set of options read.
void take_over(const serve_options& from, command& to) {
    if (!from.file.empty()) {
        to.sources.file = from.file;
    }
    const auto add = [&](const char* flag, const char* key, const std::string& value) {
        if (!value.empty()) {
            to.sources.flags.push_back({flag, key, value});
        }
    };
    add("--listen", "listen", from.listen);
    add("--admin-listen", "admin.listen", from.admin_listen);
    add("--threads", "threads", from.threads);
    add("--log-level", "log.level", from.log_level);
    add("--log-format", "log.format", from.log_format);
    for (const std::string& url : from.upstreams) {
        add("--upstream", "upstream", url);
    }
    to.test = to.test || from.test;
    to.print_config = to.print_config || from.print_config;
}

bool has_serve_options(const command& c) {
    return c.sources.file || !c.sources.flags.empty() || c.test || c.print_config;
}

void add_filter(CLI::App& filter, command& to) {
    filter.add_option("--as", to.as, "What the input is (auto)")
        ->type_name("KIND")
        ->check(CLI::IsMember({"auto", "text", "sse", "json"}));
    auto* const request = filter
                              .add_option("--request", to.request_file,
                                          "The request that the answer belongs to (JSON)")
                              ->type_name("FILE");
    filter.add_option("--tools", to.tools, "Names of the declared tools, with commas between")
        ->type_name("NAME")
        ->delimiter(',')
        ->excludes(request);
    filter.footer(filter_examples);
}

void add_formats(CLI::App& formats, command& to) {
    formats.add_flag("--markdown", to.markdown, "As a Markdown table");
    auto* const cases = formats
                            .add_option("--cases", to.case_files,
                                        "Count the texts of this file in which each is found: a "
                                        "line is {\"raw\": TEXT, \"tools\": true or false}")
                            ->type_name("FILE");
    formats.add_option("--tools", to.tools, "The tools of lines with \"tools\": true")
        ->type_name("NAME")
        ->delimiter(',')
        ->needs(cases);
    formats.footer(formats_examples);
}

} // namespace

std::optional<command> read_command_line(int argc, const char* const* argv, int& exit_code) {
    command result;
    serve_options top, serve_only, demo_only;
    CLI::App app(about, "unscaffold");
    app.set_version_flag("--version", std::string("unscaffold ") + base::version);
    app.footer(examples);
    app.require_subcommand(0, 1);
    add_serve_options(app, top, true);

    auto& serve = *app.add_subcommand("serve", "Serve clients (what happens without a subcommand)");
    add_serve_options(serve, serve_only, true);
    auto& demo = *app.add_subcommand("demo", "Serve in front of a built-in scripted model");
    add_serve_options(demo, demo_only, false);
    demo.add_option("--model-listen", result.model_listen,
                    "Where the scripted model listens (127.0.0.1:8486)")
        ->type_name("IP:PORT");
    auto& filter = *app.add_subcommand("filter", "Strip markup from standard input");
    add_filter(filter, result);
    auto& formats = *app.add_subcommand("formats", "List the dialects of markup that are known");
    add_formats(formats, result);

    try {
        app.parse(argc, argv);
        take_over(top, result);
        take_over(serve_only, result);
        take_over(demo_only, result);
        result.subcommand = demo.parsed()      ? subcommand::demo
                            : filter.parsed()  ? subcommand::filter
                            : formats.parsed() ? subcommand::formats
                                               : subcommand::serve;
        if ((filter.parsed() || formats.parsed()) && has_serve_options(result)) {
            throw CLI::ExtrasError({"flags of serve"});
        }
        if (demo.parsed() && !top.upstreams.empty()) {
            throw CLI::ValidationError("--upstream", "demo brings its own upstream");
        }
    } catch (const CLI::Success& answered) { // --help, --version
        exit_code = app.exit(answered);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        std::fprintf(stderr, "unscaffold: %s\nTry: unscaffold --help\n", error.what());
        exit_code = 2;
        return std::nullopt;
    }
    return result;
}

} // namespace proxy::app
