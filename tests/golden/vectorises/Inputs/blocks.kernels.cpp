#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::block;
using foldwise::index;
using foldwise::view;

auto product = foldwise::blocks<16, 32>([](block<2> b, view<const float, 2> x, view<const float, 2> y,
                                           view<float, 2> out) {
    auto xs = b.shared<float, 16, 32>();
    auto ys = b.shared<float, 32, 32>();
    auto sum = b.own(0.0f);
    for (std::int64_t k = 0; k < x.extent(1); k += 32) {
        b.each([&](index<2> t) {
            const index<2> left(b.at(t)[0], k + t[1]);
            xs[t] = x.has(left) ? x[left] : 0;
            for (int half = 0; half < 2; ++half) {
                const index<2> right(k + t[0] + 16 * half, b.at(t)[1]);
                ys(t[0] + 16 * half, t[1]) = y.has(right) ? y[right] : 0;
            }
        });
        b.each([&](index<2> t) {
            for (int j = 0; j < 32; ++j) sum[t] += xs(t[0], j) * ys(j, t[1]);
        });
    }
    b.each([&](index<2> t) {
        if (out.has(b.at(t))) out[b.at(t)] = sum[t];
    });
});
