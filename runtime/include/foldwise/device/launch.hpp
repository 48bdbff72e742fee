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

/// Returns the block's dynamic shared memory, whose size was given at the launch; it is aligned to 16 bytes.
#ifdef FOLDWISE_SIMULATOR
template <class T> T* dynamic_shared() { return static_cast<T*>(simulation::dynamic_shared_memory()); }
#else
template <class T> __device__ T* dynamic_shared() {
    extern __shared__ uint4 foldwise_dynamic_shared[];
    return reinterpret_cast<T*>(foldwise_dynamic_shared);
}
#endif

/// The sizes and alignments of types, for the runtime.
template <class... T> inline constexpr detail::operand_type types[] = {{sizeof(T), alignof(T)}...};

// The following is local to the file that includes it: files of one program may be compiled for different
// architectures, and with or without checks, and must not share functions that depend on this.
namespace {

/// Whether this file is compiled for per-thread default streams (nvcc's --default-stream per-thread). If so, the
/// runtime launches calls without a stream on the calling thread's own.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool is_per_thread = true;
#else
constexpr bool is_per_thread = false;
#endif

/// Waits until all earlier work in the stream is done and visible. Every emitted kernel calls this before it accesses
/// memory, because the previous kernel may still be running when a kernel starts (see launch()).
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
#if defined(__CUDA_ARCH__) && defined(FOLDWISE_LOOKS)
    foldwise::detail::report_to_this_file();
#endif
}

/// Returns whether a thread of the running kernel has ended because of an error, in checked builds: what others wait
/// for may then never come. In the simulator such an error ends the whole kernel.
__device__ inline bool has_failed() {
#if defined(__CUDA_ARCH__) && defined(FOLDWISE_LOOKS)
    return *static_cast<const volatile int*>(&foldwise::detail::reported_to->claimed) != 0;
#else
    return false;
#endif
}

/// Ends the calling thread, at the end of a function that is a FOLDWISE_LAST_CALL.
#ifdef FOLDWISE_SIMULATOR
inline void end_thread() {}
#else
[[noreturn]] __device__ inline void end_thread() {
    asm volatile("exit;");
    __builtin_unreachable();
}
#endif

/// Ends the calling thread, once has_failed().
__device__ inline void stop_too() {
#if defined(__CUDA_ARCH__) && defined(FOLDWISE_LOOKS)
    asm volatile("exit;");
#endif
}

/// How many threads run at once on a multiprocessor of any GPU that this code is compiled for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int multiprocessor_threads = 1024;
#else
constexpr int multiprocessor_threads = 1536;
#endif

#ifdef FOLDWISE_SIMULATOR

/// A kernel in the form in which the simulator runs it.
template <auto Kernel> struct simulated;
template <class... Parameters, void (*Kernel)(Parameters...)> struct simulated<Kernel> {
    /// Runs one thread of the kernel.
    static void run(void** arguments) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Kernel(*static_cast<std::remove_const_t<Parameters>*>(arguments[I])...);
        }
        (std::index_sequence_for<Parameters...>());
    }
};

/// Returns the handle by which the runtime launches a kernel of this file.
template <auto Kernel> detail::gpu_code code_of() {
    return reinterpret_cast<detail::gpu_code>(&simulated<Kernel>::run);
}

/// Runs a launch that the runtime has planned.
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
/// Writes one block on each of eight multiprocessors: few enough that several blocks share small calls as well.
inline int find_occupancy(detail::gpu_code, int, int* blocks, int* multiprocessors) {
    *blocks = 1;
    *multiprocessors = 8;
    return 0;
}
/// Writes so little that small calls have several tiles.
inline int find_shared_memory(int* most_bytes) {
    *most_bytes = 48 * 1024;
    return 0;
}
/// Few enough that small calls use all instances of a kernel.
constexpr int few_elements = 16, threads_at_once = 64, few_tiles = detail::few_tiles_in_simulator;

#else

/// Returns the status of a call to CUDA, after removing it as the thread's last error. Otherwise the caller would find
/// it when checking for errors of its own.
inline int cleared(cudaError_t status) {
    if (status != cudaSuccess && cudaPeekAtLastError() == status) cudaGetLastError();
    return status;
}

