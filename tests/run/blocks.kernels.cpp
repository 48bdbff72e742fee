// tests/run/blocks.kernels.cpp: blocks of one to three axes and of 1 to 4096 items, with what items share, variables of
// their own, folds and scans.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace run_blocks {

using foldwise::block;
using foldwise::index;
using foldwise::view;

/// A map x -> a x + b. Composition is associative and does not commute.
struct affine {
    std::int32_t a, b;
};
inline affine then(affine first, affine second) {
    return {static_cast<std::int32_t>((static_cast<std::int64_t>(first.a) * second.a) % 1009),
            static_cast<std::int32_t>((static_cast<std::int64_t>(first.b) * second.a + second.b) % 1009)};
}

inline std::int64_t linear(std::int64_t i, std::int64_t j, std::int64_t extent) { return i * extent + j; }

// Each block's fold, its items' scans of both kinds, and the value of the item before, through shared memory.
#define FOLDWISE_TEST_LINE(items)                                                                                      \
    [](block<1> b, view<const affine, 1> in, view<affine, 1> folds, view<affine, 1> inclusive,                         \
       view<affine, 1> exclusive, view<affine, 1> neighbours) {                                                        \
        auto shared = b.shared<affine, items>();                                                                       \
        auto mine = b.own(affine{1, 0});                                                                               \
        b.each([&](index<1> t) {                                                                                       \
            if (in.has(b.at(t))) mine[t] = in[b.at(t)];                                                                \
            shared[t] = mine[t];                                                                                       \
        });                                                                                                            \
        const affine all = b.fold(mine, [](affine x, affine y) { return then(x, y); });                                \
        auto upto = b.inclusive_scan(mine, [](affine x, affine y) { return then(x, y); });                             \
        auto before = b.exclusive_scan(mine, affine{2, 3}, [](affine x, affine y) { return then(x, y); });             \
        b.once([&] { folds[b.number(0)] = all; });                                                                     \
        b.each([&](index<1> t) {                                                                                       \
            if (!in.has(b.at(t))) return;                                                                              \
            inclusive[b.at(t)] = upto[t];                                                                              \
            exclusive[b.at(t)] = before[t];                                                                            \
            neighbours[b.at(t)] = shared[(t + items - 1) % items];                                                     \
        });                                                                                                            \
    }
auto line_1 = foldwise::blocks<1>(FOLDWISE_TEST_LINE(1));
auto line_2 = foldwise::blocks<2>(FOLDWISE_TEST_LINE(2));
auto line_31 = foldwise::blocks<31>(FOLDWISE_TEST_LINE(31));
auto line_32 = foldwise::blocks<32>(FOLDWISE_TEST_LINE(32));
auto line_100 = foldwise::blocks<100>(FOLDWISE_TEST_LINE(100));
auto line_256 = foldwise::blocks<256>(FOLDWISE_TEST_LINE(256));

// Threads with several items. The functions of the block are written here, not by a macro.
auto line_1000 =
    foldwise::blocks<1000>([](block<1> b, view<const affine, 1> in, view<affine, 1> folds, view<affine, 1> inclusive,
                              view<affine, 1> exclusive, view<affine, 1> neighbours) {
        auto shared = b.shared<affine, 1000>();
        auto mine = b.own(affine{1, 0});
        b.each([&](index<1> t) {
            if (in.has(b.at(t))) mine[t] = in[b.at(t)];
            shared[t] = mine[t];
        });
        const affine all = b.fold(mine, then);
        auto upto = b.inclusive_scan(mine, then);
        auto before = b.exclusive_scan(mine, affine{2, 3}, then);
        b.once([&] { folds[b.number(0)] = all; });
        b.each([&](index<1> t) {
            if (!in.has(b.at(t))) return;
            inclusive[b.at(t)] = upto[t];
            exclusive[b.at(t)] = before[t];
            neighbours[b.at(t)] = shared[(t + 999) % 1000];
        });
    });
auto line_4096 =
    foldwise::blocks<4096>([](block<1> b, view<const affine, 1> in, view<affine, 1> folds, view<affine, 1> inclusive,
                              view<affine, 1> exclusive, view<affine, 1> neighbours) {
        auto shared = b.shared<affine, 4096>();
        auto mine = b.own<affine>({1, 0});
        b.each([&](index<1> t) {
            if (in.has(b.at(t))) mine[t] = in[b.at(t)];
            shared[t] = mine[t];
        });
        const affine all = b.fold(mine, then);
        auto upto = b.inclusive_scan(mine, then);
        auto before = b.exclusive_scan(mine, affine{2, 3}, then);
        b.once([&] { folds[b.number(0)] = all; });
        b.each([&](index<1> t) {
            if (!in.has(b.at(t))) return;
            inclusive[b.at(t)] = upto[t];
            exclusive[b.at(t)] = before[t];
            neighbours[b.at(t)] = shared[(t + 4095) % 4096];
        });
    });

