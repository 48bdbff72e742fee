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
