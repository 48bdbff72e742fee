// tests/errors/phase_races.kernels.cpp: elements of shared memory that two items access in one phase, and accesses that
// only look like it or are not certain to be.
// RUN: %warned -Wno-unwritten-element
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

namespace phase_races {

inline float sum(float x, float y) { return x + y; }

// A barrier is missing between what is written and what is read.
auto neighbour = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 33>();
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];  // expected-note {{item (0) reads element 1, which item (1) writes here}}
        // expected-warning@+1 {{items read elements of 's' that other items write in the same phase, and may find them as they were or as they will be: end the phase between the two, and begin another b.each() [FW058, -Wrace]}}
        out[b.at(t)] = s[t + 1];
    });
});
auto reversed = blocks<32>([](block<1> b, c1 x, f1 out) {
    constexpr std::int64_t n = 32;
    auto s = b.shared<float, n>();
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];  // expected-note {{item (0) reads element 31, which item (31) writes here}}
        // expected-warning@+1 {{items read elements of 's'}}
        out[b.at(t)] = s[n - 1 - t];
    });
});
auto reversed_by_extent = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) {
        const auto i = b.at(t);
        if (i < n) s[t] = x[i];  // expected-note {{item (0) reads element 31, which item (31) writes here}}
        // expected-warning@+1 {{items read elements of 's'}}
        if (i < n) out[i] = s[b.extent(0) - 1 - t];
    });
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];  // expected-note {{item (0) reads element 31}}
        // expected-warning@+1 {{items read elements of 's'}}
        out[b.at(t)] = s[s.extent(0) - 1 - t];
    });
});
auto transposed = blocks<8, 8>([](block<2> b, c2 x, f2 out) {
    auto tile = b.shared<float, 8, 9>();
    b.each([&](index<2> t) {
        const auto [r, c] = t;
        if (x[b.at(t)] > 0) tile(r, c) = x[b.at(t)];
        // what data say is not certain
        if (x[b.at(t)] > 0) out[b.at(t)] = tile(c, r);
    });
    b.each([&](index<2> t) {
        const auto [r, c] = t;
        // expected-note@+1 {{item (0, 1) reads element (1, 0), which item (1, 0) writes here}}
        if (x.has(b.at(t))) tile(r, c) = x[b.at(t)];
        // expected-warning@+1 {{items read elements of 'tile'}}
        if (out.has(b.at(t))) out[b.at(t)] = tile(c, r);
    });
    b.each([&](index<2> t) {
        tile[t] = x[b.at(t)];  // expected-note {{item (0, 1) reads element (1, 0), which item (1, 0) writes here}}
        // expected-warning@+1 {{items read elements of 'tile'}}
        out[b.at(t)] = tile(t[1], t[0]);
    });
});
auto stencil = blocks<64>([](block<1> b, c1 x, f1 out, std::int32_t steps) {
    auto s = b.shared<float, 66>();
    b.each([&](index<1> t) { s[t + 1] = x[b.at(t)]; });
    for (int k = 0; k < steps; ++k)
        b.each([&](index<1> t) {
            // expected-warning@+2 {{items read elements of 's'}}
            // expected-note@+1 {{item (1) reads element 1, which item (0) writes here}}
            s[t + 1] = 0.5f * (s[t] + s[t + 2]);
        });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});
