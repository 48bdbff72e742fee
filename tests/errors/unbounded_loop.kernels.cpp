// tests/errors/unbounded_loop.kernels.cpp: loops that only the data ends.
// RUN: %warned -Wunbounded-loop
// RUN: %foldwise --out-dir=%t.off %s -- %include 2>&1 | FileCheck --allow-empty --implicit-check-not={{.}} %s
#include <foldwise/spec.hpp>

#include <cmath>

auto converges = foldwise::vectorize([](float x, float tolerance) {
    float root = x;
    // expected-warning@+1 {{nothing that can be seen bounds this loop: a warp runs it as often as the slowest of its 32 threads [FW022, -Wunbounded-loop]}}
    while (std::fabs(root * root - x) > tolerance) root = 0.5f * (root + x / root);
    return root;
});
inline int digits(float x) {
    int count = 0;
    for (;; ++count) {  // expected-warning {{nothing that can be seen bounds this loop}}
        x = std::sqrt(x);
        if (x < 2) return count;
    }
}
auto breaks = foldwise::vectorize([](float x) { return digits(x); });  // expected-note {{called from here}}
auto divisor = foldwise::vectorize([](unsigned a, unsigned b) {
    while (b != 0) {  // expected-warning {{nothing that can be seen bounds this loop}}
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    do {  // expected-warning {{nothing that can be seen bounds this loop}}
        a = 3 * a + 1;
    } while (a % 7 != 0);
    return a;
});

// ---- Silent: a counter and something that it runs up against --------------------------------------------------------

auto counted = foldwise::vectorize([](int n, float x) {
    for (int i = 0; i < n; ++i) x += static_cast<float>(i);
    for (int i = n; i-- > 0;) x *= 2;
    for (float t = 0; t < x; t += 0.25f) ++n;
    const float values[] = {x, x + 1};
    for (float value : values) x += value;
    return x;
});
auto limited = foldwise::vectorize([](std::int64_t n, int limit) {
    int steps = 0;
    while (n > 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        if (++steps == 1000) break;
    }
    for (;;) {
        n = 5 * n + 1;
        ++steps;
        if (n < 0 || steps > limit) return steps;
    }
});
auto bits = foldwise::vectorize([](unsigned n) {
    int count = 0;
    for (unsigned m = n; m; m &= m - 1) ++count;
    while (n != 0) n >>= 1;
    while (count--) n += 3;
    do {
        n = 7;
    } while (false);
    return n;
});
