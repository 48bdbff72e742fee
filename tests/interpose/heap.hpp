// tests/interpose/heap.hpp: how often a program that links heap.cpp has asked for heap memory, on any thread.
//
// Its own code counts, statically linked libraries and what it uses of the standard library included. What shared
// libraries such as a GPU's driver or OpenMP's need for themselves does not.
#pragma once

#include <cstdint>

namespace interpose {

/// Calls of operator new, malloc, calloc, realloc, aligned_alloc and posix_memalign.
std::uint64_t heap_allocations();

}  // namespace interpose
