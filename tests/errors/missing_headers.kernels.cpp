// tests/errors/missing_headers.kernels.cpp: words of the standard library whose headers are not included.
// RUN: env PRECOMPILED= %refused
#include <foldwise/spec.hpp>

using foldwise::forall, foldwise::index, foldwise::view;

auto histogram = forall([](index<1> i, view<const int, 1> x, view<unsigned, 1> bins) {
    // expected-error@+2 {{no member named 'atomic_ref' in namespace 'std'}}
    // expected-note@+1 {{std::atomic_ref is declared in <atomic>: add #include <atomic>}}
    std::atomic_ref(bins[x[i]])
        // expected-error@+2 {{no member named 'memory_order_relaxed' in namespace 'std'}}
        // expected-note@+1 {{std::memory_order_relaxed is declared in <atomic>: add #include <atomic>}}
        .fetch_add(1u, std::memory_order_relaxed);
});
// expected-error@+2 {{no member named 'sqrt' in namespace 'std'}}
// expected-note@+1 {{std::sqrt is declared in <cmath>: add #include <cmath>}}
auto root = foldwise::vectorize([](float x) { return std::sqrt(x); });
// expected-error@+2 {{no template named 'complex' in namespace 'std'}}
// expected-note@+1 {{std::complex is declared in <complex>: add #include <complex>}}
auto conjugate = foldwise::vectorize([](std::complex<float> z) { return z; });
// expected-error@+2 {{no member named 'gcd' in namespace 'std'}}
// expected-note@+1 {{std::gcd is declared in <numeric>: add #include <numeric>}}
auto divisor = foldwise::vectorize([](int a, int b) { return std::gcd(a, b); });
