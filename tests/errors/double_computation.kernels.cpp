// tests/errors/double_computation.kernels.cpp: what makes the arithmetic of float kernels double, unasked.
// RUN: %warned
// RUN: %foldwise --out-dir=%t.fix %s -- %include -fdiagnostics-parseable-fixits 2>&1 | FileCheck %s
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

// ---- Literals, whatever they look like ------------------------------------------------------------------------------

// CHECK: fix-it:"{{.*}}":{[[#@LINE+2]]:65-[[#@LINE+2]]:65}:"f"
// expected-warning@+1 {{'3.3' makes this a computation in double, which 'float(float)' has no operand of [FW020, -Wdouble-computation]}}
auto compared = foldwise::vectorize([](float x) { return x * 3.3 > 1 ? x : 0; });
auto spellings = foldwise::vectorize([](float x) -> float {
    x = x * 1e-3;    // expected-warning {{'1e-3'}}
    x = x + 2.;      // expected-warning {{'2.'}}
    x = .5 / x;      // expected-warning {{'.5'}}
    x = x - 0x1p-3;  // expected-warning {{'0x1p-3'}}
    // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:13-[[#@LINE+1]]:17}:"1.0f"
    x = x * 1.0L;  // expected-warning {{'1.0L'}}
    // CHECK-NOT: fix-it:"{{.*}}":{[[#@LINE+1]]:
    x = x * 1e300;                                                       // expected-warning {{'1e300'}}
    x *= -0.3;                                                           // expected-warning {{'0.3'}}
    if (x > 0.1) x = -x;                                                 // expected-warning {{'0.1'}}
    x = static_cast<float>(x * 0.7);                                     // expected-warning {{'0.7'}}
    auto y = x * 0.9;                                                    // expected-warning {{'0.9'}}
    return static_cast<float>(y) + (std::isnan(x * 0.6) ? 1.0f : 0.0f);  // expected-warning {{'0.6'}}
});

// ---- Judged for each signature, told once ---------------------------------------------------------------------------

auto typed = foldwise::vectorize<double(double), float(float), foldwise::half(foldwise::half)>([](auto x) {
    return x * 0.3;  // expected-warning {{'0.3' makes this a computation in double, which 'float(float)' has}}
});
// expected-warning@+1 {{'0.5' makes this a computation in double, which 'float(int)' has}}
auto narrowed = foldwise::vectorize<float(int)>([](auto x) { return x * 0.5; });
// expected-warning@+1 {{'0.0' makes this a computation in double, which 'double(float)' has}}
auto outputs = foldwise::vectorize([](float x) { return x > 1 ? x : 0.0; });

// ---- Constants and library calls ------------------------------------------------------------------------------------

constexpr double scale = 0.3;
#define TENTH 0.1
auto constants = foldwise::vectorize([](float x) -> float {
    x = x * scale;  // expected-warning {{'scale'}}
    x = x * TENTH;  // expected-warning {{'TENTH'}}
    // CHECK: fix-it:"{{.*}}":{[[#@LINE+1]]:32-[[#@LINE+1]]:32}:"_v<float>"
    return x * std::numbers::pi;  // expected-warning {{'std::numbers::pi'}}
});
auto calls = foldwise::vectorize([](float x, int n) -> float {
    x = std::pow(x, n);       // expected-warning {{'std::pow'}}
    x = std::pow(x, 2.0);     // expected-warning {{'2.0'}}
    x = ::pow(x, 2.0);        // expected-warning {{'::pow'}}
    x = std::fmin(x, 1);      // expected-warning {{'std::fmin'}}
    return x + std::sqrt(n);  // expected-warning {{'std::sqrt'}}
});

// ---- In functions that the kernel calls -----------------------------------------------------------------------------

inline float third(float x) { return x * 0.33; }                    // expected-warning {{'0.33'}}
inline float ninth(float x) { return third(third(x)); }             // expected-note {{called from here}}
auto deep = foldwise::vectorize([](float x) { return ninth(x); });  // expected-note {{called from here}}
auto again = foldwise::vectorize([](float x) { return ninth(x); });
auto local = foldwise::vectorize([](float x) {
    const auto tripled = [](auto y) { return static_cast<decltype(y)>(y * 3.1); };  // expected-warning {{'3.1'}}
    return tripled(x);  // expected-note {{called from here}}
});

auto in_phases =
    foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
        // expected-warning@+1 {{'2.5' makes this a computation in double}}
        b.each([&](foldwise::index<1> t) { out[b.at(t)] = static_cast<float>(x[b.at(t)] * 2.5); });
        // expected-warning@+1 {{'0.5' makes this a computation in double}}
        b.once([&] { out[b.number(0)] = static_cast<float>(0.5 * x[b.number(0)]); });
    });

// ---- Silent: double is meant, or nothing is computed in it ----------------------------------------------------------

inline double precise(double x) { return x * 3.3; }
struct Sum {
    double value;
};
auto meant = foldwise::vectorize([](float x) {
    const double y = x * 3.3;
    double total = 0.1;
    total += x * 0.1;
    const Sum sum{x * 0.2};
    return static_cast<float>(y * 0.1 + total + static_cast<double>(x) * 0.3 + precise(x) * sum.value * double{x});
});
auto stated = foldwise::vectorize([](float x) -> double { return x * 3.3; });
auto asked = foldwise::vectorize<double(float)>([](auto x) { return x * 3.3; });
auto mixed = foldwise::vectorize([](float x, double y) { return x * 3.3 + y; });
auto integers = foldwise::vectorize([](std::int32_t x) { return x * 0.5; });
auto generic = foldwise::vectorize<float(float), double(double)>([](auto x) {
    using T = decltype(x);
    return x * T(3.3) + std::numbers::pi_v<T> * static_cast<T>(0.1);
});
auto exact = foldwise::vectorize([](float x) {
    const float y = 3.3, z = 2 * 1.1;
    const float positive = x > 0.0 ? x : 0.25;
    return x == 0.5 || x < -1.0 ? y * z : positive;
});
auto floats = foldwise::vectorize([](float x) { return std::pow(x, 2.0f) + std::sqrt(x) * 3.3f + std::fmin(x, 1.0f); });
auto phases =
    foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
        auto mine = b.own(0.0);
        auto s = b.shared<double, 32>();
        b.each([&](foldwise::index<1> t) {
            mine[t] += x[b.at(t)];
            mine[t] = mine[t] * 2.5 + 1.5;
            s[t] = x[b.at(t)] * mine[t];
            s[t] *= 0.3;
        });
        const double mean = b.fold(mine, [](double a, double c) { return a + c; }) / 32.0;
        b.once([&] { out[b.number(0)] = static_cast<float>(mean * 0.3 + s[0] * 0.1); });
    });
