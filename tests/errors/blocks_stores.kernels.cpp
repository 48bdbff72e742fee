// tests/errors/blocks_stores.kernels.cpp: elements that every block writes, and many that only look like it.
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
using i1 = foldwise::view<const std::int32_t, 1>;

namespace blocks_stores {

inline float sum(float x, float y) { return x + y; }

auto item = blocks<32>([](block<1> b, c1 x, f1 out) {
    // expected-warning@+1 {{every block writes the same elements of 'out', and all but one may be lost: b.at(t) is the item's index among those of all blocks [FW058, -Wrace]}}
    b.each([&](index<1> t) { out[t] = x[b.at(t)]; });
});
auto updated = blocks<32>([](block<1> group, c1 x, f1 out) {
    // expected-warning@+1 {{every block updates the same elements of 'out', and all but one may be lost: group.at(own) is the item's}}
    group.each([&](index<1> own) { out[own[0] + 1] += x[group.at(own)]; });
});
auto total = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) { mine[t] = x[b.at(t)]; });
    const float all = b.fold(mine, sum);
    // expected-warning@+1 {{every block writes the same elements of 'out', and all but one may be lost: b.number(0) is the block's own number; where calls have one block, write if (b.number(0) == 0), and otherwise, to add up what blocks have, std::atomic_ref(out[0]).fetch_add(all) [FW058, -Wrace]}}
    b.once([&] { out[0] = all; });
});
auto cleared = blocks<32>([](block<1> b, f1 out) {
    // expected-warning@+1 {{b.number(0) is the block's own number; where calls have one block, write if (b.number(0) == 0) [FW058, -Wrace]}}
    b.once([&] { out[0] = 0; });
    b.once([&] {
        if (b.number(0) == 0) out[0] = 0;
    });
});
auto histogram =
    blocks<32>([](block<1> b, foldwise::view<const std::int32_t, 1> x, foldwise::view<std::int32_t, 1> bins) {
        auto local = b.shared<std::int32_t, 32>();
        b.each([&](index<1> t) { local[t] = 0; });
        b.each([&](index<1> t) {
            // expected-warning@+2 {{several items update the same element of 'local' in one phase, and all but one may be lost: give each item elements of its own, or write std::atomic_ref(local[x[b.at(t)]]).fetch_add(1) [FW058, -Wrace]}}
            // expected-note@+1 {{two items meet wherever 'x[b.at(t)]' is the same in both, as it may be in (0) and (1)}}
            if (x.has(b.at(t))) local[x[b.at(t)]]++;
        });
        // expected-warning@+1 {{every block updates the same elements of 'bins', and all but one may be lost: b.at(t) is the item's index among those of all blocks; to update what all blocks have in common, write std::atomic_ref(bins[t]).fetch_add(local[t]) [FW058, -Wrace]}}
        b.each([&](index<1> t) { bins[t] += local[t]; });
    });
auto plane = blocks<8, 8>([](block<2> b, f2 out, std::int32_t n) {
    b.each([&](index<2> t) {
        const auto [r, c] = t;
        // expected-warning@+1 {{every block writes the same elements of 'out'}}
        if (r < n && c < out.extent(1)) out(r, c) = 1;
        for (int k = 0; k < n; ++k)
            // expected-warning@+1 {{every block writes the same elements of 'out'}}
            out(r, k) = 0;
    });
});
// expected-warning@+1 2 {{every block writes the same elements of 'out'}}
auto both = blocks<32>([](block<1> b, f1 out) { b.each([&](index<1> t) { t < 16 ? out[t] = 1 : out[2 * t] = 2; }); });

