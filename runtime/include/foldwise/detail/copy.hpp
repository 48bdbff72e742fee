// foldwise/detail/copy.hpp: copies between host and GPU memory, independent of the element type.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// Waits for the work queued on a stream if `where` is GPU memory; does nothing for host memory.
void wait_for(place where, CUstream_st* stream);

/// Copies contiguous bytes between any two places; complete on return. `stream` belongs to the destination's GPU or, if
/// the destination is on the host, to the source's; the copy follows the work queued on it.
void copy_bytes(void* to, place to_place, const void* from, place from_place, std::size_t bytes, CUstream_st* stream);

/// Copies contiguous bytes from one place in the host's memory or that of a GPU to another there, which do not overlap:
/// on a GPU asynchronously on `stream`, one of its own. Throws device_error.
void queue_copy(void* to, const void* from, place where, std::size_t bytes, CUstream_st* stream);

/// Copies the elements of a strided view, in row-major order, into contiguous memory; complete on return. A
/// non-contiguous view on a GPU is copied through the host, including its gaps.
void copy_elements(void* to, place to_place, const void* from, place from_place, const layout& from_layout,
                   std::size_t element, CUstream_st* stream);

/// Makes work that is queued on `stream` later follow what is queued on `earlier` now, two streams of the GPU `where`.
/// Does nothing for host memory. Throws device_error.
void order_after(place where, CUstream_st* stream, CUstream_st* earlier);

/// Throws device_error: the host has tried to access the elements of an array that is on a GPU.
[[noreturn]] void refuse_host_access(place where);
/// Throws shape_error for a position that none of `size` elements has.
[[noreturn]] void refuse_position(std::int64_t position, std::int64_t size);
/// Throws shape_error for coordinates that no element of an array of this shape has.
[[noreturn]] void refuse_coordinates(std::span<const std::int64_t> coordinates, const shape& extents);

/// Copies the elements of one view to another of the same shape or, if either has one axis, of the same size; otherwise
/// throws shape_error. Complete on return. The views may overlap. Either may be strided, on the host or on a GPU.
/// `stream` belongs to the destination's GPU or, if the destination is on the host, to the source's; the copy follows
/// the work queued on it. What lies between the elements of a strided destination on a GPU is read and written back
/// unchanged.
void copy_between(void* to, place to_place, const layout& to_layout, const void* from, place from_place,
                  const layout& from_layout, std::size_t element, CUstream_st* stream);

/// Sets `count` contiguous elements of `size` bytes to the value at `element`, which may be overwritten as soon as this
/// returns. On a GPU, asynchronous on `stream`.
void fill_elements(void* to, place where, const void* element, std::size_t size, std::int64_t count,
                   CUstream_st* stream);

/// Throws out_of_memory for a vector of `count` elements of `size` bytes.
[[noreturn]] void refuse_elements(std::int64_t count, std::size_t size);

}  // namespace foldwise::detail
