// tests/errors/forms.kernels.cpp: what is written around kernels as other languages have it.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+2 {{a type specifier is required for all declarations}}
// expected-note@+1 {{a kernel is a variable with a name, by which programs call it: auto scaled = foldwise::vectorize(...);}}
foldwise::vectorize([](float x) { return x; });

// expected-error@+1 {{its signatures are types of elements alone, as in foldwise::guvectorize<float, double>(...): the layout says which operands there are [FW076]}}
auto rows = foldwise::guvectorize<double(double)>(
    "(n)->()", []<class T>(foldwise::view<const T, 1> x, T& first) { first = x[0]; });

auto largest = foldwise::reduce<float>([](float a, float b) { return a > b ? a : b; },
                                       foldwise::lowest());  // expected-error {{write lowest without parentheses}}
auto first =
    foldwise::reduce<float>([](float a, float) { return a; },
                            foldwise::no_identity());  // expected-error {{write no_identity without parentheses}}
