// One client connection of the scripted model: reads requests, plays the answers.
#pragma once

#include "proxy/demo/gzip_writer.hpp"
#include "proxy/demo/model_query.hpp"
#include "proxy/demo/peer.hpp"
#include "proxy/demo/playlist.hpp"
#include "proxy/demo/request_log.hpp"
#include "proxy/demo/script.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace proxy::demo {

/// What all connections share; outlives them and does not change but for the log.
struct stage {
    std::vector<script> scripts; ///< as /v1/models lists them
    std::map<std::string, const script*, std::less<>> by_name;
    std::chrono::microseconds pace{0};
    request_log log;
};

class connection {
public:
    using request_message = boost::beast::http::request<boost::beast::http::string_body>;

    connection(tcp_socket socket, stage& shared);

    /// Serves requests until either side closes.
    static boost::asio::awaitable<void> serve(std::unique_ptr<connection> self);

private:
    /// The request that is being answered.
    struct exchange {
        std::uint64_t number = 0; ///< in the log; 0 for requests that are not logged
        unsigned status = 0;
        std::size_t writes = 0;
        bool keep_alive = true;
        bool http_10 = false;
        bool gzip = false;
    };

    /// How the writes of a body go out.
    struct pacing {
        std::chrono::microseconds pace{0};
        std::size_t per_write = 1;
        bool chunked = false;
        gzip_writer* coder = nullptr; ///< null: not compressed
    };

    boost::asio::awaitable<bool> read(request_message& request);
    boost::asio::awaitable<void> respond(const request_message& request);
    boost::asio::awaitable<void> respond_as_model(const request_message& request);
    boost::asio::awaitable<void> respond_synthetic(const model_query& query, bool streamed,
                                                   bool with_usage);
    boost::asio::awaitable<void> respond_to_log_query(const request_message& request);
    boost::asio::awaitable<void> stream(const answer& told, const playlist& list,
                                        const model_query& query);
    boost::asio::awaitable<void> send_writes(const playlist& list, const pacing& how);
    boost::asio::awaitable<void> send_end(const answer& told, framing how, std::string_view tail);
    framing framing_for(framing wanted) const;
    boost::asio::awaitable<void> send_whole(const answer& told);
    void begin_log(const request_message& request, std::string model, bool correction);

    std::shared_ptr<peer> peer_;
    stage& stage_;
    boost::beast::flat_buffer buffer_;
    exchange now_;
};

} // namespace proxy::demo
