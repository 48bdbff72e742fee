// tests/errors/unwritten_elements.kernels.cpp: elements of shared memory that are read and that no item has written,
// and reads that only look like it or are not certain to be.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using f2 = foldwise::view<float, 2>;
using c1 = foldwise::view<const float, 1>;
using c2 = foldwise::view<const float, 2>;
using i1 = foldwise::view<const std::int32_t, 1>;

namespace unwritten_elements {

// Trees that read what the items of the last block have not stored.
auto tree = blocks<256>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 256>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
    });
    for (int w = 128; w > 0; w /= 2)
        b.each([&](index<1> t) {
            // expected-warning@+1 {{item (0) reads element 128 of 's', which no item has written where 'x.has(b.at(t))' leaves items out, as in the last block of most calls: store something for these items, too, as in s[t] = x.has(b.at(t)) ? x[b.at(t)] : 0 [FW134, -Wunwritten-element]}}
            if (t < w) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto by_extent = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) {
        const auto i = b.at(t)[0];
        const bool isInside = i < x.extent(0);
        if (isInside) {
            s[t[0]] = x[i];
        }
    });
    for (int w = 1; w < 64; w *= 2)
        b.each([&](index<1> t) {
            // expected-warning@+1 {{item (0) reads element 1 of 's', which no item has written where 'isInside' leaves items out, as in the last block of most calls: store something for these items, too [FW134}}
            if (t % (2 * w) == 0) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto by_value = blocks<64>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) {
        if (b.at(t) < n) s[t] = x[b.at(t)];
    });
    for (int w = 32; w > 0; w /= 2)
        b.each([&](index<1> t) {
            // expected-warning@+1 {{which no item has written where 'b.at(t) < n' leaves items out, as in the last block of most calls: store something for these items, too, as in s[t] = b.at(t) < n ? x[b.at(t)] : 0 [FW134}}
            if (t < w) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto by_values = blocks<8, 4>([](block<2> b, c2 x, f2 out, std::int32_t rows, std::int32_t columns) {
    auto s = b.shared<float, 8, 4>();
    auto sum = b.own(0.0f);
    b.each([&](index<2> t) {
        const auto i = b.at(t)[0], j = b.at(t)[1];
        if (rows > i && j < columns) s[t] = x[b.at(t)];
    });
    b.each([&](index<2> t) {
        // expected-warning@+1 {{item (0, 0) reads element (0, 1) of 's', which no item has written where 'rows > i && j < columns' leaves}}
        for (int k = 0; k < 4; ++k) sum[t] += s(t[0], k);
        if (out.has(b.at(t))) out[b.at(t)] = sum[t];
    });
});
auto rows = blocks<8, 8>([](block<2> b, c2 x, f2 out) {
    auto s = b.shared<float, 8, 8>();
    auto sum = b.own(0.0f);
    b.each([&](index<2> t) {
        const auto [r, c] = b.at(t);
        if (!x.has(index<2>(r, c))) return;
        s(t[0], t[1]) = x(r, c);
    });
    b.each([&](index<2> t) {
        // expected-warning@+1 {{item (0, 0) reads element (0, 1) of 's', which no item has written where '!x.has(index<2>(r, c))' leaves items out}}
        for (int k = 0; k < 8; ++k) sum[t] += s(t[0], k);
    });
    b.each([&](index<2> t) {
        if (out.has(b.at(t))) out[b.at(t)] = sum[t];
    });
});

// Elements that are not written in any block.
auto halo = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 34>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t + 1] = x[b.at(t)];
        if (t == 31) s[33] = x.has(b.at(t)[0] + 1) ? x[b.at(t)[0] + 1] : 0;
    });
    b.each([&](index<1> t) {
        // expected-warning@+1 {{item (0) reads element 0 of 's', which no item has written, and shared memory has no initial values: store all elements that are read in a phase before this one [FW134, -Wunwritten-element]}}
        if (out.has(b.at(t))) out[b.at(t)] = s[t] + s[t + 2];
    });
});

