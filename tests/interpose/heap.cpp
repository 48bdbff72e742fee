// tests/interpose/heap.cpp: functions of these names in the program take the place of the C library's, for everything
// that is linked or loaded. They count and hand on to glibc's own, or fail if they are told to.
#include "heap.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
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
std::atomic<std::int64_t> blocks{0};

// Of the failures that are asked for.
std::atomic<bool> is_failing{false};
std::atomic<std::uint64_t> numbered{0};
interpose::heap_failures wanted;

bool is_own(const void* caller) { return caller >= &__executable_start && caller < &etext; }

/// Counts an allocation of the program's; whether it fails.
bool fails(bool is_of_malloc) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (!is_failing.load(std::memory_order_acquire)) return false;
    if ((is_of_malloc && !wanted.of_malloc) || (wanted.is_exempt && wanted.is_exempt())) return false;
    const std::uint64_t number = numbered.fetch_add(1);
    return number >= wanted.first && number - wanted.first < wanted.count;
}

bool malloc_fails(const void* caller) { return is_own(caller) && fails(true); }

}  // namespace

std::uint64_t interpose::heap_allocations() { return allocations.load(); }
std::int64_t interpose::heap_blocks() { return blocks.load(); }

interpose::failing_heap::failing_heap(const heap_failures& which) {
    wanted = which;
    numbered = 0;
    is_failing.store(true, std::memory_order_release);
}

std::uint64_t interpose::failing_heap::stop() {
    is_failing = false;
    return numbered;
}

extern "C" {

void* malloc(std::size_t bytes) {
    if (malloc_fails(__builtin_return_address(0))) return nullptr;
    return __libc_malloc(bytes);
}

void* calloc(std::size_t number, std::size_t bytes) {
    if (malloc_fails(__builtin_return_address(0))) return nullptr;
    return __libc_calloc(number, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
    if (malloc_fails(__builtin_return_address(0))) return nullptr;
    return __libc_realloc(memory, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    if (malloc_fails(__builtin_return_address(0))) return nullptr;
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    void* const data = malloc_fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
    if (!data) return ENOMEM;
    *memory = data;
    return 0;
}
}

// So that what the standard library allocates for the program counts as the program's. Its forms for arrays, and those
// that throw nothing, call these.

static void* made(void* memory) {
    if (!memory) throw std::bad_alloc();
    blocks.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

static void taken_back(void* memory) {
    if (memory) blocks.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
}

void* operator new(std::size_t bytes) { return made(fails(false) ? nullptr : __libc_malloc(bytes ? bytes : 1)); }

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return made(fails(false) ? nullptr : __libc_memalign(static_cast<std::size_t>(alignment), bytes ? bytes : 1));
}

void operator delete(void* memory) noexcept { taken_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { taken_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { taken_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { taken_back(memory); }
