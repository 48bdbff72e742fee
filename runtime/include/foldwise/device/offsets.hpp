// foldwise/device/offsets.hpp: the offsets of segments, as kernels read them.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/device/launch.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Offsets of 4 or 8 bytes, of which 8 bytes that are not signed are read as if they were.
struct segment_offsets {
    const void* data;
    std::int64_t count;
    std::uint8_t size;
    bool is_signed;

    __device__ std::int64_t operator[](std::int64_t i) const {
        if (size != 4) return static_cast<const std::int64_t*>(data)[i];
        const std::int32_t word = static_cast<const std::int32_t*>(data)[i];
        return is_signed ? word : static_cast<std::int64_t>(static_cast<std::uint32_t>(word));
    }
};

/// Reports offsets that fall or leave a row of `length` elements, in checked builds. All threads of the launch share
/// the work.
__device__ inline void check_offsets(const segment_offsets& offsets, std::int64_t length) {
#ifdef FOLDWISE_LOOKS
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < offsets.count; i += threads) {
        const std::int64_t offset = offsets[i], before = i == 0 ? 0 : offsets[i - 1];
        if (offset < before) detail::stop(detail::finding::of_offset(i, offset, before));
        if (offset > length) detail::stop(detail::finding::of_offset(i, offset, length));
    }
    __syncthreads();  // so that all threads of the block see that one of them has stopped
#else
    static_cast<void>(offsets);
    static_cast<void>(length);
#endif
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
