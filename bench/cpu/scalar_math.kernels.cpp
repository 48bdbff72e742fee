// bench/cpu/scalar_math.kernels.cpp: the formulas as kernels, and reductions.
#include "formulas.hpp"

#include <foldwise/spec.hpp>

#include <tuple>

namespace bench {

auto rel_diff = foldwise::vectorize([](float x, float y) { return formulas::rel_diff(x, y); });
auto black_scholes = foldwise::vectorize([](float spot, float strike, float years, float rate, float vol) {
    const formulas::prices both = formulas::black_scholes(spot, strike, years, rate, vol);
    return std::tuple{both.call, both.put};
});

// For layouts other than contiguous ones.
auto scale_shift = foldwise::vectorize([](float x, float s, float t) { return x * s + t; });
auto add = foldwise::vectorize([](float x, float y) { return x + y; });

auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto max = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, foldwise::lowest);
auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));

}  // namespace bench
