// runtime/src/chunks.hpp: into how many pieces arrays on the host are cut on their way to a GPU and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// The limits at which calls are cut into chunks; docs/performance/notes/host-arrays.md has the measurements behind
/// them. Tests set lower ones, to have many chunks of few elements.
struct chunk_limits {
    std::size_t least_call = std::size_t{8} << 20;     ///< Bytes on the host of a call that is cut at all;
    std::size_t least_pinned = std::size_t{24} << 20;  ///< of one whose arrays are all pinned.
    std::size_t least_chunk = std::size_t{1} << 20;    ///< Bytes, of all arrays together, as long as there are more.
    std::size_t most_chunk = (std::size_t{24} << 20) - (std::size_t{16} << 10);
    int slots = 4;     ///< Chunks that are in flight at once, each at its own stage; two at least.
    int threads = 16;  ///< At most, that copy between memory that is not pinned and memory that is.
    std::size_t most_pinned = std::size_t{96} << 20;  ///< Bytes of pinned memory that a GPU's transfers keep.
};

inline constinit chunk_limits limits_of_chunks{};

/// Elements [k * length, (k + 1) * length) are chunk k; the last one may have fewer.
struct chunk_plan {
    std::int64_t count;   ///< Of all elements.
    std::int64_t length;  ///< Of a chunk's.

    std::int64_t chunks() const { return (count + length - 1) / length; }
    std::int64_t begin(std::int64_t chunk) const { return chunk * length; }
    std::int64_t size(std::int64_t chunk) const { return std::min(length, count - begin(chunk)); }
};

/// What begins each array's part of a chunk: as aligned as memory that CUDA allocates.
inline constexpr std::size_t part_alignment = 256;

constexpr std::size_t padded(std::size_t bytes) {
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
}

/// Of arrays that have `bytes` together for each of `count` elements, at least one. A call of few chunks has them
/// smaller: it takes as long as its copies and one chunk's computation and way back.
inline chunk_plan plan_chunks(std::int64_t count, std::size_t bytes, const chunk_limits& limits) {
    constexpr std::size_t enough_chunks = 8;
    const std::size_t wanted = static_cast<std::size_t>(count) * bytes / enough_chunks;
    const std::size_t chunk = std::min(std::max(wanted, limits.least_chunk), limits.most_chunk);
    auto length = static_cast<std::int64_t>(std::max<std::size_t>(chunk / bytes, 1));
    constexpr std::int64_t multiple = 64;  // so that chunks begin where cache lines do, if the array does
    if (length > multiple) length -= length % multiple;
    return {count, std::min(length, count)};
}

}  // namespace foldwise::detail
