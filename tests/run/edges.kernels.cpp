// tests/run/edges.kernels.cpp: tasks that ask whether they are near an edge, in the ways in which that is written.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace edges {

using foldwise::index;
using foldwise::view;

auto star = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> out) {
    const auto [i, j] = at;
    const bool edge = i < 1 || i + 1 >= x.extent(0) || j < 1 || j + 1 >= x.extent(1);
    out(i, j) = edge ? x(i, j) : 0.25f * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1));
});

// Which has the name that the second function of `star` would have.
auto star_inside_edges =
    foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> out) { out[at] = 2 * x[at]; });

// Which leaves what is at edges.
auto box = foldwise::forall([](index<3> at, view<const double, 3> x, view<double, 3> out) {
    const auto last = x.extent(2) - 1;
    const int k = at[2];
    if (at[0] == 0 || at[0] == x.extent(0) - 1 || at[1] - 1 < 0 || !(at[1] < x.extent(1) - 1)) return;
    if (0 == k) return;
    if (k != last) out[at] = x[at] - x(at[0] - 1, at[1] + 1, k - 1) * 0.5 - x(at[0] + 1, at[1] - 1, k + 1) * 0.25;
});

// Two views that end at different places, one behind the other.
auto joined = foldwise::forall([](index<2> at, view<const float, 2> a, view<const float, 2> b, view<float, 2> out) {
    const auto [i, j] = at;
    float value = -1;
    if (i < a.extent(0) && j < a.extent(1)) value = a(i, j);
    if (i < b.extent(0) && j >= 3 && j - 3 < b.extent(1)) value = 100 * value + b(i, j - 3);
    out(i, j) = value;
});

// Of one axis, with an edge of two elements on one side and of sixteen on the other.
auto differences = foldwise::forall([](index<1> i, view<const int, 1> x, view<int, 1> out) {
    const long before = i[0] - 2, behind = i[0] + 16;
    out[i] = (before >= 0 ? x[before] : 7) - (behind <= x.extent(0) - 1 ? x[behind] : 9);
});

}  // namespace edges
