// Every fixed bound of the program in one file. What an operator may change has its default here
// and its key in config/settings.hpp; everything else is a property of the design.
#pragma once

#include <cstddef>
#include <cstdint>

namespace proxy::limits {

/// Readable bytes behind every JSON text that simdjson is given (SIMDJSON_PADDING).
inline constexpr std::size_t json_padding = 64;

/// Nesting of JSON that our own scanner follows; deeper input counts as "no JSON".
inline constexpr std::size_t json_depth_max = 512;

/// One SSE event, from its first byte to its blank line. Default of `limits.event`.
inline constexpr std::size_t event_bytes_max = std::size_t{32} << 20;

/// Choices of one turn that get a filter of their own (CVE-2026-34756: `n` of a million).
inline constexpr std::size_t choices_max = 128;

/// A candidate may hold this much valid payload; past it the span is committed and dropped as it
/// comes, without a length bound.
inline constexpr std::size_t candidate_bytes_max = std::size_t{64} << 10;

/// A candidate whose payload has not begun within this many bytes behind its opener is released.
inline constexpr std::size_t candidate_start_max = 256;

/// Longest name of a tool, tag, key or header word that counts as evidence.
inline constexpr std::size_t name_bytes_max = 128;

/// Different tool names of one request that count as evidence.
inline constexpr std::size_t tool_names_max = 4096;

/// White space, and one tag, that a payload scanner may look at behind a part that could be its
/// last.
inline constexpr std::size_t payload_gap_max = 256;
inline constexpr std::size_t tag_bytes_max = 256;
inline constexpr std::size_t payload_tail_max = 2 * payload_gap_max + tag_bytes_max;

/// Nesting of JSON and of call arguments that a payload scanner follows (one bit a level).
inline constexpr unsigned payload_depth_max = 64;

/// Longest literal marker in the formats catalog.
inline constexpr std::size_t marker_bytes_max = 64;

/// Formats in one catalog.
inline constexpr std::size_t formats_max = 256;

/// Braces too many behind a JSON call, bytes behind the opening of a fence, and namespaces in
/// front of a tag's name (`<a:b:tag>`).
inline constexpr unsigned surplus_braces_max = 4;
inline constexpr unsigned fence_info_bytes_max = 32;
inline constexpr unsigned tag_namespaces_max = 3;

/// Work on text seen again after a refuted candidate, as a multiple of the text fed.
inline constexpr std::size_t rescan_factor = 4;

/// Characters of a stripped span shown in the log, and spans shown for each turn.
inline constexpr std::size_t span_excerpt_chars = 200;
inline constexpr std::size_t spans_logged_max = 8;

/// Lines that wait for a slow log (past it, new ones are dropped and counted), and what is logged
/// of a value that a client or an upstream chose.
inline constexpr std::size_t log_queue_lines_max = 2'048;
inline constexpr std::size_t logged_value_bytes_max = 128;

/// What is passed on of an upstream's error message.
inline constexpr std::size_t error_message_bytes_max = 300;

/// Different codes of errors that are counted apart.
inline constexpr std::size_t error_codes_counted_max = 64;

/// Places of one choice's text where something was stripped, for positions that point into it.
inline constexpr std::size_t cut_places_max = 1024;

/// Leading white space held until the first visible byte; past it, it is released.
inline constexpr std::size_t leading_space_bytes_max = std::size_t{64} << 10;

/// Bytes read from a socket at once; one such buffer per thread.
inline constexpr std::size_t read_bytes = std::size_t{64} << 10;

/// Bytes that a kept chunk shape may grow by in place: ids and times gain a digit now and then.
inline constexpr std::size_t shape_spare_bytes = 8;

/// Output of one stream that may wait for a slow client before the upstream is paused, and where
/// reading goes on again.
inline constexpr std::size_t write_queue_high = std::size_t{64} << 10;
inline constexpr std::size_t write_queue_low = std::size_t{32} << 10;

/// Events held whole for a candidate, as bytes of one choice; past it only their text is held.
inline constexpr std::size_t held_events_bytes_max = std::size_t{96} << 10;

/// HTTP heads: bytes, header lines, request target. Defaults of `limits.*`.
inline constexpr std::size_t head_bytes_max = std::size_t{64} << 10;
inline constexpr std::size_t header_lines_max = 256;
inline constexpr std::size_t response_header_lines_max = 1000;
inline constexpr std::size_t target_bytes_max = std::size_t{16} << 10;

/// A method's name, a host's name, and the two parts of an authority.
inline constexpr std::size_t method_bytes_max = 32;
inline constexpr std::size_t host_bytes_max = 253; // RFC 1035, without the final dot
inline constexpr std::size_t authority_bytes_max = host_bytes_max + 7; // with brackets or a port

/// All bodies kept at a time. Default of `limits.memory`.
inline constexpr std::size_t kept_bodies_bytes_max = std::size_t{1} << 30;

/// Bodies kept whole. Defaults of `limits.body` and `limits.response`.
inline constexpr std::size_t body_bytes_max = std::size_t{64} << 20;
inline constexpr std::size_t response_bytes_max = std::size_t{64} << 20;

/// A compressed answer: bytes it may become, how many times its own size (beyond a floor, as a few
/// bytes of zeros are no attack), and plain bytes given at once.
inline constexpr std::size_t decoded_bytes_max = std::size_t{64} << 20;
inline constexpr std::uint64_t decoded_ratio_max = 200;
inline constexpr std::uint64_t decoded_ratio_floor = std::uint64_t{1} << 20;
inline constexpr std::size_t decoded_piece = std::size_t{16} << 10;

/// Extensions and trailers of a chunked message, beside its data.
inline constexpr std::size_t chunk_overhead_max = std::size_t{16} << 10;

/// What Max-Forwards of a request may say; a greater number counts as this one.
inline constexpr std::uint32_t forwards_max = 1'000'000;

/// 1xx answers in front of the final one.
inline constexpr unsigned interim_answers_max = 16;

/// Addresses of an upstream's name are asked for again after this time.
inline constexpr unsigned address_seconds = 30;

/// Idle connections to one upstream kept by one thread.
inline constexpr std::size_t pool_idle_max = 256;

/// An upstream connection whose stream has said [DONE] may take this long to end its body; past it,
/// it is closed and not reused.
inline constexpr unsigned tail_wait_ms = 1'000;

/// A configuration file: its size, its depth, its upstreams, its names, and what a message shows of
/// a value.
inline constexpr std::size_t config_bytes_max = std::size_t{1} << 20;
inline constexpr unsigned config_depth_max = 16;
inline constexpr std::size_t upstreams_max = 64;
inline constexpr std::size_t config_name_bytes_max = 64;
inline constexpr std::size_t config_shown_bytes_max = 80;

/// Keys that let clients in, networks that are trusted, the lengths of keys and those of a path in
/// the configuration.
inline constexpr std::size_t client_keys_max = 1000;
inline constexpr std::size_t trusted_networks_max = 256;
inline constexpr std::size_t client_key_bytes_min = 16;
inline constexpr std::size_t key_bytes_max = 4096;
inline constexpr std::size_t path_bytes_max = 4096;

/// The path of a unix socket (sun_path, with its final NUL).
inline constexpr std::size_t socket_path_bytes_max = 107;

/// Plain bytes of one TLS record (RFC 8446 5.1).
inline constexpr std::size_t tls_record_bytes = std::size_t{16} << 10;

/// Pieces of one gather write; what is beyond is copied.
inline constexpr std::size_t gather_pieces_max = 64;

/// What a refused client may still send before its connection is closed under it: enough for those
/// that write a whole body before they read the 413.
inline constexpr std::size_t linger_bytes_max = std::size_t{8} << 20;
inline constexpr unsigned linger_wait_ms = 1'000;

/// While the server drains, a connection without a request is closed after this time: a request
/// that was sent before its client could know is still answered.
inline constexpr unsigned drain_idle_ms = 1'000;

/// A request body may take `timeouts.client_body` and a second more for each of so many bytes: a
/// total that no dripping extends.
inline constexpr std::size_t body_bytes_per_second_min = std::size_t{64} << 10;

/// The body of a refused correction that is read for its message.
inline constexpr std::size_t refusal_body_max = std::size_t{64} << 10;

/// All deadlines are looked at this often.
inline constexpr unsigned sweep_ms = 100;

/// Connections taken at one wake-up, so that accepting never starves the streams.
inline constexpr int accepts_at_once = 16;

/// Connections that are taken from the queue when the server drains; longer than any queue.
inline constexpr std::size_t accept_queue_max = std::size_t{64} << 10;

/// Ticks of silence behind which a socket is looked at once for a reset that came with its last
/// bytes, of which nothing else tells: an upstream's, whose events may come slowly, and a client's,
/// which has nothing to say while it is answered.
inline constexpr unsigned char upstream_silent_ticks = 3;
inline constexpr unsigned char client_silent_ticks = 0;

/// Time between two looks that counts: beyond it the program itself stood still (it was stopped, or
/// got no processor), and nobody's time limit may pay for that.
inline constexpr unsigned clock_step_ms = 400;

/// Descriptors that are no stream's: of the process (with the admin listener's connections), and of
/// each thread.
inline constexpr std::size_t own_descriptors = 64;
inline constexpr std::size_t thread_descriptors = 8;

/// Accepting pauses this long when descriptors or memory ran out.
inline constexpr unsigned accept_pause_ms = 100;

/// The admin listener: heads, connections at a time, and how long one may last.
inline constexpr std::size_t admin_head_bytes_max = std::size_t{8} << 10;
inline constexpr std::size_t admin_header_lines_max = 64;
inline constexpr std::size_t admin_target_bytes_max = 1024;
inline constexpr std::size_t admin_connections_max = 32;
inline constexpr unsigned admin_connection_ms = 5'000;

/// The verdict on an empty turn falls this long after the last finish at the latest.
inline constexpr unsigned verdict_wait_seconds = 5;

static_assert(marker_bytes_max < candidate_start_max);
static_assert(candidate_start_max < candidate_bytes_max);
static_assert(write_queue_low < write_queue_high);
static_assert(head_bytes_max <= read_bytes);
static_assert(sweep_ms * 2 <= clock_step_ms);

} // namespace proxy::limits
