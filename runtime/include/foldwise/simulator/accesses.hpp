// foldwise/simulator/accesses.hpp: enables the tracking of memory accesses in programs that support it.
//
// These programs are compiled by GCC with -fsanitize=thread, where ThreadSanitizer is a shared library
// (runtime/src/simulator/accesses.cpp).
#pragma once

#include <foldwise/simulator/types.hpp>

#include <cstddef>

#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FOLDWISE_WATCHES_ACCESSES
#endif

namespace foldwise::simulation {

/// From the next launch on, reports reads of shared memory that has not been written. Calling it links the tracking.
void watch_accesses();

// Atomic operations report their accesses themselves, because the compiler's calls for them do not include the
// location.
void watch_read(const void* at, std::size_t bytes, const place& where);
void watch_write(const void* at, std::size_t bytes);

}  // namespace foldwise::simulation

#ifdef FOLDWISE_WATCHES_ACCESSES
#include <cstring>

// ThreadSanitizer learns too little about the accesses of these functions, so they are replaced by others that report
// them.
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
