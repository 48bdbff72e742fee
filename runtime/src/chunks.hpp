// runtime/src/chunks.hpp: how host arrays are cut into chunks for copies to and from a GPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// The limits at which calls are cut into chunks; docs/performance/notes/host-arrays.md has the measurements behind
/// them. Tests set lower limits, to get many chunks of few elements.
struct chunk_limits {
    std::size_t least_call = std::size_t{8} << 20;  ///< Bytes on the host from which a call is cut.
    /// Bytes on the host from which a call is cut if all of its arrays are pinned.
    std::size_t least_pinned = std::size_t{24} << 20;
    std::size_t least_chunk = std::size_t{1} << 20;  ///< Minimum bytes of a chunk, of all arrays together.
    /// Maximum bytes of a chunk, of all arrays together.
    std::size_t most_chunk = (std::size_t{24} << 20) - (std::size_t{16} << 10);
    int slots = 4;     ///< Maximum number of chunks in flight at once, each at its own stage; at least two.
    int threads = 16;  ///< Maximum number of threads that copy between pageable and pinned memory.
    std::size_t most_pinned = std::size_t{96} << 20;  ///< Maximum bytes of pinned memory that a GPU's transfers keep.
};

/// The limits in effect.
inline constinit chunk_limits limits_of_chunks{};

/// The chunks of a call: chunk k has the elements [k * length, (k + 1) * length); the last chunk may be shorter.
struct chunk_plan {
    std::int64_t count;   ///< The number of elements of the call.
    std::int64_t length;  ///< The number of elements of a chunk.

    std::int64_t chunks() const { return (count + length - 1) / length; }
    std::int64_t begin(std::int64_t chunk) const { return chunk * length; }
    std::int64_t size(std::int64_t chunk) const { return std::min(length, count - begin(chunk)); }
};

/// The alignment of each array's part of a chunk, in bytes; it is that of memory that CUDA allocates.
inline constexpr std::size_t part_alignment = 256;

/// Rounds up to a multiple of part_alignment.
constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
}

/// Returns the chunks of a call with `count` elements, at least one, whose arrays have `bytes` per element together. A
/// call with few chunks has smaller ones, because it takes as long as its copies plus the computation and return of one
/// chunk.
inline chunk_plan plan_chunks(std::int64_t count, std::size_t bytes, const chunk_limits& limits) {
    constexpr std::size_t enough_chunks = 8;
    const std::size_t wanted = static_cast<std::size_t>(count) * bytes / enough_chunks;
    const std::size_t chunk = std::min(std::max(wanted, limits.least_chunk), limits.most_chunk);
    auto length = static_cast<std::int64_t>(std::max<std::size_t>(chunk / bytes, 1));
    constexpr std::int64_t multiple = 64;  // so that chunks begin at cache lines if the array does
    if (length > multiple) length -= length % multiple;
    return {count, std::min(length, count)};
}

}  // namespace foldwise::detail
