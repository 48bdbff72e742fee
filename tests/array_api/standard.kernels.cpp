// Functions that compute what those of the array API standard do, on all types for which the standard has them.
#include <foldwise/spec.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace standard {

using c64 = std::complex<float>;
using c128 = std::complex<double>;
using i1 = std::int8_t;
using u1 = std::uint8_t;
using i2 = std::int16_t;
using u2 = std::uint16_t;
using i4 = std::int32_t;
using u4 = std::uint32_t;
using i8 = std::int64_t;
using u8 = std::uint64_t;
template <class T> using unary = T(T);
template <class T> using binary = T(T, T);
template <class T> using check = bool(T);
template <class T> using test = bool(T, T);

auto add = foldwise::vectorize<binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>, binary<i8>,
                               binary<u8>, binary<float>, binary<double>, binary<c64>, binary<c128>>(std::plus<>{});
auto subtract =
    foldwise::vectorize<binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>, binary<i8>, binary<u8>,
                        binary<float>, binary<double>, binary<c64>, binary<c128>>(std::minus<>{});
auto multiply =
    foldwise::vectorize<binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>, binary<i8>, binary<u8>,
                        binary<float>, binary<double>, binary<c64>, binary<c128>>(std::multiplies<>{});
auto divide = foldwise::vectorize<binary<float>, binary<double>, binary<c64>, binary<c128>>(std::divides<>{});
auto negative = foldwise::vectorize<unary<i1>, unary<u1>, unary<i2>, unary<u2>, unary<i4>, unary<u4>, unary<i8>,
                                    unary<u8>, unary<float>, unary<double>, unary<c64>, unary<c128>>(
    []<class T>(T x) { return static_cast<T>(-x); });
auto positive =
    foldwise::vectorize<unary<i1>, unary<u1>, unary<i2>, unary<u2>, unary<i4>, unary<u4>, unary<i8>, unary<u8>,
                        unary<float>, unary<double>, unary<c64>, unary<c128>>([]<class T>(T x) { return x; });
auto square = foldwise::vectorize<unary<i1>, unary<u1>, unary<i2>, unary<u2>, unary<i4>, unary<u4>, unary<i8>,
                                  unary<u8>, unary<float>, unary<double>, unary<c64>, unary<c128>>(
    []<class T>(T x) { return static_cast<T>(x * x); });
auto abs = foldwise::vectorize<unary<i1>, unary<u1>, unary<i2>, unary<u2>, unary<i4>, unary<u4>, unary<i8>, unary<u8>,
                               unary<float>, unary<double>, float(c64), double(c128)>([]<class T>(T x) {
    if constexpr (std::is_unsigned_v<T>)
        return x;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<T>(x < 0 ? -x : x);
    else
        return std::abs(x);
});

auto equal = foldwise::vectorize<test<bool>, test<i8>, test<u8>, test<float>, test<double>, test<c64>, test<c128>>(
    std::equal_to<>{});
auto not_equal = foldwise::vectorize<test<bool>, test<i8>, test<u8>, test<float>, test<double>, test<c64>, test<c128>>(
    std::not_equal_to<>{});
auto less = foldwise::vectorize<test<i8>, test<u8>, test<float>, test<double>>(std::less<>{});
auto less_equal = foldwise::vectorize<test<i8>, test<u8>, test<float>, test<double>>(std::less_equal<>{});
auto greater = foldwise::vectorize<test<i8>, test<u8>, test<float>, test<double>>(std::greater<>{});
auto greater_equal = foldwise::vectorize<test<i8>, test<u8>, test<float>, test<double>>(std::greater_equal<>{});

auto logical_and = foldwise::vectorize<test<bool>>(std::logical_and<>{});
auto logical_or = foldwise::vectorize<test<bool>>(std::logical_or<>{});
auto logical_xor = foldwise::vectorize<test<bool>>(std::not_equal_to<>{});
auto logical_not = foldwise::vectorize<check<bool>>(std::logical_not<>{});
auto bitwise_and =
    foldwise::vectorize<binary<bool>, binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>,
                        binary<i8>, binary<u8>>([]<class T>(T a, T b) { return static_cast<T>(a & b); });
auto bitwise_or =
    foldwise::vectorize<binary<bool>, binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>,
                        binary<i8>, binary<u8>>([]<class T>(T a, T b) { return static_cast<T>(a | b); });
auto bitwise_xor =
    foldwise::vectorize<binary<bool>, binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>,
                        binary<i8>, binary<u8>>([]<class T>(T a, T b) { return static_cast<T>(a ^ b); });

auto maximum =
    foldwise::vectorize<binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>, binary<i8>, binary<u8>,
                        binary<float>, binary<double>>([](auto a, auto b) { return a != a || a > b ? a : b; });
auto minimum =
    foldwise::vectorize<binary<i1>, binary<u1>, binary<i2>, binary<u2>, binary<i4>, binary<u4>, binary<i8>, binary<u8>,
                        binary<float>, binary<double>>([](auto a, auto b) { return a != a || a < b ? a : b; });
auto copysign = foldwise::vectorize<binary<float>, binary<double>>([](auto a, auto b) { return std::copysign(a, b); });
auto hypot = foldwise::vectorize<binary<float>, binary<double>>([](auto a, auto b) { return std::hypot(a, b); });
auto atan2 = foldwise::vectorize<binary<float>, binary<double>>([](auto a, auto b) { return std::atan2(a, b); });
auto signbit = foldwise::vectorize<check<float>, check<double>>([](auto x) { return std::signbit(x); });
auto exp =
    foldwise::vectorize<unary<float>, unary<double>, unary<c64>, unary<c128>>([](auto x) { return std::exp(x); });
auto sqrt =
    foldwise::vectorize<unary<float>, unary<double>, unary<c64>, unary<c128>>([](auto x) { return std::sqrt(x); });
auto log =
    foldwise::vectorize<unary<float>, unary<double>, unary<c64>, unary<c128>>([](auto x) { return std::log(x); });

auto sum =
    foldwise::reduce<i1, u1, i2, u2, i4, u4, i8, u8, float, double, c64, c128>(std::plus<>{}, foldwise::identity(0));
auto prod = foldwise::reduce<i1, u1, i2, u2, i4, u4, i8, u8, float, double, c64, c128>(std::multiplies<>{},
                                                                                       foldwise::identity(1));
auto max = foldwise::reduce<i1, u1, i2, u2, i4, u4, i8, u8, float, double>(
    [](auto a, auto b) { return a != a || a > b ? a : b; }, foldwise::no_identity, foldwise::commutative);
auto min = foldwise::reduce<i1, u1, i2, u2, i4, u4, i8, u8, float, double>(
    [](auto a, auto b) { return a != a || a < b ? a : b; }, foldwise::no_identity, foldwise::commutative);
auto all = foldwise::reduce<bool>(std::logical_and<>{}, foldwise::identity(true));
auto any = foldwise::reduce<bool>(std::logical_or<>{}, foldwise::identity(false));
auto cumulative_sum =
    foldwise::scan<i1, u1, i2, u2, i4, u4, i8, u8, float, double, c64, c128>(std::plus<>{}, foldwise::identity(0));

}  // namespace standard
