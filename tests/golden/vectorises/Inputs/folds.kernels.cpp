// Folds whose chains fit vector registers.
#include <foldwise/spec.hpp>

auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
auto largest = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, foldwise::lowest);

struct extremes {
    float low, high;
};
auto range = foldwise::reduce<extremes(float)>(
    foldwise::map([](float x) { return extremes{x, x}; }),
    [](extremes a, extremes b) { return extremes{a.low < b.low ? a.low : b.low, a.high < b.high ? b.high : a.high}; },
    foldwise::no_identity, foldwise::commutative);

auto count = foldwise::reduce<std::int64_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) -> std::int64_t { return x > 80 && x < 168 ? 1 : 0; }),
    [](std::int64_t a, std::int64_t b) { return a + b; }, foldwise::identity(0));
