// tests/errors/random.kernels.cpp: a generator that the tasks of a kernel would share.
// RUN: %refused
#include <foldwise/spec.hpp>

foldwise::random shared(42, 0);
// expected-error@+1 {{'shared' is a variable that can change: declare it constexpr, or take it as a parameter [FW014]}}
auto a = foldwise::vectorize([](float x) { return x + shared.uniform(); });
