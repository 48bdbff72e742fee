// Bodies that become vector code, and one that cannot.
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <tuple>

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto clamp = foldwise::vectorize([](float x, float low, float high) { return x < low ? low : x > high ? high : x; });
auto root = foldwise::vectorize([](float x) { return std::sqrt(std::abs(x)); });
auto widen = foldwise::vectorize([](std::int8_t x) { return static_cast<std::int32_t>(x) * 3; });
auto twist = foldwise::vectorize([](std::uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
});
auto halve = foldwise::vectorize([](foldwise::half x) { return static_cast<foldwise::half>(0.5f * x); });
auto rounded = foldwise::vectorize([](float x) { return foldwise::bfloat16(x); });
auto turn = foldwise::vectorize([](float x, float y, float c, float s) {
    return std::tuple{c * x - s * y, s * x + c * y};
});
auto both = foldwise::vectorize([](foldwise::bfloat16 x, float y) {  // two results, one a class
    return std::tuple<foldwise::bfloat16, float>(-static_cast<float>(x), y * static_cast<float>(x));
});
auto ramp = foldwise::vectorize([](foldwise::index<1> i, float step) { return static_cast<float>(i) * step; });
// Bools that are read, and bools that are computed, as numbers.
auto either = foldwise::vectorize([](bool a, bool b, float x) -> float { return (a || b) / x + static_cast<float>(b); });
auto above = foldwise::vectorize([](float x, double y) -> float { return x + (x <= static_cast<float>(y)); });
auto steps = foldwise::vectorize([](std::uint32_t n) {  // NOT VECTORISED: it ends where it ends
    std::uint32_t count = 0;
    for (; n > 1; ++count) n = n % 2 ? 3 * n + 1 : n / 2;
    return count;
});

// With VECTOR_MATH.
auto bell = foldwise::vectorize<float(float), double(double)>([](auto x) { return std::exp(-x * x); });
auto normal = foldwise::vectorize([](float x) { return std::tuple{0.5f * std::erfc(-x), std::log(x)}; });