auto two_writes = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 33>();
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];
        // expected-warning@+2 {{several items write the same element of 's' in one phase, and all but one may be lost: give each item elements of its own [FW058, -Wrace]}}
        // expected-note@+1 {{items (1) and (0) both write element 1}}
        s[t + 1] = 0;
    });
    b.each([&](index<1> t) {
        // expected-warning@+2 {{several items write the same element of 's' in one phase}}
        // expected-note@+1 {{items (0) and (1) both write element 0}}
        s[t / 2] = x[b.at(t)];
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});
auto histogram = blocks<256>([](block<1> b, i1 x, foldwise::view<std::int32_t, 1> counts) {
    auto local = b.shared<std::int32_t, 256>();
    b.each([&](index<1> t) { local[t] = 0; });
    b.each([&](index<1> t) {
        // expected-warning@+2 {{several items update the same element of 'local' in one phase, and all but one may be lost: give each item elements of its own, or write std::atomic_ref(local[x[b.at(t)]]).fetch_add(1) [FW058, -Wrace]}}
        // expected-note@+1 {{two items meet wherever 'x[b.at(t)]' is the same in both}}
        local[x[b.at(t)]] += 1;
    });
    b.each([&](index<1> t) { std::atomic_ref(counts[t]).fetch_add(local[t]); });
    b.each([&](index<1> t) { local[t / 2] = 0; });  // which all of them store
});
auto in_a_later_pass = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 2, 33>();
    for (int k = 0; k < n; ++k)
        b.each([&](index<1> t) {
            // expected-note@+1 {{item (0) reads element (2, 1), which item (1) writes here if k is 2}}
            s(k, t) = x[b.at(t)];
            // expected-warning@+1 {{items read elements of 's'}}
            out[b.at(t)] = s(k, t + 1);
        });
});

// Items count while others still clear.
auto cleared_and_counted = blocks<256>([](block<1> b, i1 x, foldwise::view<std::int32_t, 1> counts, std::int32_t n) {
    auto bins = b.shared<std::int32_t>(n);
    auto total = b.shared<std::int32_t, 1>();
    b.each([&](index<1> t) {
        // expected-note@+1 {{item (1) updates element 0, which item (0) writes here if x[b.at(t)] is 0}}
        for (std::int64_t k = t; k < n; k += 256) bins[k] = 0;
        // expected-warning@+1 {{items write elements of 'bins' that other items update in the same phase, and what these have added by then is lost: end the phase between the two, and begin another b.each() [FW058, -Wrace]}}
        if (x.has(b.at(t))) std::atomic_ref(bins[x[b.at(t)]]).fetch_add(1, std::memory_order_relaxed);
        if (t == 0) total[0] = 0;  // expected-note {{item (1) updates element 0, which item (0) writes here}}
        std::atomic_ref all(total[0]);
        all += x[b.at(t)];  // expected-warning {{items write elements of 'total' that other items update}}
    });
    b.each([&](index<1> t) { std::atomic_ref(counts[t]).fetch_add(bins[t] + total[0]); });
});
auto cleared_before = blocks<256>([](block<1> b, i1 x, foldwise::view<std::int32_t, 1> counts, std::int32_t n) {
    auto bins = b.shared<std::int32_t, 512>();
    b.each([&](index<1> t) { bins[t] = bins[t + 256] = 0; });
    b.each([&](index<1> t) { std::atomic_ref(bins[x[b.at(t)]]).fetch_add(1); });
    b.each([&](index<1> t) {
        bins[t] = 0;
        std::atomic_ref(bins[t]).fetch_add(1);
        std::atomic_ref(bins[256 + x[b.at(t)] % 256]).fetch_add(1);  // in the other half
    });
    b.each([&](index<1> t) {
        if (x[b.at(t)] < 0) bins[t] = 0;  // up to data
        std::atomic_ref(bins[x[b.at(t)]]).fetch_add(1);
    });
    b.each([&](index<1> t) {
        if (t == 0) bins[0] = n;
        if (x[b.at(t)] == 1) std::atomic_ref(bins[0]).fetch_add(1);
    });
    b.each([&](index<1> t) { std::atomic_ref(counts[t]).fetch_add(bins[t] + bins[t + 256]); });
});

