// tests/errors/captures.kernels.cpp: a lambda that captures.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{the lambda of kernel 'f' has a capture: a kernel is given all it needs as operands [FW009]}}
auto f = foldwise::vectorize([factor = 2.0f](float x) { return factor * x; });
