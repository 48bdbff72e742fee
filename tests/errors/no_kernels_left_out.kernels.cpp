// tests/errors/no_kernels_left_out.kernels.cpp: a spec whose kernels a macro excludes.
// RUN: %refused
#include <foldwise/spec.hpp>

#if FOLDWISE_TEST_NEVER
inline float half(float x) { return foldwise::view_of(x); }
#endif

namespace left_out {
#if FOLDWISE_TEST_NEVER
inline float twice(float x) { return 2 * x; }
auto doubled = foldwise::vectorize(twice);
#endif
}  // namespace left_out

// expected-error@12 {{no kernels in this file: a spec declares namespace-scope variables with}}
