// tests/errors/random_as_number.kernels.cpp: a stream of random numbers in the place of a number.
// RUN: %refused
#include <foldwise/spec.hpp>

auto assigned = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> x) {
    // expected-error@+2 {{assigning to 'float' from incompatible type 'foldwise::random'}}
    // expected-note@+1 {{it is a stream, and its draws are the numbers: foldwise::random(seed, i).uniform(), or normal<double>(), exponential(), below(n) and bits()}}
    x[i] = foldwise::random(1, i);
});
auto initialized = foldwise::vectorize([](foldwise::index<1> i) {
    // expected-error@+2 {{no viable conversion from 'foldwise::random' to 'const float'}}
    // expected-note@+1 {{it is a stream, and its draws are the numbers}}
    const float x = foldwise::random(1, i);
    return x;
});
auto scaled = foldwise::vectorize<float(float)>([](foldwise::index<1> i, float x) {
    // expected-error@+2 {{invalid operands to binary expression ('float' and 'foldwise::random')}}
    // expected-note@+1 {{it is a stream, and its draws are the numbers}}
    return x * foldwise::random(1, i);
});
