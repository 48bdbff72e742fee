// tests/golden/no_inputs/no_inputs.kernels.cpp: a kernel without operands to read takes a shape instead.
// RUN: %golden
#include <foldwise/spec.hpp>

auto one = foldwise::vectorize([] { return 1.0f; });
auto answer = foldwise::vectorize<double()>([]() noexcept { return 42; });
