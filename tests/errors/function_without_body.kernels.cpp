// tests/errors/function_without_body.kernels.cpp: a function that is only declared.
// RUN: %refused
#include <foldwise/spec.hpp>

float elsewhere(float x);
// expected-error@+1 {{'elsewhere' has no body here: a kernel needs the definition of all that it calls, in the spec or a header that it includes [FW012]}}
auto f = foldwise::vectorize([](float x) { return elsewhere(x); });
