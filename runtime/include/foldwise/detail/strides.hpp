// foldwise/detail/strides.hpp: where elements lie that are counted along several axes, as kernels are told it.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The distances between neighbours of one operand along the axes, in elements.
struct strides {
    std::int64_t steps[max_axes];  ///< Innermost axis first.
};

/// Fewer than 2^31 elements in row-major order, and the extents that their numbers count through.
struct strided_range {
    std::uint32_t count;
    int rank;
    divider<std::uint32_t> extents[max_axes];  ///< Innermost first; nothing is divided by the outermost.
};

}  // namespace foldwise::detail
