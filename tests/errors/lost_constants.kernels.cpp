// tests/errors/lost_constants.kernels.cpp: constants with a fraction, in generic lambdas with signatures of integers.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace lost_constants {

constexpr double half = 0.5;

// expected-warning@+2 {{'decltype(x)(3.3)' is 3 in signature 'std::int32_t(std::int32_t)', because 'std::int32_t' has no fractions: compute with 3.3 itself and convert the result, or give integers a kernel of their own [FW130, -Wlost-constant]}}
auto shifted =
    foldwise::vectorize<float(float), std::int32_t(std::int32_t)>([](auto x) { return x + decltype(x)(3.3); });
// expected-warning@+2 {{'static_cast<T>(-0.5f)' is 0 in signature 'std::int64_t(std::int64_t, float)', because 'std::int64_t' has no fractions: compute with -0.5f itself}}
auto typed = foldwise::vectorize<std::int64_t(std::int64_t, float)>(
    []<class T>(T x, float y) -> T { return x * static_cast<T>(-0.5f) + static_cast<T>(y); });
auto named = foldwise::vectorize<std::int16_t(std::int16_t)>([](auto x) {
    using T = decltype(x);
    const T a = (T)half;              // expected-warning {{'(T)half' is 0 in signature 'std::int16_t(std::int16_t)'}}
    const T b = T(1.5 * half + 0.5);  // expected-warning {{'T(1.5 * half + 0.5)' is 1 in signature}}
    const T c = T{T(2.5)};            // expected-warning {{'T(2.5)' is 2 in signature}}
    return static_cast<T>(x + a + b + c);
});
auto given = foldwise::vectorize<std::int32_t(std::int32_t)>([]<class T>(T x) -> T {
    T a =
        half;  // expected-warning {{'half' is 0 in signature 'std::int32_t(std::int32_t)', because 'std::int32_t' has no fractions: compute with half itself}}
    const decltype(x) b = 2 * 1.7;  // expected-warning {{'2 * 1.7' is 3 in signature}}
    a = 5 * half;                   // expected-warning {{'5 * half' is 2 in signature}}
    const T c = 2 * half;
    const std::int32_t d = half;
    if (x > a + b + c + d) return half;  // expected-warning {{'half' is 0 in signature}}
    return x;
});
template <class T> T times(T x, const T& by) { return x * by; }
inline std::int32_t of_integers(std::int32_t x, std::int32_t y) { return x + y; }
auto passed = foldwise::vectorize<float(float), std::int32_t(std::int32_t)>([]<class T>(T x) -> T {
    // expected-warning@+1 {{'2.5 * half' is 1 in signature 'std::int32_t(std::int32_t)', because 'std::int32_t' has no fractions: compute with 2.5 * half itself}}
    const T a = times<T>(x, 2.5 * half);
    // expected-warning@+1 {{'(half)' is 0 in signature}}
    const T b = std::max<T>(x, (half));
    const decltype(x) c = std::clamp<decltype(x)>(x, 2 * half, 3 * half);  // expected-warning {{'3 * half' is 1 in}}
    // Clang says this itself.
    const T d = std::max<T>(x, 0.5);  // expected-warning {{implicit conversion from 'double' to 'int' changes value}}
    return a + b + c + d + static_cast<T>(of_integers(1, half));
});
template <class T> T scaled(T x) {
    return x * T(0.1);  // expected-warning {{'T(0.1)' is 0 in signature 'std::int32_t(std::int32_t)'}}
}
// expected-note@+1 {{called from here}}
auto called = foldwise::vectorize<std::int32_t(std::int32_t)>([](auto x) { return scaled(x); });
auto each_item = foldwise::forall<void(foldwise::view<std::int32_t, 1>)>([](foldwise::index<1> i, auto x) {
    using T = std::remove_reference_t<decltype(x[0])>;
    x[i] +=
        T(2.5);  // expected-warning {{'T(2.5)' is 2 in signature 'void(foldwise::index<1>, foldwise::view<int, 1>)'}}
});

// Whole numbers, types that are written as they are, what is computed of elements, and floating-point signatures.
auto whole = foldwise::vectorize<std::int32_t(std::int32_t)>([](auto x) { return x + decltype(x)(3.0) + int(3.0f); });
auto meant = foldwise::vectorize<std::int32_t(std::int32_t)>(
    [](auto x) { return x + int(3.7) + static_cast<std::int32_t>(x * 0.5f) + decltype(x)(static_cast<int>(2.5)); });
auto of_elements =
    foldwise::vectorize<std::int32_t(std::int32_t)>([](auto x) { return decltype(x)(static_cast<float>(x) * 0.5f); });
auto of_floats = foldwise::vectorize<float(float)>([](auto x) { return x + decltype(x)(3.3); });
auto one_type = foldwise::vectorize([](std::int32_t x) { return x + static_cast<std::int32_t>(2.5); });
auto chosen = foldwise::vectorize<float(float), std::int32_t(std::int32_t)>([](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
        return 3 * x;
    else
        return decltype(x)(3.3) * x;
});

}  // namespace lost_constants
