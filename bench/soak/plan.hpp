// What happens in one exchange: the request, what the model server does with each attempt, and how
// the client behaves. Made from a number, so that a run can be repeated.
#pragma once

#include "bench/soak/recording.hpp"
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench::soak {

enum class act {
    write,
    pause, ///< the connection is watched meanwhile
    close,
    reset,
    stall, ///< until the proxy closes
};

struct step {
    act what = act::write;
    std::string bytes;
    unsigned ms = 0;
};

/// One answer of the model server. The connection is kept behind its last step.
struct script {
    std::vector<step> steps;
    std::string plain;      ///< see attempt::plain
    bool untrusted = false; ///< see attempt
    bool opaque = false;
    bool early = false; ///< begins at the end of the request's head

    script& write(std::string bytes);
    script& pause(unsigned ms);
    script& then(act last);
};

enum class leaving { no, in_connect, in_head, in_body, in_prefill, behind_bytes, in_correction };
enum class way { close, reset, half_close };

struct behaviour {
    leaving when = leaving::no;
    way how = way::close;
    std::size_t behind_bytes = 0; ///< of the answer
    std::size_t read_bytes = 65'536;
    unsigned read_pause_ms = 0;
    unsigned deaf_ms = 0; ///< it does not read for so long, once
    bool drips = false;   ///< the request comes byte by byte, for as long as it may
    bool fresh = false;   ///< on a connection of its own
};

struct plan {
    std::string name;
    std::string nonce;
    soak::surface surface = surface::chat;
    std::string request; ///< all bytes
    std::array<script, 2> answers;
    behaviour client;
    bool identical = false;
    std::vector<std::string> leaked; ///< see recording
    std::int64_t end_limit_ns = 1'000'000'000;
    std::size_t pipelined = 0; ///< so many more of the same kind go in the same write
};

/// Limits that the proxy is started with, so that faults end within seconds.
inline constexpr unsigned upstream_limit_ms = 2'000; ///< first byte, and between two bytes
inline constexpr unsigned client_limit_ms = 2'000;   ///< head, body and write of a client
inline constexpr unsigned drain_limit_ms = 15'000;

/// A drain run has no faults: no limit but that of the drain may end a stream on a busy machine.
inline constexpr unsigned faultless_limit_ms = 20'000;

inline constexpr std::size_t event_limit = std::size_t{1} << 20;
inline constexpr std::size_t body_limit = std::size_t{1} << 20;

/// The end of a stalled answer: its limit, and one sweep.
inline constexpr std::int64_t stall_limit_ns = 4'000'000'000;

enum class load_kind {
    soak,  ///< ordinary exchanges, and a fault in every twentieth
    chaos, ///< a fault in every second
    drain, ///< ordinary exchanges only
};

/// Plan number `number` of a run.
plan make_plan(load_kind kind, std::uint64_t seed, std::uint64_t number);

/// Names of all plans; soak and chaos go through all of them.
std::vector<std::string> plan_names();

} // namespace bench::soak
