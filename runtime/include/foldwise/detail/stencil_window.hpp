// foldwise/detail/stencil_window.hpp: how far the lambda of a stencil kernel looks, as CPU and CUDA kernels have it.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <cstdint>

namespace foldwise::detail {

/// `Reach` has two numbers for each axis: how far the lambda looks before and behind an element.
template <std::int64_t... Reach> struct stencil_window {
    static constexpr int rank = sizeof...(Reach) / 2;

    FOLDWISE_HD static constexpr std::int64_t reach(int axis, int side) {
        constexpr std::int64_t all[] = {Reach...};
        return all[2 * axis + side];
    }

    /// The most coordinates along an axis that it looks at.
    static constexpr std::int64_t widest = [] {
        constexpr std::int64_t all[] = {Reach...};
        std::int64_t most = 0;
        for (int axis = 0; axis < rank; ++axis)
            if (all[2 * axis] + all[2 * axis + 1] > most) most = all[2 * axis] + all[2 * axis + 1];
        return most + 1;
    }();

    /// Whether elements at edges have tables of the coordinates that the edge gives for each offset. They are on the
    /// stack, or in registers.
    static constexpr bool has_tables = widest * rank <= 64;
    static constexpr int table_size = has_tables ? static_cast<int>(widest) : 1;
};

}  // namespace foldwise::detail
