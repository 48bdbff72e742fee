// tests/golden/reduce/reduce.kernels.cpp: reductions: types and parts that differ, orders that matter and that do not.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>

namespace stats {

/// Adds all elements.
auto sum = foldwise::reduce<float, std::int64_t(std::int32_t)>([](auto a, auto b) { return a + b; },
                                                               foldwise::identity(0));

/// The length of x - y.
auto distance = foldwise::reduce<double(float, float)>(
    foldwise::map([](auto x, auto y) { return (x - y) * (x - y); }),
    foldwise::combine([](auto a, auto b) { return a + b; }), foldwise::identity(0.0),
    foldwise::finish([](double square) { return std::sqrt(square); }));

struct peak {
    float value;
    std::int64_t at;
};

// The first of the largest.
auto argmax = foldwise::reduce<peak(float)>(
    foldwise::map([](foldwise::index<1> i, float v) { return peak{v, i}; }),
    foldwise::combine([](peak a, peak b) { return b.value > a.value ? b : a; }), foldwise::no_identity);

auto largest = foldwise::reduce<foldwise::half>([](auto a, auto b) { return a < b ? b : a; }, foldwise::lowest);

}  // namespace stats
