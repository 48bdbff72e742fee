// tests/errors/variable_array.kernels.cpp: local arrays whose size only a running kernel knows.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>

auto sorted = foldwise::guvectorize("(n)->()", [](foldwise::view<const float, 1> x, float& median) {
    // expected-error@+4 {{'window' has a number of elements that only a running kernel knows: an array in a kernel has a fixed size, as in float window[16] [FW110]}}
    // expected-warning@+3 {{variable length arrays in C++ are a Clang extension}}
    // expected-note@+2 {{in call to 'x.size()'}}
    // expected-note@*:* 0+ {{}}
    float window[x.size()];
    for (std::int64_t i = 0; i < x.extent(0); ++i) window[i] = x[i];
    median = window[x.extent(0) / 2];
});
