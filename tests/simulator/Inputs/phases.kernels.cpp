// Mistakes that are no single item's: phases that are missing, and elements that several items or blocks write. The test is
// phases.cpp.
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

namespace phases {

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using foldwise::view;
using in = view<const int, 1>;
using out = view<int, 1>;

auto neighbour = blocks<64>([](block<1> b, in x, out y) {
    auto s = b.shared<int, 64>();
    b.each([&](index<1> t) {
        // NEIGHBOUR: data race
        // NEIGHBOUR: phases.kernels.cpp:[[# @LINE + 2]]
        // NEIGHBOUR: phases.kernels.cpp:[[# @LINE + 1]]
        s[t] = x[b.at(t)];
        y[b.at(t)] = s((t + 1) % 64);
    });
});
auto turned = blocks<8, 8>([](block<2> b, view<const int, 2> x, view<int, 2> y) {
    auto s = b.shared<int, 8, 9>();
    b.each([&](index<2> t) {
        // TURNED: data race
        // TURNED: phases.kernels.cpp:[[# @LINE + 1]]
        s[t] = x[t];
        y[t] = s(t[1], t[0]);
    });
});
auto one_for_all = blocks<64>([](block<1> b, in x, out y) {
    auto last = b.shared<int, 1>();
    b.each([&](index<1> t) {
        // ONE: data race
        // ONE: Write of size 4
        // ONE: phases.kernels.cpp:[[# @LINE + 1]]
        if (x[b.at(t)] > 0) last[0] = static_cast<int>(t);
    });
    b.each([&](index<1> t) { y[b.at(t)] = last[0]; });
});
auto counted = blocks<64>([](block<1> b, in x, out y) {
    auto bins = b.shared<int, 4>();
    b.each([&](index<1> t) {
        if (t < 4) bins[t] = 0;
    });
    b.each([&](index<1> t) {
        // COUNTED: data race
        // COUNTED: phases.kernels.cpp:[[# @LINE + 1]]
        ++bins[x[b.at(t)] % 4];
    });
    b.each([&](index<1> t) { y[b.at(t)] = bins[t % 4]; });
});
auto summed_in_place = blocks<64>([](block<1> b, in x, out y) {
    auto s = b.shared<int, 64>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int by = 1; by < 64; by *= 2) {
        b.each([&](index<1> t) {
            // SUMMED: data race
            // SUMMED: phases.kernels.cpp:[[# @LINE + 1]]
            if (t >= by) s[t] += s[t - by];
        });
    }
    b.each([&](index<1> t) { y[b.at(t)] = s[t]; });
});
auto tile_of_the_last_round = blocks<64>([](block<1> b, in x, out y) {
    auto s = b.shared<int, 64>();
    auto sum = b.own(0);
    for (int round = 0; round < 2; ++round) {
        b.each([&](index<1> t) {
            // ROUND: data race
            // ROUND: phases.kernels.cpp:[[# @LINE + 2]]
            // ROUND: phases.kernels.cpp:[[# @LINE + 2]]
            for (int k = 0; k < 64; ++k) sum[t] += round > 0 ? s[k] : 0;
            s[t] = x[b.at(t)] + round;
        });
    }
    b.each([&](index<1> t) { y[b.at(t)] = sum[t]; });
});
auto same_element = blocks<64>([](block<1> b, in x, out y) {
    b.each([&](index<1> t) {
        // SAME: data race
        // SAME: phases.kernels.cpp:[[# @LINE + 1]]
        y[t / 2] = x[b.at(t)];
    });
});
auto the_next_block_s = blocks<64>([](block<1> b, in, out y) {
    b.each([&](index<1> t) {
        // NEXT: data race
        // NEXT: phases.kernels.cpp:[[# @LINE + 2]]
        const index<1> next(b.at(t)[0] + 64);
        y[b.at(t)] = y.has(next) ? y[next] + 1 : 0;
    });
});
auto halo_that_nobody_read = blocks<64>([](block<1> b, in x, out y) {
    auto s = b.shared<int, 66>();
    b.each([&](index<1> t) { s[t + 1] = x[b.at(t)]; });
    b.each([&](index<1> t) {
        // HALO: read of shared memory that nothing wrote: 4 bytes by thread (0,0,0) of block (0,0,0)
        // HALO-SAME: phases.kernels.cpp:[[# @LINE + 1]]{{[:0-9]*}}, in phases::halo_that_nobody_read
        y[b.at(t)] = s[t] + s[t + 2];
    });
});
auto no_first_value = blocks<64>([](block<1> b, int n, in x, out y) {
    auto total = b.shared<int>(n);
    b.each([&](index<1> t) {
        // FIRST: read of shared memory that nothing wrote: 4 bytes
        // FIRST-SAME: phases.kernels.cpp:[[# @LINE + 1]]{{[:0-9]*}}, in phases::no_first_value
        std::atomic_ref(total[0]).fetch_add(x[b.at(t)], std::memory_order_relaxed);
    });
    b.once([&] { y[b.number(0)] = total[0]; });
});

// Nothing is wrong here.
auto with_phases = blocks<64>([](block<1> b, in x, out y) {
    auto s = b.shared<int, 64>();
    auto more = b.own(0);
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    for (int by = 1; by < 64; by *= 2) {
        b.each([&](index<1> t) { more[t] = t >= by ? s[t - by] : 0; });
        b.each([&](index<1> t) { s[t] += more[t]; });
    }
    b.each([&](index<1> t) { y[b.at(t)] = s[t]; });
});
auto stored_first = blocks<64>([](block<1> b, in x, out y) {
    auto total = b.shared<int, 1>();
    b.once([&] { std::atomic_ref(total[0]).store(0, std::memory_order_relaxed); });
    b.each([&](index<1> t) { std::atomic_ref(total[0]).fetch_add(x[b.at(t)], std::memory_order_relaxed); });
    b.once([&] { y[b.number(0)] = total[0]; });
});

}  // namespace phases
