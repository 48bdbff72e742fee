// bench/cpu/items.kernels.cpp: kernels that are given arrays: stencils, blocks of items, functions of rows.
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>

namespace bench {

using foldwise::around;
using foldwise::block;
using foldwise::index;
using foldwise::view;

/// Five points, in two dimensions.
auto heat =
    foldwise::stencil([](around<const float, 2> a,
                         float k) { return a(0, 0) + k * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0)); },
                      foldwise::edge::nearest);

/// Seven points, in three dimensions.
auto laplace = foldwise::stencil(
    [](around<const float, 3> a) {
        return a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1) - 6 * a(0, 0, 0);
    },
    foldwise::edge::nearest);

auto transpose = foldwise::blocks<32, 32>([](block<2> b, view<const float, 2> in, view<float, 2> out) {
    auto tile = b.shared<float, 32, 33>();
    b.each([&](index<2> t) {
        if (in.has(b.at(t))) tile[t] = in[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> p(b.origin(1) + t[0], b.origin(0) + t[1]);
        if (out.has(p)) out[p] = tile(t[1], t[0]);
    });
});

auto matmul =
    foldwise::blocks<32, 32>([](block<2> b, view<const float, 2> x, view<const float, 2> y, view<float, 2> out) {
        auto xs = b.shared<float, 32, 32>();
        auto ys = b.shared<float, 32, 32>();
        auto sum = b.own(0.0f);
        for (std::int64_t k = 0; k < x.extent(1); k += 32) {
            b.each([&](index<2> t) {
                const index<2> left(b.at(t)[0], k + t[1]), right(k + t[0], b.at(t)[1]);
                xs[t] = x.has(left) ? x[left] : 0;
                ys[t] = y.has(right) ? y[right] : 0;
            });
            b.each([&](index<2> t) {
                for (int j = 0; j < 32; ++j) sum[t] += xs(t[0], j) * ys(j, t[1]);
            });
        }
        b.each([&](index<2> t) {
            if (out.has(b.at(t))) out[b.at(t)] = sum[t];
        });
    });

auto norms = foldwise::guvectorize("(n)->()", [](view<const float, 1> x, float& norm) {
    float squares = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) squares += x[i] * x[i];
    norm = std::sqrt(squares);
});

/// Of extents that only a call knows.
auto products_any =
    foldwise::guvectorize("(m,n),(n,p)->(m,p)", [](view<const float, 2> a, view<const float, 2> b, view<float, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                float sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });

/// Of extents that are known when the kernel is compiled.
auto products =
    foldwise::guvectorize("(2,4),(4,5)->(2,5)", [](view<const float, 2> a, view<const float, 2> b, view<float, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                float sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });

/// The lower triangle L with a = L times its transpose.
auto cholesky = foldwise::guvectorize("(n,n)->(n,n)", [](view<const float, 2> a, view<float, 2> l) {
    for (std::int64_t i = 0; i < a.extent(0); ++i) {
        for (std::int64_t j = 0; j <= i; ++j) {
            float sum = a(i, j);
            for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
            l(i, j) = i == j ? std::sqrt(sum) : sum / l(j, j);
        }
        for (std::int64_t j = i + 1; j < a.extent(1); ++j) l(i, j) = 0;
    }
});

}  // namespace bench