// The same with all elements written.
auto filled = blocks<256>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 258>();
    b.each([&](index<1> t) {
        s[t + 1] = x.has(b.at(t)) ? x[b.at(t)] : 0;
        if (t == 0) s[0] = 0;
    });
    b.once([&] { s[257] = 0; });
    b.each([&](index<1> t) {
        if (out.has(b.at(t))) out[b.at(t)] = s[t] + s[t + 2];
    });
    for (int w = 128; w > 0; w /= 2)
        b.each([&](index<1> t) {
            if (t < w) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto otherwise = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t)))
            s[t] = x[b.at(t)];
        else
            s[t] = 0;
    });
    for (int w = 32; w > 0; w /= 2)
        b.each([&](index<1> t) {
            if (t < w) s[t] += s[t + w];
        });
    b.once([&] { out[b.number(0)] = s[0]; });
});
auto cleared = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    auto many = b.shared<float, 640>();
    b.each([&](index<1> t) {
        s[t] = 0;
        for (std::int64_t k = t; k < 640; k += 64) many[k] = 0;
    });
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[63 - t] + many[t + 576]; });
});

// Reads that conditions keep from what is not written, or that are not certain.
auto kept = blocks<64>([](block<1> b, c1 x, f1 out, std::int32_t n, c1 table, i1 places) {
    auto s = b.shared<float, 64>();
    auto of_table = b.shared<float, 64>();
    auto of_value = b.shared<float, 64>();
    auto by_data = b.shared<float, 64>();
    auto by_mode = b.shared<float, 64>();
    auto first = b.shared<float, 64>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
        if (table.has(t)) of_table[t] = table[t];
        if (t < n) of_value[t] = 1;
        if (n == 0) by_mode[t] = 1;
        by_data[places[b.at(t)]] = 1;
        if (b.number(0) == 0) first[t] = x[t];
    });
    b.each([&](index<1> t) {
        const index<1> other(2 * b.origin(0) + 63 - b.at(t)[0]);
        if (out.has(b.at(t))) out[b.at(t)] = x.has(other) ? s[63 - t] : 0;
        if (b.at(t) + 1 < x.extent(0) && t < 63) out[b.at(t)] += s[t + 1];
        out[b.at(t)] += of_table[63 - t] + of_value[63 - t] + by_data[t] + by_mode[t] + first[t];
        if (x[b.at(t)] > 0) out[b.at(t)] += s[t];
    });
    if (x.extent(0) % 64 == 0) b.each([&](index<1> t) { out[b.at(t)] += s[63 - t]; });
});
// The output may be shorter than the input.
auto differences = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 65>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
        if (t == 63) s[64] = x.has(b.at(t)[0] + 1) ? x[b.at(t)[0] + 1] : 0;
    });
    b.each([&](index<1> t) {
        if (out.has(b.at(t))) out[b.at(t)] = s[t + 1] - s[t];
    });
});
// What is read may not be used.
auto turned = blocks<16, 16>([](block<2> b, c2 x, f2 out) {
    auto s = b.shared<float, 16, 17>();
    auto mine = b.own(0.0f);
    b.each([&](index<2> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> p(b.origin(1) + t[0], b.origin(0) + t[1]);
        const float value = s(t[1], t[0]);
        mine[t] = s(t[1], t[0]);
        if (out.has(p)) out[p] = value + mine[t];
    });
});
auto only_whole_blocks = blocks<64>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
    });
    if (!x.has(b.origin(0) + 63)) return;
    b.each([&](index<1> t) { out[b.at(t)] = s[63 - t]; });
});
auto many_turns = blocks<16>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 320>();
    for (int k = 0; k < 20; ++k) b.each([&](index<1> t) { s[16 * k + t] = x[b.at(t)]; });
    b.each([&](index<1> t) { out[b.at(t)] = s[300 + t]; });
});

}  // namespace unwritten_elements