// Sums by halves in which items add to what others read, at one width or all of them.
auto halves = blocks<256>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 512>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int w = 128; w > 0; w /= 2)
        b.each([&](index<1> t) {
            // expected-warning@+2 {{items read elements of 's' that other items write in the same phase, and may find them as they were or as they will be: leave out the items whose elements others read, as in if (t < w), or have b.fold() combine what items have [FW058, -Wrace]}}
            // expected-note@+1 {{item (0) reads element 128, which item (128) writes here if w is 128}}
            s[t] += s[t + w];
        });
    std::int64_t width = b.extent(0) / 2;
    while (width > 0) {
        b.each([&](index<1> t) {
            // expected-warning@+2 {{leave out the items whose elements others read, as in if (t < width), or}}
            // expected-note@+1 {{item (0) reads element 64, which item (64) writes here if width is 64}}
            if (t + width < 256) s[t] = s[width + t] + s[t];
        });
        width >>= 1;
    }
    int from = 1;
    do {
        b.each([&](index<1> t) {
            // expected-warning@+2 {{in the same phase, and may find them as they were or as they will be: read in one b.each(), into what b.own() keeps, and write in the next [FW058}}
            // expected-note@+1 {{item (2) reads element 1, which item (1) writes here if from is 1}}
            if (t >= from) s[t] += s[t - from];
        });
        from = 2 * from;
    } while (from < 256);
    int a = 0, c = 1;
    for (int k = 0; k < 3; ++k) {
        b.each([&](index<1> t) {
            // expected-note@+1 {{item (0) reads element 1, which item (1) writes here if a is 0 and c is 1}}
            s[t + a] = x[b.at(t)];
            out[b.at(t)] = s[t + c];  // expected-warning {{items read elements of 's'}}
        });
        std::swap(a, c);
    }
    for (int k = 0; k < n; ++k)
        for (int w = 2; w > 0; --w) {
            const int half = w;
            b.each([&](index<1> t) {
                // expected-warning@+2 {{leave out the items whose elements others read, as in if (t < half), or}}
                // expected-note@+1 {{item (0) reads element 2, which item (2) writes here if half is 2}}
                s[t] += s[t + half];
            });
        }
    b.once([&] { out[b.number(0)] = s[0]; });
});
// The item's coordinate by other names.
auto by_coordinate = blocks<256>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 512>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int w = 128; w > 0; w /= 2) {
        b.each([&](index<1> t) {
            // expected-warning@+2 {{leave out the items whose elements others read, as in if (t[0] < w), or have b.fold()}}
            // expected-note@+1 {{item (0) reads element 128, which item (128) writes here if w is 128}}
            s[t[0]] += s[t[0] + w];
        });
        b.each([&](index<1> t) {
            const int i = t[0];
            // expected-warning@+2 {{leave out the items whose elements others read, as in if (i < w), or have b.fold()}}
            // expected-note@+1 {{item (0) reads element 128}}
            s[t] += s[w + i];
        });
        b.each([&](index<1> t) {
            const auto [i] = t;
            // expected-warning@+2 {{leave out the items whose elements others read, as in if (i < w), or have b.fold()}}
            // expected-note@+1 {{item (0) reads element 128}}
            s[i] = s[t] + s[i + w];
        });
        b.each([&](index<1> t) {
            const auto next = t[0] + 1;
            // expected-warning@+2 {{and write in the next}}
            // expected-note@+1 {{item (0) reads element 129}}
            s[t] += s[next + w];
        });
    }
    b.once([&] { out[b.number(0)] = s[0]; });
});
// The same where the widths keep items apart, or are not known.
auto apart = blocks<256>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 512>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int w = 256; w > 0; w -= 256) b.each([&](index<1> t) { s[t] += s[t + w]; });
    for (int w = 128; w > 0; w /= 2)
        b.each([&](index<1> t) {
            if (t < w) s[t] += s[t + w];
        });
    for (int w = 1; w < 256; w *= 2)
        b.each([&](index<1> t) {
            if (t % (2 * w) == 0) s[t] += s[t + w];
        });
    int from = 0, to = 256;
    for (int k = 0; k < 4; ++k) {
        b.each([&](index<1> t) { s[to + t] = s[from + (t + 1) % 256]; });
        std::swap(from, to);
    }
    int w = 128;
    const int first = w;
    for (int k = 0; k < n; ++k) w = w > 1 ? w / 2 : n;
    b.each([&](index<1> t) { s[t] += s[t + w]; });
    const int last = w + first;
    w = 1;
    b.each([&](index<1> t) { s[t] += s[t + last]; });
    if (n > 3) w = 512;
    b.each([&](index<1> t) { s[t] += s[t + w]; });
    for (int k = 1; k < 64; ++k) {
        if (k < n) break;
        b.each([&](index<1> t) { s[t] += s[t + k]; });
    }
    b.once([&] { out[b.number(0)] = s[0]; });
});

