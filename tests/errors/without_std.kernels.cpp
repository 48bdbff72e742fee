// tests/errors/without_std.kernels.cpp: a function of C's that makes a computation one in double has std:: for its fix.
// RUN: %foldwise --out-dir=%t.out %s -- %include 2>&1 | FileCheck %s
#include <foldwise/spec.hpp>

#include <cmath>

// CHECK: 'sqrt' makes this a computation in double
// CHECK: {{^ *\| +std::$}}
auto root = foldwise::vectorize<float(float)>([](float x) { return sqrt(x); });
// CHECK: '::pow' makes this a computation in double
// CHECK: {{^ *\| +std$}}
auto power = foldwise::vectorize<float(float)>([](float x) { return ::pow(x, 2); });
