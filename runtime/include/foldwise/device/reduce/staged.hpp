// foldwise/device/reduce/staged.hpp: reductions of short rows on a GPU that cannot be read by vectors, because they
// have any length or begin anywhere.
//
// Rows that follow one another in memory can: a block copies all of its rows to shared memory by 16 bytes, and lanes
// then read their elements there one by one. The runtime chooses the number of lanes so that few of them read the same
// bank (runtime/src/reduce/reduce_plan.cpp).
#pragma once

#include <foldwise/device/reduce/groups.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Reduces the elements begin, begin + step, … of a row, of which each is less than `end`: four at a time as a tree.
template <class Elements, class Steps>
__device__ inline void fold_short(const Elements& elements, int begin, int step, int end, partial<Steps>& mine) {
    const auto mapped = [&](int number) { return elements.mapped(short_place{number}); };
    int number = begin;
    FOLDWISE_NOT_UNROLLED
    for (; number + 3 * step < end; number += 4 * step)
        mine.append(Steps::combine(Steps::combine(mapped(number), mapped(number + step)),
                                   Steps::combine(mapped(number + 2 * step), mapped(number + 3 * step))));
    FOLDWISE_NOT_UNROLLED
    for (; number < end; number += step) mine.append(mapped(number));
}

/// Reduces each row by one or several lanes of a warp, after the block has copied its rows to shared memory.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::staged> __device__ inline void
fold(Elements elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    wait_for_previous_kernel();
    const auto rows_each = static_cast<unsigned int>(range.rows_each);
    const unsigned int first = blockIdx.x * rows_each, left = range.rows.count - first;
    const unsigned int rows = left < rows_each ? left : rows_each;
    elements.stage(std::int64_t{first} * range.length, static_cast<int>(rows) * range.length);
    wait_for_copies();

    const unsigned int lanes = 1u << range.lanes_log2, groups = blockDim.x >> range.lanes_log2;
    const auto lane = static_cast<int>(threadIdx.x & (lanes - 1));
    FOLDWISE_NOT_UNROLLED
    for (unsigned int from = 0; from < rows; from += groups) {
        const unsigned int row = from + (threadIdx.x >> range.lanes_log2);
        partial<Steps> mine;
        if (row < rows) {
            strided_place<Elements::operands> at{};
            add_row(range.rows, strides, first + row, at);
            Elements entered = elements;
            entered.enter(at);
            if constexpr (Elements::takes_index) entered.space.refer(0);
            if constexpr (Steps::commutes) {
                fold_short(entered, lane, static_cast<int>(lanes), range.length, mine);
            } else {
                const int begin = lane * range.each, end = begin + range.each;
                fold_short(entered, begin, 1, end < range.length ? end : range.length, mine);
            }
        }
        FOLDWISE_NOT_UNROLLED
        for (unsigned int distance = 1; distance < lanes; distance *= 2)
            mine.append(shuffle_down(mine, static_cast<int>(distance)));
        if (lane == 0 && row < rows) target.store(offset_along(range.rows, first + row, target.place.rows), mine);
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
