// tests/errors/std_miscompiled.kernels.cpp: what nvcc accepts of the standard library, or nearly so, and compiles to
// something else.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <algorithm>
#include <array>
#include <compare>
#include <complex>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <tuple>
#include <utility>

// nvcc compiles these, but not to what they say.
auto miscompiled = foldwise::vectorize([](float x, float y) {
    std::array<int, 2> sorted{1, 2};
    const std::array<std::uint8_t, 2> a{1, 2}, b{1, 3};
    const std::array<const float*, 1> c{&x}, d{&y};
    std::complex<long double> z;           // expected-error {{'std::complex<long double>::complex' does not exist}}
    const bool unordered = (x <=> y) < 0;  // expected-error {{<=> of floating-point numbers is not possible}}
    // expected-note@+1 {{'std::operator<=>' needs '<=> of floating-point numbers'}}
    const bool less = std::tuple(x, 1) < std::tuple(y, 1);  // expected-error {{'std::operator<=>' does not exist}}
    const auto* found =
        // expected-note@+1 {{'std::lower_bound' needs '__builtin_constant_p'}}
        std::lower_bound(sorted.begin(), sorted.end(), 2);  // expected-error {{'std::lower_bound' does not exist}}
    return unordered + less + *found +
           // expected-note@+1 {{'std::next' needs '__builtin_constant_p'}}
           *std::next(sorted.begin())  // expected-error {{'std::next' does not exist}}
           // expected-note@+2 {{'std::lexicographical_compare_three_way' needs '__builtin_memcmp'}}
           // expected-error@+1 {{'std::lexicographical_compare_three_way' does not exist}}
           + (std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end()) < 0)
           // expected-note@+1 {{'std::operator==' needs '__builtin_memcmp'}}
           + (c == d)  // expected-error {{'std::operator==' does not exist}}
           + (int)z.real();
});

// Constants of the library have a value, but no place in memory.
auto places = foldwise::vectorize([](float x) {
    float y = std::max(x, std::numbers::e_v<float>);  // expected-error {{'std::numbers::e_v' does not exist}}
    y += std::ranges::clamp(x, 0.0f, 1.0f);           // expected-error {{'std::ranges::clamp' does not exist}}
    std::tie(y, std::ignore) = std::pair(x, x);       // expected-error {{'std::ignore' does not exist}}
    return y + std::max(x, float{std::numbers::e_v<float>});
});

// The library's functions are for host and device. The user's that they call are made so too, but not a lambda in them.
struct point {
    float x;
};
inline bool operator<(const point& a, const point& b) {
    return [](float l, float r) { return l < r; }(a.x, b.x);
}
auto called_back = foldwise::vectorize([](float x, float y) {
    std::array<point, 2> points{point{x}, point{y}};
    // expected-error@+1 {{a call of 'operator<', which has a lambda in it, by the standard library, is not possible}}
    std::sort(points.begin(), points.end());
    return points[0].x;
});

// A constexpr function template of the library is one for the device only where all that it makes is constexpr.
struct counted {
    float x;
    counted(float value) : x(value) {}
    counted(const counted& other) : x(other.x + 1) {}
    counted& operator=(const counted&) = default;
};
auto not_constexpr = foldwise::vectorize([](float x) {
    counted a(x), b(2);
    // expected-error@+2 {{'std::swap' does not exist in device code}}
    // expected-note@+1 {{'std::swap' needs 'constexpr counted::counted', which device code does not have}}
    std::swap(a, b);
    std::pair<counted, int> both(a, 2);  // expected-error {{'std::pair<counted, int>::pair' does not exist}}
    return both.first.x;
});
