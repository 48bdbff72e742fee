// bench/accuracy/errors.kernels.cpp: arguments for floats, and how far results are from a reference in double.
#include "error.hpp"

#include <foldwise/spec.hpp>

#include <bit>
#include <cstdint>

namespace accuracy {

// The floats' bits in an order that meets all magnitudes early, and each float once in 2^32.
auto floats = foldwise::vectorize([](foldwise::index<1> i, std::uint32_t first) {
    return std::bit_cast<float>((first + static_cast<std::uint32_t>(i)) * 0x9e3779b1u);
});

// Bits that look random, for functions of two arguments.
auto scattered_floats = foldwise::vectorize([](foldwise::index<1> i, std::uint32_t seed) {
    return std::bit_cast<float>(scattered(static_cast<std::uint32_t>(i) ^ seed));
});

// Evenly between two values, in an order that looks random.
auto ordinary_floats = foldwise::vectorize([](foldwise::index<1> i, std::uint32_t seed, float low, float high) {
    return low + (high - low) * (static_cast<float>(scattered(static_cast<std::uint32_t>(i) ^ seed) >> 8) * 0x1p-24f);
});

auto widened = foldwise::vectorize([](float x) { return static_cast<double>(x); });

// Of equal errors, one that does not depend on the order of the elements.
inline bool is_before(worst_case a, worst_case b) {
    if (a.error != b.error) return a.error < b.error;
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

auto worst = foldwise::reduce<worst_case(float, double, float, float)>(
    foldwise::map([](float got, double want, float x, float y) {
        return worst_case{error_in_ulp(got, want), x, y};
    }),
    foldwise::combine([](worst_case a, worst_case b) { return is_before(a, b) ? b : a; }),
    foldwise::identity(worst_case{0, 0, 0}), foldwise::commutative);

}  // namespace accuracy
