// tests/errors/view_of_elements.kernels.cpp: views that could be written through, where a kernel's function computes
// single elements; and views that are no arrays of the call.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{parameter 'u' of kernel 'f' is a view that can be written through, but the lambda computes single elements: take 'foldwise::view<const float, 1>', which is a whole array to be read, or write a foldwise::forall, whose tasks may write anywhere [FW067]}}
auto f = foldwise::vectorize([](float a, foldwise::view<float, 1> u) { return a + u[0]; });
// expected-error@+2 {{parameter 'u' of kernel 'g' is a view that can be written through, but the lambda computes single elements: take 'foldwise::view<const std::int32_t, 2>'}}
auto g = foldwise::reduce<float(float, foldwise::view<int, 2>)>(
    foldwise::map([](float a, foldwise::view<int, 2> u) { return a + static_cast<float>(u(0, 0)); }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));
// expected-error@+1 {{'foldwise::view<float, 1>' cannot be an element of an array: it is a view, not a value [FW007]}}
auto h = foldwise::vectorize([](float) { return foldwise::view<float, 1>(nullptr, {1}); });
// expected-error@+1 {{kernel 'whole' has a signature without elements, and no map that takes an index}}
auto whole = foldwise::reduce<float(foldwise::view<const float, 1>)>(
    foldwise::map([](foldwise::view<const float, 1> u) { return u[0]; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
