// tests/errors/not_a_signature.kernels.cpp: types of elements where signatures belong.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{kernel 'f' is given 'float' in place of a signature: write foldwise::vectorize<float(float)>(...) [FW066]}}
auto f = foldwise::vectorize<float>([](auto x) { return x; });
// expected-error@+1 {{kernel 'g' is given 'double' in place of a signature: write foldwise::vectorize<double(double, double)>(...)}}
auto g = foldwise::vectorize<double, float>([](auto x, auto y) { return x + y; });
// expected-error@+1 {{kernel 'h' is given 'float' in place of a signature: write foldwise::forall<void(foldwise::view<float, 1>, float)>(...)}}
auto h = foldwise::forall<float, double>([](foldwise::index<1> i, auto x, auto y) { x[i] = y; });
// expected-error@+1 {{kernel 'typed' is given 'float' in place of a signature: write foldwise::vectorize<float(float, int)>(...)}}
auto typed = foldwise::vectorize<float>([](float x, int n) { return x * static_cast<float>(n); });
// expected-error@+1 {{kernel 'viewed' is given 'foldwise::view<float, 1>' in place of a signature: write foldwise::forall<void(foldwise::view<float, 1>)>(...)}}
auto viewed = foldwise::forall<foldwise::view<float, 1>>([](foldwise::index<1> i, auto x) { x[i] = 1; });
