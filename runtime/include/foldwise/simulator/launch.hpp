// foldwise/simulator/launch.hpp: how the simulator runs a kernel.
#pragma once

#include <foldwise/simulator/accesses.hpp>
#include <foldwise/simulator/types.hpp>

#include <cstddef>

#ifdef __SANITIZE_THREAD__
#define FOLDWISE_THREADS_ARE_WATCHED
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FOLDWISE_THREADS_ARE_WATCHED
#endif
#endif

struct CUstream_st;

namespace foldwise::simulation {

/// What a simulated thread does: call(kernel).
struct body {
    void (*call)(const void* kernel);
    const void* kernel;
};

/// Runs a grid of blocks whose threads are fibers. Returns a cudaError_t; throws what a thread throws, and device_error
/// for each mistake that the simulator finds itself. Defined in the library foldwise_simulator, which needs
/// Boost.Context. One grid runs at a time: a second host thread waits.
int run_grid(dim3 grid, dim3 block, std::size_t shared_bytes, body thread);

/// The block's dynamic shared memory, null if the launch asked for none.
void* dynamic_shared_memory();

/// Runs a kernel whose threads may wait for each other: at barriers, in shuffles and votes. It is done on return.
/// Returns a cudaError_t and throws as run_grid() does; what threads had written by then stays written.
template <class... Parameters, class... Arguments>
int launch_with_barriers(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st*,
                         Arguments... arguments) {
#ifdef FOLDWISE_WATCHES_ACCESSES
    watch_accesses();
#endif
    const auto thread = [&] { kernel(arguments...); };
    return run_grid(grid, block, shared_bytes,
                    {[](const void* kernel_) { (*static_cast<decltype(&thread)>(kernel_))(); }, &thread});
}

/// Runs a kernel in which no thread waits for another to its end on the calling thread; always 0, cudaSuccess. Under
/// ThreadSanitizer each of its threads is one all the same, so that races between them are seen.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, CUstream_st* stream,
           Arguments... arguments) {
#ifdef FOLDWISE_THREADS_ARE_WATCHED
    return launch_with_barriers(kernel, {blocks, 1, 1}, {threads, 1, 1}, 0, stream, arguments...);
#else
    static_cast<void>(stream);
    gridDim = {blocks, 1, 1};
    blockDim = {threads, 1, 1};
    for (unsigned int block = 0; block < blocks; ++block) {
        blockIdx = {block, 0, 0};
        for (unsigned int thread = 0; thread < threads; ++thread) {
            threadIdx = {thread, 0, 0};
            kernel(arguments...);
        }
    }
    return 0;
#endif
}

}  // namespace foldwise::simulation
