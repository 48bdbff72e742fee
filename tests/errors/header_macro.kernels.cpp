// tests/errors/header_macro.kernels.cpp: names that are macros in the headers that generated files include.
// RUN: env PRECOMPILED= %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{'M_PI' is a macro in the headers that generated code includes [FW044]}}
constexpr float M_PI = 3;
constexpr float M_E = 2;  // no kernel needs it
inline float area(float r) { return r * r * M_PI; }
auto f = foldwise::vectorize([](float r) { return area(r) + M_PI; });

// Its line is that of the name, whichever header it is in.
#include "Inputs/header_macro.hpp"
auto g = foldwise::vectorize([](bits b) { return assert(b.CHAR_BIT); });

// A macro's arguments are no names of macros, nor is what it is for its parentheses' sake without them.
#define VALUE(x) x##_value
auto h = foldwise::vectorize([](float assert) {
    const float EOF_value = assert;
    return VALUE(EOF);
});

// expected-error@+1 {{'linux' is a macro}}
auto linux = foldwise::vectorize([](float x) { return x; });
// expected-error@+1 {{'offsetof' is a macro}}
auto offsetof = foldwise::vectorize([](float x) { return x; });
// expected-error@+1 {{'FP_NAN' is a macro}}
auto operand = foldwise::vectorize([](float FP_NAN) { return 2.0f; });
// expected-error@+2 {{'INT_MAX' is a macro}}
auto local = foldwise::vectorize([](float x) {
    float INT_MAX = x;
    return INT_MAX + INT_MAX;
});

// Macros no longer, or not in the headers that count.
auto isnan = foldwise::vectorize([](float minor, float major) { return minor + major; });
