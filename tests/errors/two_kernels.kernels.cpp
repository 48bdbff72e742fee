// tests/errors/two_kernels.kernels.cpp: two kernels whose functions would have the same name.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace a {
auto f = foldwise::vectorize([](float x) { return x; });
namespace {
// expected-warning@+2 {{the unnamed namespace has no effect on the function that is generated for kernel 'f'}}
// expected-error@+1 {{kernel 'f' is declared more than once in this file [FW016]}}
auto f = foldwise::vectorize([](float x) { return x + 1; });
}  // namespace
}  // namespace a
