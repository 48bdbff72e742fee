// runtime/src/simulator/accesses.cpp: finds reads of shared memory that has not been written.
//
// Code compiled with -fsanitize=thread calls ThreadSanitizer at each memory access. If ThreadSanitizer is a shared
// library, as GCC's is, the program's own functions of the same names take precedence: the functions below record the
// access and forward the call with the caller's address. Clang links ThreadSanitizer into the program, which must not
// contain this file (foldwise/simulator/accesses.hpp).
#include <foldwise/simulator/accesses.hpp>

#include "describe.hpp"
#include "multiprocessor.hpp"
#include "sanitizers.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace foldwise::simulation {

namespace {

void wrote(const void* at, std::size_t bytes) {
    if (multiprocessor* const running = multiprocessor::current()) running->written().write(at, bytes);
}

/// Returns the multiprocessor if memory is read that has not been written, otherwise null. Marks the memory as written,
/// so that it is reported only once.
multiprocessor* where_unwritten(const void* at, std::size_t bytes) {
    multiprocessor* const running = multiprocessor::current();
    if (!running || running->written().is_written(at, bytes)) return nullptr;
    running->written().write(at, bytes);
    return running;
}

void report(multiprocessor& running, std::size_t bytes, const std::string& where) {
    running.report("read of shared memory that nothing wrote: " + std::to_string(bytes) + " bytes by " +
                   running.running() + " at " + where +
                   (running.kernel() ? std::string(", in ") + running.kernel() : ""));
}

void reads(const void* at, std::size_t bytes, void* pc) {
    if (multiprocessor* const running = where_unwritten(at, bytes)) {
        std::array<char, 512> where{};
        __sanitizer_symbolize_pc(pc, running->kernel() ? "%S" : "%S, in %f", where.data(), where.size());
        report(*running, bytes, where.data());
    }
}

}  // namespace

void watch_read(const void* at, std::size_t bytes, const place& where) {
    if (multiprocessor* const running = where_unwritten(at, bytes)) report(*running, bytes, describe(where));
}
void watch_write(const void* at, std::size_t bytes) { wrote(at, bytes); }

void watch_accesses() { multiprocessor::watch_accesses(); }

}  // namespace foldwise::simulation

using foldwise::simulation::reads;
using foldwise::simulation::wrote;

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compilers'.
extern "C" {

#define FOLDWISE_ACCESSES(bytes)                                                                                       \
    void __tsan_read##bytes##_pc(void* at, void* pc);                                                                  \
    void __tsan_write##bytes##_pc(void* at, void* pc);                                                                 \
    void __tsan_read##bytes(void* at) {                                                                                \
        reads(at, bytes, __builtin_return_address(0));                                                                 \
        __tsan_read##bytes##_pc(at, __builtin_return_address(0));                                                      \
    }                                                                                                                  \
    void __tsan_write##bytes(void* at) {                                                                               \
        wrote(at, bytes);                                                                                              \
        __tsan_write##bytes##_pc(at, __builtin_return_address(0));                                                     \
    }
FOLDWISE_ACCESSES(1)
FOLDWISE_ACCESSES(2)
FOLDWISE_ACCESSES(4)
FOLDWISE_ACCESSES(8)
FOLDWISE_ACCESSES(16)
#undef FOLDWISE_ACCESSES

void __tsan_read_range_pc(void* at, std::size_t bytes, void* pc);
void __tsan_write_range_pc(void* at, std::size_t bytes, void* pc);
void __tsan_read_range(void* at, std::size_t bytes) {
    reads(at, bytes, __builtin_return_address(0));
    __tsan_read_range_pc(at, bytes, __builtin_return_address(0));
}
void __tsan_write_range(void* at, std::size_t bytes) {
    wrote(at, bytes);
    __tsan_write_range_pc(at, bytes, __builtin_return_address(0));
}

// Kernels call these instead of memcpy, memmove and memset: the compiler reports no copies of constant size, and
// ThreadSanitizer's own versions ignore calls on fibers. The source of a copy need not have been written, because
// structs may have padding that is never written.
void* foldwise_memcpy(void* to, const void* from, std::size_t bytes) {
    wrote(to, bytes);
    __tsan_read_range_pc(const_cast<void*>(from), bytes, __builtin_return_address(0));
    __tsan_write_range_pc(to, bytes, __builtin_return_address(0));
    return std::memcpy(to, from, bytes);
}
void* foldwise_memmove(void* to, const void* from, std::size_t bytes) {
    wrote(to, bytes);
    __tsan_read_range_pc(const_cast<void*>(from), bytes, __builtin_return_address(0));
    __tsan_write_range_pc(to, bytes, __builtin_return_address(0));
    return std::memmove(to, from, bytes);
}
void* foldwise_memset(void* to, int byte, std::size_t bytes) {
    wrote(to, bytes);
    __tsan_write_range_pc(to, bytes, __builtin_return_address(0));
    return std::memset(to, byte, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier)
