// foldwise/device/reduce/lanes.hpp: reductions of short rows on a GPU, by one or several lanes of a warp for each.
//
// A thread always loads four tiles: one of each of four rows, two of each of two rows, or four of a single row. The
// last is the cheapest to combine: a lane first combines its own tiles, so that fewer lanes exchange their results, and
// for fewer rows. The runtime chooses it wherever neighbouring lanes still read neighbouring memory
// (runtime/src/reduce/reduce_plan.cpp).
#pragma once

#include <foldwise/device/reduce/groups.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The elements of a row that the calling lane combines: tile t has the elements first + t * tile_step + k * step.
struct lane_elements {
    int first, tile_step, step;
    int length;     ///< Elements of the row.
    int step_log2;  ///< The step as a power of two.
    int apart;      ///< The distance between the first elements of neighbouring lanes.

    /// If elements may be combined in any order, the lanes' tiles are side by side, and so are their single elements.
    /// Otherwise each lane has neighbouring ones.
    template <class Elements> __device__ static lane_elements of(const detail::lanes_range& range, int lane) {
        constexpr int width = Elements::width;
        const int lanes_log2 = range.lanes_log2;
        if constexpr (!Elements::steps::commutes)
            return {lane * width << range.tiles_log2, width, 1, range.length, 0, width << range.tiles_log2};
        if constexpr (Elements::instance == reduce_instance::lanes_vectors)
            return {lane * width, width << lanes_log2, 1, range.length, 0, width};
        return {lane, width << lanes_log2, 1 << lanes_log2, range.length, lanes_log2, 1};
    }

    /// Returns how many elements tile t has; zero or less if there are none, and at least the width if it is whole.
    __device__ int left(int t) const { return (length - first - t * tile_step + step - 1) >> step_log2; }
    /// Returns whether the lane that is so many lanes further on has elements.
    __device__ bool is_lane(int distance) const { return first + distance * apart < length; }
};

/// Computes the offsets of the elements of a lane's first tile in all operands. Beyond the end of the row these are the
/// last element's.
template <class Elements>
__device__ inline void find_elements(const detail::strided_range& folded,
                                     const operand_strides<Elements::operands>& strides, const lane_elements& own,
                                     lane_offsets<Elements::operands>& offsets) {
    constexpr int width = Elements::width, operands = Elements::operands;
    std::uint32_t numbers[width];
    FOLDWISE_UNROLLED
    for (int k = 0; k < width; ++k) {
        const int number = own.first + k * own.step;
        numbers[k] = static_cast<std::uint32_t>(number < own.length ? number : own.length > 0 ? own.length - 1 : 0);
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < operands; ++operand) offsets.of[operand][k] = 0;
    }
    walk_axes(folded, numbers, [&](int axis, int k, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < operands; ++operand)
            offsets.of[operand][k] += static_cast<int>(coordinate) * static_cast<int>(strides.of[operand].folded(axis));
    });
}

