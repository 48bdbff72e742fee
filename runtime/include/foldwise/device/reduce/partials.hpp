// foldwise/device/reduce/partials.hpp: results of accumulators that earlier calls have left on a GPU.
//
// These are few, of as many processes or blocks as an array is divided into, or many results of few each. So there is
// one kernel for all layouts, which reads one accumulator at a time.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/reduce/target.hpp>
#include <foldwise/device/strided.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The accumulators of a launch, as a kernel's parameter.
template <class Steps> struct partials_parameter {
    using accumulator = typename Steps::accumulator;

    detail::partials_range range;
    union {
        accumulator value;
    };

    __device__ const accumulator& at(std::int64_t offset) const {
        return range.data ? static_cast<const accumulator*>(range.data)[offset] : value;
    }
};

/// Combines the accumulators of each result in order: each of its lanes has consecutive ones.
template <class Steps>
__global__ void __launch_bounds__(detail::partials_threads)
    from_partials(FOLDWISE_PARAMETER const partials_parameter<Steps> partials,
                  FOLDWISE_PARAMETER const reduce_target<Steps> target) {
    wait_for_previous_kernel();
    const detail::partials_range& range = partials.range;
    const unsigned int lanes = 1u << range.lanes_log2, lane = threadIdx.x & (lanes - 1);
    const std::uint32_t groups = detail::partials_threads >> range.lanes_log2;
    const std::uint32_t row = blockIdx.x * groups + (threadIdx.x >> range.lanes_log2);
    const bool is_row = row < range.rows.count;
    partial<Steps> mine;
    std::int64_t first = 0, result = 0;
    if (is_row) {
        std::uint32_t numbers[] = {row};
        walk_axes(range.rows, numbers, [&](int axis, int, std::uint32_t coordinate) {
            first += coordinate * range.row_strides.steps[axis];
            result += coordinate * target.place.rows.steps[axis];
        });
        const std::uint32_t share = range.folded.count / lanes + (range.folded.count % lanes != 0 ? 1 : 0);
        FOLDWISE_NOT_UNROLLED
        for (std::uint32_t i = 0; i < share; ++i) {
            const std::uint32_t number = lane * share + i;
            if (number >= range.folded.count) break;
            mine.append(partials.at(first + offset_along(range.folded, number, range.part_strides)));
        }
    }
    FOLDWISE_NOT_UNROLLED
    for (int distance = 1; distance < static_cast<int>(lanes); distance *= 2) mine.append(shuffle_down(mine, distance));
    if (!is_row || lane != 0) return;
    partial<Steps> before;
    if (!target.place.is_first)
        before = *target.carried();
    else if (target.place.has_initial)
        before = partial<Steps>(target.initial);
    const partial<Steps> all = target.completed(before, mine);
    if (target.place.is_last)
        target.store(target.place.out, false, result, all.value);
    else
        *target.carried() = all;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
