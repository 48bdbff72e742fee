// tests/errors/not_at_namespace_scope.kernels.cpp: kernels in a function and in a class.
// RUN: %refused
#include <foldwise/spec.hpp>

inline float run(float x) {
    // expected-error@+1 {{kernel 'local' is not a variable of a namespace: declare it outside of functions and classes, and call the function of that name which is generated [FW010]}}
    auto local = foldwise::vectorize([](float y) { return y; });
    return local(x);
}

inline float scale(float factor, float x) {
    // Where it is captures nothing: of what is captured here nothing is told.
    // expected-error@+1 {{kernel 'captured' is not a variable of a namespace}}
    auto captured = foldwise::vectorize([&](float y) { return factor * y; });
    // expected-error@+1 {{kernel 'summed' is not a variable of a namespace}}
    auto summed = foldwise::reduce<float>([=](float a, float b) { return a + b + 0 * factor; }, foldwise::identity(0));
    return captured(x);
}

struct Kernels {
    // expected-error@+1 {{kernel 'member' is not a variable of a namespace: declare it outside of functions and classes, and call the function of that name which is generated [FW010]}}
    static inline auto member = foldwise::vectorize([](float x) { return x; });
};

// expected-error@+1 {{kernel 'twice' is a template: declare a variable, with a signature for each type, as in foldwise::vectorize<float(float), double(double)>(...) [FW010]}}
template <class T> auto twice = foldwise::vectorize([](T x) { return 2 * x; });
// What takes other things than signatures is told what it takes.
// expected-error@+1 {{kernel 'filled' is a template: declare a variable, with a signature for each type, as in foldwise::forall<void(foldwise::view<float, 1>), void(foldwise::view<double, 1>)>(...) [FW010]}}
template <class T> auto filled = foldwise::forall([](foldwise::index<1> i, foldwise::view<T, 1> x) { x[i] = 1; });
// expected-error@+1 {{kernel 'first' is a template: declare a variable, with the types in front, as in foldwise::guvectorize<float, double>(...) [FW010]}}
template <class T> auto first = foldwise::guvectorize("(n)->()", [](foldwise::view<const T, 1> x, T& y) { y = x[0]; });
// expected-error@+2 {{kernel 'noted' is a template: declare a variable for each instance, of a function template, as in foldwise::blocks<256>(body<float>) [FW010]}}
template <class T>
auto noted = foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<T, 1> x) {
    b.once([&] { x[b.number(0)] = 1; });
});
// expected-error@+2 {{kernel 'sized' is a template: declare a variable for each instance, of a function template, as in foldwise::blocks<256>(body<256>) [FW010]}}
template <int B>
auto sized = foldwise::blocks<B>([](foldwise::block<1> b, foldwise::view<float, 1> x) {
    b.once([&] { x[b.number(0)] = 1; });
});
// expected-error@+1 {{kernel 'times' is a template: declare a variable for each instance, of a function template, as in foldwise::vectorize(body<2>) [FW010]}}
template <int N> auto times = foldwise::vectorize([](float x) { return N * x; });
