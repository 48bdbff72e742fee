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

// A using-declaration of a name that the C library has a function of, in a namespace and in none.
#include <cstring>
namespace theirs {
using foldwise::index;
auto shifted = foldwise::vectorize([](index<1> at, float x) { return x + static_cast<float>(at[0]); });
}  // namespace theirs
// expected-note@*:* {{target of using declaration}} expected-note@*:* {{conflicting declaration}}
// expected-error@+2 {{target of using declaration conflicts with declaration already in scope}}
// expected-note@+1 {{have this name in the global namespace: declare yours in a namespace of your own}}
using foldwise::index;
