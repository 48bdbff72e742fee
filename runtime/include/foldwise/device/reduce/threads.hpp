// foldwise/device/reduce/threads.hpp: reductions of a few elements each on a GPU, several of them by each thread.
//
// All threads read the same elements of their rows at the same time. Where an element lies along the folded axes is
// therefore computed once for all of a thread's rows. Neighbouring threads have neighbouring rows, so that what they
// load is near in memory whether rows lie side by side or follow one another.
#pragma once

#include <foldwise/device/reduce/groups.hpp>

#include <cstdint>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The places of the elements of a thread's rows, for a map that takes their indices: along a single axis these follow
/// from the first elements', without divisions.
template <class Elements, bool TakesIndex = Elements::takes_index> class row_places {
  public:
    using row = strided_place<Elements::operands>;

    __device__ row_places(const Elements& elements, const row (&rows)[detail::rows_per_thread]) : rows_(rows) {
        FOLDWISE_UNROLLED
        for (int i = 0; i < detail::rows_per_thread; ++i) firsts_[i] = elements.space.located(rows[i]);
    }
    /// Returns the place of the number-th element of a row, which `entered` has moved to.
    __device__ auto of(const Elements& entered, int i, std::uint32_t number) const {
        return entered.space.has_one_axis() ? entered.space.located(firsts_[i], number)
                                            : entered.space.located(rows_[i]);
    }

  private:
    const row (&rows_)[detail::rows_per_thread];
    decltype(std::declval<const Elements&>().space.located(row())) firsts_[detail::rows_per_thread];
};
template <class Elements> class row_places<Elements, false> {
  public:
    using row = strided_place<Elements::operands>;

    __device__ row_places(const Elements&, const row (&rows)[detail::rows_per_thread]) : rows_(rows) {}
    __device__ const row& of(const Elements&, int i, std::uint32_t) const { return rows_[i]; }

  private:
    const row (&rows_)[detail::rows_per_thread];
};

/// Returns the elements as a thread reads them from a place on.
template <class Elements>
__device__ inline Elements moved(Elements elements, const strided_place<Elements::operands>& to) {
    elements.enter(to);
    return elements;
}

/// Reduces several rows by each thread, `elements_in_flight` elements of each at a time.
template <int Threads, class Elements, class Steps>
requires is_reduced_by<Elements, reducer::threads> __device__ inline void
fold(const Elements& elements, const operand_strides<Elements::operands>& strides,
     const reduce_range<Elements::instance>& range, const reduce_target<Steps>& target) {
    constexpr int rows = detail::rows_per_thread, loads = detail::elements_in_flight, operands = Elements::operands;
    const unsigned int first = blockIdx.x * (blockDim.x * rows) + threadIdx.x, last = range.rows.count - 1;
    const auto row = [&](int i) { return first + static_cast<unsigned int>(i) * blockDim.x; };

    // Threads beyond the last row read it again.
    std::uint32_t numbers[rows];
    strided_place<operands> at[rows]{};
    std::int64_t results[rows]{};
    FOLDWISE_UNROLLED
    for (int i = 0; i < rows; ++i) numbers[i] = row(i) < last ? row(i) : last;
    walk_axes(range.rows, numbers, [&](int axis, int i, std::uint32_t coordinate) {
        FOLDWISE_UNROLLED
        for (int operand = 0; operand < operands; ++operand)
            at[i].offsets[operand] += coordinate * strides.of[operand].rows(axis);
        results[i] += coordinate * target.place.rows.steps[axis];
    });

    partial<Steps> all[rows];
    const row_places<Elements> places(elements, at);
    const std::uint32_t count = range.folded.count;
    wait_for_previous_kernel();
    FOLDWISE_NOT_UNROLLED
    for (std::uint32_t number = 0; number < count; number += loads) {
        const auto left = static_cast<int>(count - number);
        std::uint32_t neighbours[loads];
        strided_place<operands> moves[loads];
        FOLDWISE_UNROLLED
        for (int k = 0; k < loads; ++k) neighbours[k] = number + static_cast<std::uint32_t>(k < left ? k : 0);
        find_places<Elements>(range.folded, strides, neighbours, moves);
        typename Elements::tile tiles[loads][rows];
        FOLDWISE_UNROLLED
        for (int k = 0; k < loads; ++k) {
            if (k >= left) break;
            moved(elements, moves[k]).load(at, tiles[k], rows);
        }
        FOLDWISE_UNROLLED
        for (int k = 0; k < loads; ++k) {
            if (k >= left) break;
            const Elements entered = moved(elements, moves[k]);
            FOLDWISE_UNROLLED
            for (int i = 0; i < rows; ++i) {
                const auto one =
                    entered.mapped(tiles[k][i], places.of(entered, i, number + static_cast<std::uint32_t>(k)), 0);
                if (k == 0 && number == 0)
                    all[i] = partial<Steps>(one);
                else
                    all[i].value = Steps::combine(all[i].value, one);
            }
        }
    }
    const auto each_row = [&](const auto& done) {
        FOLDWISE_UNROLLED
        for (int i = 0; i < rows; ++i)
            if (row(i) <= last) done(i);
    };
    each_row([&](int i) { all[i].value = target.whole(all[i]); });
    if (Steps::finishes && target.place.is_partial)
        each_row([&](int i) { target.store(target.place.out, true, results[i], all[i].value); });
    else
        each_row([&](int i) { target.store(target.place.out, false, results[i], all[i].value); });
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
