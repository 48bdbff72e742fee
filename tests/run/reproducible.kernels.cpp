// tests/run/reproducible.kernels.cpp: folds whose rounding depends on shapes alone.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace run {

auto sum = foldwise::reduce<float>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto dot = foldwise::reduce<float(float, float)>(foldwise::map([](auto x, auto y) { return x * y; }),
                                                 foldwise::combine([](auto a, auto b) { return a + b; }),
                                                 foldwise::identity(0));
auto running = foldwise::scan<float>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto deposit = foldwise::scatter<float(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) { return foldwise::at(place, x); }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));

}  // namespace run
