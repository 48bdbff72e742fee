// tests/errors/complex_order.kernels.cpp: complex numbers that are compared by order.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <algorithm>
#include <complex>

using C = std::complex<float>;

// expected-error@+3 {{complex numbers have no order: compare their magnitudes, as in std::norm(a) < std::norm(b), or std::abs, or their real parts, a.real() < b.real() [FW076]}}
// expected-note@+2 {{in instantiation of function template specialization}}
// expected-note@+1 {{while substituting deduced template arguments into function template 'reduce'}}
auto largest = foldwise::reduce<C>([](auto a, auto b) { return a < b ? b : a; }, foldwise::no_identity);
// expected-error@+1 {{complex numbers have no order}}
auto is_less = foldwise::vectorize([](C a, C b) { return a >= b; });
// expected-error@+1 {{complex numbers have no order}}
auto larger = foldwise::vectorize([](C a, C b) { return std::max(a, b); });

auto by_norm = foldwise::reduce<C>([](C a, C b) { return std::norm(a) < std::norm(b) ? b : a; }, foldwise::no_identity);

// Of other classes the compiler's error stays, without the operators of the standard library.
struct point {
    float x;
};
// expected-error@+1 {{invalid operands to binary expression ('point' and 'point')}}
auto nearer = foldwise::vectorize([](point a, point b) { return a < b; });
