// tests/errors/returns_nothing.kernels.cpp: a lambda without a result.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{the lambda of kernel 'f' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto f = foldwise::vectorize([](float x) { (void)x; });
