// tests/errors/races.kernels.cpp: elements that several tasks write, and many that only look like it.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

using foldwise::forall;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using f2 = foldwise::view<float, 2>;
using c1 = foldwise::view<const float, 1>;
using u1 = foldwise::view<std::uint32_t, 1>;
using bytes = foldwise::view<const std::uint8_t, 1>;
using ints = foldwise::view<const std::int32_t, 1>;

namespace races {

// expected-warning@+2 {{several tasks update the same element of 'v', and all but one may be lost: give each task elements of its own, or write std::atomic_ref(v[i / 2]).fetch_add(1) [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (1) both update element 0}}
auto halves = forall([](index<1> i, f1 v) { v[i / 2] += 1; });
// expected-warning@+2 {{several tasks write the same element of 'v'}}
// expected-note@+1 {{tasks (0) and (1) both write element 0}}
auto first = forall([](index<1> i, f1 v, c1 x) { v[0] = x[i]; });
// expected-warning@+2 {{several tasks update the same element of 'v'}}
// expected-note@+1 {{tasks (0) and (4) both update element 0}}
auto counted = forall([](index<1> i, u1 v) { v[i % 4]++; });
// expected-warning@+2 {{several tasks write the same element of 'v'}}
// expected-note@+1 {{tasks (0) and (8) both write element 0}}
auto masked = forall([](index<1> i, f1 v, c1 x) { v[i & 7] = x[i]; });
// expected-warning@+2 {{several tasks write the same element of 'v'}}
// expected-note@+1 {{tasks (0, 0) and (0, 1) both write element (0, 0)}}
auto columns = forall([](index<2> i, f2 v) { v(i[0], 0) = 1; });
// expected-warning@+4 {{several tasks update the same element of 'sums'}}
// expected-note@+3 {{tasks (0, 0) and (0, 1) both update element 0}}
auto rows = forall([](index<2> at, foldwise::view<const float, 2> x, f1 sums) {
    const auto [r, c] = at;
    sums[r] = sums[r] + x(r, c);
});
// expected-warning@+2 {{several tasks update the same element of 'v'}}
// expected-note@+1 {{tasks (0) and (1) both update element 0 if n is 2}}
auto groups = forall([](index<1> i, f1 v, std::int32_t n) { v[i / n] += 1; });
// expected-warning@+2 {{several tasks update the same element of 'bins'}}
// expected-note@+1 {{two tasks meet wherever 'pixels[i]' is the same in both, as it may be in (0) and (1)}}
auto histogram = forall([](index<1> i, bytes pixels, u1 bins) { bins[pixels[i]] += 1; });
// expected-warning@+2 {{several tasks update the same element of 'bins'}}
// expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
auto of_floats = forall([](index<1> i, c1 x, u1 bins) { ++bins[static_cast<int>(x[i] * 10.0f)]; });
// expected-warning@+3 {{several tasks update the same element of 'bins'}}
// expected-note@+2 {{two tasks meet wherever 'x[i]' is the same in both}}
auto of_shared_floats = forall(
    [](index<1> i, c1 x, u1 bins, float low, float high, int n) { ++bins[int((x[i] - low) * n / (high - low))]; });
// expected-warning@+3 {{several tasks update the same element of 'v'}}
// expected-note@+2 {{tasks (0) and (1) both update element 1}}
auto spread = forall([](index<1> i, f1 v) {
    for (int k = 0; k < 3; ++k) v[i + k] += 1;
});
// expected-warning@+3 {{several tasks update the same element of 'v'}}
// expected-note@+2 {{tasks (0) and (1) both update element 0 if n is 2}}
auto all_by_all = forall([](index<1> i, f1 v, c1 x, std::int64_t n) {
    for (std::int64_t j = 0; j < n; ++j) v[j] += x[i];
});
// expected-warning@+4 {{several tasks may write the same element of 'found'}}
// expected-note@+3 {{tasks (0) and (1) both write element 0 if both get there}}
auto found = forall([](index<1> i, c1 x, f1 found) {
    if (!(x[i] > 1)) return;
    found[0] = x[i];
});
struct pair {
    float a, b;
};
// expected-warning@+4 {{several tasks update the same element of 'v'}}
// expected-note@+3 {{tasks (0) and (1) both update element 0}}
auto members = forall([](index<1> i, foldwise::view<pair, 1> v) {
    pair& both = v[i / 2];
    both.a += 1;
});

// What may be written in its place: the operator's call where there is one, else std::atomic_ref alone.
// expected-warning@+2 {{all but one may be lost: give each task elements of its own [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (1) both write element 0}}
auto stored = forall([](index<1> i, f1 v, c1 x) { v[0] = x[i]; });
// expected-warning@+2 {{or write std::atomic_ref(v[i % 4]).fetch_sub(2u) [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (4) both update element 0}}
auto lowered = forall([](index<1> i, u1 v) { v[i % 4] -= 2u; });
// expected-warning@+2 {{or use std::atomic_ref, in a loop as forall.md has it for a maximum [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (4) both update element 0}}
auto scaled = forall([](index<1> i, f1 v) { v[i % 4] *= 2; });
// expected-warning@+2 {{or use std::atomic_ref, in a loop as forall.md has it for a maximum [FW058, -Wrace]}}
// expected-note@+1 {{tasks (0) and (4) both update element 0}}
auto small = forall([](index<1> i, foldwise::view<std::uint8_t, 1> v) { v[i % 4] += 1; });

// Views are long, so that they have the elements of most tasks.
auto asked_first = forall([](index<1> i, ints x, u1 bins) {
    // expected-warning@+2 {{several tasks update the same element of 'bins'}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    if (x.has(i)) bins[x[i]] += 1;
});
auto asked_of_a_neighbour = forall([](index<1> i, c1 x, f1 v) {
    // expected-warning@+2 {{several tasks update the same element of 'v'}}
    // expected-note@+1 {{tasks (1) and (2) both update element 0}}
    if (x.has(i[0] - 1)) v[0] += x[i];
});
auto of_the_ends = forall([](index<1> i, c1 x, f1 v) {
    if (!x.has(i[0] - 1)) v[0] = x[i];
    if (!x.has(i[0] + 1)) v[1] = x[i];
    if (x.has(i)) v[i[0] + 2] = x[i];
});

// Updates under other names and by way of variables, and places that are brought into range first.
auto aliased = forall([](index<1> i, ints x, u1 bins) {
    auto& bin = bins[x[i]];
    // expected-warning@+2 {{several tasks update the same element of 'bins'}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    bin = bin + 1;
});
auto pointed = forall([](index<1> i, ints x, u1 bins) {
    auto* const bin = &bins[x[i]];
    // expected-warning@+2 {{several tasks update the same element of 'bins'}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    *bin += 1;
});
auto in_two_steps = forall([](index<1> i, ints x, u1 bins) {
    const auto before = bins[x[i]];
    // expected-warning@+2 {{several tasks update the same element of 'bins'}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    bins[x[i]] = before + 1;
});
auto largest = forall([](index<1> i, ints group, c1 x, f1 most) {
    // expected-warning@+2 {{several tasks update the same element of 'most'}}
    // expected-note@+1 {{two tasks meet wherever 'group[i]' is the same in both}}
    if (x[i] > most[group[i]]) most[group[i]] = x[i];
});
auto clamped = forall([](index<1> i, c1 x, u1 bins) {
    int bin = static_cast<int>(x[i]);
    if (bin < 0) bin = 0;
    bin = std::min(bin, 255);
    // expected-warning@+2 {{several tasks update the same element of 'bins'}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    ++bins[bin];
});
struct edge {
    std::int32_t from, to;
    float weight;
};
auto degrees = forall([](index<1> i, foldwise::view<const edge, 1> edges, f1 degree) {
    const auto& [from, to, weight] = edges[i];
    // expected-warning@+2 {{or write std::atomic_ref(degree[to]).fetch_add(weight)}}
    // expected-note@+1 {{two tasks meet wherever 'edges[i]' is the same in both}}
    degree[to] += weight;
});

// ---- No races. ----

// Whoever comes first writes what all would write.
auto visited = forall([](index<1> i, ints to, foldwise::view<std::int32_t, 1> level, std::int32_t next) {
    if (level[to[i]] < 0) level[to[i]] = next;
});
// Each task walks along a way of its own.
auto walked = forall([](index<1> i, ints begins, ints ends, f1 v) {
    int k = begins[i];
    while (k < ends[i]) {
        v[k] += 1;
        ++k;
    }
});
auto linked = forall([](index<1> i, ints first, ints next, f1 v) {
    for (int k = first[i]; k >= 0; k = next[k]) v[k] += 1;
});

auto own = forall([](index<1> i, f1 v) { v[i] += 1; });
auto own_of_two = forall([](index<2> i, f2 v) {
    v(i[0], i[1]) += 1;
    v[i] = 2;
});
auto turned = forall([](index<2> i, f2 v) { v(i[1], i[0]) = 1; });
auto next = forall([](index<1> i, f1 v) { v[i + 1] = 1; });
auto even = forall([](index<1> i, f1 v) { v[2 * i] = v[2 * i + 1]; });
auto backwards = forall([](index<1> i, f1 v, std::int64_t n) { v[n - 1 - i] = 1; });
auto by_extent = forall([](index<1> i, f1 v) { v[v.extent(0) - 1 - i] = 1; });
auto flat = forall([](index<2> i, f1 v, std::int64_t width) { v[i[0] * width + i[1]] = 1; });
auto unfolded = forall([](index<1> i, f2 v, std::int64_t width) { v(i / width, i % width) = 1; });
auto shares = forall([](index<1> i, f1 v, std::int64_t stride) {
    for (std::int64_t k = 0; k < stride; ++k) v[i * stride + k] = 1;
});
auto four = forall([](index<1> i, f1 v) {
    for (int k = 0; k < 4; ++k) v[4 * i + k] += 1;
});
auto strided = forall([](index<1> i, f1 v, std::int64_t n, std::int64_t tasks) {
    for (std::int64_t k = i; k < n; k += tasks) v[k] += 1;
});
auto one = forall([](index<1> i, f1 v) {
    if (i == 0) v[0] = 1;
});
auto one_left = forall([](index<1> i, f1 v) {
    if (i != 0) return;
    v[0] += 1;
});
auto one_given = forall([](index<1> i, f1 v, std::int64_t n) {
    if (i == n - 1) v[0] = 1;
});
auto one_of_data = forall([](index<1> i, f1 v, ints winner) {
    if (winner[0] == i) v[0] = 1;
});
auto leaders = forall([](index<1> i, f1 v) {
    if (i % 32 == 0) v[i / 32] = 1;
});
auto first_column = forall([](index<2> i, f1 v) { i[1] == 0 ? void(v[i[0]] += 1) : void(); });
auto atomic = forall([](index<1> i, u1 v) { std::atomic_ref(v[i / 2]).fetch_add(1u); });
auto compacted = forall([](index<1> i, c1 x, f1 out, u1 count) {
    if (x[i] > 0) out[std::atomic_ref(count[0]).fetch_add(1u)] = x[i];
});
auto last_one = forall([](index<1> i, u1 count, f1 out) {
    if (std::atomic_ref(count[0]).fetch_add(1u) == 99) out[0] = 1;
});
auto permuted = forall([](index<1> i, c1 x, ints places, f1 out) { out[places[i]] = x[i]; });
auto lists = forall([](index<1> i, c1 x, ints begins, f1 out) {
    for (std::int64_t k = 0; k < 4; ++k) out[begins[i] + k] += x[i];
});
auto own_bins =
    forall([](index<1> i, bytes pixels, foldwise::view<std::uint32_t, 2> bins) { bins(i, pixels[i]) += 1; });
auto sorted = forall([](index<1> i, f1 v) {
    const std::int64_t other = i ^ 1;
    if (other > i) std::swap(v[i], v[other]);
});
auto large = forall([](index<1> i, f1 v) { v[(i * 7) % 8191] = 1; });

// Two statements that write.
// expected-warning@+4 {{several tasks update the same element of 'y', and all but one may be lost: give each task elements of its own, or use std::atomic_ref}}
// expected-note@+3 {{tasks (1) and (0) both update element 1}}
auto flux = forall([](index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> y) {
    y[i] += x[i];
    y[i + 1] -= x[i];
});
// expected-warning@+2 {{several tasks write the same element of 'x'}}
// expected-note@+1 {{tasks (0, 1) and (1, 0) both write element (0, 1)}}
auto swapped = forall([](index<2> at, foldwise::view<float, 2> x) { std::swap(x(at[0], at[1]), x(at[1], at[0])); });
auto upper = forall([](index<2> at, foldwise::view<float, 2> x) {
    if (at[0] < at[1]) std::swap(x(at[0], at[1]), x(at[1], at[0]));
});
auto reversed = forall([](index<1> i, foldwise::view<float, 1> x) {
    if (i < x.extent(0) / 2) std::swap(x[i], x[x.extent(0) - 1 - i]);
});
auto two_each = forall([](index<1> i, foldwise::view<float, 1> x) {
    x[2 * i] = 0;
    x[2 * i + 1] = 1;
});
auto first_and_others = forall([](index<1> i, foldwise::view<float, 1> x) {
    if (i == 0) x[0] = 1;
    if (i > 0) x[i] = 2;
});
auto half_away = forall([](index<1> i, foldwise::view<float, 1> x) {
    x[i] = 0;
    x[i + x.extent(0) / 2] = 1;
});

}  // namespace races
