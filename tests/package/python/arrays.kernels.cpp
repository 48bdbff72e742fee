// What Python calls with arrays of many libraries.
#include <foldwise/spec.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <tuple>

namespace functions {

/// The product, of narrow floats too.
auto multiply = foldwise::vectorize<foldwise::bfloat16(foldwise::bfloat16, foldwise::bfloat16), float(float, float)>(
    std::multiplies<>{});
/// Folds by the same operation, the first of which is of no type that multiply() has for NumPy.
auto product_of_narrow = foldwise::reduce<double(std::int8_t)>(std::multiplies<>{}, foldwise::identity(1));
auto product = foldwise::reduce<float>(std::multiplies<>{}, foldwise::identity(1));
auto total_of_narrow = foldwise::reduce<float(foldwise::bfloat16)>(std::plus<>{}, foldwise::identity(0));

/// A function of two outputs, whose gradient is known. The second input counts and has none.
auto powers =
    foldwise::vectorize<std::tuple<float, float>(float, std::int32_t, float),
                        std::tuple<double, double>(double, std::int32_t, double)>([](auto x, std::int32_t n, auto y) {
        return std::tuple{x * x * static_cast<decltype(x)>(n), x * y};
    });
auto powers_backward = foldwise::vectorize<std::tuple<float, float>(float, std::int32_t, float, float, float),
                                           std::tuple<double, double>(double, std::int32_t, double, double, double)>(
    [](auto x, std::int32_t n, auto y, auto first, auto second) {
        return std::tuple{2 * x * static_cast<decltype(x)>(n) * first + y * second, x * second};
    });
auto squared = foldwise::vectorize<float(float), double(double)>([](auto x) { return x * x; });
/// Of complex numbers: what it computes, and the conjugate of its derivative times the gradient.
auto turned =
    foldwise::vectorize<std::complex<double>(std::complex<double>, double)>([](auto z, double x) { return z * z * x; });
auto turned_backward =
    foldwise::vectorize<std::tuple<std::complex<double>, double>(std::complex<double>, double, std::complex<double>)>(
        [](auto z, double x, auto gradient) {
            return std::tuple{2 * x * std::conj(z) * gradient, std::real(std::conj(z * z) * gradient)};
        });
auto squared_backward = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto gradient) { return 2 * x * gradient; });

}  // namespace functions
