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

/// Runs a grid whose threads may wait for one another: at barriers, in shuffles and votes. It is done on return.
/// thread() is what each of them does. Returns a cudaError_t and throws as run_grid() does; what threads had written by
/// then stays written.
template <class Thread> int run_with_barriers(dim3 grid, dim3 block, std::size_t shared_bytes, const Thread& thread) {
#ifdef FOLDWISE_WATCHES_ACCESSES
    watch_accesses();
#endif
    return run_grid(grid, block, shared_bytes,
                    {[](const void* thread_) { (*static_cast<const Thread*>(thread_))(); }, &thread});
}

/// The same of a grid in which no thread waits for another, on the calling thread, one after the other; always 0,
/// cudaSuccess. Under ThreadSanitizer each of its threads is one all the same, so that races between them are seen.
template <class Thread> int run_in_order(dim3 grid, dim3 block, const Thread& thread) {
#ifdef FOLDWISE_THREADS_ARE_WATCHED
    return run_with_barriers(grid, block, 0, thread);
#else
    gridDim = grid;
    blockDim = block;
    for (unsigned int x = 0; x < grid.x; ++x) {
        blockIdx = {x, 0, 0};
        for (unsigned int i = 0; i < block.x; ++i) {
            threadIdx = {i, 0, 0};
            thread();
        }
    }
    return 0;
#endif
}

/// Runs a kernel whose threads may wait for one another.
template <class... Parameters, class... Arguments>
int launch_with_barriers(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st*,
                         Arguments... arguments) {
    return run_with_barriers(grid, block, shared_bytes, [&] { kernel(arguments...); });
}

/// Runs a kernel in which no thread waits for another.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, CUstream_st*,
           Arguments... arguments) {
    return run_in_order(blocks, threads, [&] { kernel(arguments...); });
}

}  // namespace foldwise::simulation
