// foldwise/detail/fold_position.hpp: the positions of elements that are combined on the CPU.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The positions of elements in rows, for maps that take an index.
struct fold_position {
    std::int64_t first;         ///< The first element's position in the call, in row-major order.
    std::int64_t step;          ///< The step of the position from one element to the next.
    std::int64_t row_step;      ///< The step of the position from one row to the next.
    const std::int64_t* shape;  ///< The caller's extents.

    /// Returns the index of the i-th element of a row.
    template <int N> index<N> at(std::int64_t row, std::int64_t i) const {
        index<N> result;
        std::int64_t rest = first + row * row_step + i * step;
        for (int axis = N - 1; axis > 0; --axis) {
            result[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        result[0] = rest;
        return result;
    }
};

}  // namespace foldwise::detail
