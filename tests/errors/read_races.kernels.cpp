// tests/errors/read_races.kernels.cpp: elements that some tasks read and others write, and many that only look like it.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

using foldwise::forall;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using f2 = foldwise::view<float, 2>;
using f3 = foldwise::view<float, 3>;
using c1 = foldwise::view<const float, 1>;
using u1 = foldwise::view<std::uint32_t, 1>;
using ints = foldwise::view<const std::int32_t, 1>;

namespace read_races {

// expected-warning@+3 {{tasks read elements of 'x' that other tasks write, and may find them as they were or as they will be: write to another view [FW058, -Wrace]}}
// expected-note@+2 {{task (2) reads element 1, which task (1) writes here}}
auto running = forall([](index<1> i, f1 x) {
    if (i > 0) x[i] = x[i] + x[i - 1];
});
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (0) reads element 1, which task (1) writes here}}
auto shifted = forall([](index<1> i, f1 x) { x[i] = x[i + 1]; });
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
auto relaxed = forall([](index<1> i, f1 x) { x[i] = 0.5f * (x[i - 1] + x[i + 1]); });
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (0, 1) reads element (0, 1), which task (1, 0) writes here}}
auto turned = forall([](index<2> i, f2 x) { x(i[1], i[0]) = x(i[0], i[1]); });
// expected-warning@+5 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+4 {{task (3, 2) reads element (2, 2), which task (2, 2) writes here}}
auto plate = forall([](index<2> at, f2 x) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == x.extent(0) || c + 1 == x.extent(1);
    if (!edge) x(r, c) = 0.25f * (x(r - 1, c) + x(r + 1, c) + x(r, c - 1) + x(r, c + 1));
});
auto within = forall([](index<1> i, f1 x, std::int64_t n) {
    if (i < 2 || i >= n - 2) return;
    float sum = 0;
    // expected-warning@+1 {{tasks read elements of 'x' that other tasks write}}
    for (int k = -2; k <= 2; ++k) sum += x[i + k];
    // expected-note@+1 {{task (2) reads element 3, which task (3) writes here}}
    x[i] = sum;
});
auto all = forall([](index<1> i, f1 x, std::int64_t n) {
    float sum = 0;
    // expected-warning@+1 {{tasks read elements of 'x' that other tasks write}}
    for (std::int64_t k = 0; k < n; ++k) sum += x[k];
    // expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
    x[i] /= sum;
});
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (0) reads element 2, which task (1) writes here if n is 2}}
auto strided = forall([](index<1> i, f1 x, std::int64_t n) { x[n * i] = x[n * (i + 1)]; });
struct pair {
    float a, b;
    float sum() const { return a + b; }
};
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
auto members = forall([](index<1> i, foldwise::view<pair, 1> x) { x[i].a += x[i - 1].a; });
auto others = forall([](index<1> i, foldwise::view<pair, 1> x) { x[i].a += x[i - 1].b; });
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
auto methods = forall([](index<1> i, foldwise::view<pair, 1> x) { x[i].a = x[i - 1].sum(); });
// expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
auto largest = forall([](index<1> i, f1 x) { x[i] = std::max(x[i - 1], x[i]); });
auto named = forall([](index<1> i, f1 x) {
    const float& before = x[i - 1];
    // expected-warning@+2 {{tasks read elements of 'x' that other tasks write}}
    // expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
    x[i] = before;
});
// expected-warning@+3 {{tasks read elements of 'x' that other tasks write}}
// expected-note@+3 {{task (1) reads element 0, which task (0) writes here}}
auto condition = forall([](index<1> i, f1 x, f1 out) {
    if (x[i - 1] > 0) out[i] = 1;
    x[i] = 0;
});
// What is added to atomically is no reason to wait for another task.
auto residual = forall([](index<1> i, f1 x, f1 sum) {
    // expected-warning@+1 {{tasks read elements of 'x' that other tasks write}}
    const float next = 0.5f * (x[i - 1] + x[i + 1]);
    std::atomic_ref(sum[0]).fetch_add(next - x[i]);
    // expected-note@+1 {{task (1) reads element 0, which task (0) writes here}}
    x[i] = next;
});