// Sums of floats, whose grouping shows: the same bits on all executors.
auto float_folds =
    foldwise::blocks<500>([](block<1> b, view<const float, 1> in, view<float, 1> sums, view<float, 1> upto) {
        auto mine = b.own(0.0f);
        b.each([&](index<1> t) { mine[t] = in.has(b.at(t)) ? in[b.at(t)] : 0; });
        const float sum = b.fold(mine, [](float x, float y) { return x + y; });
        auto scanned = b.inclusive_scan(mine, [](float x, float y) { return x + y; });
        b.once([&] { sums[b.number(0)] = sum; });
        b.each([&](index<1> t) {
            if (in.has(b.at(t))) upto[b.at(t)] = scanned[t];
        });
    });

/// A tile goes through shared memory and comes out turned.
auto transpose = foldwise::blocks<32, 32>([](block<2> b, view<const double, 2> in, view<double, 2> out) {
    auto tile = b.shared<double, 32, 33>();
    b.each([&](index<2> t) {
        if (in.has(b.at(t))) tile[t] = in[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> p(b.origin(1) + t[0], b.origin(0) + t[1]);
        if (out.has(p)) out[p] = tile(t[1], t[0]);
    });
});

/// Tiles that no power of two measures, with phases in a loop.
auto matmul = foldwise::blocks<7, 20>(
    [](block<2> b, view<const float, 2> x, view<const float, 2> y, view<float, 2> out, float scale) {
        auto xs = b.shared<float, 7, 20>();
        auto ys = b.shared<float, 20, 20>();
        auto sum = b.own(0.0f);
        for (std::int64_t k = 0; k < x.extent(1); k += 20) {
            b.each([&](index<2> t) {
                const index<2> left(b.at(t)[0], k + t[1]);
                xs[t] = x.has(left) ? x[left] : 0;
                for (std::int64_t row = t[0]; row < 20; row += 7) {
                    const index<2> right(k + row, b.at(t)[1]);
                    ys(row, t[1]) = y.has(right) ? y[right] : 0;
                }
            });
            b.each([&](index<2> t) {
                for (int j = 0; j < 20; ++j) sum[t] += xs(t[0], j) * ys(j, t[1]);
            });
        }
        b.each([&](index<2> t) {
            if (out.has(b.at(t))) out[b.at(t)] = scale * sum[t];
        });
    });

/// The mean of the six neighbours in a box of three axes, with what is around it.
auto box = foldwise::blocks<4, 3, 16>([](block<3> b, view<const std::int32_t, 3> in, view<std::int32_t, 3> out) {
    auto cells = b.shared<std::int32_t, 6, 5, 18>();
    b.each([&](index<3> t) {
        for (std::int64_t i = t[0]; i < 6; i += b.extent(0))
            for (std::int64_t j = t[1]; j < 5; j += b.extent(1))
                for (std::int64_t k = t[2]; k < 18; k += b.extent(2)) {
                    const index<3> at(b.origin(0) + i - 1, b.origin(1) + j - 1, b.origin(2) + k - 1);
                    cells(i, j, k) = in.has(at) ? in[at] : 0;
                }
    });
    b.each([&](index<3> t) {
        if (!out.has(b.at(t))) return;
        const auto [i, j, k] = t;
        out[b.at(t)] = cells(i, j + 1, k + 1) + cells(i + 2, j + 1, k + 1) + cells(i + 1, j, k + 1) +
                       cells(i + 1, j + 2, k + 1) + cells(i + 1, j + 1, k) + cells(i + 1, j + 1, k + 2);
    });
});

/// How many items come before each one, in blocks with several items for each thread: rows as long as all threads or
/// longer, rows that the threads fill several of, and rows of which they are no multiple. Each item keeps its own.
#define FOLDWISE_TEST_NUMBERS(rank)                                                                                    \
    [](block<rank> b, view<std::int32_t, rank> out) {                                                                  \
        auto number = b.own(std::int32_t{0});                                                                          \
        b.each([&](index<rank> t) {                                                                                    \
            for (int axis = 0; axis < rank; ++axis)                                                                    \
                number[t] =                                                                                            \
                    number[t] * static_cast<std::int32_t>(b.extent(axis)) + static_cast<std::int32_t>(t[axis]);        \
        });                                                                                                            \
        b.each([&](index<rank> t) { out[b.at(t)] += number[t] + 1; });                                                 \
    }
auto numbers_of_long_rows = foldwise::blocks<2, 1024>(FOLDWISE_TEST_NUMBERS(2));
auto numbers_of_short_rows = foldwise::blocks<64, 8>(FOLDWISE_TEST_NUMBERS(2));
auto numbers_of_odd_rows = foldwise::blocks<20, 50>(FOLDWISE_TEST_NUMBERS(2));
auto numbers_of_planes = foldwise::blocks<3, 32, 16>(FOLDWISE_TEST_NUMBERS(3));
auto numbers_of_odd_planes = foldwise::blocks<6, 10, 16>(FOLDWISE_TEST_NUMBERS(3));

struct settings {
    std::int32_t bins;
    std::uint8_t shift;
};

/// Several shared arrays of several types and structs, two of them as long as the call says.
auto histogram =
    foldwise::blocks<96>([](block<1> b, view<const std::uint8_t, 1> in, settings given, view<std::uint32_t, 1> counts,
                            view<const double, 1> weights, view<double, 1> weighted) {
        const std::int64_t some = given.bins;
        auto flags = b.shared<std::uint8_t, 3>();
        auto sums = b.shared<double>(weights.extent(0));
        auto local = b.shared<std::uint32_t>(some + 1);
        auto pairs = b.shared<affine, 2, 2>();
        b.each([&](index<1> t) {
            for (std::int64_t k = t; k < some; k += 96) local[k] = 0;
            for (std::int64_t k = t; k < weights.extent(0); k += 96) sums[k] = 0;
            if (t < 3) flags[t] = static_cast<std::uint8_t>(t + 1);
            if (t < 4) pairs(t / 2, t % 2) = {static_cast<std::int32_t>(t), 1};
        });
        b.each([&](index<1> t) {
            if (!in.has(b.at(t))) return;
            const std::int64_t bin = (in[b.at(t)] + given.shift) % some;
            std::atomic_ref(local[bin]).fetch_add(1u, std::memory_order_relaxed);
        });
        b.each([&](index<1> t) {
            for (std::int64_t k = t; k < weights.extent(0); k += 96)
                for (std::int64_t bin = 0; bin < some; ++bin)
                    sums[k] += weights[k] * local[bin] * (flags[bin % 3] + pairs(bin % 2, 1).a);
        });
        b.each([&](index<1> t) {
            for (std::int64_t k = t; k < some; k += 96)
                std::atomic_ref(counts[k]).fetch_add(local[k], std::memory_order_relaxed);
            for (std::int64_t k = t; k < weights.extent(0); k += 96)
                std::atomic_ref(weighted[k]).fetch_add(sums[k], std::memory_order_relaxed);
        });
    });

/// Phases until the block has nothing left to do: what a fold says is the same for all items.
auto collatz = foldwise::blocks<64>([](block<1> b, view<const std::int64_t, 1> in, view<std::int64_t, 1> rounds) {
    auto mine = b.own(std::int64_t{1});
    b.each([&](index<1> t) {
        if (in.has(b.at(t))) mine[t] = in[b.at(t)];
    });
    std::int64_t count = 0;
    while (b.fold(mine, [](std::int64_t x, std::int64_t y) { return x < y ? y : x; }) > 1) {
        auto halves = b.own(std::int64_t{0});
        b.each([&](index<1> t) { halves[t] = mine[t] / 2; });
        b.each([&](index<1> t) {
            if (mine[t] > 1) mine[t] = mine[t] % 2 == 0 ? halves[t] : 3 * mine[t] + 1;
        });
        ++count;
    }
    b.once([&] { rounds[b.number(0)] = count; });
});

/// A function with a name, in which each thread has one item.
inline void reversed_in_blocks(block<1> b, view<const float, 1> in, view<float, 1> out) {
    auto tile = b.shared<float, 640>();
    b.each([&](index<1> t) {
        if (in.has(b.at(t))) tile[t] = in[b.at(t)];
    });
    b.each([&](index<1> t) {
        const std::int64_t last = std::min(b.origin(0) + 640, in.extent(0)) - 1;
        if (out.has(b.at(t))) out[b.at(t)] = tile[last - b.at(t)];
    });
}
auto reversed = foldwise::blocks<640>(reversed_in_blocks);

/// As much shared memory as a call asks for, up to all that a GPU has.
auto large = foldwise::blocks<128>([](block<1> b, std::int64_t bytes, view<std::int64_t, 1> out) {
    auto all = b.shared<std::uint8_t>(bytes);
    b.each([&](index<1> t) {
        for (std::int64_t k = t; k < bytes; k += 128) all[k] = static_cast<std::uint8_t>(k % 251);
    });
    auto sum = b.own(std::int64_t{0});
    b.each([&](index<1> t) {
        for (std::int64_t k = t; k < bytes; k += 128) sum[t] += all[bytes - 1 - k];
    });
    const std::int64_t total = b.fold(sum, [](std::int64_t x, std::int64_t y) { return x + y; });
    b.once([&] { out[b.number(0)] = total; });
});

/// Each item has elements of its own, whatever the shape is.
auto doubled = foldwise::blocks<16, 8>([](block<2> b, view<const float, 2> in, view<float, 2> out) {
    b.each([&](index<2> t) {
        const auto at = b.at(t);
        out[at] = 2 * (in.has(at) ? in[at] : 0);
    });
});

}  // namespace run_blocks
