// Gives back what a string or vector has allocated. clear() does not, and neither does assigning an
// empty one (`text = std::string()`, `list = {}`): both keep the buffer.
#pragma once

namespace proxy::base {

/// `container` is empty behind this and owns no memory.
template <class Container>
void free_memory(Container& container) {
    Container().swap(container);
}

} // namespace proxy::base
