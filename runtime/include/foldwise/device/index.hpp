// foldwise/device/index.hpp: converts positions to indices.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Returns the index at a position in row-major order. Extents are outermost first; the first one is not used.
template <int N>
__device__ inline index<N> index_of(std::int64_t position, const detail::divider<std::uint64_t> (&extents)[N]) {
    auto rest = static_cast<std::uint64_t>(position);
    index<N> result;
    FOLDWISE_UNROLLED
    for (int axis = N - 1; axis > 0; --axis) result[axis] = static_cast<std::int64_t>(extents[axis].split(rest));
    result[0] = static_cast<std::int64_t>(rest);
    return result;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
