// tests/unit/runtime/any_layout.hpp: layouts with random strides.
#pragma once

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Returns strides for a shape with the axes in any order, with gaps, and descending along some axes.
inline foldwise::detail::layout any_layout(const foldwise::shape& extents, std::mt19937& random) {
    std::vector<std::size_t> order(static_cast<std::size_t>(extents.rank()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (random() % 2) std::shuffle(order.begin(), order.end(), random);
    foldwise::detail::layout result{extents, {}};
    std::int64_t stride = random() % 3 == 0 ? 2 : 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        result.strides[order[i]] = random() % 4 == 0 ? -stride : stride;
        stride *= std::max<std::int64_t>(extents[static_cast<int>(order[i])], 1);
        if (random() % 4 == 0) ++stride;
    }
    return result;
}
