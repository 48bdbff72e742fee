// tests/errors/views_as_containers.kernels.cpp: what arrays and containers have and views do not. x[i][j] is one
// mistake, and the only one that is reported.
// RUN: env PRECOMPILED= %refused
// RUN: env PRECOMPILED= %refused -std=c++23
#include <foldwise/spec.hpp>

#include <atomic>
#include <complex>

auto rows = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> u, foldwise::view<float, 3> v) {
    // expected-error@+1 {{write x(i, j), with N coordinates in parentheses, or x[at] with an index<N>}}
    v[0][at[0]][at[1]] = 1;
    // expected-error@+1 {{write x(i, j), with N coordinates in parentheses}}
    for (int j = 0; j < u.extent(1); ++j) v(0, at[0], j) += 2 * u[at[0]][j];
});

#ifdef __cpp_multidimensional_subscript
auto several = foldwise::forall([](foldwise::index<2> at, foldwise::view<float, 2> u) {
    u[at[0], at[1]] = 1;  // expected-error {{write x(i, j), with N coordinates in parentheses}}
});
#endif

// An index of one axis is a number.
auto loops = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 2> u, foldwise::view<float, 1> v) {
    // expected-error@+1 {{write x(i, j), with N coordinates in parentheses}}
    for (int j = 0; j < u.extent(1); ++j) v[i] += u[i][j];
});

// What is done with the element, or the row, is no mistake of its own.
struct particle {
    float mass, speed;
};
auto members = foldwise::forall([](foldwise::index<1> i, foldwise::view<particle, 2> u, foldwise::view<int, 2> n,
                                   foldwise::view<std::complex<float>, 2> z) {
    u[i][1].mass = 1;                       // expected-error {{write x(i, j), with N coordinates in parentheses}}
    u[i].speed = 1;                         // expected-error {{write x(i, j), with N coordinates in parentheses}}
    n[i] += 1;                              // expected-error {{write x(i, j), with N coordinates in parentheses}}
    std::atomic_ref(n[i][0]).fetch_add(1);  // expected-error {{write x(i, j), with N coordinates in parentheses}}
    z[i] = z(i, 1) * 2.0f;                  // expected-error {{write x(i, j), with N coordinates in parentheses}}
    z(i, 1) = z[i][0] * 2.0f;               // expected-error {{write x(i, j), with N coordinates in parentheses}}
});

auto ends = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
    if (x.empty()) return;            // expected-error {{write x.size() == 0}}
    out[i] = x[i] / x.back();         // expected-error {{write x[x.extent(0) - 1]}}
    if (i == 0) out[i] += x.front();  // expected-error {{write x[0], or x(0, 0) if there are two axes}}
});
