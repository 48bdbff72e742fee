// tests/errors/default_argument.kernels.cpp: default arguments, which calls of kernels have by their signatures alone.
// RUN: %warned
#include <foldwise/spec.hpp>

// expected-warning@+1 {{calls of kernel 'scaled' pass an operand for 'by', whatever its default argument is: write a signature of foldwise::vectorize without it, and one with it [FW119, -Wdefault-argument]}}
auto scaled = foldwise::vectorize([](float x, float by = 2) { return by * x; });
auto both = foldwise::vectorize<float(float), float(float, float)>([](float x, float by = 2) { return by * x; });
auto one = foldwise::vectorize<float(float)>([](float x, float by = 2) { return by * x; });
// expected-warning@+1 {{calls of kernel 'shifted' pass an operand for 'by', whatever its default argument is: write a signature of foldwise::forall without it, and one with it}}
auto shifted = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> out, float by = 1) { out[i] += by; });
