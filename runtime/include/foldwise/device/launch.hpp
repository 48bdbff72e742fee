// foldwise/device/launch.hpp: how emitted code launches its kernels.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/device/platform.hpp>

#include <cstddef>
#include <cstdint>

#ifdef FOLDWISE_LOOKS
#include <mutex>
#endif
#ifdef FOLDWISE_SIMULATOR
#include <type_traits>
#include <utility>
#endif

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The block's dynamic shared memory, of which its launch asked for some bytes; aligned to 16.
#ifdef FOLDWISE_SIMULATOR
template <class T> T* dynamic_shared() { return static_cast<T*>(simulation::dynamic_shared_memory()); }
#else
template <class T> __device__ T* dynamic_shared() {
    extern __shared__ uint4 foldwise_dynamic_shared[];
    return reinterpret_cast<T*>(foldwise_dynamic_shared);
}
#endif

/// What the runtime has to know of types.
template <class... T> inline constexpr detail::operand_type types[] = {{sizeof(T), alignof(T)}...};

// What follows belongs to the file that includes it: files of one program may be compiled for different architectures,
// with checks or without, and must not share functions that depend on it.
namespace {

/// Whether this file is compiled for threads' own default streams (nvcc's --default-stream per-thread). Then the
/// runtime launches on the calling thread's where a call is given no stream.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool is_per_thread = true;
#else
constexpr bool is_per_thread = false;
#endif

/// The kernel before this one in the stream may still be running when this one starts (see launch()). Every emitted
/// kernel calls this before it touches memory: it returns when all that came before is done and visible.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
#if defined(__CUDA_ARCH__) && defined(FOLDWISE_LOOKS)
    foldwise::detail::report_to_this_file();
#endif
}

#ifdef FOLDWISE_SIMULATOR

template <auto Kernel> struct simulated;
template <class... Parameters, void (*Kernel)(Parameters...)> struct simulated<Kernel> {
    /// One thread of the kernel.
    static void run(void** arguments) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Kernel(*static_cast<std::remove_const_t<Parameters>*>(arguments[I])...);
        }
        (std::index_sequence_for<Parameters...>());
    }
};

/// The handle by which the runtime launches a kernel of this file.
template <auto Kernel> detail::gpu_code code_of() {
    return reinterpret_cast<detail::gpu_code>(&simulated<Kernel>::run);
}

inline int launch_planned(const detail::gpu_launch& planned) {
    const auto run = reinterpret_cast<void (*)(void**)>(planned.kernel);
    const auto thread = [&] { run(planned.arguments); };
    const dim3 grid = {planned.blocks[0], planned.blocks[1], planned.blocks[2]};
    if (planned.has_barriers) return simulation::run_with_barriers(grid, planned.threads, planned.shared_bytes, thread);
    return simulation::run_in_order(grid, planned.threads, thread);
}
inline int find_gpu(int* gpu) {
    *gpu = 0;
    return 0;
}
/// One multiprocessor, that few blocks fill: then small calls are shared by several blocks as well.
inline int find_occupancy(detail::gpu_code, int, int* blocks, int* multiprocessors) {
    *blocks = 1;
    *multiprocessors = 8;
    return 0;
}

#else

/// The status of a call to CUDA, which does not stay behind as the thread's last error: the caller would find it when
/// it looks for one of its own.
inline int cleared(cudaError_t status) {
    if (status != cudaSuccess && cudaPeekAtLastError() == status) cudaGetLastError();
    return status;
}

/// What kernels are compiled for whose wait_for_previous_kernel() waits, as in __CUDA_ARCH__.
constexpr int least_waiting_architecture = 900;

/// Whether all and whether any of the architectures that this file is compiled for are such.
#ifdef __CUDA_ARCH_LIST__
constexpr int architectures[] = {__CUDA_ARCH_LIST__};
constexpr bool all_architectures_wait = [] {
    for (int one : architectures)
        if (one < least_waiting_architecture) return false;
    return true;
}();
constexpr bool some_architecture_waits = [] {
    for (int one : architectures)
        if (one >= least_waiting_architecture) return true;
    return false;
}();
#else
constexpr bool all_architectures_wait = false, some_architecture_waits = true;
#endif

