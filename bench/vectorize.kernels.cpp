// bench/vectorize.kernels.cpp: the elementwise kernels that are measured.
#include "cpu/formulas.hpp"

#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <tuple>

namespace bench {

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double),
                                    foldwise::bfloat16(foldwise::bfloat16, foldwise::bfloat16)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });

auto add = foldwise::vectorize([](std::int8_t x, std::int8_t y) { return static_cast<std::int8_t>(x + y); });

auto black_scholes = foldwise::vectorize([](float spot, float strike, float years, float rate, float vol) {
    const formulas::prices both = formulas::black_scholes(spot, strike, years, rate, vol);
    return std::tuple{both.call, both.put};
});

auto polar = foldwise::vectorize([](float x, float y) { return std::tuple{std::hypot(x, y), std::atan2(y, x)}; });

}  // namespace bench
