// foldwise/cpu/few_steps.hpp: by which steps a few neighbours are combined.
#pragma once

#include <foldwise/detail/limits.hpp>

namespace foldwise::cpu {

/// The steps of a fold by which up to detail::narrow_terms neighbours are combined: its own, but where integers of 17
/// bits are summed in 64, sums of 32, of which a vector has twice as many.
template <class Steps> struct few_steps : Steps {};

/// `Steps::narrow_sum` is the type of such sums.
template <class Steps>
requires requires { typename Steps::narrow_sum; }
struct few_steps<Steps> : Steps {
    using accumulator = typename Steps::narrow_sum;
    static accumulator combine(const accumulator& a, const accumulator& b) { return a + b; }
};

}  // namespace foldwise::cpu
