// generator/frontend/BlockRuns.hpp: the values that a block's own variables have each time that a phase runs.
#pragma once

#include "ForallValues.hpp"

#include <vector>

namespace foldwise {

/// How many runs are told of a phase at most: where there are more, those that follow are not known.
inline constexpr std::size_t mostBlockRuns = 12;

/// Follows the code between phases, as far as constants decide what it does, and returns the values of the integer
/// variables that it changes, and of those that are made from them, each time that the phase of `values` runs: 128, 64
/// and so on to 1 of w for `for (int w = 128; w > 0; w /= 2)`. The runs of a loop that something else decides are one,
/// in which nothing is known of what the loop changes. There is at least one run, and at most mostBlockRuns.
std::vector<BlockValues> blockRuns(const ForallValues& values);

}  // namespace foldwise
