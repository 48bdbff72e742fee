// tests/errors/no_device_function.kernels.cpp: functions of the standard library that no device has.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdio>
#include <cstdlib>

// expected-error@+1 {{'rand' does not exist in device code [FW013]}}
auto f = foldwise::vectorize([](int x) { return x + rand(); });
// expected-error@+1 {{'puts' does not exist in device code [FW013]}}
auto g = foldwise::vectorize([](int x) { return x + puts("x"); });
