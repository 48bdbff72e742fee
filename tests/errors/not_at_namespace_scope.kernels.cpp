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
