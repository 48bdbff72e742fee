// tests/errors/operand_reference.kernels.cpp: parameters through which operands could be written to.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{parameter 'x' of kernel 'v' is a reference that could be written to, but operands are only read: take a value or a reference to const [FW047]}}
auto v = foldwise::vectorize([](float&& x) { return x; });
// expected-error@+1 {{parameter 'x' of kernel 'w' is a reference that could be written to, but operands are only read}}
auto w = foldwise::vectorize([](float& x) { return x *= 2; });
// expected-error@+1 {{parameter 'x' of kernel 'moved' is a reference that could be written to, but operands are only read: take a value or a reference to const [FW047]}}
auto moved = foldwise::vectorize<float(float)>([](float&& x) { return x; });
// expected-error@+1 {{combine of kernel 'moving' cannot be called with 'float' and 'float': its parameter 'a' is 'float &&', a reference that could be written to; take it by value or by const reference [FW033]}}
auto moving = foldwise::reduce<float>([](float&& a, float&& b) { return a + b; }, foldwise::identity(0));
