// runtime/src/parts.hpp: splits large strided calls into parts.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>
#include <functional>

namespace foldwise::detail {

/// Splits a call with more than largest_part elements and passes the parts to `launch`. Strided kernels count elements
/// in 32 bits, which halves the cost of their divisions. The outermost axis is halved repeatedly, then the next one
/// once it has one element left, so that each part's elements are consecutive in the row-major order of the call's
/// axes.
void split_call(const kernel_operands& kernel, const element_range& call, const std::int64_t* positions,
                const std::function<void(const element_range&)>& launch);

/// Calls launch(part) for each part of the call, or once with the call itself if it is contiguous or small enough.
/// `positions` holds, for each axis, the step of an element's position in the user's call; null if it is one from each
/// element to the next.
template <class Launch>
void each_part(const kernel_operands& kernel, const element_range& call, const std::int64_t* positions,
               const Launch& launch) {
    if (!call.layout || call.count <= largest_part) return launch(call);
    split_call(kernel, call, positions, launch);
}

/// Calls launch(part) for each part of a call whose positions advance by one per element.
template <class Launch> void each_part(const kernel_operands& kernel, const element_range& call, const Launch& launch) {
    each_part(kernel, call, nullptr, launch);
}

}  // namespace foldwise::detail
