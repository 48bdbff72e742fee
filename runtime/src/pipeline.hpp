// runtime/src/pipeline.hpp: copies host arrays to a GPU and back in chunks, overlapped with computation.
//
// There are three streams: one for copies to the GPU, the caller's, on which kernels run, and one for copies back.
// Events order the stages of a chunk. Pinned memory is copied directly. Pageable memory is copied through pinned
// staging memory of the runtime, which several threads fill and drain while the GPU works on the chunks in between: a
// single thread copies at a fifth of the bus's rate, and CUDA's own copies of pageable memory use a single thread. GPU
// memory and pinned memory hold only a few chunks, so arrays may be larger than either. If elements are rows that are
// too long for that, chunks are copied one after the other, in pieces.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace foldwise::detail {

/// A contiguous host array and the directions in which it is copied. No two transfers share memory that one of them
/// writes.
struct transfer {
    std::byte* host;
    std::size_t size;         ///< Bytes per element.
    bool goes_in, comes_out;  ///< Copied to the GPU before the computation, and from it afterwards.
    /// GPU memory for the whole array; if null, chunks have GPU memory only while they are in flight.
    std::byte* device = nullptr;
};

/// Launches, on the stream, the computation of the elements [begin, begin + count); those of the i-th transfer are at
/// devices[i].
using chunk_launch = std::function<void(std::int64_t begin, std::int64_t count, std::byte* const* devices)>;

/// Returns whether a call with these arrays, of `count` elements each, is run in chunks. Small calls are not, and
/// neither are calls that are being captured, because none of the steps can be captured.
bool goes_in_chunks(const char* context, std::span<const transfer> transfers, std::int64_t count,
                    const executor& where);

/// Runs a call in chunks on the GPU that `where` names, which must be current, after the work queued on its stream;
/// complete on return. If this throws, nothing in flight accesses the host's memory any more. Throws out_of_memory,
/// device_error, and whatever `launch` throws.
void run_in_chunks(const char* context, const executor& where, std::span<const transfer> transfers, std::int64_t count,
                   const chunk_launch& launch);

/// Copies between the host and the GPU that `where` names, which must be current, or within that GPU, after the work
/// queued on the stream. Complete on return if the copy is large and its host memory is pageable; otherwise it is only
/// queued. Returns CUDA's status of what was queued; throws as run_in_chunks() does.
int copy_fast(const char* context, void* to, const void* from, std::size_t bytes, copy_direction direction,
              const executor& where);

}  // namespace foldwise::detail
