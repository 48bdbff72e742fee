// bench/cpu/vector_math.kernels.cpp: the formula that calls <cmath> again, for VECTOR_MATH.
#include "formulas.hpp"

#include <foldwise/spec.hpp>

#include <tuple>

namespace bench::vector_math {

auto black_scholes = foldwise::vectorize([](float spot, float strike, float years, float rate, float vol) {
    const formulas::prices both = formulas::black_scholes(spot, strike, years, rate, vol);
    return std::tuple{both.call, both.put};
});

}  // namespace bench::vector_math
