// runtime/src/forall/launch_forall.cpp: distributes a call's tasks over blocks, and launches its kernel.
#include "forall_grid.hpp"
#include "gpu/by_rank.hpp"
#include "gpu/parameters.hpp"

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/forall_code.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

namespace {

/// Adds a view as an address, extents and strides, in the integer type of the layout.
template <view_layout Layout> void add_view(parameters& all, const forall_argument& given, int rank) {
    using number = view_number<Layout>;
    struct {
        void* data;
        number numbers[2 * max_axes + 1];
    } view;
    view.data = given.data;
    for (int axis = 0; axis < rank; ++axis) {
        view.numbers[axis] = static_cast<number>(given.extents[axis]);
        view.numbers[rank + axis] = static_cast<number>(given.strides[axis]);
    }
    view.numbers[2 * rank] = static_cast<number>(given.sums);  // which only the views of `summed` kernels have
    all.add(view);
}

/// Blocks of `summed` kernels: about as many as large GPUs run at once, for each block adds its sums to the views'
/// once.
constexpr unsigned int most_summing_blocks = 1024;
/// How many times as many tasks as sums a block has at least.
constexpr std::int64_t tasks_per_sum = 4;

view_layout layout_of(const forall_code& code, const forall_call& call) {
    if (!call.is_plain) return view_layout::strided;
    const bool has_sums = call.sum_bytes > 0 && code.instances[static_cast<int>(view_layout::summed)] != nullptr;
    // The task of a mistake is known by its block, and those of `summed` kernels have many tiles.
    return has_sums && !code.file->is_checked ? view_layout::summed : view_layout::plain;
}

/// Returns how many blocks a `summed` kernel is launched with.
unsigned int summing_blocks(const forall_call& call, unsigned int tiles) {
    const std::int64_t useful = call.count / (tasks_per_sum * call.sum_bytes / bytes_per_sum);
    const auto most = static_cast<unsigned int>(useful < 1                     ? 1
                                                : useful < most_summing_blocks ? useful
                                                                               : std::int64_t{most_summing_blocks});
    return tiles < most ? tiles : most;
}

template <int N> int launch_tasks(const forall_code& code, const forall_call& call, CUstream_st* stream) {
    const view_layout layout = layout_of(code, call);
    const bool has_sums = layout == view_layout::summed;
    parameters all;
    for (int i = 0; i < code.parameters; ++i) {
        const forall_argument& given = call.arguments[i];
        if (code.ranks[i] == 0)
            all.add_at(given.data);
        else if (call.is_plain)
            add_view<view_layout::plain>(all, given, code.ranks[i]);
        else
            add_view<view_layout::strided>(all, given, code.ranks[i]);
    }
    const forall_grid<N> grid = grid_of<N>(call, std::countr_zero(static_cast<unsigned int>(code.threads)));
    all.add(grid);
    try {
        return code.file->launch({.kernel = code.instances[static_cast<int>(layout)],
                                  .blocks = {has_sums ? summing_blocks(call, grid.blocks) : grid.blocks, 1, 1},
                                  .threads = static_cast<unsigned int>(code.threads),
                                  .shared_bytes = has_sums ? call.sum_bytes : 0,
                                  .has_barriers = has_sums,
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
