// foldwise/detail/copy.hpp: copies between host and GPU memory, whatever the element type.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Waits for what is queued on the stream of a GPU's memory; for the host's there is nothing to wait for.
void wait_for(place where, CUstream_st* stream);

/// Contiguous bytes from anywhere to anywhere, complete on return. `stream`, one of the GPU's that is written to or
/// else of the one that is read, orders it behind earlier work there.
void copy_bytes(void* to, place to_place, const void* from, place from_place, std::size_t bytes, CUstream_st* stream);

/// The elements of a strided window, in row-major order, into contiguous memory; complete on return. A window on a GPU
/// that is not contiguous travels through the host, gaps and all.
void copy_elements(void* to, place to_place, const void* from, place from_place, const layout& from_layout,
                   std::size_t element, CUstream_st* stream);

/// Throws out_of_memory for a vector of so many elements of `size` bytes.
[[noreturn]] void refuse_elements(std::int64_t count, std::size_t size);

}  // namespace foldwise::detail
