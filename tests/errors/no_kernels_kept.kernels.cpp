// tests/errors/no_kernels_kept.kernels.cpp: kernels that no variable has.
// RUN: %refused
#include <foldwise/spec.hpp>

namespace kept {

inline float twice(float x) { return 2 * x; }

// expected-error@+1 {{no kernels in this file: a spec declares namespace-scope variables with}}
const auto& doubled = foldwise::vectorize(twice);

}  // namespace kept
