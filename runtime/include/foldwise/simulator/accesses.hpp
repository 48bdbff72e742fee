// foldwise/simulator/accesses.hpp: in programs whose accesses to memory can be watched, has them watched.
//
// That is: in GCC's with -fsanitize=thread, where ThreadSanitizer is a shared library
// (runtime/src/simulator/accesses.cpp).
#pragma once

#include <foldwise/simulator/types.hpp>

#include <cstddef>

#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FOLDWISE_WATCHES_ACCESSES
#endif

namespace foldwise::simulation {

/// From the next launch on, reads of shared memory that nothing wrote are reported. Links what does that.
void watch_accesses();

// Atomic operations say themselves what they do, because the compiler's calls for them say nothing of where they are.
void watch_read(const void* at, std::size_t bytes, const place& where);
void watch_write(const void* at, std::size_t bytes);

}  // namespace foldwise::simulation

#ifdef FOLDWISE_WATCHES_ACCESSES
#include <cstring>

// Of what these touch ThreadSanitizer learns too little. Here they are other functions, which tell it.
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
