// What Python calls: elementwise functions of several types, and functions that it cannot call.
#include <foldwise/spec.hpp>

#include <complex>
#include <cstdint>
#include <functional>

namespace functions {

struct point {
    float x, y;
};

/// The sum, in "quotation marks" and with a backslash: \.
auto add = foldwise::vectorize<std::int8_t(std::int8_t, std::int8_t), std::int64_t(std::int64_t, std::int64_t),
                               std::uint64_t(std::uint64_t, std::uint64_t), float(float, float), double(double, double),
                               std::complex<double>(std::complex<double>, std::complex<double>)>(std::plus<>{});
auto half_of = foldwise::vectorize<foldwise::half(foldwise::half)>([](auto x) { return x / 2; });
auto is_less = foldwise::vectorize<bool(double, double)>([](double a, double b) { return a < b; });
auto length = foldwise::vectorize<float(point)>([](point p) { return p.x + p.y; });
auto numbered =
    foldwise::vectorize<double(double)>([](foldwise::index<1> i, double x) { return x + static_cast<double>(i[0]); });

}  // namespace functions
