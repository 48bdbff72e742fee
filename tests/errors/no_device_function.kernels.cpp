// tests/errors/no_device_function.kernels.cpp: functions of the standard library that no device has.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <random>

// expected-error@+1 {{'rand' does not exist in device code: foldwise::random(seed, number) draws random numbers in kernels [FW013]}}
auto f = foldwise::vectorize([](int x) { return x + rand(); });
// expected-error@+1 {{'puts' does not exist in device code: std::printf, of <cstdio>, prints from kernels [FW013]}}
auto g = foldwise::vectorize([](int x) { return x + puts("x"); });
// expected-error@+1 {{'clock' does not exist in device code [FW013]}}
auto h = foldwise::vectorize([](int x) { return x + int(clock()); });

auto streamed = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> x) {
    // expected-error@+2 {{'std::cout' does not exist in device code: std::printf, of <cstdio>, prints from kernels [FW013]}}
    // expected-error@+1 {{'std::basic_ostream<char>::operator<<' does not exist in device code: std::printf, of <cstdio>, prints from kernels [FW013]}}
    std::cout << x[i];
    // expected-error@+2 {{'fprintf' does not exist in device code: std::printf, of <cstdio>, prints from kernels [FW013]}}
    // expected-error@+1 {{'stderr' does not exist in device code: std::printf, of <cstdio>, prints from kernels [FW013]}}
    std::fprintf(stderr, "%g", x[i]);
    // expected-error@+1 {{'malloc' does not exist in device code: use arrays of fixed size, such as std::array, or operands [FW013]}}
    x[i] = *static_cast<float*>(std::malloc(4));
    // expected-error@+1 {{'std::uniform_real_distribution<float>::uniform_real_distribution' does not exist in device code: foldwise::random(seed, number) draws random numbers in kernels [FW013]}}
    [[maybe_unused]] std::uniform_real_distribution<float> draws;
    // expected-error@+1 {{'abort' does not exist in device code: foldwise::fail("...") ends the call with an error in checked builds [FW013]}}
    if (x[i] < 0) std::abort();
    std::printf("%g\n", x[i]);
});

// A function of CUDA's, which the C library declares for itself.
// expected-error@+1 {{'__expf' does not exist in device code: write std::exp(x) of <cmath>; FAST_MATH in foldwise_add_kernels approximates it [FW013]}}
auto raised = foldwise::vectorize([](float x) { return __expf(x); });
