// tests/errors/duplicate_signature.kernels.cpp: the same signature twice, once by another name.
// RUN: %refused
#include <foldwise/spec.hpp>

using real = float;
// expected-error@+1 {{signature 'float (float)' of kernel 'f' is given twice [FW003]}}
auto f = foldwise::vectorize<float(float), double(double), real(real)>([](auto x) { return x; });