/// Whether the kernel, as the current GPU runs it, waits for the one before it. That depends on what it was compiled
/// for, which may be older than the GPU. All kernels of a file are alike: CUDA is asked for one on each GPU, once, and
/// only where they are compiled for several architectures that differ in this.
inline bool waits_for_previous_kernel(const void* kernel) {
    if (all_architectures_wait) return true;
    if (!some_architecture_waits) return false;
    enum : int { unknown, no, yes };
    constexpr int devices = 64;
    static int known[devices] = {};
    int device = 0;
    if (cleared(cudaGetDevice(&device)) != cudaSuccess) return false;
    if (device < devices) {
        if (const int answer = __atomic_load_n(&known[device], __ATOMIC_RELAXED); answer != unknown)
            return answer == yes;
    }
    cudaFuncAttributes attributes{};
    if (cleared(cudaFuncGetAttributes(&attributes, kernel)) != cudaSuccess) return false;
    const bool waits = 10 * attributes.ptxVersion >= least_waiting_architecture;
    if (device < devices) __atomic_store_n(&known[device], waits ? yes : no, __ATOMIC_RELAXED);
    return waits;
}

#ifdef FOLDWISE_LOOKS

/// Launches one kernel after the other, waits for it and throws check_failed if it has found something wrong. A stream
/// that is captured does not let itself be waited for: that is CUDA's error.
template <class Launch> cudaError_t launch_checked(CUstream_st* stream, const Launch& launch) {
    // Before the turn is taken: the stream may be waiting for a call that needs it.
    if (const cudaError_t status = cudaStreamSynchronize(stream)) return status;
    const std::lock_guard lock(foldwise::detail::one_checked_launch);
    static const foldwise::detail::report none{};
    foldwise::detail::report found{};
    const std::size_t bytes = sizeof found;
    auto& place = foldwise::detail::found_on_device;
    // Before rather than after: a launch that was given up in between would leave its report to the next one.
    if (const cudaError_t status = cudaMemcpyToSymbolAsync(place, &none, bytes, 0, cudaMemcpyHostToDevice, stream))
        return status;
    if (const cudaError_t status = launch()) return status;
    if (const cudaError_t status = cudaMemcpyFromSymbolAsync(&found, place, bytes, 0, cudaMemcpyDeviceToHost, stream))
        return status;
    if (const cudaError_t status = cudaStreamSynchronize(stream)) return status;
    if (found.kind != foldwise::detail::mistake::none) throw foldwise::detail::check_failed{found};
    return cudaSuccess;
}

#endif

/// Launches a kernel asynchronously on the stream; returns a cudaError_t. Where the kernel waits for the one before it,
/// the grid is set up while that still runs (programmatic dependent launch), which saves about a microsecond a kernel.
inline int launch(const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st* stream,
                  void** arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = waits_for_previous_kernel(kernel) ? 1 : 0;
#ifdef FOLDWISE_LOOKS
    return cleared(launch_checked(stream, [&] { return cudaLaunchKernelExC(&config, kernel, arguments); }));
#else
    return cleared(cudaLaunchKernelExC(&config, kernel, arguments));
#endif
}

/// The handle by which the runtime launches a kernel of this file.
template <auto Kernel> detail::gpu_code code_of() { return reinterpret_cast<detail::gpu_code>(Kernel); }

inline int launch_planned(const detail::gpu_launch& planned) {
    return launch(reinterpret_cast<const void*>(planned.kernel),
                  {planned.blocks[0], planned.blocks[1], planned.blocks[2]}, {planned.threads, 1, 1},
                  planned.shared_bytes, planned.stream, planned.arguments);
}
inline int find_gpu(int* gpu) { return cleared(cudaGetDevice(gpu)); }
inline int find_occupancy(detail::gpu_code kernel, int threads, int* blocks, int* multiprocessors) {
    int gpu = 0;
    if (const int status = find_gpu(&gpu)) return status;
    if (const int status = cleared(cudaDeviceGetAttribute(multiprocessors, cudaDevAttrMultiProcessorCount, gpu)))
        return status;
    return cleared(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads, 0));
}

#endif

/// REPRODUCIBLE: results do not depend on the GPU, nor on how operands are aligned.
#ifdef FOLDWISE_REPRODUCIBLE
constexpr bool is_reproducible = true;
#else
constexpr bool is_reproducible = false;
#endif

/// How the runtime launches this file's kernels.
constexpr detail::gpu_file this_file = {launch_planned, find_gpu, find_occupancy, is_reproducible};

}  // namespace
}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
