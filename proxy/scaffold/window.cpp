#include "proxy/scaffold/window.hpp"

namespace proxy::scaffold {

void window::push(std::string_view text) {
    if (view_.empty()) {
        view_ = text;
        owned_ = false;
        return;
    }
    const auto used = static_cast<std::size_t>(view_.data() - own_.data());
    if (used > own_.size() / 2) {
        own_.erase(0, used);
        own_.append(text);
        view_ = own_;
        return;
    }
    own_.append(text);
    view_ = std::string_view(own_).substr(used);
}

void window::settle() {
    if (owned_ || view_.empty()) {
        return;
    }
    own_.assign(view_);
    view_ = own_;
    owned_ = true;
}

} // namespace proxy::scaffold
