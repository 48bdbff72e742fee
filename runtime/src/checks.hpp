// runtime/src/checks.hpp: what a kernel of a checked build found, as an error.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/error.hpp>

#include <string>

namespace foldwise::detail {

/// "a.kernels.cpp:43: index 10 is out of bounds for axis 0 with size 10, in demo::f, task (10), block (0, 0, 0), thread
/// (10, 0, 0)", as far as it is known.
std::string describe(const char* kernel, const report& found);

/// What a call throws instead of std::bad_alloc: the heap has nothing left for its own bookkeeping.
[[noreturn]] inline void refuse_bookkeeping(const char* context) {
    throw out_of_memory(std::string(context) + ": the host has no memory left for the call itself");
}

}  // namespace foldwise::detail
