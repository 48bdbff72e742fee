// foldwise/detail/strides.hpp: strides and extents in the form in which kernels receive them.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The strides of one operand, in elements.
struct strides {
    std::int64_t steps[max_axes];  ///< Innermost axis first.
};

/// The extents of fewer than 2^31 elements, which are numbered in row-major order.
struct strided_range {
    std::uint32_t count;
    int rank;
    divider<std::uint32_t> extents[max_axes];  ///< Innermost first; the outermost is never divided by.
};

}  // namespace foldwise::detail
