// tests/errors/same_in_blocks.kernels.cpp: reads of one element in all blocks, where each block's own are meant or not.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using f2 = foldwise::view<float, 2>;
using c1 = foldwise::view<const float, 1>;
using c2 = foldwise::view<const float, 2>;
using i1 = foldwise::view<const std::int32_t, 1>;

namespace same_in_blocks {

auto asked = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) {
        // expected-warning@+1 {{'x[t]' is the same element in every block, and elsewhere 'x' is asked for that at b.at(t): write x[b.at(t)] [FW129, -Wsame-in-blocks]}}
        s[t] = x.has(b.at(t)) ? x[t] : 0;
    });
    b.each([&](index<1> t) {
        if (out.has(b.at(t))) out[b.at(t)] = s[31 - t];
    });
});
auto compared = blocks<32>([](block<1> group, c1 x, f1 out) {
    group.each([&](index<1> own) {
        const auto i = group.at(own);
        const auto t = own;
        // expected-warning@+1 2 {{is the same element in every block, and elsewhere 'x' is asked for that at group.at(own): write x[group.at(own)]}}
        if (i < x.extent(0)) out[i] = x[own[0]] + x[t];
    });
});
auto mixed = blocks<8, 8>([](block<2> b, c2 x, f2 out) {
    b.each([&](index<2> t) {
        const auto [r, c] = t;
        if (!x.has(b.at(t))) return;
        // expected-warning@+1 2 {{is the same element in every block, and elsewhere 'x' is asked for that at b.at(t)}}
        out[b.at(t)] = x(r, c) - x(t[0], t[1]) + x(c, r) + x(t[1], t[0]);
        if (x[b.at(t)] > 0) out[b.at(t)] += x[t];  // expected-warning {{'x[t]' is the same element in every block}}
    });
});
auto moved = blocks<32>([](block<1> b, c1 x, f1 out) {
    b.each([&](index<1> t) {
        // expected-warning@+1 {{'x[t]' is the same element in every block}}
        out[b.at(t)] = x[t] + x[b.origin(0) + t + 1];
    });
});

// Tables, of which each block reads the same part.
auto weighted = blocks<32>([](block<1> b, c1 x, c1 weights, f1 out) {
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) out[b.at(t)] = weights[t] * x[b.at(t)];
    });
});
auto pattern = blocks<8, 8>([](block<2> b, c2 motif, f2 out) {
    b.each([&](index<2> t) {
        if (out.has(b.at(t))) out[b.at(t)] = motif[t];
    });
});
auto table = blocks<32>([](block<1> b, i1 x, c1 values, f1 out) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) { s[t] = values[t]; });
    b.each([&](index<1> t) { out[b.at(t)] = s[x[b.at(t)] % 32] + values[x[b.at(t)]]; });
});
auto pairs = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    auto sum = b.own(0.0f);
    for (std::int64_t k = 0; k < x.extent(0); k += 32) {
        b.each([&](index<1> t) { s[t] = x.has(k + t) ? x[k + t] : 0; });
        b.each([&](index<1> t) {
            for (int j = 0; j < 32; ++j) sum[t] += s[j] * x[b.at(t)];
        });
    }
    b.each([&](index<1> t) { out[b.at(t)] = sum[t]; });
});
auto compared_with_the_first = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) { s[t] = x.has(t) ? x[t] : 0; });
    b.each([&](index<1> t) { out[b.at(t)] = x[b.at(t)] - s[31 - t]; });
});
auto first_block = blocks<32>([](block<1> b, c1 x, f1 out) {
    b.each([&](index<1> t) {
        if (b.number(0) == 0) out[t] = x[t];
        if (b.number(0) > 0) out[b.at(t)] = x[b.at(t)];
    });
    if (b.number(0) == 0) b.each([&](index<1> t) { out[t] = x[t]; });
});
auto merged = blocks<32>([](block<1> b, foldwise::view<std::int32_t, 1> counts) {
    b.each([&](index<1> t) { std::atomic_ref(counts[t]).fetch_add(counts.has(b.at(t)) ? 1 : 0); });
});

}  // namespace same_in_blocks
