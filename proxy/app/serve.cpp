#include "proxy/app/serve.hpp"

#include "proxy/app/signals.hpp"
#include "proxy/base/limits.hpp"
#include "proxy/base/version.hpp"
#include "proxy/config/values.hpp"
#include "proxy/demo/model_server.hpp"
#include "proxy/front/server.hpp"
#include "proxy/front/tls_contexts.hpp"
#include "proxy/telemetry/log.hpp"

#include <boost/system/system_error.hpp>

#include <cstdio>
#include <malloc.h>
#include <memory>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace proxy::app {

namespace {

constexpr std::chrono::milliseconds demo_pace{25}; // so that a stream is seen to be one

// Ends the log on every way out.
struct logging {
    explicit logging(const config::settings& settings) {
        std::vector<std::string> keys;
        for (const config::upstream_settings& upstream : settings.upstreams) {
            keys.push_back(upstream.api_key);
        }
        telemetry::start_logging(settings.log, {}, std::move(keys));
    }

    ~logging() { telemetry::stop_logging(); }

    logging(const logging&) = delete;
    logging& operator=(const logging&) = delete;
};

// glibc takes the first large block that is freed for a sign that more will come, and from then on
// keeps blocks of that size: a few large bodies or events stay with the process for ever. A bound
// that is set is not moved, and what is larger goes back when it is freed.
void return_large_blocks() {
    constexpr int bytes = 128 << 10; // where that bound stands at start
    mallopt(M_MMAP_THRESHOLD, bytes);
}

// Each stream takes a descriptor on either side; the soft limit of most systems is 1024.
void raise_descriptor_limit(std::size_t streams, unsigned threads) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t running = threads > 0 ? threads : std::thread::hardware_concurrency();
    const std::size_t wanted =
        2 * streams + limits::own_descriptors + running * limits::thread_descriptors;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) {
        telemetry::warn("limits.streams " + std::to_string(streams) + " needs " +
                        std::to_string(wanted) + " file descriptors, the system allows " +
                        std::to_string(limit.rlim_max));
    }
}

void say_taken(const config::address& listen, const std::string& reason) {
    std::fprintf(stderr, "unscaffold: can't listen on %s: %s\n", listen.str().c_str(),
                 reason.c_str());
}

bool start_or_say(const config::address& listen, const auto& start) {
    try {
        start();
        return true;
    } catch (const std::system_error& error) {
        say_taken(listen, error.code().message());
    } catch (const boost::system::system_error& error) { // Asio's, which is none of std's
        say_taken(listen, error.code().message());
    }
    return false;
}

// Obeys signals until the server has ended: the first TERM or INT drains, the next one stops.
void serve_until_signal(front::server& server) {
    std::thread ender;
    for (bool ended = false; !ended;) {
        switch (wait_signal()) {
        case signal_kind::terminate:
            if (ender.joinable()) {
                telemetry::info("stopping at once");
                server.stop();
                break;
            }
            telemetry::info("draining: no new connections, streams may finish");
            server.drain();
            ender = std::thread([&server] {
                server.join();
                wake();
            });
            break;
        case signal_kind::reload:
            telemetry::warn("reload is not supported yet: the configuration is as it was at start");
            break;
        case signal_kind::woken:
            ended = ender.joinable();
            break;
        }
    }
    ender.join();
    telemetry::info("ended");
}

std::string upstreams_line(const config::settings& settings) {
    std::string line;
    for (const config::upstream_settings& upstream : settings.upstreams) {
        line += (line.empty() ? "upstream " : ", then ") + upstream.base_url;
    }
    return line;
}

std::string url_of(const config::address& listen, bool secure) {
    const bool on_disk = !listen.path.empty();
    return on_disk ? listen.str() : (secure ? "https://" : "http://") + listen.str();
}

// Certificates and authorities must be there before a port is opened.
void check_files(const config::settings& settings, const config::sources& from) {
    try {
        front::tls_contexts::make(settings);
    } catch (const std::runtime_error& error) {
        throw config::config_error((from.file ? *from.file + ": " : std::string()) + error.what());
    }
}

