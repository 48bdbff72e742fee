// tests/errors/unknown_pattern.kernels.cpp: patterns that this version does not generate.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{this version of Foldwise generates vectorize kernels only; 'sum' is a reduce [FW011]}}
auto sum = foldwise::reduce<float>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
// expected-error@+1 {{this version of Foldwise generates vectorize kernels only; 'fill' is a forall [FW011]}}
auto fill = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out) { out[i] = 1; });
