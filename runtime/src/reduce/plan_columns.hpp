// runtime/src/reduce/plan_columns.hpp: plans reductions of columns on a GPU.
#pragma once

#include "reduce_plan.hpp"

namespace foldwise::detail {

/// Completes the plan of a call whose neighbours in memory belong to different results: which threads of a block have
/// the same columns, and how many blocks do. `begun` has the numbers of results and of elements for each.
reduce_plan plan_columns(const reduce_plan& begun, const reduce_call& call, const reduce_traits& traits);

}  // namespace foldwise::detail
