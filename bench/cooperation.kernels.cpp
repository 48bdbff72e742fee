// bench/cooperation.kernels.cpp: items that share what they read. Matrices in tiles, stencils, functions of rows and of
// small matrices.
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <functional>

namespace bench {

using foldwise::around;
using foldwise::block;
using foldwise::index;
using foldwise::view;

template <class T, int N> using in = view<const T, N>;
template <class T, int N> using out = view<T, N>;

// Blocks

auto transpose = foldwise::blocks<32, 32>([](block<2> b, in<float, 2> x, out<float, 2> turned) {
    auto tile = b.shared<float, 32, 33>();
    b.each([&](index<2> t) {
        if (x.has(b.at(t))) tile[t] = x[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> to(b.origin(1) + t[0], b.origin(0) + t[1]);
        if (turned.has(to)) turned[to] = tile(t[1], t[0]);
    });
});

auto transpose_each =
    foldwise::forall([](index<2> at, in<float, 2> x, out<float, 2> turned) { turned(at[1], at[0]) = x(at[0], at[1]); });

/// An element of a tile of 32 by 32 for each item.
auto product_of_tiles = foldwise::blocks<32, 32>([](block<2> b, in<float, 2> x, in<float, 2> y, out<float, 2> z) {
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
        if (z.has(b.at(t))) z[b.at(t)] = sum[t];
    });
});

struct alignas(16) four {
    float of[4];
};
struct eight_by_eight {
    float of[8][8];
};

/// 64 elements of a tile of 128 by 128 for each item, in registers, so that the call's shape is an eighth of the
/// result's along each axis. What the next tiles need is under way while these are multiplied. Matrices are of whole
/// tiles, as those of the kernel by hand.
auto product = foldwise::blocks<16, 16>([](block<2> b, in<float, 2> x, in<float, 2> y, out<float, 2> z) {
    auto xs = b.shared<four, 8, 33>();  // xs(k, i) has column k of the rows 4i to 4i + 3
    auto ys = b.shared<four, 8, 32>();
    auto x_next = b.own(four{});
    auto y_next = b.own(four{});
    auto sum = b.own(eight_by_eight{});
    for (std::int64_t k = -8; k < x.extent(1); k += 8) {
        b.each([&](index<2> t) {
            const std::int64_t item = 16 * t[0] + t[1];
            xs(item % 8, item / 8) = x_next[t];
            ys(item / 32, item % 32) = y_next[t];
        });
        b.each([&](index<2> t) {
            const std::int64_t item = 16 * t[0] + t[1];
            for (int i = 0; i < 4 && k + 8 < x.extent(1); ++i) {
                x_next[t].of[i] = x(8 * b.origin(0) + item / 8 * 4 + i, k + 8 + item % 8);
                y_next[t].of[i] = y(k + 8 + item / 32, 8 * b.origin(1) + item % 32 * 4 + i);
            }
            for (int j = 0; j < 8; ++j) {
                const four left[2] = {xs(j, t[0]), xs(j, 16 + t[0])}, right[2] = {ys(j, t[1]), ys(j, 16 + t[1])};
                for (int r = 0; r < 8; ++r)
                    for (int c = 0; c < 8; ++c) sum[t].of[r][c] += left[r / 4].of[r % 4] * right[c / 4].of[c % 4];
            }
        });
    }
    b.each([&](index<2> t) {
        for (int r = 0; r < 8; ++r)
            for (int c = 0; c < 8; ++c) {
                const index<2> to(8 * b.origin(0) + r / 4 * 64 + 4 * t[0] + r % 4,
                                  8 * b.origin(1) + c / 4 * 64 + 4 * t[1] + c % 4);
                z[to] = sum[t].of[r][c];
            }
    });
});

// Stencils

auto five_point = foldwise::stencil(
    [](around<const double, 2> a) { return a(0, 0) + 0.2 * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0)); },
    foldwise::edge::nearest);

auto seven_point = foldwise::stencil(
    [](around<const float, 3> a) {
        const float near = a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1);
        return a(0, 0, 0) + 0.1f * (near - 6 * a(0, 0, 0));
    },
    foldwise::edge::constant(0));

/// With a Laplacian of fourth order.
auto thirteen_point = foldwise::stencil(
    [](around<const float, 3> a) {
        const float near = a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1);
        const float far = a(-2, 0, 0) + a(2, 0, 0) + a(0, -2, 0) + a(0, 2, 0) + a(0, 0, -2) + a(0, 0, 2);
        return a(0, 0, 0) + 0.05f * (16 * near - far - 90 * a(0, 0, 0)) / 12;
    },
    foldwise::edge::wrap);

// Functions of rows and of small matrices

auto products = foldwise::guvectorize("(m,n),(n,p)->(m,p)", [](in<double, 2> a, in<double, 2> b, out<double, 2> c) {
    for (std::int64_t i = 0; i < c.extent(0); ++i)
        for (std::int64_t j = 0; j < c.extent(1); ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
});

auto norms = foldwise::guvectorize("(n)->()", [](in<float, 1> x, float& norm) {
    float sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i] * x[i];
    norm = std::sqrt(sum);
});

auto norms_by_reduce =
    foldwise::reduce<float>(foldwise::map([](float x) { return x * x; }), std::plus<>{}, foldwise::identity(0),
                            foldwise::finish([](float sum) { return std::sqrt(sum); }));

auto cholesky = foldwise::guvectorize("(n,n)->(n,n)", [](in<float, 2> a, out<float, 2> l) {
    for (std::int64_t i = 0; i < l.extent(0); ++i)
        for (std::int64_t j = 0; j < l.extent(1); ++j) {
            float sum = 0;
            if (j <= i) {
                sum = a(i, j);
                for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
                sum = i == j ? std::sqrt(sum) : sum / l(j, j);
            }
            l(i, j) = sum;
        }
});

}  // namespace bench
