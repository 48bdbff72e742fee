// tests/golden/macros/macros.kernels.cpp: macros are expanded, and lines that are excluded leave blank ones.
// RUN: %golden
#include <foldwise/spec.hpp>

#define HALF 0.5f
#define SQUARE(x) ((x) * (x))
#define KERNEL(name, op) auto name = foldwise::vectorize([](float x, float y) { return x op y; });
#define FAST 1

inline float energy(float v) { return HALF * SQUARE(v); }

auto kinetic = foldwise::vectorize([](float mass, float v) { return mass * energy(v); });

KERNEL(add, +)
KERNEL(multiply, *)

auto chosen = foldwise::vectorize([](float x) {
#if FAST
    return x * HALF;  // the fast way
#else
    return x / 2;
#endif
});

auto where = foldwise::vectorize([](int x) { return x + __LINE__ + __FILE__[0]; });