// ---- No races. ----

auto apart = forall([](index<1> i, c1 x, f1 out) { out[i] = x[i - 1] + x[i + 1]; });
auto own = forall([](index<1> i, f1 x) { x[i] = x[i] * x[i] + 1; });
auto own_of_two = forall([](index<2> i, f2 x) { x(i[0], i[1]) = x[i] * 2; });
auto red_black = forall([](index<1> i, f1 x) { x[2 * i + 1] = 0.5f * (x[2 * i] + x[2 * i + 2]); });
auto colour = forall([](index<1> i, f1 x, int parity) {
    if (i % 2 == parity) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
});
auto phases = forall([](index<1> i, f1 x, bool odd) {
    if (i % 2 != (odd ? 1 : 0)) return;
    x[i] = 0.5f * (x[i - 1] + x[i + 1]);
});
auto checkers = forall([](index<2> at, f2 x, int colour) {
    const auto r = at[0], c = 2 * at[1] + (at[0] + colour) % 2;
    x(r, c) = 0.25f * (x(r - 1, c) + x(r + 1, c) + x(r, c - 1) + x(r, c + 1));
});
auto odd_ones = forall([](index<1> i, f1 x) { x[i] = i % 2 == 1 ? 0.5f * (x[i - 1] + x[i + 1]) : x[i]; });
auto coloured = forall([](index<1> i, f1 x, ints colours, int colour) {
    if (colours[i] == colour) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
});
auto halves = forall([](index<1> i, f1 x) { x[i] += x[i + x.extent(0) / 2]; });
auto half = forall([](index<1> i, f1 x, std::int64_t half) {
    if (i < half) x[i] += x[i + half];
});
auto half_of_many = forall([](index<1> i, f1 x) { x[i] += x[i + 512]; });
auto reversed = forall([](index<1> i, f1 x) {
    const float last = x[9 - i];
    x[9 - i] = x[i];
    x[i] = last;
});
auto exchanged = forall([](index<2> i, f2 x) {
    if (i[0] >= i[1]) return;
    const float other = x(i[1], i[0]);
    x(i[1], i[0]) = x(i[0], i[1]);
    x(i[0], i[1]) = other;
});
auto bitonic = forall([](index<1> i, f1 x, std::int64_t stride) {
    const std::int64_t other = i ^ stride;
    if (other <= i || x[i] <= x[other]) return;
    const float high = x[i];
    x[i] = x[other];
    x[other] = high;
});
auto columns = forall([](index<1> c, f2 x) {
    for (std::int64_t r = 1; r < x.extent(0); ++r) x(r, c) += x(r - 1, c);
});
auto rows = forall([](index<1> r, f1 x, std::int64_t n) {
    for (std::int64_t k = 1; k < n; ++k) x[r * n + k] += x[r * n + k - 1];
});
auto gathered = forall([](index<1> i, f1 x, ints from) { x[i] = x[from[i]]; });
auto elimination = forall([](index<2> i, f2 x, std::int64_t k) {
    if (i[0] > k && i[1] > k) x[i] -= x(i[0], k) * x(k, i[1]);
});
auto next_layer =
    forall([](index<2> i, f3 x, int now) { x(1 - now, i[0], i[1]) = x(now, i[0] - 1, i[1]) + x(now, i[0] + 1, i[1]); });
auto atomic = forall([](index<1> i, f1 x) { std::atomic_ref(x[i]).store(std::atomic_ref(x[i + 1]).load()); });
auto half_atomic = forall([](index<1> i, f1 x) { x[i] = std::atomic_ref(x[i + 1]).load(); });
auto in_turn = forall([](index<1> i, f1 x, u1 ready) {
    while (i > 0 && std::atomic_ref(ready[i - 1]).load() == 0) {
    }
    x[i] += x[i - 1];
    std::atomic_ref(ready[i]).store(1);
});
auto address = forall([](index<1> i, f1 x) { x[i] = &x[i + 1] - &x[i]; });

}  // namespace read_races
