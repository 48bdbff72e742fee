// tests/errors/unwritten_shared.kernels.cpp: shared memory that is read before anything is written there, and accesses
// that only look like it or are not certain to be.
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
using o1 = foldwise::view<std::int32_t, 1>;

namespace unwritten_shared {

inline void clear(float& element) { element = 0; }

// Bins that nothing clears.
auto counted = blocks<256>([](block<1> b, i1 x, o1 counts, std::int32_t n) {
    auto bins = b.shared<std::int32_t, 256>();
    auto few = b.shared<std::int32_t>(n);
    auto one = b.shared<std::int32_t, 1>();
    auto largest = b.shared<std::int32_t, 4>();
    auto stored = b.shared<std::int32_t, 1>();
    b.each([&](index<1> t) {
        // expected-warning@+1 {{nothing writes to 'bins' before this updates it, and shared memory has no initial values: clear it in a phase before this one, as in b.each([&](foldwise::index<1> t) { bins[t] = 0; }) [FW133, -Wunwritten-shared]}}
        std::atomic_ref(bins[x[b.at(t)] % 256]).fetch_add(1, std::memory_order_relaxed);
        // expected-warning@+1 {{as in b.each([&](foldwise::index<1> t) { for (std::int64_t k = t; k < few.extent(0); k += 256) few[k] = 0; }) [FW133}}
        ++std::atomic_ref<std::int32_t>(few[x[b.at(t)] % n]);
        // expected-warning@+1 {{clear it in a phase before this one, as in b.once([&] { one[0] = 0; })}}
        if (x[b.at(t)] > 0) std::atomic_ref(one[0]) += x[b.at(t)];
        // expected-warning@+1 {{nothing writes to 'largest' before this updates it}}
        std::atomic_ref most(largest[t % 4]);
        std::int32_t old = most.load();
        while (x[b.at(t)] > old && !most.compare_exchange_weak(old, x[b.at(t)])) {
        }
        std::atomic_ref last(stored[0]);
        last.store(1);
        last += 1;
    });
    b.each([&](index<1> t) { std::atomic_ref(counts[t]).fetch_add(bins[t] + one[0] + few[0]); });
});
auto added = blocks<16, 16>([](block<2> b, c2 x, f1 out) {
    auto sums = b.shared<float, 16>();
    auto all = b.shared<float, 16, 16>();
    b.each([&](index<2> t) {
        // expected-warning@+1 {{nothing writes to 'all' before this updates it, and shared memory has no initial values: clear it in a phase before this one, as in b.each([&](foldwise::index<2> t) { all[t] = 0; })}}
        all[t] += x[b.at(t)];
        // expected-warning@+1 {{nothing writes to 'sums' before this updates it, and shared memory has no initial values: clear it in a phase before this one [FW133}}
        if (t[1] == 0) sums[t[0]] += x[b.at(t)];
    });
    b.once([&] { out[b.number(0)] = sums[0] + all(0, 0); });
});

// What is read first and written afterwards.
auto later = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    auto other = b.shared<float, 32>();
    b.each([&](index<1> t) {
        // expected-warning@+1 {{nothing writes to 's' before this reads it, and shared memory has no initial values: store its elements in a phase before this one [FW133, -Wunwritten-shared]}}
        other[t] = s[31 - t];
        out[b.at(t)] = s[t];
    });
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    b.once([&] { out[b.number(0)] = s[0] + other[0]; });
});

// Elements that are written, or may be.
auto written = blocks<32>([](block<1> b, c1 x, f1 out, std::int32_t n) {
    auto s = b.shared<float, 32>();
    auto turns = b.shared<float, 32>();
    auto passed = b.shared<float, 32>();
    auto exchanged = b.shared<float, 32>();
    auto stored = b.shared<std::int32_t, 2>();
    auto unread = b.shared<float, 32>();
    auto same = b.shared<float, 32>();
    b.each([&](index<1> t) {
        if (x[b.at(t)] > 0) s[t] = x[b.at(t)];
        clear(passed[t]);
        float& element = exchanged[t];
        element = 1;
        std::atomic_ref(stored[0]).store(1);
    });
    for (int k = 0; k < n; ++k) {
        b.each([&](index<1> t) {
            if (k > 0) out[b.at(t)] += turns[t];
        });
        b.each([&](index<1> t) { turns[t] = s[t] + passed[t] + exchanged[t]; });
    }
    b.each([&](index<1> t) {
        unread[t] = x[b.at(t)];
        same[t] = x[b.at(t)];
        same[t] *= same[t];
        const auto add = [&](std::int64_t k) { return s[k]; };
        out[b.at(t)] = add(t) + static_cast<float>(s.extent(0) + s.size() + stored[0]);
    });
});
auto through_lambda = blocks<32>([](block<1> b, c1 x, f1 out) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) {
        const auto put = [&](auto k, float value) { s[k] = value; };
        put(t, x[b.at(t)]);
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[31 - t]; });
});

}  // namespace unwritten_shared
