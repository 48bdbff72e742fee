// bench/build_cost/library.kernels.cpp: what a small library of kernels has: four folds and three elementwise kernels.
#include <foldwise/spec.hpp>

#include <cmath>

namespace build_cost {

auto total = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto largest = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, foldwise::lowest);
auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
auto squares = foldwise::reduce<double>(
    foldwise::map([](double x) { return x * x; }), [](double a, double b) { return a + b; }, foldwise::identity(0));

auto axpy = foldwise::vectorize([](float a, float x, float y) { return a * x + y; });
auto clamped = foldwise::vectorize([](float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; });
auto decay = foldwise::vectorize([](float x, float t) { return x * std::exp(-t); });

}  // namespace build_cost