/// Large GPUs run these all at once, and no thread computes one element after the other.
constexpr int few_elements = 16384;
/// What 128 multiprocessors run at once, 2048 threads each. A call of fewer elements takes as long as its busiest
/// thread.
constexpr int threads_at_once = 262144;
constexpr int few_tiles = detail::few_tiles_on_gpus;

/// The first architecture for which wait_for_previous_kernel() waits, in the format of __CUDA_ARCH__.
constexpr int least_waiting_architecture = 900;

/// Whether all, and whether any, of the architectures that this file is compiled for are at least that one.
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

/// Returns whether the kernel, as the current GPU runs it, waits for the previous one. That depends on the architecture
/// that it was compiled for, which may be older than the GPU. All kernels of a file are alike, so CUDA is asked once
/// per GPU, and only if the file is compiled for several architectures that differ in this respect.
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

/// Launches one kernel at a time, waits for it, and throws check_failed if it has reported an error. Waiting for a
/// stream that is being captured fails with CUDA's error.
template <class Launch> cudaError_t launch_checked(CUstream_st* stream, const Launch& launch) {
    // Before taking the lock: the stream may be waiting for a call that needs it.
    if (const cudaError_t status = cudaStreamSynchronize(stream)) return status;
    const std::lock_guard lock(foldwise::detail::one_checked_launch);
    static const foldwise::detail::report none{};
    foldwise::detail::report found{};
    const std::size_t bytes = sizeof found;
    auto& place = foldwise::detail::found_on_device;
    // Cleared before the launch rather than after it: an abandoned launch would leave its report to the next one.
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

/// Launches a kernel asynchronously on the stream; returns a cudaError_t. If the kernel waits for the previous one
/// itself, its grid is set up while that one is still running (programmatic dependent launch), which saves about a
/// microsecond per kernel.
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

/// Returns the handle by which the runtime launches a kernel of this file.
template <auto Kernel> detail::gpu_code code_of() { return reinterpret_cast<detail::gpu_code>(Kernel); }

/// Writes the most dynamic shared memory that a block may have on the current GPU; returns a cudaError_t.
inline int find_shared_memory(int* most_bytes) {
    int gpu = 0;
    if (const int status = cleared(cudaGetDevice(&gpu))) return status;
    return cleared(cudaDeviceGetAttribute(most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu));
}

/// Asks for as much shared memory as a kernel may have, if it has not been granted so much. Not for less: another
/// thread may be about to launch the same kernel with more.
inline int ask_for_shared_memory(const void* kernel, unsigned int bytes) {
    cudaFuncAttributes found{};
    if (const int status = cleared(cudaFuncGetAttributes(&found, kernel))) return status;
    if (found.maxDynamicSharedSizeBytes >= static_cast<int>(bytes)) return cudaSuccess;
    int most_bytes = 0;
    if (const int status = find_shared_memory(&most_bytes)) return status;
    return cleared(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        most_bytes - static_cast<int>(found.sharedSizeBytes)));
}

/// Launches a kernel as the runtime has planned it; returns a cudaError_t.
inline int launch_planned(const detail::gpu_launch& planned) {
    constexpr unsigned int granted_bytes = 48 * 1024;
    if (planned.shared_bytes > granted_bytes)
        if (const int status =
                ask_for_shared_memory(reinterpret_cast<const void*>(planned.kernel), planned.shared_bytes))
            return status;
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

/// Whether this is a REPRODUCIBLE build, in which results depend neither on the GPU nor on the alignment of operands.
#ifdef FOLDWISE_REPRODUCIBLE
constexpr bool is_reproducible = true;
#else
constexpr bool is_reproducible = false;
#endif

/// Whether this is a CHECKED build.
#ifdef FOLDWISE_LOOKS
constexpr bool is_checked = true;
#else
constexpr bool is_checked = false;
#endif

/// The functions by which the runtime launches this file's kernels.
constexpr detail::gpu_file this_file = {launch_planned, find_gpu,        find_occupancy, is_reproducible,   is_checked,
                                        few_elements,   threads_at_once, few_tiles,      find_shared_memory};

}  // namespace
}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
