// tests/errors/throw.kernels.cpp: exceptions, of which only the throw is said to be impossible.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <stdexcept>

struct negative {
    explicit negative(float x);
};
auto root = foldwise::vectorize([](float x) {
    // expected-error@+2 {{throw is not possible in a kernel [FW015]}}
    // expected-note@+1 {{foldwise::fail("...") reports what is wrong, and ends the call in checked builds}}
    if (x < 0) throw std::runtime_error("negative");
    return x;
});
auto other = foldwise::vectorize([](float x) {
    // expected-error@+2 {{throw is not possible in a kernel [FW015]}}
    // expected-note@+1 {{foldwise::fail("...")}}
    return x < 0 ? throw negative(x) : x;
});
