// foldwise/simulator/accesses.hpp: in programs whose accesses to memory can be watched, has them watched.
//
// That is: in GCC's with -fsanitize=thread, where ThreadSanitizer is a shared library
// (runtime/src/simulator/accesses.cpp).
#pragma once

#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FOLDWISE_WATCHES_ACCESSES

#include <cstddef>
#include <cstring>

namespace foldwise::simulation {

/// From the next launch on, reads of shared memory that nothing wrote are reported.
void watch_accesses();

}  // namespace foldwise::simulation

// GCC expands these where their size is a constant, and tells ThreadSanitizer nothing of what they touch. Here they are
// calls, of functions that do.
extern "C" {
void* foldwise_memcpy(void* to, const void* from, std::size_t bytes);
void* foldwise_memmove(void* to, const void* from, std::size_t bytes);
void* foldwise_memset(void* to, int byte, std::size_t bytes);
}
namespace std {
using ::foldwise_memcpy;
using ::foldwise_memmove;
using ::foldwise_memset;
}  // namespace std
#define memcpy foldwise_memcpy
#define memmove foldwise_memmove
#define memset foldwise_memset

#endif
