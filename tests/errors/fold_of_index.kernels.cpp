// tests/errors/fold_of_index.kernels.cpp: maps that take an index and fewer elements than their signature has.
// RUN: %refused
#include <foldwise/spec.hpp>

constexpr auto plus = [](float a, float b) { return a + b; };

// An element converts to the index that a map takes, and is not taken for one.
// expected-error@+1 {{map of kernel 'sum' cannot be called with 'foldwise::index<1>' and 'float' [FW033]}}
auto sum = foldwise::reduce<float>(foldwise::map([](foldwise::index<1>) { return 1.f; }), plus, foldwise::identity(0));
// expected-error@+1 {{map of kernel 'weighted' cannot be called with 'foldwise::index<1>' and 'float' and 'float' [FW033]}}
auto weighted = foldwise::reduce<float(float, float)>(foldwise::map([](foldwise::index<1>, float x) { return x; }),
                                                      plus, foldwise::identity(0));
// expected-error@+1 {{map of kernel 'upto' cannot be called with 'foldwise::index<1>' and 'float' [FW033]}}
auto upto = foldwise::scan<float>(foldwise::map([](foldwise::index<1>) { return 1.f; }), plus, foldwise::identity(0));

// expected-error@+1 {{map of kernel 'last' cannot be called with 'float': an index is the first parameter [FW033]}}
auto last = foldwise::reduce<float>(foldwise::map([](float x, foldwise::index<1> i) { return x * i; }), plus,
                                    foldwise::identity(0));
// expected-error@+2 {{map of kernel 'named' cannot be called with 'foldwise::index<1>' and 'foldwise::index<1>' and 'float': the index is no element, and signatures leave it out [FW033]}}
auto named = foldwise::reduce<float(foldwise::index<1>, float)>(
    foldwise::map([](foldwise::index<1> i, float x) { return x * i; }), plus, foldwise::identity(0));
