// tests/errors/large_operands.kernels.cpp: elements that CUDA cannot hand to a kernel as scalars, or that a thread has
// no room for.
// RUN: %refused
#include <foldwise/spec.hpp>

struct large {
    float values[3000];
};
struct largest {
    float values[8000];
};

// expected-error@+1 {{kernel 'three' has too many operands: its inputs take 36608 bytes, and there is room for 31740 [FW048]}}
auto three = foldwise::vectorize([](large a, large b, large c) { return a.values[0] + b.values[1] + c.values[2]; });
auto two = foldwise::vectorize([](const large& a, const large& b) { return a.values[0] + b.values[1]; });
auto wrong = foldwise::vectorize<
    float(large),
    // expected-error@+1 {{kernel 'wrong' has too many operands: its inputs take 32304 bytes, and there is room for 31740 [FW048]}}
    float(largest)>([](const auto& x) { return x.values[0]; });
// expected-error@+1 {{kernel 'made' has too many operands: the elements of its outputs take 32000 bytes, and there is room for 31740 [FW048]}}
auto made = foldwise::vectorize([](float x) { return largest{{x}}; });
// expected-error@+1 {{kernel 'sum' has too many operands: its inputs take 32304 bytes, and there is room for 31740 [FW048]}}
auto sum = foldwise::reduce<float(largest)>(
    foldwise::map([](const largest& x) { return x.values[0]; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
