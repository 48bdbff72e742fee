// tests/errors/no_such_conversion.kernels.cpp: a result that does not become the signature's.
// RUN: %refused
#include <foldwise/spec.hpp>

struct Point {
    float x, y;
};
// expected-error@+1 {{the lambda of kernel 'f' returns 'Point', which does not convert to 'float' [FW005]}}
auto f = foldwise::vectorize<float(float)>([](auto x) { return Point{x, x}; });
