// tests/errors/shared_bounds.kernels.cpp: elements that shared memory does not have, and accesses that only look so or
// are not certain to be.
// RUN: %warned -Wno-unwritten-element
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

namespace shared_bounds {

// The index of the whole array, where that of the block's own memory is meant.
auto whole = blocks<256>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 256>();
    b.each([&](index<1> t) {
        // expected-warning@+1 {{'s[b.at(t)]' is beyond the 256 elements of 's' in all blocks but the first ones: each block has such memory of its own, where an item's element is s[t] [FW128, -Wshared-bounds]}}
        s[b.at(t)] = x.has(b.at(t)) ? x[b.at(t)] : 0;
    });
    b.each([&](index<1> t) {
        const auto i = b.at(t);
        // expected-warning@+1 {{'s[i]' is beyond the 256 elements of 's' in all blocks but the first ones: each block has such memory of its own, where an item's element is s[t]}}
        if (i < out.extent(0)) out[i] = s[i];
    });
});
auto from_origin = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) {
        if (!x.has(b.at(t)) || b.at(t)[0] >= n) return;
        // expected-warning@+1 {{'s[b.origin(0) + t]' is beyond the 64 elements of 's' in all blocks but the first ones: each block has such memory of its own, whose elements count from 0}}
        s[b.origin(0) + t] = x[b.at(t)];
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});
auto tile = blocks<8, 8>([](block<2> b, c2 x, f2 out) {
    auto s = b.shared<float, 8, 9>();
    b.each([&](index<2> t) {
        const auto [r, c] = b.at(t);
        // expected-warning@+1 {{'s(t[0], c)' is beyond the 9 elements of 's' along axis 1 in all blocks but the first ones}}
        if (x.has(b.at(t))) s(t[0], c) = x(r, c);
    });
    b.each([&](index<2> t) {
        if (out.has(b.at(t))) out[b.at(t)] = s[t];
    });
    // expected-warning@+1 {{'s[b.at(t)]' is beyond the 8 elements of 's' along axis 0 in all blocks but the first ones}}
    b.each([&](index<2> t) { s[b.at(t)] += 1; });
});

// Items of the first block.
auto neighbour = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    // expected-warning@+1 {{'s[t + 1]' is beyond the 32 elements of 's' in item (31), which reaches 32: leave out such items, as in if (t + 1 < 32), or share more elements}}
    b.each([&](index<1> t) { mine[t] = s[t + 1]; });
    // expected-warning@+1 {{'s[t - 1]' is beyond the 32 elements of 's' in item (0), which reaches -1: leave out such items, as in if (t - 1 >= 0) [FW128}}
    b.each([&](index<1> t) { out[b.at(t)] = s[t - 1] + mine[t]; });
    // expected-warning@+1 {{'s[2 * t]' is beyond}}
    b.each([&](index<1> t) { out[b.at(t)] += s[2 * t] + (t > 0 ? s[t - 1] : 0); });
});
auto tree = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    auto other = b.shared<float>(2 * 64);
    b.each([&](index<1> t) {
        other[t] = s[t] = x[b.at(t)];
        // expected-warning@+1 {{'other[t + s.extent(0) + 1]' is beyond the 128 elements of 'other' in item (63), which reaches 128}}
        other[t + s.extent(0) + 1] = 0;
    });
    for (int w = 32; w > 0; w /= 2) {
        b.each([&](index<1> t) {
            // expected-warning@+1 {{'s[t + w]' is beyond the 64 elements of 's' in item (32), which reaches 64 if w is 32: leave out such items, as in if (t + w < 64), or share more elements}}
            other[t] = s[t] + s[t + w];
        });
        b.each([&](index<1> t) { s[t] = other[t]; });
    }
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto counted = blocks<32>([](block<1> b, i1 x, foldwise::view<std::int32_t, 1> out) {
    auto s = b.shared<std::int32_t, 32>();
    b.each([&](index<1> t) { s[t] = 0; });
    // expected-warning@+1 {{'s[t + 32]' is beyond the 32 elements of 's' in item (0), which reaches 32}}
    b.each([&](index<1> t) { std::atomic_ref(s[t + 32]).fetch_add(x[b.at(t)]); });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});

// Items in the middle of the block.
auto in_the_middle = blocks<256>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 200>();
    b.each([&](index<1> t) {
        if (t < 200) s[t] = x[b.at(t)];
    });
    for (int w = 128; w > 0; w /= 2)
        b.each([&](index<1> t) {
            // expected-warning@+1 {{'s[t + w]' is beyond the 200 elements of 's' in item (72), which reaches 200 if w is 128}}
            if (t < w) s[t] += s[t + w];
            if (t < w && t + w < 200) s[t] += s[t + w];
        });
    // expected-warning@+1 {{'s[t * 5 % 256 - 20]' is beyond}}
    b.each([&](index<1> t) { out[b.at(t)] = t % 8 == 4 ? s[t * 5 % 256 - 20] : s[t % 200]; });
});
auto of_one_item = blocks<16, 16>([](block<2> b, c2 x, f2 out) {
    auto s = b.shared<float, 16, 16>();
    b.each([&](index<2> t) {
        s[t] = x[b.at(t)];
        // expected-warning@+1 {{'s(3 * t[0], t[1])' is beyond the 16 elements of 's' along axis 0 in item (7, 8), which reaches 21}}
        if (t[0] == 7 && t[1] == 8) s(3 * t[0], t[1]) = 0;
    });
    b.each([&](index<2> t) { out[b.at(t)] = s[t]; });
});

// What keeps items away, or is up to the call or the data.
auto kept = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n, std::int32_t from) {
    auto s = b.shared<float, 32>();
    auto given = b.shared<float>(n);
    b.each([&](index<1> t) {
        if (b.at(t) < 32) s[b.at(t)] = x[b.at(t)];
        if (b.number(0) == 0) s[b.at(t)] = 0;
    });
    b.each([&](index<1> t) {
        if (t + 1 < 32) given[t] = s[t + 1];
        if (t + 1 < b.extent(0)) given[t] = s[t + 1];
        if (t + 1 < s.extent(0)) given[t] = s[t + 1];
        if (x[b.at(t)] > 0) given[t] = s[t + 40];
        if (n < 3) given[b.at(t)] = s[t + n];
        given[b.at(t)] = x[t + from];
        out[b.at(t)] = s[(b.at(t) + 1) % 32] + s[t + from] + s[static_cast<int>(x[b.at(t)])];
        for (std::int64_t k = t; k < 32; k += 32) out[k + b.origin(0)] += s[k];
    });
});
auto halo = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 34>();
    b.each([&](index<1> t) {
        s[t + 1] = x[b.at(t)];
        if (t == 0) s[0] = 0;
        if (t[0] == b.extent(0) - 1) s[t + 2] = 0;
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t] + s[t + 2]; });
});
auto halves = blocks<64>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int w = 32; w > 0; w /= 2)
        b.each([&](index<1> t) {
            if (t < w) s[t] += s[t + w];
        });
    for (int w = n; w > 0; w /= 2)
        b.each([&](index<1> t) {
            if (t < w) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});

}  // namespace shared_bounds