void warn_of_trust(const config::settings& settings) {
    const auto& admin = settings.admin.listen;
    if (admin && admin->path.empty() && !config::is_loopback(admin->host)) {
        telemetry::warn("admin.listen: whoever reaches " + admin->str() +
                        " reads the metrics; no key is asked for there");
    }
    for (const config::upstream_settings& upstream : settings.upstreams) {
        if (upstream.secure && !upstream.tls.verify) {
            telemetry::warn("upstream " + upstream.name +
                            ": tls.verify is false: whoever answers at " + upstream.base_url +
                            " is believed, and gets every request and key");
        }
    }
}

// Checks and prints instead of serving, if that was asked for.
bool answered_already(const command& options, const config::settings& settings) {
    if (options.print_config) {
        std::fputs(config::print_config(settings).c_str(), stdout);
    } else if (options.test) {
        std::printf("%s: good\n", options.sources.file.value_or("configuration").c_str());
    }
    return options.print_config || options.test;
}

int serve_with(const config::settings& settings, const scaffold::catalog& formats,
               const auto& announce) {
    return_large_blocks();
    warn_of_trust(settings);
    front::server server(settings, formats, telemetry::log_turn);
    auto admin = settings.admin.listen;
    if (admin && !start_or_say(*admin, [&] { server.open_admin(); })) {
        return 1;
    }
    if (!start_or_say(settings.listen, [&] { server.start(); })) {
        return 1;
    }
    auto bound = settings.listen;
    bound.port = server.port();
    announce(bound);
    if (admin) {
        admin->port = server.admin_port();
        telemetry::info("admin listening on " + url_of(*admin, false));
    }
    raise_descriptor_limit(settings.limits.streams, settings.threads);
    serve_until_signal(server);
    return 0;
}

std::string curl(const config::address& to, const char* model) {
    return "  curl -sN http://" + to.str() +
           "/v1/chat/completions -H 'content-type: application/json' -d '{\"model\":\"" + model +
           "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],"
           "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"lookup_tide\"}}]}'\n";
}

void announce_demo(const config::address& proxy, const config::address& model) {
    const std::string text =
        std::string("unscaffold ") + base::version + " demo\n  proxy           http://" +
        proxy.str() + "/v1\n  scripted model  http://" + model.str() +
        "/v1\n\nMarkup, straight from the model:\n" + curl(model, "leak-hermes") +
        "The same through the proxy:\n" + curl(proxy, "leak-hermes") +
        "Markup as the whole answer, corrected by the proxy:\n" + curl(proxy, "scaffold-only") +
        "All scripts:\n  curl -s http://" + proxy.str() + "/v1/models\n\n";
    std::fputs(text.c_str(), stderr);
}

} // namespace

int run_serve(const command& options) {
    const config::settings settings = config::load(options.sources);
    const scaffold::catalog formats = config::built_in_catalog(settings.formats_disable);
    check_files(settings, options.sources);
    if (answered_already(options, settings)) {
        return 0;
    }
    block_signals();
    const logging log(settings);
    return serve_with(settings, formats, [&](const config::address& bound) {
        telemetry::info(std::string("unscaffold ") + base::version + " listening on " +
                        url_of(bound, settings.tls.on()) + ", " + upstreams_line(settings));
    });
}

int run_demo(const command& options) {
    const auto model_address = config::parse_address(options.model_listen);
    if (!model_address || !model_address->path.empty()) {
        throw config::config_error("command line: --model-listen: value \"" + options.model_listen +
                                   "\": allowed IP:PORT, as in 127.0.0.1:8486");
    }
    config::sources sources = options.sources;
    // A free port is known only once the model listens; until then any port stands for it.
    config::address upstream = *model_address;
    upstream.port = upstream.port == 0 ? 1 : upstream.port;
    sources.flags.push_back({"--model-listen", "upstream", "http://" + upstream.str() + "/v1"});
    config::settings settings = config::load(sources);
    const scaffold::catalog formats = config::built_in_catalog(settings.formats_disable);
    if (answered_already(options, settings)) {
        return 0;
    }
    block_signals();
    const logging log(settings);
    demo::model_options model_options;
    model_options.listen = *model_address;
    model_options.pace = demo_pace;
    demo::model_server model(std::move(model_options));
    if (!start_or_say(*model_address, [&] { model.start(); })) {
        return 1;
    }
    upstream.port = model.port();
    config::read_base_url("http://" + upstream.str() + "/v1", settings.upstreams[0]);
    return serve_with(settings, formats,
                      [&](const config::address& bound) { announce_demo(bound, upstream); });
}

} // namespace proxy::app
