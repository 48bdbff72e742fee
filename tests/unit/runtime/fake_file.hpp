// tests/unit/runtime/fake_file.hpp: a file of kernels that only notes how they are launched, on a GPU that runs 300
// blocks at once.
#pragma once

#include <foldwise/detail/gpu_code.hpp>

#include <cstdint>

struct noted_launch {
    int instance;
    unsigned int x, y, threads, shared_bytes;
};

inline noted_launch& last_launch() {
    static noted_launch last{};
    return last;
}

/// What the launch is given of its arguments, if a test wants to see them.
inline void (*look_at_arguments)(void** arguments) = nullptr;

inline foldwise::detail::gpu_code fake_code(int instance) {
    return reinterpret_cast<foldwise::detail::gpu_code>(static_cast<std::uintptr_t>(instance + 1));
}

inline constexpr foldwise::detail::gpu_file fake_file = {
    .launch =
        [](const foldwise::detail::gpu_launch& launch) {
            last_launch() = {static_cast<int>(reinterpret_cast<std::uintptr_t>(launch.kernel)) - 1, launch.blocks[0],
                             launch.blocks[1], launch.threads, launch.shared_bytes};
            if (look_at_arguments) look_at_arguments(launch.arguments);
            return 0;
        },
    .current_gpu =
        [](int* gpu) {
            *gpu = 0;
            return 0;
        },
    .occupancy =
        [](foldwise::detail::gpu_code, int, int* blocks, int* multiprocessors) {
            *blocks = 3;
            *multiprocessors = 100;
            return 0;
        },
    .is_reproducible = false,
    .threads_at_once = 1 << 18,
    .few_tiles = 128,
    .shared_memory =
        [](int* most_bytes) {
            *most_bytes = 227 << 10;
            return 0;
        },
};
