// runtime/src/pipeline.hpp: arrays on the host go to a GPU and back in chunks, while others are computed.
//
// Three streams: copies to the GPU, the caller's, on which kernels run, and copies back; events keep a chunk's way
// through them in order. What is in pinned memory is copied as it is. What is not goes through pinned memory of the
// runtime's, which several threads fill and empty while the GPU is busy with the chunks between: one thread copies at a
// fifth of the bus's rate, and CUDA's own copies of such memory are made by one. On the GPU and in pinned memory there
// is room for a few chunks and no more, so arrays may be larger than either. Elements that are rows too long for that
// come and go one by one, in pieces.
#pragma once

#include <foldwise/detail/device_api.hpp>
#include <foldwise/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace foldwise::detail {

/// An array on the host, contiguous, and where it goes. No two have memory in common that one of them writes.
struct transfer {
    std::byte* host;
    std::size_t size;         ///< Bytes of an element.
    bool goes_in, comes_out;  ///< It is copied to the GPU before, and from it after.
    std::byte* device =
        nullptr;  ///< Where all of it has its place on the GPU; null: a chunk has room while it is there.
};

/// Launches, on the stream, what computes the elements [begin, begin + count), of which those of the i-th transfer are
/// at devices[i].
using chunk_launch = std::function<void(std::int64_t begin, std::int64_t count, std::byte* const* devices)>;

/// Whether a call with these arrays, of `count` elements each, goes in chunks. A small one does not, nor one that is
/// captured: nothing that it is made of can be captured.
bool goes_in_chunks(const char* context, std::span<const transfer> transfers, std::int64_t count,
                    const executor& where);

/// On the GPU that `where` names, which is the current one, behind what is queued on its stream; complete on return.
/// Where this throws, nothing that is in flight touches the host's memory any more. Throws out_of_memory or
/// device_error, and what `launch` throws.
void run_in_chunks(const char* context, const executor& where, std::span<const transfer> transfers, std::int64_t count,
                   const chunk_launch& launch);

/// Copies between the host and the GPU that `where` names, which is the current one, or on it, behind what is queued on
/// the stream: complete on return if it is large and one side is memory of the host that
/// is not pinned, else queued there. Returns CUDA's status of what was queued; else throws as above.
int copy_fast(const char* context, void* to, const void* from, std::size_t bytes, copy_direction direction,
              const executor& where);

}  // namespace foldwise::detail
