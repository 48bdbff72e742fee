// runtime/src/forall/launch_forall.cpp: distributes a call's tasks over blocks, and launches its kernel.
#include "forall_grid.hpp"
#include "gpu/by_rank.hpp"
#include "gpu/view_parameters.hpp"
#include "vector_grid.hpp"

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/forall_code.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

namespace {

/// Blocks of `summed` kernels: about as many as large GPUs run at once, for each block adds its sums to the views'
/// once.
constexpr unsigned int most_summing_blocks = 1024;
/// How many tasks a block has at least for each byte of its sums.
constexpr std::int64_t tasks_of_sum_byte = 1;

/// With fewer tasks than that, large GPUs have a thread for each.
constexpr std::int64_t least_tasks_of_several = std::int64_t{1} << 20;

/// From as many elements or turns on, lanes that take them side by side are worth more than a thread that takes them
/// one after the other.
constexpr std::int64_t least_elements_of_warp = warp_lanes;
/// As many threads as large GPUs run at once: with that many, each of fewer tasks has a warp.
constexpr std::int64_t threads_at_once = std::int64_t{1} << 18;

bool has(const forall_code& code, view_layout layout) { return code.instances[static_cast<int>(layout)] != nullptr; }

/// Returns whether a warp for each task suits a call. Lanes read side by side what a task has to itself. Where tasks
/// read the same memory, caches serve a thread for each of them as well, and warps pay only if tasks are too few for
/// all threads, and take many turns or have a few elements of their own.
bool suits_warps(const forall_call& call) {
    if (call.looped_elements >= least_elements_of_warp) return true;
    if (call.count > threads_at_once / warp_lanes) return false;
    return call.looped_elements > 1 || call.most_turns >= least_elements_of_warp;
}

/// As many tasks as there can be blocks in a launch.
constexpr std::int64_t most_warp_tasks = std::int64_t{1} << 31;
constexpr int bits_of_warps = std::countr_zero(static_cast<unsigned int>(warps_of_block * warp_lanes));

/// As many warps as a large GPU runs at once: 40 on each of its 132 multiprocessors, with 48 registers for each thread.
constexpr std::int64_t warps_at_once = 40 * 132;

/// Returns how many lanes of a `warps` kernel have the same task, as a power of two. More lanes load more terms at
/// once, but all of them use every term, so that fewer lanes repeat less work. There are as many as let all tasks run
/// at the same time, but at least as many as read whole sectors.
int lanes_of_tasks(std::int64_t tasks) {
    int log2 = std::countr_zero(static_cast<unsigned int>(warp_lanes));
    while (1 << log2 > least_lanes_of_task && tasks << log2 > warps_at_once * warp_lanes) --log2;
    return log2;
}

/// An instance for a call, the threads of its blocks, and how these have the tasks: by a grid, or by vectors if the
/// instance is for these.
template <int N> struct choice {
    view_layout layout;
    int threads;
    forall_grid<N> grid;
    vector_grid<N> vectors;

    choice(view_layout which, const forall_grid<N>& given, int threads_of_block)
        : layout(which), threads(threads_of_block), grid(given), vectors() {}
    choice(const vector_grid<N>& given, int threads_of_block)
        : layout(view_layout::vectors), threads(threads_of_block), grid(), vectors(given) {}
};

template <int N> choice<N> choose(const forall_code& code, const forall_call& call) {
    const int bits_of_block = std::countr_zero(static_cast<unsigned int>(code.threads));
    // The task of a mistake is known by its block and thread, and those of other kernels have several tasks.
    if (call.is_plain && !code.file->is_checked) {
        if (call.shared_bytes > 0 && has(code, view_layout::summed))
            return {view_layout::summed, grid_of<N>(call, bits_of_block), code.threads};
        if (call.is_apart && has(code, view_layout::warps) && suits_warps(call) && call.count <= most_warp_tasks) {
            const int lanes_log2 = lanes_of_tasks(call.count);
            forall_grid<N> grid = grid_of<N>(call, bits_of_warps - lanes_log2);
            grid.lanes_log2 = lanes_log2;
            return {view_layout::warps, grid, warps_of_block * warp_lanes};
        }
        if (call.is_apart && call.count >= least_tasks_of_several) {
            const auto several =
                has(code, view_layout::several) ? several_grid_of<N>(code, call, bits_of_block) : std::nullopt;
            const bool has_tiles = several && are_tiles_filled(*several, code, call, code.threads);
            if (call.has_elements && has(code, view_layout::vectors))
                if (const auto grid = vector_grid_of<N>(code, call, code.threads, has_tiles))
                    return {*grid, code.threads};
            if (several) return {view_layout::several, *several, code.threads};
        }
    }
    const int bits = bits_of_small_block(call.count, bits_of_block);
    return {call.is_plain ? view_layout::plain : view_layout::strided, grid_of<N>(call, bits), 1 << bits};
}

/// Returns how many blocks a `summed` kernel is launched with.
unsigned int summing_blocks(const forall_call& call, unsigned int tiles) {
    const std::int64_t useful = call.count / (tasks_of_sum_byte * call.shared_bytes);
    const auto most = static_cast<unsigned int>(useful < 1                     ? 1
                                                : useful < most_summing_blocks ? useful
                                                                               : std::int64_t{most_summing_blocks});
    return tiles < most ? tiles : most;
}

template <int N> int launch_tasks(const forall_code& code, const forall_call& given, CUstream_st* stream) {
    const forall_call& call = given.merged && !code.file->is_checked ? *given.merged : given;
    const auto [layout, threads, grid, vectors] = choose<N>(code, call);
    const bool has_sums = layout == view_layout::summed;
    parameters all;
    add_arguments(all, call, code.ranks, code.parameters);
    unsigned int blocks = grid.blocks;
    if (layout == view_layout::vectors) {
        blocks = blocks_of(vectors, code.width, threads * vectors_of_thread(code.width, code.needs_index));
        all.add(vectors);
    } else {
        all.add(grid);
    }
    try {
        return code.file->launch({.kernel = code.instances[static_cast<int>(layout)],
                                  .blocks = {has_sums ? summing_blocks(call, blocks) : blocks, 1, 1},
                                  .threads = static_cast<unsigned int>(threads),
                                  .shared_bytes = has_sums ? call.shared_bytes : 0,
                                  .has_barriers = has_sums || layout == view_layout::warps ||
                                                  (layout == view_layout::several && code.staged_tiles > 0),
                                  .stream = stream,
                                  .arguments = all.addresses()});
    } catch (check_failed& failed) {
        grid.place(failed.found.block[0], failed.found.thread[0], failed.found.task);
        failed.found.task_rank = N;
        throw;
    }
}

}  // namespace

int launch(const forall_code& code, const forall_call& call, CUstream_st* stream) {
    return by_rank(code.index_rank,
                   [&]<int N>(std::integral_constant<int, N>) { return launch_tasks<N>(code, call, stream); });
}

}  // namespace foldwise::detail
