// bench/forall_peers.hpp: the same work by kernels written by hand, and by a forall of nvcc's extended lambdas as RAJA
// and Kokkos have it. Device pointers; asynchronous on the stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bench {

/// One set of operands of a case; not all of them are used by each.
struct forall_operands {
    const void* in;
    const std::int32_t* at;
    void* out;
    std::int64_t rows, columns;  ///< Of a case of one axis: 1, and the number of tasks.
};

enum class forall_case { round, transpose, relax, histogram, gather };

void run_by_hand(forall_case what, const forall_operands& on, cudaStream_t stream);
void run_by_lambda(forall_case what, const forall_operands& on, cudaStream_t stream);

/// Counts in shared memory first, as the histograms of libraries do: another algorithm than one atomic per task.
void histogram_in_shared_memory(const forall_operands& on, cudaStream_t stream);

/// at[i] = a random place in [0, n), and whether as many bytes are the same.
void random_places(std::int32_t* at, std::int64_t n);
bool equal_bytes(const void* a, const void* b, std::int64_t bytes);

}  // namespace bench
