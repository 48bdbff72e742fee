// bench/cub_transform.kernels.cpp: what CUB's benchmarks of DeviceTransform compute (NVIDIA/cccl,
// cub/benchmarks/bench/transform), but for those in cub_math.kernels.cpp.
#include "cub_suite_types.hpp"

#include <foldwise/spec.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace cub_suite {

// BabelStream's, with numbers that are integers too.
template <class T> inline constexpr T scalar = T(-2);
auto mul = foldwise::vectorize<std::int8_t(std::int8_t), std::int16_t(std::int16_t), float(float), double(double)>(
    [](auto c) { return static_cast<decltype(c)>(c * scalar<decltype(c)>); });
auto add = foldwise::vectorize<std::int8_t(std::int8_t, std::int8_t), std::int16_t(std::int16_t, std::int16_t),
                               float(float, float), double(double, double)>(
    [](auto a, auto b) { return static_cast<decltype(a)>(a + b); });
auto triad = foldwise::vectorize<std::int8_t(std::int8_t, std::int8_t), std::int16_t(std::int16_t, std::int16_t),
                                 float(float, float), double(double, double)>(
    [](auto b, auto c) { return static_cast<decltype(b)>(b + scalar<decltype(c)> * c); });
auto nstream = foldwise::vectorize<std::int8_t(std::int8_t, std::int8_t, std::int8_t),
                                   std::int16_t(std::int16_t, std::int16_t, std::int16_t), float(float, float, float),
                                   double(double, double, double)>(
    [](auto a, auto b, auto c) { return static_cast<decltype(a)>(a + b + scalar<decltype(c)> * c); });

auto fill = foldwise::vectorize<std::int8_t(std::int8_t), std::int16_t(std::int16_t), std::int32_t(std::int32_t),
                                std::int64_t(std::int64_t)>([](auto value) { return value; });

/// By magnitude, and by angle where that is the same.
inline bool is_less(const std::complex<float>& a, const std::complex<float>& b) {
    double magnitude_a = std::abs(a), magnitude_b = std::abs(b);
    if (std::isnan(magnitude_a) || std::isnan(magnitude_b)) return false;
    if (std::isinf(magnitude_a) || std::isinf(magnitude_b)) {
        magnitude_a = std::abs(a * 0.5f);
        magnitude_b = std::abs(b * 0.5f);
    }
    const auto difference = static_cast<float>(std::abs(magnitude_a - magnitude_b));
    if (difference < std::numeric_limits<float>::epsilon() * 2) return std::arg(a) < std::arg(b);
    return magnitude_a < magnitude_b;
}
auto compare_complex = foldwise::vectorize([](std::complex<float> a, std::complex<float> b) { return is_less(a, b); });

auto grayscale = foldwise::vectorize<float(rgb<float>), double(rgb<double>)>([](auto pixel) {
    using type = decltype(pixel.r);
    return type(0.2989) * pixel.r + type(0.587) * pixel.g + type(0.114) * pixel.b;
});

/// Divergent: as many additions as the element says.
auto fibonacci = foldwise::vectorize([](std::int64_t n) {
    std::uint32_t before = 0, last = 1;
    if (n <= 1) return before;
    for (std::int64_t i = 3; i <= n; ++i) {
        const std::uint32_t next = before + last;
        before = last;
        last = next;
    }
    return last;
});

/// Many registers.
template <int N> std::uint32_t heavy(std::uint32_t x) {
    std::uint32_t some[N];
    some[0] = x;
    for (int i = 1; i < N; ++i) some[i] = some[i - 1] * some[i - 1] + 1;
    for (int i = 0; i < N; ++i) some[i] = (some[i] * some[i]) % 19;
    for (int i = 0; i < N; ++i) some[i] = some[N - i - 1] * some[i];
    std::uint32_t sum = 0;
    for (int i = 0; i < N; ++i) sum += some[i];
    return sum;
}
auto heavy_32 = foldwise::vectorize([](std::uint32_t x) { return heavy<32>(x); });
auto heavy_64 = foldwise::vectorize([](std::uint32_t x) { return heavy<64>(x); });

}  // namespace cub_suite
