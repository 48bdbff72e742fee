// tests/errors/generic_without_types.kernels.cpp: a generic lambda that nothing types.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{kernel 'f' has a generic lambda and no signature to type it: write foldwise::vectorize<float(float)>(...) [FW002]}}
auto f = foldwise::vectorize([](auto x) { return x; });

struct Doubled {
    template <class T> T operator()(T x) const { return x + x; }
};
// expected-error@+1 {{kernel 'g' has a generic function object and no signature to type it: write foldwise::vectorize<float(float)>(...)}}
auto g = foldwise::vectorize(Doubled{});

// As many operands as there are parameters, with the types that parameters have.
// expected-error@+1 {{write foldwise::vectorize<float(float, float, float)>(...)}}
auto three = foldwise::vectorize([](auto x, const auto& y, auto z) { return x + y + z; });
// expected-error@+1 {{write foldwise::vectorize<float(float, int)>(...)}}
auto mixed = foldwise::vectorize([](foldwise::index<1>, auto x, int n) { return x + n; });
struct Blended {
    template <class T> T operator()(T x, T y) const { return x + y; }
};
// expected-error@+1 {{write foldwise::vectorize<float(float, float)>(...)}}
auto blended = foldwise::vectorize(Blended{});
struct Either {
    float operator()(float x) const { return x; }
    float operator()(float x, float y) const { return x + y; }
};
// expected-error@+1 {{write foldwise::vectorize<float(float)>(...)}}
auto either = foldwise::vectorize(Either{});
// expected-error@+1 {{write foldwise::forall<void(foldwise::view<float, 1>, foldwise::view<float, 1>)>(...)}}
auto copied = foldwise::forall([](foldwise::index<1> i, auto x, auto y) { x[i] = y[i]; });
// An index and a block are written out, first of all.
// expected-error@+1 {{the lambda of kernel 'unplaced' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto unplaced = foldwise::forall([](auto i, auto x) { x[i] = 1; });
// expected-error@+1 {{the lambda of kernel 'unblocked' does not take its block: its first parameter is a foldwise::block<1> [FW091]}}
auto unblocked = foldwise::blocks<32>([](auto b, foldwise::view<float, 1> x) { b.once([&] { x[0] = 1; }); });
// expected-error@+1 {{kernel 'open' has a generic lambda, and foldwise::blocks takes no signatures: write the types of its parameters, as in foldwise::view<float, 1> x, or, for several types, a function template that has them, as in foldwise::blocks<256>(body<float>) [FW002]}}
auto open = foldwise::blocks<32>([](foldwise::block<1> b, auto x) { b.once([&] { x[0] = 1; }); });
// Views have the axes of their subscripts, and what is only computed with is a value.
// expected-error@+1 {{write foldwise::forall<void(foldwise::view<float, 2>, foldwise::view<float, 3>, float)>(...)}}
auto grid = foldwise::forall([](foldwise::index<2> at, auto u, auto v, auto k) { u[at] = k * v(at[0], at[1], 0); });
// expected-error@+1 {{write foldwise::forall<void(foldwise::view<float, 2>, foldwise::view<float, 1>)>(...)}}
auto asked = foldwise::forall([](foldwise::index<2> at, auto u, auto v) {
    if (at[0] < u.extent(0)) v[0] = 1;
});
