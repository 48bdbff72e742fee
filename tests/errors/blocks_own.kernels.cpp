// tests/errors/blocks_own.kernels.cpp: items' own variables of integers that are given fractions.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using c1 = foldwise::view<const float, 1>;
using d1 = foldwise::view<const double, 1>;
using i1 = foldwise::view<const std::int32_t, 1>;

namespace blocks_own {

auto total = blocks<64>([](block<1> b, c1 x, d1 y, f1 out, std::int32_t n) {
    auto sum = b.own(0);
    auto precise = b.own(1);
    auto started = b.own(n);
    b.each([&](index<1> t) {
        // expected-warning@+1 {{each item's 'sum' is 'int', the type of what it begins with, and loses the fraction of the 'float' that it is given here: write b.own(0.0f) [FW124, -Wnarrow-own]}}
        if (x.has(b.at(t))) sum[t] = x[b.at(t)];
        // expected-warning@+1 {{loses the fraction of the 'double' that it is given here: write b.own(1.0)}}
        precise[t] += y[b.at(t)];
        auto& mine = started[t];
        // expected-warning@+1 {{write b.own<float>(n)}}
        mine = 2 * x[b.at(t)];
    });
    const int all = b.fold(sum, [](int a, int c) { return a + c; });
    b.each([&](index<1> t) { out[b.at(t)] = static_cast<float>(all + precise[t] + started[t]); });
});

auto counts = blocks<64>([](block<1> b, c1 x, i1 n, f1 out) {
    auto count = b.own(0);
    auto sum = b.own(0.0f);
    b.each([&](index<1> t) {
        count[t] = n[b.at(t)];
        count[t] += x[b.at(t)] > 0;
        count[t] = static_cast<int>(x[b.at(t)]);
        sum[t] += x[b.at(t)];
    });
    b.each([&](index<1> t) { out[b.at(t)] = sum[t] / static_cast<float>(count[t]); });
});

}  // namespace blocks_own
