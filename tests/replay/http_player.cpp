#include "tests/replay/http_player.hpp"

#include "proxy/config/formats_file.hpp"
#include "proxy/config/values.hpp"
#include "proxy/demo/model_server.hpp"
#include "proxy/front/server.hpp"
#include "proxy/telemetry/turn_record.hpp"

#include "tests/support/client_view.hpp"
#include "tests/support/raw_client.hpp"

namespace tests::replay {

namespace demo = proxy::demo;

namespace {

const proxy::scaffold::catalog& formats() {
    static const auto catalog = proxy::config::built_in_catalog();
    return catalog;
}

demo::answer scripted(const upstream_answer& from) {
    demo::answer out;
    out.status = from.status;
    out.headers = {from.headers.begin(), from.headers.end()};
    out.writes = from.writes;
    out.body = from.body();
    if (from.end == body_end::reset) {
        out.end = demo::ending::reset;
    }
    if (from.headers.contains("content-length")) {
        out.framing = demo::framing::length;
        out.end = demo::ending::cut;
    }
    return out;
}

demo::model_options model_of(const replay_case& one) {
    demo::script script{"demo-model", one.id, {}};
    for (const auto& answer : one.upstream) {
        script.answers.push_back(scripted(answer));
    }
    demo::model_options options;
    options.scripts.push_back(std::move(script));
    return options;
}

proxy::config::settings settings_for(const demo::model_server& model) {
    proxy::config::settings settings;
    settings.listen.port = 0;
    settings.threads = 1;
    settings.upstreams.emplace_back();
    const auto url = "http://127.0.0.1:" + std::to_string(model.port()) + "/v1";
    proxy::config::read_base_url(url, settings.upstreams[0]);
    return settings;
}

} // namespace

played play_http(const replay_case& one) {
    demo::model_server model(model_of(one));
    model.start();
    proxy::front::server proxy(settings_for(model), formats(),
                               [](const proxy::telemetry::turn_record&) {});
    proxy.start();
    raw_client client(proxy.port());
    client.send(post("/v1/chat/completions", one.request, "connection: close\r\n"));
    const auto got = client.read_response();
    played out;
    out.head = got.head;
    const bool chunked = got.header("transfer-encoding") == "chunked";
    const auto data = chunked ? dechunk(got.body) : std::optional(got.body);
    out.in_order = data.has_value() && got.end == stream_end::fin;
    out.body = data.value_or("");
    for (const auto& record : model.requests()) {
        out.requests.push_back(record.body);
    }
    return out;
}

} // namespace tests::replay
