// tests/errors/not_a_lambda.kernels.cpp: a function and an object in the place of a lambda.
// RUN: %refused
#include <foldwise/spec.hpp>

inline float twice(float x) { return 2 * x; }
struct Twice {
    float operator()(float x) const { return 2 * x; }
};
// expected-error@+1 {{kernel 'f' is not given a lambda [FW018]}}
auto f = foldwise::vectorize<float(float)>(&twice);
// expected-error@+1 {{kernel 'g' is not given a lambda [FW018]}}
auto g = foldwise::vectorize(Twice{});