// A phase of its own for what is read.
auto waits = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 33>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    b.each([&](index<1> t) { out[b.at(t)] = s[31 - t]; });
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];
        out[b.at(t)] = s[t];
    });
});
// Halves that are apart, which are exchanged, or added step by step.
auto tree = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 64>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (std::int64_t half = 16; half > 0; half /= 2)
        b.each([&](index<1> t) {
            if (t < half) s[t] += s[t + half];
        });
    b.each([&](index<1> t) {
        if (t < 16) std::swap(s[t], s[31 - t]);
    });
    b.each([&](index<1> t) {
        if (t % 2 == 0) s[t] += s[t + 1];
    });
    b.each([&](index<1> t) { s[t + 32] = s[t]; });
    b.each([&](index<1> t) { s[t] = s[t + n]; });
    b.once([&] { out[b.number(0)] = s[0] + s[1]; });
});
// Two rows that take turns.
auto turns = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t steps) {
    auto s = b.shared<float, 2, 34>();
    b.each([&](index<1> t) { s(0, t + 1) = x[b.at(t)]; });
    for (int k = 0; k < steps; ++k) {
        const int now = k % 2;
        b.each([&](index<1> t) { s(1 - now, t + 1) = s(now, t) + s(now, t + 2); });
        b.each([&](index<1> t) { s((k + 1) % 2, t + 1) = s(k % 2, t) + s(k % 2, t + 2); });
    }
    b.each([&](index<1> t) { out[b.at(t)] = s(0, t); });
});
// Two parts of shared memory, which may change places, or of which the call says where they begin.
auto parts = blocks<32>([](block<1> b, c1 x, f1 out, int a, int c) {
    auto s = b.shared<float, 80>();
    int from = 0, to = 40;
    for (int k = 0; k < a; ++k) {
        b.each([&](index<1> t) { s[to + t + 1] = s[from + t] + s[from + t + 2]; });
        std::swap(from, to);
    }
    auto given = b.shared<float>(a + c);
    b.each([&](index<1> t) {
        given[a + t] = x[b.at(t)];
        out[b.at(t)] = given[c + t + 1];
    });
});
// Both clear the same elements.
auto cleared = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 40>();
    b.each([&](index<1> t) {
        s[t] = 0;
        if (t < 8) s[t + 31] = 0;
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t] + x[b.at(t)]; });
});
// One item reads what it wrote itself, and what none writes.
auto of_one = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 64>();
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) {
        if (t == 0) {
            s[0] = x[b.at(t)];
            s[1] = s[0];
        }
        for (int k = 0; k < 2; ++k) s[2 * t + k + 2 * 0] = x[b.at(t)];
    });
    b.each([&](index<1> t) {
        if (mine[t] > 0) s[t] = s[t + 1];         // which is not known
        if (x[b.at(t)] > 0) s[t + 2] = s[t + 1];  // up to data
        if (x[b.at(t)] < 0) s[0] = 1;
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t] + mine[t]; });
});
auto by_atomics = blocks<32>([](block<1> b, i1 x, foldwise::view<std::int32_t, 1> out) {
    auto s = b.shared<std::int32_t, 33>();
    b.each([&](index<1> t) { s[t] = 0; });
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];
        while (std::atomic_ref(s[t + 1]).load() == 0) {
        }
        out[b.at(t)] = s[t + 1];
    });
});

}  // namespace phase_races
