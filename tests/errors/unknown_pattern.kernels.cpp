// tests/errors/unknown_pattern.kernels.cpp: a pattern that this version does not generate.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{this version of Foldwise generates vectorize and reduce kernels only; 'fill' is a forall [FW011]}}
auto fill = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out) { out[i] = 1; });
