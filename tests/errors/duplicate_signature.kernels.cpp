// tests/errors/duplicate_signature.kernels.cpp: the same signature twice, once by another name.
// RUN: %refused
#include <foldwise/spec.hpp>

using real = float;
// expected-error@+1 {{signature 'float (float)' of kernel 'f' is given twice [FW003]}}
auto f = foldwise::vectorize<float(float), double(double), real(real)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'double (float)' of kernel 'by_result' become functions of the same operands [FW050]}}
auto by_result = foldwise::vectorize<float(float), double(float)>([](auto x) { return x; });
// expected-error@+1 {{signatures 'float (float)' and 'float (const float &)' of kernel 'by_reference' become functions of the same operands [FW050]}}
auto by_reference = foldwise::vectorize<float(float), float(const float&)>([](auto x) { return x; });