// Conditions that only keep items within a view.
auto within = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    b.each([&](index<1> t) {
        // expected-warning@+1 {{every block writes the same elements of 'out', and all but one may be lost: b.at(t) is the item's index among those of all blocks [FW058, -Wrace]}}
        if (x.has(b.at(t))) out[t] = 1;
    });
    b.each([&](index<1> t) {
        const auto i = b.at(t);
        // expected-warning@+1 {{every block updates the same elements of 'out'}}
        if (i > 0 && i + 1 < x.extent(0) && n > 0) out[t] += x[i - 1] + x[i + 1];
        if (!(x.extent(0) - 1 > i) || n > 3)
            out[n] = 0;
        else
            out[t + 1] = x[i];  // expected-warning {{every block writes the same elements of 'out'}}
    });
    b.each([&](index<1> t) {
        if (!x.has(b.at(t))) return;
        out[t] = 0;  // expected-warning {{every block writes the same elements of 'out'}}
    });
    b.each([&](index<1> t) {
        if (b.at(t)[0] >= x.extent(0) || n < 3) {
            return;
        }
        out[t] = 0;  // expected-warning {{every block writes the same elements of 'out'}}
    });
});
auto within_two_axes = blocks<8, 8>([](block<2> b, f2 out) {
    b.each([&](index<2> t) {
        const auto [r, c] = b.at(t);
        // expected-warning@+1 {{every block writes the same elements of 'out'}}
        if (r < out.extent(0) && c < out.extent(1)) out[t] = 1;
    });
});
auto within_and_own = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    b.each([&](index<1> t) {
        const auto i = b.at(t);
        if (x.has(i)) out[i] = 1;
        if (x.has(i) && b.number(0) == 0) out[t] = 1;
        if (i < 32) out[t] = 1;
        if (i < n) out[t] = 1;
        if (i >= n) out[t] = 1;
        if (!x.has(i)) out[t] = 1;
        if (x.has(i) || n > 3)
            out[i] = 1;
        else
            out[t] = 1;
        if (i + 32 >= x.extent(0)) out[t] = 1;
        if (x.has(b.number(0))) out[t] = 1;
        if (x.has(i) && x[i] > 0) out[t] = 1;
        if (i < x.extent(0) - n) out[t] = 1;
    });
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) return;
        out[t] = 0;
    });
    b.each([&](index<1> t) {
        auto i = b.at(t);
        i[0] %= 32 * x.extent(0);
        if (x.has(i)) out[t] = 1;
    });
    b.once([&] {
        if (x.has(b.number(0))) out[0] = 1;
    });
});

auto item_of_shared = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    // expected-warning@+1 {{all items of a block update the same element of 's', and all but one may be lost: b.once() runs once, and b.fold() combines what items have [FW058, -Wrace]}}
    b.each([&](index<1> t) { s[0] += x[b.at(t)]; });
    b.once([&] { s[1] = 0; });
    b.each([&](index<1> t) {
        if (t == 0) s[2] = 1;
        // expected-warning@+1 {{all items of a block write the same element of 's'}}
        s[b.number(0) % 32] = x[b.at(t)];
        for (std::int64_t k = t; k < 32; k += 8) s[k] = 0;
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});
auto lonely = blocks<1>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 1>();
    b.each([&](index<1> t) { s[0] = x[b.at(t)]; });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});

auto own = blocks<32>([](block<1> b, c1 x, f1 out) {
    b.each([&](index<1> t) { out[b.at(t)] = x[b.at(t)]; });
    b.once([&] { out[b.number(0)] = 1; });
});
auto from_origin = blocks<32>([](block<1> b, f1 out) {
    const auto begin = b.origin(0);
    b.each([&](index<1> t) { out[begin + t] = 1; });
});
auto moved = blocks<32>([](block<1> b, f1 out) {
    b.each([&](index<1> t) {
        std::int64_t at = t[0];
        at += b.origin(0);
        out[at] = 1;
    });
});
auto counted = blocks<32>([](block<1> b, f1 out, std::int32_t n) {
    b.each([&](index<1> t) {
        for (std::int64_t k = b.at(t)[0]; k < n; k += 32) out[k] = 1;
    });
});
auto one_of_them = blocks<32>([](block<1> b, c1 x, f1 out) {
    if (b.number(0) == 0) b.each([&](index<1> t) { out[t] = x[t]; });
    b.each([&](index<1> t) {
        if (b.number(0) > 0) return;
        out[t] = x[t];
    });
});
auto from_data = blocks<32>([](block<1> b, i1 place, f1 out) {
    b.each([&](index<1> t) { out[place[b.at(t)]] = 1; });
    b.each([&](index<1> t) {
        if (place[b.at(t)] > 0) out[t] = 1;
    });
});
auto added = blocks<32>([](block<1> b, c1 x, f1 out) {
    b.each([&](index<1> t) { std::atomic_ref(out[t]).fetch_add(x[b.at(t)]); });
    auto shared = b.shared<float, 32>();
    b.each([&](index<1> t) { shared[t] = x[b.at(t)]; });
    b.each([&](index<1> t) { out[b.at(t)] = shared[31 - t]; });
});

}  // namespace blocks_stores
