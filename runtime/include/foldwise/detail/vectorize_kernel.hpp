// foldwise/detail/vectorize_kernel.hpp: what the launcher of a vectorize kernel passes to the runtime, and the runtime
// to the kernel. As in kernel.hpp: plain data and function pointers only.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Where a run of elements begins, for kernels that take an index.
struct vectorize_position {
    std::int64_t coordinates[max_axes];  ///< For an index of one axis the position in row-major order.

    /// The index of the i-th element; the run does not leave its row.
    template <int N> index<N> at(std::int64_t i) const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = coordinates[axis];
        result[N - 1] += i;
        return result;
    }
};

/// One signature of a vectorize kernel, as its launcher describes it to the runtime. A backend that was not generated
/// is null.
struct vectorize_kernel {
    const char* name;              ///< The qualified name: "stats::rel_diff".
    const operand_info* operands;  ///< The inputs, then the outputs.
    int inputs;
    int outputs;
    /// Computes `count` consecutive elements on the calling thread. Every pointer is a contiguous run; the runtime
    /// splits the work into such runs. Null for a kernel that takes an index.
    void (*cpu)(void* const* operands, std::int64_t count);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const element_range&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const element_range&, CUstream_st* stream);
    int index_rank = 0;  ///< Of the index that the kernel takes, up to max_index_rank; 0 if it takes none.
    /// As `cpu`, of a kernel that takes an index.
    void (*cpu_at)(void* const* operands, std::int64_t count, const vectorize_position& position) = nullptr;
    /// Whether the file of `cuda` was compiled for threads' own default streams (nvcc's --default-stream per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
