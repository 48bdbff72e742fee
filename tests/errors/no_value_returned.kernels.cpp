// tests/errors/no_value_returned.kernels.cpp: what kernels compute where they return nothing, or never.
// RUN: %refused
#include <foldwise/spec.hpp>

auto positive = foldwise::vectorize([](float x) {
    if (x > 0) return x;
    // expected-error@+2 {{non-void lambda does not return a value in all control paths}}
    // expected-note@+1 {{return a value here too: a kernel that ends without one has no defined result}}
});
inline float sign(float x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
    // expected-error@+2 {{non-void function does not return a value in all control paths}}
    // expected-note@+1 {{return a value here too}}
}
inline float never(float x) {  // expected-error {{all paths through this function will call itself}}
    return never(x - 1);
}
auto uses = foldwise::vectorize([](float x) { return sign(x) + never(x); });
