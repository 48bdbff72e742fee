// foldwise/detail/vectorize_kernel.hpp: what the launcher of a vectorize kernel passes to the runtime, and the runtime
// to the kernel. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The position of the first element of a run, for kernels that take an index.
struct vectorize_position {
    std::int64_t coordinates[max_axes];  ///< For an index of rank 1, the position in row-major order.

    /// Returns the index of the i-th element of the run, which must be in the same row.
    template <int N> index<N> at(std::int64_t i) const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = coordinates[axis];
        result[N - 1] += i;
        return result;
    }
};

/// One call of a vectorize kernel, or a part of one, as its launch functions take it.
using vectorize_call = element_range;

/// One signature of a vectorize kernel, as its launcher describes it to the runtime. The function of a backend that was
/// not generated is null.
struct vectorize_kernel {
    const char* name;              ///< The qualified name: "stats::rel_diff".
    const operand_info* operands;  ///< The inputs, then the outputs.
    int inputs;
    int outputs;
    /// Computes `count` consecutive elements on the calling thread; the runtime splits a call into such runs, in which
    /// every operand is contiguous. Null for a kernel that takes an index.
    void (*cpu)(void* const* operands, std::int64_t count);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const vectorize_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const vectorize_call&, CUstream_st* stream);
    int index_rank = 0;  ///< The rank of the index that the kernel takes, at most max_index_rank; 0 if it takes none.
    /// Computes `count` consecutive elements on the calling thread, for a kernel that takes an index. Null for other
    /// kernels.
    void (*cpu_at)(void* const* operands, std::int64_t count, const vectorize_position& position) = nullptr;
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
