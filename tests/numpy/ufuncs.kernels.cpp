// Functions that compute what universal functions of NumPy's do, for NumPy's own tests and for random calls.
#include <foldwise/spec.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <tuple>

namespace ufuncs {

using c64 = std::complex<float>;
using c128 = std::complex<double>;
using foldwise::half;
template <class T> using binary = T(T, T);
template <class T> using unary = T(T);
template <class T> using test = bool(T, T);

/// Arguments added, element-wise.
auto add =
    foldwise::vectorize<binary<bool>, binary<std::int8_t>, binary<std::uint8_t>, binary<std::int16_t>,
                        binary<std::uint16_t>, binary<std::int32_t>, binary<std::uint32_t>, binary<std::int64_t>,
                        binary<std::uint64_t>, binary<half>, binary<float>, binary<double>, binary<c64>, binary<c128>>(
        std::plus<>{});
auto total = foldwise::reduce<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double, c64, c128>(
    std::plus<>{}, foldwise::identity(0));
auto running_total = foldwise::scan<std::int32_t, std::int64_t, float, double>(std::plus<>{}, foldwise::identity(0));

auto multiply =
    foldwise::vectorize<binary<bool>, binary<std::int8_t>, binary<std::uint8_t>, binary<std::int16_t>,
                        binary<std::uint16_t>, binary<std::int32_t>, binary<std::uint32_t>, binary<std::int64_t>,
                        binary<std::uint64_t>, binary<half>, binary<float>, binary<double>, binary<c64>, binary<c128>>(
        std::multiplies<>{});
auto product =
    foldwise::reduce<std::int64_t, std::uint64_t, float, double, c128>(std::multiplies<>{}, foldwise::identity(1));
auto subtract =
    foldwise::vectorize<binary<std::int8_t>, binary<std::uint8_t>, binary<std::int16_t>, binary<std::uint16_t>,
                        binary<std::int32_t>, binary<std::uint32_t>, binary<std::int64_t>, binary<std::uint64_t>,
                        binary<half>, binary<float>, binary<double>, binary<c64>, binary<c128>>(std::minus<>{});
auto divide = foldwise::vectorize<double(std::int8_t, std::int8_t), binary<half>, binary<float>, binary<double>,
                                  binary<c64>, binary<c128>>([](auto a, auto b) {
    if constexpr (sizeof(a) == 1)
        return static_cast<double>(a) / b;
    else
        return a / b;
});
auto divmod = foldwise::vectorize<std::tuple<std::int32_t, std::int32_t>(std::int32_t, std::int32_t),
                                  std::tuple<std::int64_t, std::int64_t>(std::int64_t, std::int64_t),
                                  std::tuple<double, double>(double, double)>([]<class T>(T a, T b) {
    if constexpr (std::is_same_v<T, double>) {
        double rest = std::fmod(a, b);
        if (rest != 0 && (rest < 0) != (b < 0)) rest += b;
        if (rest == 0) rest = std::copysign(0.0, b);
        return std::tuple{b == 0 ? a / b : std::round((a - rest) / b), rest};
    } else {
        if (b == 0) return std::tuple<T, T>{0, 0};
        if (b == -1) return std::tuple<T, T>{static_cast<T>(T{0} - a), 0};
        T quotient = a / b, rest = a % b;
        if (rest != 0 && (rest < 0) != (b < 0)) {
            --quotient;
            rest += b;
        }
        return std::tuple<T, T>{quotient, rest};
    }
});
auto modf = foldwise::vectorize<std::tuple<float, float>(float), std::tuple<double, double>(double)>([]<class T>(T x) {
    const T whole = std::trunc(x);
    return std::tuple<T, T>{std::copysign(std::isinf(x) ? T{0} : x - whole, x), whole};
});
auto negative = foldwise::vectorize<unary<std::int8_t>, unary<std::int16_t>, unary<std::int32_t>, unary<std::int64_t>,
                                    unary<half>, unary<float>, unary<double>, unary<c64>, unary<c128>>(std::negate<>{});
auto sqrt = foldwise::vectorize<unary<float>, unary<double>>([](auto x) { return std::sqrt(x); });

auto logical_and = foldwise::vectorize<test<bool>, test<std::int64_t>, test<std::uint64_t>, test<double>, test<c128>>(
    [](auto a, auto b) { return a != decltype(a)(0) && b != decltype(b)(0); });
auto all_of = foldwise::reduce<bool>([](auto a, auto b) { return a != decltype(a)(0) && b != decltype(b)(0); },
                                     foldwise::identity(true), foldwise::commutative);
auto logical_or = foldwise::vectorize<test<bool>, test<std::int64_t>, test<std::uint64_t>, test<double>, test<c128>>(
    [](auto a, auto b) { return a != decltype(a)(0) || b != decltype(b)(0); });
auto any_of = foldwise::reduce<bool>([](auto a, auto b) { return a != decltype(a)(0) || b != decltype(b)(0); },
                                     foldwise::identity(false), foldwise::commutative);
auto logical_not = foldwise::vectorize<bool(bool), bool(std::int64_t), bool(std::uint64_t), bool(double), bool(c128)>(
    [](auto a) { return a == decltype(a)(0); });
auto less = foldwise::vectorize<test<bool>, test<std::int64_t>, test<std::uint64_t>, test<float>, test<double>>(
    [](auto a, auto b) { return a < b; });
auto equal =
    foldwise::vectorize<test<bool>, test<std::int64_t>, test<std::uint64_t>, test<float>, test<double>, test<c128>>(
        [](auto a, auto b) { return a == b; });
auto bitwise_and = foldwise::vectorize<binary<bool>, binary<std::int8_t>, binary<std::uint8_t>, binary<std::int32_t>,
                                       binary<std::int64_t>, binary<std::uint64_t>>(
    [](auto a, auto b) { return static_cast<decltype(a)>(a & b); });
auto common_bits = foldwise::reduce<std::int8_t, std::int32_t, std::int64_t>(
    [](auto a, auto b) { return static_cast<decltype(a)>(a & b); }, foldwise::identity(-1), foldwise::commutative);
auto maximum = foldwise::vectorize<binary<bool>, binary<std::int8_t>, binary<std::uint8_t>, binary<std::int32_t>,
                                   binary<std::int64_t>, binary<std::uint64_t>, binary<float>, binary<double>>(
    [](auto a, auto b) { return a != a || a > b ? a : b; });
auto largest = foldwise::reduce<std::int32_t, std::int64_t, std::uint64_t, float, double>(
    [](auto a, auto b) { return a != a || a > b ? a : b; }, foldwise::no_identity, foldwise::commutative);

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;
auto inner1d = foldwise::guvectorize<std::int64_t, double>("(i),(i)->()", []<class T>(in<T, 1> x, in<T, 1> y, T& sum) {
    sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i] * y[i];
});
auto matrix_multiply =
    foldwise::guvectorize<std::int64_t, double>("(m,n),(n,p)->(m,p)", []<class T>(in<T, 2> a, in<T, 2> b, out<T, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                T sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });
auto cross1d =
    foldwise::guvectorize<std::int64_t, double>("(3),(3)->(3)", []<class T>(in<T, 1> a, in<T, 1> b, out<T, 1> c) {
        for (std::int64_t i = 0; i < 3; ++i) {
            const std::int64_t j = (i + 1) % 3, k = (i + 2) % 3;
            c[i] = a[j] * b[k] - a[k] * b[j];
        }
    });
auto cumsum = foldwise::guvectorize<std::int64_t, double>("(i)->(i)", []<class T>(in<T, 1> x, out<T, 1> sums) {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sums[i] = sum += x[i];
});

}  // namespace ufuncs
