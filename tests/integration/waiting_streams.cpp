#include "tests/integration/waiting_streams.hpp"

#include "tests/integration/running_proxy.hpp"

namespace proxy::tests {

const std::string ok_answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

void serve_ok(wire& client, unsigned) {
    while (!client.read_message().head.empty() && client.try_send(ok_answer)) {
    }
}

waiting_streams::waiting_streams()
    : going_(go_.get_future().share()), model_([this](wire& client, unsigned) { serve(client); }) {}

void waiting_streams::serve(wire& client) {
    for (auto asked = client.read_message(); !asked.head.empty(); asked = client.read_message()) {
        const bool is_stream = asked.head.starts_with("POST /v1/chat/completions");
        if (!(is_stream ? stream(client) : client.try_send(ok_answer))) {
            return;
        }
    }
}

bool waiting_streams::stream(wire& client) {
    if (!client.try_send(std::string(stream_head) + chunk(content_event("one")))) {
        return false;
    }
    going_.wait();
    return client.try_send(chunk(content_event("two") + finish_event() + std::string(done_event)) +
                           std::string(last_chunk));
}

} // namespace proxy::tests
