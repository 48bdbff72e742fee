// foldwise/device/launch.hpp: how emitted code launches its kernels.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/device/platform.hpp>

#include <cstddef>
#include <cstdint>

#ifdef FOLDWISE_LOOKS
#include <mutex>
#endif

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Whether this file is compiled for threads' own default streams (nvcc's --default-stream per-thread). Then the
/// runtime launches on the calling thread's where a call is given no stream.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
static constexpr bool is_per_thread = true;
#else
static constexpr bool is_per_thread = false;
#endif

/// The kernel before this one in the stream may still be running when this one starts (see launch()). Every emitted
/// kernel calls this before it touches memory: it returns when all that came before is done and visible.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

#ifdef FOLDWISE_SIMULATOR

using simulation::launch;
using simulation::launch_with_barriers;

/// The block's dynamic shared memory, of which its launch asked for some bytes; aligned to 16.
template <class T> T* dynamic_shared() { return static_cast<T*>(simulation::dynamic_shared_memory()); }

#else

template <class T> __device__ T* dynamic_shared() {
    extern __shared__ uint4 foldwise_dynamic_shared[];
    return reinterpret_cast<T*>(foldwise_dynamic_shared);
}

/// Whether every GPU here can start a kernel while the one before it drains (compute capability 9.0).
inline bool overlaps_launches() {
    static const bool all = [] {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess) return false;
        for (int device = 0; device < devices; ++device) {
            int major = 0;
            if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess || major < 9)
                return false;
        }
        return true;
    }();
    return all;
}

#ifdef FOLDWISE_LOOKS

static std::mutex one_checked_launch;  // where they report is one place, of this file

/// Launches one kernel after the other, waits for it and throws check_failed if it has found something wrong. A stream
/// that is captured does not let itself be waited for: that is CUDA's error.
template <class Launch> int launch_checked(CUstream_st* stream, const Launch& launch) {
    const std::lock_guard lock(one_checked_launch);
    foldwise::detail::report found;
    const std::size_t bytes = sizeof found;
    auto& place = foldwise::detail::found_on_device;
    if (const cudaError_t status = launch()) return status;
    if (const cudaError_t status = cudaMemcpyFromSymbolAsync(&found, place, bytes, 0, cudaMemcpyDeviceToHost, stream))
        return status;
    if (const cudaError_t status = cudaStreamSynchronize(stream)) return status;
    if (found.kind == foldwise::detail::mistake::none) return cudaSuccess;
    const foldwise::detail::report none{};
    if (const cudaError_t status = cudaMemcpyToSymbolAsync(place, &none, bytes, 0, cudaMemcpyHostToDevice, stream))
        return status;
    if (const cudaError_t status = cudaStreamSynchronize(stream)) return status;
    throw foldwise::detail::check_failed{found};
}

#endif

/// Launches a kernel asynchronously on the stream; returns a cudaError_t. Where the GPU can, the grid is set up while
/// the previous kernel of the stream still runs (programmatic dependent launch), which saves about a microsecond a
/// kernel. In the simulator, a kernel whose threads wait for each other, at barriers, in shuffles or votes, is launched
/// by this function and no other.
template <class... Parameters, class... Arguments>
int launch_with_barriers(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
                         CUstream_st* stream, Arguments... arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlaps_launches() ? 1 : 0;
#ifdef FOLDWISE_LOOKS
    return launch_checked(stream, [&] { return cudaLaunchKernelEx(&config, kernel, arguments...); });
#else
    return cudaLaunchKernelEx(&config, kernel, arguments...);
#endif
}

/// The same of a kernel whose threads do not wait for each other: the simulator runs one after the other.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, CUstream_st* stream,
           Arguments... arguments) {
    return launch_with_barriers(kernel, blocks, threads, 0, stream, arguments...);
}

#endif

/// How many blocks of how many threads, and how much dynamic shared memory each block has.
struct grid {
    unsigned int blocks, threads, shared_bytes;
};

/// Launches a kernel whose threads wait for each other only if they have shared memory.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), const grid& grid, CUstream_st* stream, Arguments... arguments) {
    if (grid.shared_bytes == 0) return launch(kernel, grid.blocks, grid.threads, stream, arguments...);
    return launch_with_barriers(kernel, dim3{grid.blocks, 1, 1}, dim3{grid.threads, 1, 1}, grid.shared_bytes, stream,
                                arguments...);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
