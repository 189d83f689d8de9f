// HTTP/1.1 from either peer: requests, response heads, chunked bodies and content codings read the
// same at any split, and what passes the gate can be understood in one way only.
// Input: what it is, a seed for the cuts, then the bytes.

#include "proxy/base/limits.hpp"
#include "proxy/front/request_reader.hpp"
#include "proxy/front/route.hpp"
#include "proxy/upstream/chunk_decoder.hpp"
#include "proxy/upstream/content_decoder.hpp"
#include "proxy/upstream/response_head.hpp"

#include "tests/fuzz/expect.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace proxy;

/// The pieces of `bytes`: one, or with lengths from `seed`.
std::vector<std::string_view> pieces(std::string_view bytes, unsigned seed) {
    std::vector<std::string_view> all;
    std::minstd_rand random(seed + 1U);
    const std::size_t longest = seed == 0 ? bytes.size() : 1 + random() % 40;
    while (!bytes.empty()) {
        const auto length = std::min<std::size_t>(bytes.size(), 1 + random() % longest);
        all.push_back(bytes.substr(0, seed == 0 ? bytes.size() : length));
        bytes.remove_prefix(all.back().size());
    }
    return all;
}

void check_fields(const upstream::field_list& fields) {
    for (const auto& f : fields) {
        FUZZ_EXPECT(!f.name.empty());
        FUZZ_EXPECT(f.name.find_first_of(": \t\r\n") == std::string_view::npos);
        FUZZ_EXPECT(f.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
    }
}

std::size_t count(const upstream::field_list& fields, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::count_if(
        fields, [&](const auto& f) { return upstream::equals_ignoring_case(f.name, name); }));
}

/// What passed has at most one framing, one host, and a target without blanks.
void check_request(const front::client_request& request) {
    const auto& head = request.head;
    check_fields(head.fields);
    const auto lengths = count(head.fields, "content-length");
    const auto codings = count(head.fields, "transfer-encoding");
    FUZZ_EXPECT(lengths == 0 || codings == 0);
    FUZZ_EXPECT(codings <= 1 && count(head.fields, "host") <= 1);
    FUZZ_EXPECT((head.framing == upstream::framing::chunked) == (codings == 1));
    FUZZ_EXPECT(head.framing != upstream::framing::length ||
                request.body.size() == head.content_length);
    FUZZ_EXPECT(head.target.find_first_of(" \t\r\n") == std::string_view::npos);
    FUZZ_EXPECT(head.target == "*" || head.target.starts_with('/') || head.target.starts_with('?'));
    const auto surface = front::find_surface(head.method, head.target);
    FUZZ_EXPECT(surface == front::surface::refused || !head.target.empty());
}

/// Every request of `bytes` in words, and how it ended.
std::string read_requests(std::string_view bytes, unsigned seed) {
    using progress = front::request_reader::progress;
    static const front::client_keys keys;
    front::body_memory memory(std::size_t{1} << 20);
    const front::request_rules rules{front::head_limits(), 4096, keys, memory};
    front::request_reader reader(rules);
    std::string told;
    for (const std::string_view piece : pieces(bytes, seed)) {
        auto step = reader.feed(piece);
        while (step == progress::ready) {
            const auto request = reader.take();
            check_request(*request);
            told += request->head_text + '|' + request->body + '\n';
            step = reader.feed({});
        }
        if (step == progress::refused) {
            return told + std::to_string(reader.why().status);
        }
    }
    return told;
}

void check_response(std::string_view bytes) {
    const auto length = upstream::head_length(bytes, 0);
    if (!length) {
        return;
    }
    for (const bool to_head : {false, true}) {
        upstream::response_head head;
        const auto fault = upstream::read_response_head(bytes.substr(0, *length), to_head, head);
        if (!fault.empty()) {
            continue;
        }
        check_fields(head.fields);
        FUZZ_EXPECT(head.status >= 100 && head.status <= 999);
        FUZZ_EXPECT(!to_head || head.framing == upstream::framing::none);
        FUZZ_EXPECT(!head.reusable || head.framing != upstream::framing::until_close);
    }
}

template <class Decoder, class Done>
std::string decode(Decoder& decoder, Done done, std::string_view bytes, unsigned seed) {
    std::string data;
    for (std::string_view piece : pieces(bytes, seed)) {
        while (const auto part = decoder.next(piece)) {
            data.append(*part);
        }
        if (decoder.failed()) {
            return data + "|failed";
        }
        if (done(decoder)) {
            return data + "|done";
        }
    }
    return data;
}

std::string decode_chunks(std::string_view bytes, unsigned seed) {
    upstream::chunk_decoder decoder;
    return decode(
        decoder, [](const auto& d) { return d.done(); }, bytes, seed);
}

std::string decode_content(std::string_view bytes, unsigned seed, const char* coding) {
    const auto decoder = upstream::content_decoder::make(coding);
    std::string got = decode(
        *decoder, [](const auto&) { return false; }, bytes, seed);
    FUZZ_EXPECT(got.size() <= std::max<std::size_t>(limits::decoded_ratio_floor,
                                                    bytes.size() * limits::decoded_ratio_max) +
                                  limits::decoded_piece);
    // How much came before a fault depends on the split; that there was one does not.
    return decoder->failed() ? "failed" : got + (decoder->complete() ? "|complete" : "");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view bytes = tests::as_text(data + 2, size - 2);
    const unsigned seed = data[1];
    switch (data[0] % 5) {
    case 0:
        FUZZ_EXPECT(read_requests(bytes, seed) == read_requests(bytes, 0));
        break;
    case 1:
        check_response(bytes);
        break;
    case 2:
        FUZZ_EXPECT(decode_chunks(bytes, seed) == decode_chunks(bytes, 0));
        break;
    case 3:
        FUZZ_EXPECT(decode_content(bytes, seed, "gzip") == decode_content(bytes, 0, "gzip"));
        break;
    default:
        FUZZ_EXPECT(decode_content(bytes, seed, "deflate") == decode_content(bytes, 0, "deflate"));
    }
    return 0;
}
