// foldwise/detail/sort.hpp: sorts numbers by keys.
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace foldwise::detail {

/// Keys and the values that go with them. There is memory for twice as many: a sort moves them from one half to the
/// other and back.
struct key_sort {
    std::uint32_t* keys[2];
    std::uint32_t* values[2];
    int half;  ///< The half that they are in.
    std::int64_t count;
    int bits;         ///< Keys are less than 2^bits.
    void* temporary;  ///< Memory that the sort needs besides.
    std::size_t temporary_bytes;
};

/// Sorts by key, keeping the order of equal ones, asynchronously on the stream; returns a cudaError_t. Without
/// temporary memory it only writes how much it needs.
using sort_function = int (*)(key_sort& all, CUstream_st* stream);

/// Sorts on the current GPU. Defined in the library foldwise_cuda; fails if that was built without nvcc, or for other
/// architectures than the GPU's.
int sort_on_cuda(key_sort& all, CUstream_st* stream);

/// Sorts on the host.
int sort_on_host(key_sort& all, CUstream_st* stream);

}  // namespace foldwise::detail
