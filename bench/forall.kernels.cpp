// bench/forall.kernels.cpp: tasks that touch a few elements each.
#include "noise.hpp"

#include <foldwise/spec.hpp>

#include <atomic>
#include <cmath>
#include <cstdint>

namespace bench {

using foldwise::index;
using foldwise::view;

auto round_to = foldwise::forall([](index<1> i, view<const double, 1> in, view<double, 1> out, double scale) {
    out[i] = std::rint(in[i] * scale) / scale;
});

auto transpose = foldwise::forall(
    [](index<2> at, view<const float, 2> in, view<float, 2> out) { out(at[1], at[0]) = in(at[0], at[1]); });

auto relax = foldwise::forall([](index<2> at, view<const double, 2> in, view<double, 2> out) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == in.extent(0) || c + 1 == in.extent(1);
    out(r, c) = edge ? in(r, c) : 0.25 * (in(r - 1, c) + in(r + 1, c) + in(r, c - 1) + in(r, c + 1));
});

auto histogram = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> pixels, view<std::uint32_t, 1> bins) {
    std::atomic_ref(bins[pixels[i]]).fetch_add(1u, std::memory_order_relaxed);
});

auto gather = foldwise::forall([](index<1> i, view<const float, 1> source, view<const std::int32_t, 1> at,
                                  view<float, 1> out) { out[i] = source[at[i]]; });

// Bits that look random, as many as `random` has, among others that are fixed.
auto noise = foldwise::vectorize(
    [](index<1> i, std::uint32_t fixed, std::uint32_t random) { return fixed | (noise_at(i) & random); });

}  // namespace bench
