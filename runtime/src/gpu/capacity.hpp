// runtime/src/gpu/capacity.hpp: how much of a kernel a GPU runs at once.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/reduce_code.hpp>

namespace foldwise::detail {

/// The blocks of a kernel that a GPU runs at once.
struct capacity {
    int per_multiprocessor, multiprocessors;

    int blocks() const { return per_multiprocessor * multiprocessors; }
};

/// Returns the current GPU's capacity for blocks of `threads` threads. CUDA is asked once for each GPU; `known` keeps
/// the answer. If it does not answer, the capacity is a single block.
inline capacity capacity_of(const gpu_file& file, gpu_code kernel, int threads, known_blocks& known) {
    constexpr int most = 1 << 16;  // multiprocessors
    int gpu = 0;
    if (file.current_gpu(&gpu) != 0) return {1, 1};
    int* const kept = gpu < known_blocks::gpus ? &known.of_gpu[gpu] : nullptr;
    if (const int both = kept ? __atomic_load_n(kept, __ATOMIC_RELAXED) : 0) return {both / most, both % most};
    capacity found{};
    if (file.occupancy(kernel, threads, &found.per_multiprocessor, &found.multiprocessors) != 0 || found.blocks() == 0)
        return {1, 1};
    if (kept) __atomic_store_n(kept, found.per_multiprocessor * most + found.multiprocessors, __ATOMIC_RELAXED);
    return found;
}

/// Returns how much shared memory each of so many blocks of a multiprocessor may ask for, where one alone may ask for
/// `most` bytes: each has a KiB besides.
constexpr std::int64_t shared_bytes_of(std::int64_t most, std::int64_t blocks) {
    constexpr std::int64_t besides = 1 << 10;
    return (most + besides) / blocks - besides;
}

}  // namespace foldwise::detail