/// Reduces each row by one or several lanes of a warp, which have up to four tiles of it each.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::lanes> __device__ inline void
fold(const Elements& elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    constexpr int count = tiles_per_thread, width = Elements::width, operands = Elements::operands;
    constexpr bool has_vectors = Elements::instance == reduce_instance::lanes_vectors;
    const unsigned int lane = threadIdx.x & ((1u << range.lanes_log2) - 1);
    const unsigned int groups = blockDim.x >> range.lanes_log2, last = range.rows.count - 1;
    const unsigned int rows = static_cast<unsigned int>(count >> range.tiles_log2);  // of each thread
    const unsigned int first = blockIdx.x * groups * rows + (threadIdx.x >> range.lanes_log2);
    const int last_tile = (1 << range.tiles_log2) - 1;
    const auto row = [&](int i) { return first + static_cast<unsigned int>(i >> range.tiles_log2) * groups; };
    const auto own = lane_elements::of<Elements>(range, static_cast<int>(lane));
    const auto left = [&](int i) { return own.left(i & last_tile); };

    // Lanes beyond the end of a row, and threads beyond the last row, read the first tile or the last row again.
    std::uint32_t numbers[count];
    strided_place<operands> at[count]{};
    FOLDWISE_UNROLLED
    for (int i = 0; i < count; ++i) numbers[i] = row(i) < last ? row(i) : last;
    walk_axes(range.rows, numbers, [&](int axis, int i, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < operands; ++operand)
            at[i].offsets[operand] += coordinate * strides.of[operand].rows(axis);
    });
    typename Elements::tile tiles[count];
    partial<Steps> all[count];
    const auto fold_loaded = [&](const auto& places) {
        wait_for_previous_kernel();
        if (range.length > 0) elements.load(places, tiles, count);
        FOLDWISE_UNROLLED
        for (int i = 0; i < count; ++i) {
            partial<Steps>& mine = all[i];
            if (left(i) <= 0) continue;
            if (has_vectors || left(i) >= width) {
                mine = partial<Steps>(fold_tile(elements, tiles[i], places[i]));
            } else {
                mine = partial<Steps>(elements.mapped(tiles[i], places[i], 0));
                FOLDWISE_UNROLLED
                for (int k = 1; k < width - 1; ++k)
                    if (k < left(i)) mine.value = Steps::combine(mine.value, elements.mapped(tiles[i], places[i], k));
            }
        }
    };
    if constexpr (has_vectors) {
        lane_place<operands> places[count];
        FOLDWISE_UNROLLED
        for (int i = 0; i < count; ++i)
            places[i] = {at[i], left(i) > 0 ? own.first + (i & last_tile) * own.tile_step : 0};
        fold_loaded(places);
    } else {
        lane_offsets<operands> offsets;
        find_elements<Elements>(range.folded, strides, own, offsets);
        const auto place = [&](int i) -> scattered_place<operands> {
            scattered_place<operands> result{at[i], offsets, left(i)};
            if (left(i) > 0 && (i & last_tile) > 0) {
                FOLDWISE_UNROLLED
                for (int operand = 0; operand < operands; ++operand)
                    result.offsets[operand] += (i & last_tile) * own.tile_step * strides.of[operand].folded(0);
            }
            return result;
        };
        const scattered_place<operands> places[count] = {place(0), place(1), place(2), place(3)};
        static_assert(count == 4);
        fold_loaded(places);
    }

    // The results of a lane's tiles are combined, then those of a row's lanes.
    FOLDWISE_UNROLLED
    for (int step = 1; step < count; step *= 2) {
        if (step > last_tile) break;
        FOLDWISE_UNROLLED
        for (int i = 0; i < count; i += 2 * step) all[i].append(all[i + step]);
    }
    FOLDWISE_NOT_UNROLLED
    for (int distance = 1; distance < 1 << range.lanes_log2; distance *= 2) {
        const auto each_row = [&](const auto& exchange) {
            if (last_tile == 0) {  // without branches, so that the rows do not wait for one another
                FOLDWISE_UNROLLED
                for (int i = 0; i < count; ++i) exchange(all[i]);
            } else {
                exchange(all[0]);
                if (last_tile == 1) exchange(all[2]);
            }
        };
        if (range.is_full) {  // results in other lanes are not used
            each_row([&](auto& mine) { mine.value = Steps::combine(mine.value, shuffle_down(mine.value, distance)); });
        } else {
            const bool is_lane = own.is_lane(distance);
            each_row([&](auto& mine) {
                const auto other = shuffle_down(mine.value, distance);
                if (is_lane) mine.value = Steps::combine(mine.value, other);
            });
        }
    }
    if (lane != 0) return;
    const auto each_row = [&](const auto& done) {
        FOLDWISE_UNROLLED
        for (int i = 0; i < count; ++i)
            if ((i & last_tile) == 0 && row(i) <= last) done(i);
    };
    // Accumulators are completed before places are computed, and the kind of result is chosen once: fewer registers.
    each_row([&](int i) { all[i].value = target.whole(all[i]); });
    std::int64_t results[count] = {};
    FOLDWISE_UNROLLED
    for (int i = 0; i < count; ++i) numbers[i] = row(i) < last ? row(i) : last;
    walk_axes(range.rows, numbers, [&](int axis, int i, std::uint32_t coordinate) {
        results[i] += coordinate * target.place.rows.steps[axis];
    });
    if (Steps::finishes && target.place.is_partial)
        each_row([&](int i) { target.store(target.place.out, true, results[i], all[i].value); });
    else
        each_row([&](int i) { target.store(target.place.out, false, results[i], all[i].value); });
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
