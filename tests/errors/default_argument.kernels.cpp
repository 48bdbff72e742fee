// tests/errors/default_argument.kernels.cpp: default arguments, which calls of kernels have by their signatures alone.
// RUN: %warned
#include <foldwise/spec.hpp>

// expected-warning@+1 {{calls of kernel 'scaled' pass an operand for 'by', whatever its default argument is; a signature of foldwise::vectorize that leaves it out has the default [FW119, -Wdefault-argument]}}
auto scaled = foldwise::vectorize([](float x, float by = 2) { return by * x; });
auto one = foldwise::vectorize<float(float)>([](float x, float by = 2) { return by * x; });
// expected-warning@+1 {{calls of kernel 'shifted' pass an operand for 'by', whatever its default argument is; a signature of foldwise::forall that leaves it out has the default}}
auto shifted = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out, float by = 1) { out[i] += by; });
