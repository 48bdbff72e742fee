// tests/errors/fold_of_index.kernels.cpp: maps that take an index and fewer elements than their signature has.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>

constexpr auto plus = [](float a, float b) { return a + b; };

// An element converts to the index that a map takes, and is not taken for one.
// expected-error@+1 {{map of kernel 'sum' cannot be called with 'float': the lambda takes an index alone, and the signature has 1 element; write foldwise::reduce<float()>(...) [FW033]}}
auto sum = foldwise::reduce<float>(foldwise::map([](foldwise::index<1>) { return 1.f; }), plus, foldwise::identity(0));
// expected-error@+1 {{map of kernel 'weighted' cannot be called with 'float' and 'float': the lambda takes an index and 1 parameter, and the signature has 2 elements; write foldwise::reduce<float(float)>(...) [FW033]}}
auto weighted = foldwise::reduce<float(float, float)>(foldwise::map([](foldwise::index<1>, float x) { return x; }),
                                                      plus, foldwise::identity(0));
// expected-error@+1 {{map of kernel 'upto' cannot be called with 'float': the lambda takes an index alone, and the signature has 1 element; write foldwise::scan<float()>(...) [FW033]}}
auto upto = foldwise::scan<float>(foldwise::map([](foldwise::index<1>) { return 1.f; }), plus, foldwise::identity(0));

// expected-error@+1 {{map of kernel 'last' cannot be called with 'float': an index is the first parameter [FW033]}}
auto last = foldwise::reduce<float>(foldwise::map([](float x, foldwise::index<1> i) { return x * i; }), plus,
                                    foldwise::identity(0));
// expected-error@+2 {{map of kernel 'named' cannot be called with 'foldwise::index<1>' and 'float': the index is no element, and signatures leave it out [FW033]}}
auto named = foldwise::reduce<float(foldwise::index<1>, float)>(
    foldwise::map([](foldwise::index<1> i, float x) { return x * i; }), plus, foldwise::identity(0));

// A first parameter of any type is an element, and no index.
// expected-error@+2 {{map of kernel 'product' cannot be called with 'float': the lambda takes 2 parameters, and the signature has 1 element; write foldwise::reduce<float(float, float)>(...), or foldwise::index<1> as the type of parameter 'x' if that is the element's position [FW033]}}
auto product =
    foldwise::reduce<float>(foldwise::map([](auto x, auto y) { return x * y; }), plus, foldwise::identity(0));
// expected-error@+2 {{the lambda takes 2 parameters, and the signature has 1 element; write foldwise::scan<float(float, float)>(...)}}
auto products =
    foldwise::scan<float>(foldwise::map([](auto x, auto y) { return x.of(y); }), plus, foldwise::identity(0));
// expected-error@+1 {{the lambda takes 2 parameters, and the signature has 1 element; write foldwise::scatter<float(int, int)>(...)}}
auto histogram = foldwise::scatter<float(int)>(foldwise::map([](auto bin, auto x) { return foldwise::at(bin, x); }),
                                               plus, foldwise::identity(0));
// expected-error@+1 {{combine of kernel 'negated' cannot be called with 'float' and 'float': its call operator takes 1 parameter, and combine is given 2 accumulators [FW033]}}
auto negated = foldwise::reduce<float>(std::negate<>{}, foldwise::identity(0));
auto placed = foldwise::reduce<float>(foldwise::map([](foldwise::index<2> at, auto x) { return x * at[0]; }), plus,
                                      foldwise::identity(0));
