// tests/errors/captures.kernels.cpp: captures that are no constants.
// RUN: %refused
#include <foldwise/spec.hpp>

inline float read() {
    static float last = 0;
    return ++last;
}
float gain = 2;
constexpr float table[] = {1, 2};

auto constant = foldwise::vectorize([factor = 2.0f](float x) { return factor * x; });

// expected-error@+1 {{the lambda of kernel 'f' has a capture whose value is not known while compiling: a kernel is given all it needs as operands, and constants [FW009]}}
auto f = foldwise::vectorize([factor = read()](float x) { return factor * x; });
// expected-error@+1 {{the lambda of kernel 'g' has a capture whose value is not known while compiling}}
auto g = foldwise::vectorize([gain = gain](float x) { return gain * x; });
// expected-error@+1 {{the lambda of kernel 'h' has a capture by reference}}
auto h = foldwise::vectorize([&t = table](float x) { return t[0] * x; });
// expected-error@+1 {{the lambda of kernel 'i' has a capture that it changes}}
auto i = foldwise::vectorize([n = 0](int x) mutable { return x + ++n; });
auto j = [] {
    float local = 3;
    // expected-error@+1 {{the lambda of kernel 'j' has a capture whose value is not known while compiling}}
    return foldwise::vectorize([=](float x) { return x * local; });
}();
auto referring(const float& k) {
    return [&k](float x) { return k * x; };  // expected-error {{the lambda of kernel 'k' has a capture by reference}}
}
auto k = foldwise::vectorize(referring(2));
