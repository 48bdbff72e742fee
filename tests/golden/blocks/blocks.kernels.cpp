// tests/golden/blocks/blocks.kernels.cpp: blocks whose threads have one item or several, and what their items share.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

namespace tiles {

using foldwise::block;
using foldwise::index;
using foldwise::view;

/// A tile goes through shared memory and comes out turned.
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

struct settings {
    std::int32_t bins;
};

// Counts of each block, of numbers of bins that a call says.
auto histogram = foldwise::blocks<256>([](block<1> b, view<const std::uint8_t, 1> in, settings given,
                                          view<std::uint32_t, 2> counts) {
    auto local = b.shared<std::uint32_t>(given.bins);
    b.each([&](index<1> t) {
        for (std::int64_t k = t; k < given.bins; k += 256) local[k] = 0;
    });
    b.each([&](index<1> t) {
        if (in.has(b.at(t))) std::atomic_ref(local[in[b.at(t)] % given.bins]).fetch_add(1, std::memory_order_relaxed);
    });
    b.each([&](index<1> t) {
        for (std::int64_t k = t; k < given.bins; k += 256) counts(b.number(0), k) = local[k];
    });
});

auto shares = foldwise::blocks<1024>([](block<1> b, view<const double, 1> x, view<double, 1> out) {
    auto mine = b.own<double>(0);
    b.each([&](index<1> t) { mine[t] = x.has(b.at(t)) ? x[b.at(t)] : 0; });
    const double total = b.fold(mine, [](double a, double c) { return a + c; });
    auto before = b.exclusive_scan(mine, 0.0, [](double a, double c) { return a + c; });
    b.each([&](index<1> t) {
        if (out.has(b.at(t))) out[b.at(t)] = before[t] / total;
    });
});

}  // namespace tiles
