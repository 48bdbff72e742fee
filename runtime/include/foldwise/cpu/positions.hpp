// foldwise/cpu/positions.hpp: the indices of elements that are folded, for maps that take one.
#pragma once

#include <foldwise/cpu/kernel.hpp>
#include <foldwise/detail/fold_position.hpp>

#include <cstdint>

namespace foldwise::cpu {

/// The indices of a block of elements of which none is beyond an extent, so that coordinates need no division: from one
/// element of a row to the next they grow by 1 or not at all, and from one row to the next by as much for each row.
template <int N> class straight_positions {
  public:
    straight_positions(const detail::fold_position& position, std::int64_t rows, std::int64_t count) {
        const detail::fold_position origin{0, 1, 0, position.shape};
        const auto coordinates = [&](std::int64_t number) { return origin.template at<N>(0, number); };
        const index<N> along = coordinates(count > 1 ? position.step : 0);
        first_ = coordinates(position.first);
        row_step_ = coordinates(rows > 1 ? position.row_step : 0);
        for (int axis = 0; axis < N; ++axis) {
            const std::int64_t last = first_[axis] + (rows - 1) * row_step_[axis] + (count - 1) * along[axis];
            is_right_ = is_right_ && along[axis] >= 0 && along[axis] <= 1 && row_step_[axis] >= 0 &&
                        last < position.shape[axis];
            mask_[axis] = -along[axis];
        }
    }

    /// Whether that holds for the block.
    bool is_right() const { return is_right_; }

    /// Returns the index of the i-th element of a row.
    [[gnu::always_inline]] index<N> operator()(std::int64_t row, std::int64_t i) const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = first_[axis] + row * row_step_[axis] + (i & mask_[axis]);
        return result;
    }

  private:
    index<N> first_, row_step_, mask_;
    bool is_right_ = true;
};

/// The axes of the index that a map takes.
template <class Result, int N, class... Elements>
constexpr int index_rank(Result (*)(const index<N>&, const Elements&...)) {
    return N;
}

/// Calls run(positions) for `rows` rows of `count` elements, where positions(row, i) is the index of an element.
template <int N, class Run>
[[gnu::always_inline]] inline void with_positions(const detail::fold_position& position, std::int64_t rows,
                                                  std::int64_t count, const Run& run) {
    if constexpr (N > 1)
        if (const straight_positions<N> straight(position, rows, count); straight.is_right()) return run(straight);
    run([&](std::int64_t row, std::int64_t i) { return position.template at<N>(row, i); });
}

}  // namespace foldwise::cpu
