// tests/errors/no_kernels.kernels.cpp: a spec without kernels.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{no kernels in this file: a spec declares namespace-scope variables with foldwise::vectorize, foldwise::reduce, foldwise::scatter, foldwise::forall, foldwise::scan, foldwise::blocks, foldwise::guvectorize or foldwise::stencil [FW001]}}
inline float twice(float x) { return 2 * x; }
