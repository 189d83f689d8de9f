// What the admin listener says: from the bytes of one request to the whole answer, no sockets. It
// tells about the process and changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace proxy::front {

/// Whether clients can be served.
enum class service_state { starting, ready, draining };

/// Where the answers come from. Both are called on the admin listener's thread.
struct admin_source {
    std::function<service_state()> state;
    std::function<std::string()> metrics; ///< Prometheus' text format
};

/// One request: GET or HEAD for /livez, /readyz, /metrics or /version. A connection carries one.
class admin_dialog {
  public:
    /// `from` must outlive the dialog.
    explicit admin_dialog(const admin_source& from) : from_(from) {}

    /// Takes the next bytes. The whole answer as soon as they call for one, which ends the dialog:
    /// the connection closes behind it. The head passes the same check as a client's; a body is
    /// not read.
    std::optional<std::string> feed(std::string_view bytes);

  private:
    const admin_source& from_;
    std::string head_;         // so far
    std::size_t searched_ = 0; // bytes of head_ without its end
};

} // namespace proxy::front
