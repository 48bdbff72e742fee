// tests/ptx/global_functions.kernels.cpp: a user's global functions beside those of the C library and CUDA, which has
// overloads of its own, and names that are macros in some systems' headers.
// RUN: %generate %s -- -std=c++20 %include
// RUN: %nvcc -arch=sm_90 -c -o %t.o %t.out/global_functions.kernels.cu
// RUN: FileCheck %s --input-file=%t.out/global_functions.kernels.cu
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdlib>

inline float abs(float x) { return x < 0 ? 1 - x : 1 + x; }
// CHECK: return abs(x) + static_cast<float>(::abs(i) + ::abs(i)) + ::FOLDWISE_BACKEND::abs(x);
inline float both(float x, int i) { return abs(x) + static_cast<float>(abs(i) + ::abs(i)) + ::abs(x); }
auto calls = foldwise::vectorize([](float x, int i) { return both(x, i); });

namespace {
inline float labs(float x) { return x; }
}  // namespace
namespace a {
// CHECK: return labs(x) + static_cast<float>(::labs(i));
auto within = foldwise::vectorize([](float x, long i) { return labs(x) + static_cast<float>(labs(i)); });
}  // namespace a

inline float isnan(int major, int minor) { return static_cast<float>(major + minor); }
auto makedev = foldwise::vectorize([](float assert, int errors) { return isnan(errors, 2) + assert; });
