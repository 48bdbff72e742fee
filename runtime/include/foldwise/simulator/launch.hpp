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

/// The body of a simulated thread, which is run as call(kernel).
struct body {
    void (*call)(const void* kernel);
    const void* kernel;
};

/// Runs a grid of blocks whose threads are fibers; complete on return. Returns a cudaError_t. Throws what a thread
/// throws, and device_error for mistakes that the simulator finds. One grid runs at a time: other host threads wait.
/// Defined in the library foldwise_simulator, which needs Boost.Context.
int run_grid(dim3 grid, dim3 block, std::size_t shared_bytes, body thread);

/// Returns the block's dynamic shared memory, or null if the launch has none.
void* dynamic_shared_memory();

/// Runs a grid whose threads call thread() and may wait for one another at barriers, in shuffles and in votes; complete
/// on return. Returns and throws as run_grid() does; after an exception, what threads have written remains.
template <class Thread> int run_with_barriers(dim3 grid, dim3 block, std::size_t shared_bytes, const Thread& thread) {
#ifdef FOLDWISE_WATCHES_ACCESSES
    watch_accesses();
#endif
    return run_grid(grid, block, shared_bytes,
                    {[](const void* thread_) { (*static_cast<const Thread*>(thread_))(); }, &thread});
}

/// Runs a grid in which no thread waits for another, one thread after the other on the calling thread. Always returns
/// 0, cudaSuccess. Under ThreadSanitizer, each simulated thread nevertheless counts as a thread, so that races between
/// them are found.
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

/// Runs a kernel whose threads may wait for one another. Returns and throws as run_grid() does.
template <class... Parameters, class... Arguments>
int launch_with_barriers(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st*,
                         Arguments... arguments) {
    return run_with_barriers(grid, block, shared_bytes, [&] { kernel(arguments...); });
}

/// Runs a kernel in which no thread waits for another. Returns and throws as run_in_order() does.
template <class... Parameters, class... Arguments>
int launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, CUstream_st*,
           Arguments... arguments) {
    return run_in_order(blocks, threads, [&] { kernel(arguments...); });
}

}  // namespace foldwise::simulation
