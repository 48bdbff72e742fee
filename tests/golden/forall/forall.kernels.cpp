// tests/golden/forall/forall.kernels.cpp: one task per index, and the ways in which tasks use what they are given.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <atomic>
#include <cmath>
#include <cstdint>

namespace demo {

using foldwise::index;
using foldwise::view;

/// Rounds every element to so many decimals.
auto round_to = foldwise::forall([](index<1> i, view<const double, 1> in, view<double, 1> out, int decimals) {
    const double scale = std::pow(10.0, decimals);
    out[i] = std::rint(in[i] * scale) / scale;
});

/// What is written is the index turned round.
auto transpose = foldwise::forall(
    [](index<2> at, view<const float, 2> in, view<float, 2> out) { out(at[1], at[0]) = in(at[0], at[1]); });

// Standard atomics: nobody knows which task writes where.
auto histogram = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> pixels, view<std::uint32_t, 1> bins) {
    std::atomic_ref(bins[pixels[i]]).fetch_add(1u, std::memory_order_relaxed);
});

/// Sums of floats, which only CPU threads form elsewhere first, and how many a task adds is not known.
auto column_sums = foldwise::forall([](index<1> row, view<const float, 2> x, view<float, 1> sums) {
    for (std::int64_t k = 0; k < x.extent(1); ++k) std::atomic_ref(sums[k]) += x(row[0], k);
});

/// One body for two element types.
auto gather = foldwise::forall<void(view<const float, 1>, view<const std::int32_t, 1>, view<float, 1>),
                               void(view<const double, 1>, view<const std::int32_t, 1>, view<double, 1>)>(
    [](index<1> i, auto source, auto at, auto out) { out[i] = source[at[i]]; });

struct Box {
    float low, high;
};
inline float clamped(float x, const Box& box) { return x < box.low ? box.low : x > box.high ? box.high : x; }

/// A struct by value, in place, and a view that is only asked for its extents.
auto clamp_inside = foldwise::forall([](index<2> at, view<float, 2> x, view<const std::int8_t, 2> mask, Box box) {
    if (at[0] < mask.extent(0) && at[1] < mask.extent(1)) x[at] = clamped(x[at], box);
});

/// A loop whose terms the lanes of a warp can compute.
auto sum_squares = foldwise::forall([](index<1> row, view<const float, 2> x, view<float, 1> sums) {
    float sum = 0;
    for (std::int64_t k = 0; k < x.extent(1); ++k) {
        const float one = x(row[0], k);
        sum += one * one;
    }
    sums[row] = sum;
});

auto nothing = foldwise::forall([](index<3>) {});

}  // namespace demo
