// tests/interpose/heap.cpp: functions of these names in the program take the place of the C library's, for everything
// that is linked or loaded. They count and hand on to glibc's own.
#include "heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <new>

extern "C" {
// The linker's names for where the program's own code begins and ends.
extern const char __executable_start;
extern const char etext;

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

std::atomic<std::uint64_t> allocations{0};

void count(const void* caller) {
    if (caller >= &__executable_start && caller < &etext) allocations.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t interpose::heap_allocations() { return allocations.load(); }

extern "C" {

void* malloc(std::size_t bytes) {
    count(__builtin_return_address(0));
    return __libc_malloc(bytes);
}

void* calloc(std::size_t number, std::size_t bytes) {
    count(__builtin_return_address(0));
    return __libc_calloc(number, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
    count(__builtin_return_address(0));
    return __libc_realloc(memory, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    count(__builtin_return_address(0));
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    count(__builtin_return_address(0));
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
}

// So that what the standard library allocates for the program counts as the program's.
void* operator new(std::size_t bytes) {
    if (void* memory = malloc(bytes ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    if (void* memory = aligned_alloc(static_cast<std::size_t>(alignment), bytes ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
