// tests/errors/no_such_call.kernels.cpp: a signature that the lambda does not take.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{kernel 'f' cannot be called with the operands of signature 'float (float, float)' [FW004]}}
auto f = foldwise::vectorize<float(float, float)>([](auto x) { return x; });

// expected-error@+1 {{kernel 'g' cannot be called with the operands of signature 'float (float)': it takes 2 parameters, and the signature has 1 operand [FW004]}}
auto g = foldwise::vectorize<float(float)>([](float x, float y) { return x + y; });

// expected-error@+1 {{kernel 'h' cannot be called with the operands of signature 'float (foldwise::index<1>, float)': the index is no operand, and signatures leave it out [FW004]}}
auto h = foldwise::vectorize<float(foldwise::index<1>, float)>([](foldwise::index<1> i, auto x) { return x + i; });

// expected-error@+1 {{kernel 'places' cannot be called with the operands of signature 'float (unsigned long)': the index is no operand, and signatures leave it out [FW004]}}
auto places = foldwise::vectorize<float(unsigned long)>([](foldwise::index<1> i) { return static_cast<float>(i); });
