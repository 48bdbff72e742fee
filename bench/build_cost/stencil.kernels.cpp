// bench/build_cost/stencil.kernels.cpp: tasks that read their neighbours' elements.
#include <foldwise/spec.hpp>

namespace build_cost {

using foldwise::index;
using foldwise::view;

auto stencil = foldwise::forall([](index<2> at, view<const double, 2> in, view<double, 2> out) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == in.extent(0) || c + 1 == in.extent(1);
    out(r, c) = edge ? in(r, c) : 0.25 * (in(r - 1, c) + in(r + 1, c) + in(r, c - 1) + in(r, c + 1));
});

}  // namespace build_cost
