// tests/errors/taken_names.kernels.cpp: a kernel of the global namespace has the name of a function of the C library.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cmath>

// expected-note@*:* {{previous definition is here}}
// expected-error@+2 {{redefinition of 'log' as different kind of symbol}}
// expected-note@+1 {{have this name in the global namespace: declare yours in a namespace of your own}}
auto log = foldwise::vectorize<float(float)>([](auto x) { return std::log(x); });

namespace mine {
auto log = foldwise::vectorize<float(float)>([](auto x) { return std::log(x); });
}  // namespace mine

// A name that is the user's own twice.
inline float twice(float x) { return 2 * x; }                 // expected-note {{previous definition is here}}
auto twice = foldwise::vectorize([](float x) { return x; });  // expected-error {{redefinition of 'twice'}}
