// tests/errors/errors_in_lambdas.kernels.cpp: the compiler's own errors come without the way that headers took.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{use of undeclared identifier 'missing'}}
auto f = foldwise::vectorize<float(float)>([](auto x) { return x + missing; });
// expected-error@+2 {{member reference base type 'float' is not a structure or union}}
// expected-note@+1 {{in instantiation of function template specialization 'foldwise::vectorize<float (float),}}
auto g = foldwise::vectorize<float(float)>([](auto x) { return x.member; });
// A chain of the user's own is kept.
template <class T> T inner(T x) { return x.member; }  // expected-error {{member reference base type 'float'}}
template <class T> T outer(T x) { return inner(x); }  // expected-note {{'inner<float>' requested here}}
auto h = foldwise::vectorize([](float x) { return outer(x); });  // expected-note {{'outer<float>' requested here}}

// expected-error@+2 {{write x(i, j), with N coordinates in parentheses, or x[at] with an index<N>}}
// expected-warning@+1 {{top-level comma expression}}
auto u = foldwise::forall([](foldwise::index<2> at, foldwise::view<float, 2> u) { u[at[0], at[1]] = 1; });

// An index that stands where coordinates do, or has another rank.
auto v = foldwise::forall([](foldwise::index<2> at, foldwise::view<float, 2> u) {
    u(at) = 1;  // expected-error {{an index goes into brackets, as in x[at]}}
});
auto w = foldwise::forall([](foldwise::index<2> at, foldwise::view<float, 1> u, foldwise::view<float, 3> v) {
    u[at] = 1;  // expected-error {{the rank is wrong: a view<T, N> takes an index<N>}}
    v[at] = 1;  // expected-error {{the rank is wrong: a view<T, N> takes an index<N>}}
});

// What CUDA's sources have.
// expected-error@+1 {{write std::atomic_ref(element).fetch_add(value)}}
auto counted = foldwise::forall([](foldwise::index<1> i, foldwise::view<int, 1> n) { atomicAdd(&n[i], 1); });
auto lowest = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x,
                                  foldwise::view<float, 1> low) {
    atomicMin(&low[0], x[i]);  // expected-error {{write for (T seen = at.load(); value < seen && !at.compare_exchange}}
});
__device__ float doubled(float x) { return 2 * x; }  // expected-error {{leave __device__ out, the generator adds it}}
// expected-error@+1 {{a spec is plain C++: leave __host__ out}} expected-error@+1 {{leave __device__ out}}
auto marked = foldwise::vectorize([] __host__ __device__(float x) { return doubled(x); });
