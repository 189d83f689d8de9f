#include "tests/support/allocations.hpp"

#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::size_t made = 0;
std::int64_t live = 0;

void* allocate(std::size_t bytes) {
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory != nullptr) {
        ++made;
        live += static_cast<std::int64_t>(malloc_usable_size(memory));
    }
    return memory;
}

void release(void* memory) {
    if (memory != nullptr) {
        live -= static_cast<std::int64_t>(malloc_usable_size(memory));
        std::free(memory);
    }
}

} // namespace

void* operator new(std::size_t bytes) {
    if (void* memory = allocate(bytes)) {
        return memory;
    }
    throw std::bad_alloc();
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}

void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}

void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
    return allocate(bytes);
}

void operator delete(void* memory) noexcept {
    release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
    release(memory);
}

void operator delete[](void* memory) noexcept {
    release(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
    release(memory);
}

void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    release(memory);
}

namespace tests {

allocation_count::allocation_count() : made_(::made), live_(::live) {}

std::size_t allocation_count::made() const {
    return ::made - made_;
}

std::int64_t allocation_count::live_bytes() const {
    return ::live - live_;
}

} // namespace tests
