// tests/errors/integer_division.kernels.cpp: quotients of integers that become floating-point numbers.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>

// expected-warning@+1 {{'a / b' divides integers, and loses its fraction before it becomes 'double': convert an operand, or the quotient if a whole number is meant [FW111, -Winteger-division]}}
auto ratio = foldwise::vectorize([](int a, int b) -> double { return a / b; });
// What the signature makes of the result counts as well; of doubles, nothing is lost.
// expected-warning@+1 {{'a / b' divides integers, and loses its fraction before it becomes 'double'}}
auto generic = foldwise::vectorize<double(int, int), double(double, double)>([](auto a, auto b) { return a / b; });
// expected-warning@+1 {{'1 / 2' divides integers, and loses its fraction before it becomes 'double'}}
auto half_of = foldwise::vectorize([](double x) { return x * (1 / 2); });
auto middle = foldwise::vectorize([](int n) -> float {
    // expected-warning@+2 {{'n / 2' divides integers}}
    // expected-warning@+1 {{'(n + 1) / 2' divides integers}}
    const float x = n % 2 == 0 ? n / 2 : -((n + 1) / 2);
    return x;
});
inline float mean_of(int sum, int count) {
    // expected-warning@+1 {{'sum / count' divides integers, and loses its fraction before it becomes 'float'}}
    return sum / count;
}
// expected-note@+1 {{called from here}}
auto means = foldwise::vectorize([](int sum, int count) { return mean_of(sum, count); });

// As it is meant: a whole number, an exact quotient, floating-point numbers, or a cast in words.
auto whole = foldwise::vectorize([](int a, int b) { return a / b; });
auto exact = foldwise::vectorize([](double x) { return x * (6 / 3); });
auto real = foldwise::vectorize([](int a, int b) { return static_cast<double>(a) / b; });
auto cast = foldwise::vectorize([](int a, int b) { return static_cast<double>(a / b); });
auto indexed = foldwise::vectorize([](foldwise::index<1> i, foldwise::view<const float, 1> x) { return x[i / 2]; });
