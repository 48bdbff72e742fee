// runtime/src/parts.hpp: large strided calls in parts.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>
#include <functional>

namespace foldwise::detail {

/// Strided kernels count elements in 32 bits, which halves the cost of their divisions. What has more than
/// largest_part is launched in halves of the outermost axis, and of the next one where that has one element left: each
/// part's elements are consecutive in the row-major order of the call's axes.
void split_call(const kernel_operands& kernel, const element_range& call, const std::int64_t* positions,
                const std::function<void(const element_range&)>& launch);

/// Calls launch(part) for each part of the call; for the call itself if it is contiguous or small enough. `positions`:
/// how far an element's position in the user's call moves along each axis; null if it moves by one from each element to
/// the next.
template <class Launch>
void each_part(const kernel_operands& kernel, const element_range& call, const std::int64_t* positions,
               const Launch& launch) {
    if (!call.layout || call.count <= largest_part) return launch(call);
    split_call(kernel, call, positions, launch);
}

template <class Launch> void each_part(const kernel_operands& kernel, const element_range& call, const Launch& launch) {
    each_part(kernel, call, nullptr, launch);
}

}  // namespace foldwise::detail
