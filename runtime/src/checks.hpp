// runtime/src/checks.hpp: error messages for what kernels of checked builds find.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/error.hpp>

#include <string>

namespace foldwise::detail {

/// Formats a report, as far as it is known: "a.kernels.cpp:43: index 10 is out of bounds for axis 0 with size 10, in
/// demo::f, task (10), block (0, 0, 0), thread (10, 0, 0)".
std::string describe(const char* kernel, const report& found);

/// Says what is wrong with an offset of segments: that it is less than `bound`, the one before it or 0, or greater than
/// `bound`, the length of a row.
std::string wrong_offset(std::int64_t number, std::int64_t offset, std::int64_t bound);

/// Says that a segment of a reduction without an identity has no elements.
std::string empty_segment(std::int64_t number);

/// Throws what a kernel of a checked build has found: shape_error for the offsets of segments, empty_error for a
/// segment without elements, bounds_error for an element out of bounds, and otherwise device_error.
[[noreturn]] void refuse(const char* kernel, const report& found);

/// Throws the out_of_memory that a call throws instead of std::bad_alloc when its own bookkeeping finds no memory.
[[noreturn]] inline void refuse_bookkeeping(const char* context) {
    throw out_of_memory(std::string(context) + ": the host has no memory left for the call itself");
}

}  // namespace foldwise::detail
