// tests/run/vectorize.kernels.cpp: kernels that between them have every element type, 0 to 6 inputs and all that a body
// may hold.
#include "vectorize_host.hpp"

#include <foldwise/spec.hpp>

#include <cassert>
#include <cmath>
#include <cstdint>

#define SCALE 0.5f
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

namespace run {

constexpr int limit = 100;
inline float bell(float x) { return std::exp(-SCALE * x * x); }
inline float two_bells(float x, float y) { return bell(x) + bell(y); }

// Every arithmetic type, in and out.
auto next =
    foldwise::vectorize<bool(bool), std::int8_t(std::int8_t), std::uint8_t(std::uint8_t), std::int16_t(std::int16_t),
                        std::uint16_t(std::uint16_t), std::int32_t(std::int32_t), std::uint32_t(std::uint32_t),
                        std::int64_t(std::int64_t), std::uint64_t(std::uint64_t), float(float), double(double)>(
        [](auto x) { return static_cast<decltype(x)>(x + 1); });

// Widths that differ, so that one load per thread means another number of bytes for each operand.
auto widen =
    foldwise::vectorize<double(std::int8_t), std::int64_t(bool), float(std::int16_t)>([](auto x) { return x * 3; });
auto narrow =
    foldwise::vectorize<std::int8_t(double), bool(std::int64_t), std::uint16_t(float)>([](auto x) { return x > 0; });
auto mixed = foldwise::vectorize(
    [](std::int8_t a, double b, float c, std::uint16_t d) { return static_cast<float>(a * b + c * d); });
auto six = foldwise::vectorize(
    [](float a, float b, float c, float d, float e, float f) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; });
auto order =
    foldwise::vectorize<double(double, float), double(float, double)>([](auto a, auto b) { return a - 2 * b; });

// A struct from a header that is meant for the host too.
auto widest = foldwise::vectorize([](interval a, interval b) {
    return interval{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
});

// No inputs.
auto answer = foldwise::vectorize([] { return std::int32_t{42}; });

// Control flow, locals, macros, constants, helpers of helpers.
auto body = foldwise::vectorize([](float x, float y) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
        if (x > limit) break;
        sum += i % 2 == 0 ? two_bells(x, y) : CLAMP(x * y, -1.0f, 1.0f);
    }
    switch (static_cast<int>(y)) {
    case 0:
        return sum;
    case 1:
        return -sum;
    default:
        return sum * 2;
    }
});

// Left out where the build defines NDEBUG; the package's consumer, which does not, has another.
auto inverse = foldwise::vectorize([](float x) {
    assert(x != 0);
    return 1 / x;
});

namespace inner {
// A name that is used again in the namespace around this one.
auto next = foldwise::vectorize([](std::int32_t x) { return x - 1; });
}  // namespace inner

}  // namespace run

auto global_negate = foldwise::vectorize([](double x) { return -x; });
