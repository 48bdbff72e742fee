// runtime/src/cuda/last_error.hpp: CUDA's last error belongs to the program, which checks it for errors of its own.
#pragma once

#include <cuda_runtime_api.h>

namespace foldwise::detail {

/// Returns the status of a call of the library's, and removes CUDA's last error if it is that: otherwise the program
/// would find it. The program's error stays: if the call's is not the last error, CUDA did not record it.
inline int cleared(cudaError_t status) {
    if (status != cudaSuccess && cudaPeekAtLastError() == status) cudaGetLastError();
    return static_cast<int>(status);
}

}  // namespace foldwise::detail
