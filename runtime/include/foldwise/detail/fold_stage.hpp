// foldwise/detail/fold_stage.hpp: which part of a fold a call computes.
#pragma once

#include <cstdint>

namespace foldwise::detail {

enum class fold_stage : std::uint8_t {
    whole,          ///< From elements to results.
    partial,        ///< From elements to accumulators, in place of the results.
    from_partials,  ///< From accumulators, in place of the elements, to results.
};

}  // namespace foldwise::detail
