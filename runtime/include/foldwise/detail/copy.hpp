// foldwise/detail/copy.hpp: copies between host and GPU memory, independent of the element type.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Waits for the work queued on a stream if `where` is GPU memory; does nothing for host memory.
void wait_for(place where, CUstream_st* stream);

/// Copies contiguous bytes between any two places; complete on return. `stream` belongs to the destination's GPU or, if
/// the destination is on the host, to the source's; the copy follows the work queued on it.
void copy_bytes(void* to, place to_place, const void* from, place from_place, std::size_t bytes, CUstream_st* stream);

/// Copies the elements of a strided view, in row-major order, into contiguous memory; complete on return. A
/// non-contiguous view on a GPU is copied through the host, including its gaps.
void copy_elements(void* to, place to_place, const void* from, place from_place, const layout& from_layout,
                   std::size_t element, CUstream_st* stream);

/// Throws out_of_memory for a vector of `count` elements of `size` bytes.
[[noreturn]] void refuse_elements(std::int64_t count, std::size_t size);

}  // namespace foldwise::detail
