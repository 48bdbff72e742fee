// tests/golden/stencil/stencil.kernels.cpp: what is around each element.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace grid {

/// A step of the heat equation.
/// `k` is how much of a difference it evens out.
auto heat = foldwise::stencil(
    [](foldwise::around<const float, 2> a, float k) {
        return a(0, 0) + k * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0));
    },
    foldwise::edge::nearest);

// Several types, a loop, weights as a whole array.
constexpr int reach = 1;
auto filter = foldwise::stencil<float, double>(
    []<class T>(foldwise::around<const T, 1> a, foldwise::view<const double, 1> weights) {
        T sum = 0;
        for (int i = -reach; i <= reach; ++i) sum += static_cast<T>(weights[i + reach]) * a(i);
        return sum / static_cast<T>(2 * reach + 1);
    },
    foldwise::edge::constant(9));

// Several arrays and results, a radius; what the window leaves is not written.
auto both = foldwise::stencil(
    [](foldwise::around<const std::int32_t, 3> a, foldwise::around<const float, 3> b, std::int32_t by) {
        const std::int32_t ahead = a(by, 0, 0);
        const float beside = b(0, -1, 0);
        return std::tuple{ahead, beside};
    },
    foldwise::radius(2, 1, 0), foldwise::edge::skip);

}  // namespace grid
