// bench/reduce_baselines.hpp: what no reduction can be faster than. Asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

/// A kernel of one warp that does nothing. `overlaps`: its launch may overlap the kernel before it, as Foldwise's may.
void launch_empty(bool overlaps, cudaStream_t stream);

/// Reads each of so many 16-byte words once; none has its highest bit set.
void read_all(const void* words, std::int64_t count, unsigned int blocks, std::uint32_t* never_written,
              cudaStream_t stream);

}  // namespace bench
