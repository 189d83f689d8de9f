// All that one thread owns: its loop, its connections to clients and upstreams, and the scratch
// that its handlers share. Nothing in here is touched by another thread.
#pragma once

#include "proxy/config/settings.hpp"
#include "proxy/front/body_memory.hpp"
#include "proxy/front/client_keys.hpp"
#include "proxy/front/request_reader.hpp"
#include "proxy/front/server.hpp"
#include "proxy/front/tls_contexts.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/turn/budget.hpp"
#include "proxy/turn/output.hpp"
#include "proxy/turn/sanitizer.hpp"
#include "proxy/upstream/endpoint.hpp"
#include "proxy/upstream/io_loop.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace proxy::front {

class exchange;
class session;

/// The budget of corrections over all threads. Asked and told once a turn, never for an event.
class shared_budget final : public turn::correction_gate {
  public:
    explicit shared_budget(double ratio) : budget_(ratio) {}

    bool allows() const override {
        const std::lock_guard lock(mutex_);
        return budget_.allows();
    }

    void note(bool failed) {
        const std::lock_guard lock(mutex_);
        budget_.note(failed);
    }

  private:
    mutable std::mutex mutex_;
    turn::correction_budget budget_;
};

/// What the threads share; read-only but for the counter and the budget.
struct shared_state {
    config::settings settings;
    const scaffold::catalog& formats;
    turn_sink sink;
    std::atomic<std::size_t> streams{0}; ///< exchanges in progress, over all threads
    shared_budget budget{settings.recovery.budget_ratio};
    client_keys keys{settings.clients.keys};
    body_memory memory{settings.limits.memory};
    request_rules rules{
        {settings.limits.head, settings.limits.header_lines, settings.limits.target},
        settings.limits.body,
        keys,
        memory};
    tls_contexts tls = tls_contexts::make(settings);
};

using session_list = std::list<std::unique_ptr<session>>;

class worker {
  public:
    explicit worker(shared_state& shared);
    ~worker();

    const config::settings& settings() const { return shared_.settings; }

    shared_state& shared() { return shared_; }

    upstream::io_loop& loop() { return loop_; }

    std::vector<std::unique_ptr<upstream::endpoint>>& endpoints() { return endpoints_; }

    turn::workspace& workspace() { return *workspace_; }

    /// The pieces of the write that is being put together; empty between handlers.
    turn::output& scratch() { return scratch_; }

    /// 32 hex digits that no other exchange has.
    std::string new_request_id();

    /// False when `limits.streams` exchanges are in progress; else one is counted until
    /// release_stream().
    bool take_stream();
    void release_stream();

    /// Takes over a client's connection.
    void accept(int fd);

    /// A client's TLS handshake failed; told in the log at most once a second.
    void note_tls_failure(const std::string& reason);

    /// Both are destroyed once no handler runs: the caller may still be inside of them.
    void bury(session& done);
    void bury(std::unique_ptr<exchange> done);

    /// No new exchange on a connection that is idle now or later.
    void drain();

    bool draining() const { return draining_; }

    /// Ends every exchange now, loudly where the client can still be told.
    void end_all();

  private:
    void sweep();
    void tell_tls_failures();
    void clear_buried();
    void schedule_clearing();
    void stop_if_drained();

    shared_state& shared_;
    upstream::io_loop loop_; // outlives every socket below
    std::vector<std::unique_ptr<upstream::endpoint>> endpoints_;
    turn::workspace_ptr workspace_;
    turn::output scratch_;
    std::mt19937_64 random_;
    session_list sessions_;
    session_list buried_sessions_;
    std::vector<std::unique_ptr<exchange>> buried_exchanges_;
    bool clearing_ = false;
    bool draining_ = false;
    std::int64_t drain_deadline_ms_ = 0;
    std::string tls_reason_; // of the last failure that was not told
    std::size_t tls_failures_ = 0;
    std::int64_t tls_told_ms_ = 0;
};

} // namespace proxy::front
