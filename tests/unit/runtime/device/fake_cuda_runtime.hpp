// tests/unit/runtime/device/fake_cuda_runtime.hpp: what launches ask of CUDA's runtime library, without a GPU.
//
// It is linked in the library's place. Kernels do not run; which of them were launched, and how, is kept.
#pragma once

#include <foldwise/detail/checks.hpp>

#include <cuda_runtime_api.h>

#include <map>
#include <vector>

struct fake_cuda_runtime {
    struct launched {
        const void* kernel;
        bool overlaps;  ///< Whether it may start while the kernel before it runs.
    };
    std::vector<launched> launches;
    /// The status that the next launch returns.
    cudaError_t status_of_launch = cudaSuccess;
    /// What the next launch finds, as a kernel of the file that it is in does.
    foldwise::detail::report finds{};
    /// The current GPU, and the architecture whose code for a kernel each of them runs, as in ptxVersion. Of others
    /// CUDA knows nothing.
    int device = 0;
    std::map<int, int> architectures;
    /// Calls of cudaGetDevice, and of cudaFuncGetAttributes.
    int devices_asked = 0, kernels_asked = 0;
};

/// As new; one at a time.
fake_cuda_runtime& new_fake_cuda_runtime();
