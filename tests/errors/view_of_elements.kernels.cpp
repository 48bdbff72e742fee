// tests/errors/view_of_elements.kernels.cpp: views where a kernel's function gets single elements.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{parameter 'u' of kernel 'f' is a view, but the lambda is called with single elements: take 'float', or write a foldwise::forall, whose tasks take views [FW067]}}
auto f = foldwise::vectorize([](float a, foldwise::view<const float, 1> u) { return a + u[0]; });
// expected-error@+2 {{parameter 'u' of kernel 'g' is a view, but the lambda is called with single elements: take 'int'}}
auto g = foldwise::reduce<float(foldwise::view<int, 2>)>(
    foldwise::map([](foldwise::view<int, 2> u) { return static_cast<float>(u(0, 0)); }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));
// expected-error@+1 {{'foldwise::view<float, 1>' cannot be an element of an array: it is a view, not a value [FW007]}}
auto h = foldwise::vectorize([](float) { return foldwise::view<float, 1>(nullptr, {1}); });
