// tests/errors/lost_updates.kernels.cpp: atomic loads and stores between which others store, and those that lose
// nothing.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

using foldwise::block;
using foldwise::forall;
using foldwise::index;
using i1 = foldwise::view<std::int32_t, 1>;
using in1 = foldwise::view<const std::int32_t, 1>;

namespace lost_updates {

auto counted = forall([](index<1> i, in1 x, i1 bins) {
    const int old = std::atomic_ref(bins[x[i]]).load();
    // expected-warning@+2 {{what is stored in 'bins' is computed from what was loaded before, and what other tasks store in between is lost: do both in one operation, fetch_add(1) [FW123, -Wlost-update]}}
    // expected-note@+1 {{two tasks meet wherever 'x[i]' is the same in both}}
    std::atomic_ref(bins[x[i]]).store(old + 1);
});
auto summed = forall([](index<1> i, in1 x, i1 total) {
    std::atomic_ref all(total[0]);
    // expected-warning@+2 {{do both in one operation, fetch_add(x[i])}}
    // expected-note@+1 {{tasks (0) and (1) both update element 0}}
    all.store(all.load() + x[i]);
    // expected-warning@+2 {{do both in one operation, fetch_sub(2)}}
    // expected-note@+1 {{tasks (0) and (1) both update element 0}}
    all = all - 2;
});
auto largest = forall([](index<1> i, in1 x, i1 peak) {
    const std::atomic_ref<std::int32_t> highest{peak[0]};
    const std::int32_t before = highest.load(std::memory_order_relaxed);
    const std::int32_t next = before < x[i] ? x[i] : before;
    // expected-warning@+2 {{do both in one operation, such as fetch_add(), or a loop of compare_exchange_weak(), which forall.md has for a maximum [FW123, -Wlost-update]}}
    // expected-note@+1 {{tasks (0) and (1) both update element 0}}
    highest.store(next, std::memory_order_relaxed);
});
auto shared = foldwise::blocks<64>([](block<1> b, in1 x, i1 out) {
    auto s = b.shared<std::int32_t, 8>();
    b.each([&](index<1> t) {
        // expected-warning@+2 {{what other items store in between is lost: do both in one operation, fetch_add(x[b.at(t)])}}
        // expected-note@+1 {{items (0) and (8) both update element 0}}
        std::atomic_ref(s[t % 8]).store(std::atomic_ref(s[t % 8]).load() + x[b.at(t)]);
    });
    b.each([&](index<1> t) { out[b.at(t)] = s[t % 8]; });
});

// Its own element, which no other task stores in; another one's; flags; and what is done at once.
auto own = forall([](index<1> i, in1 x, i1 out, i1 flags) {
    std::atomic_ref(out[i]).store(std::atomic_ref(out[i]).load() + 1);
    std::atomic_ref(out[2 * i + 1]).store(std::atomic_ref(out[2 * i + 1]).load() + 1);
    if (std::atomic_ref(flags[0]).load() == 0) std::atomic_ref(flags[0]).store(1);
    std::atomic_ref(flags[1]).store(std::atomic_ref(flags[2]).load());
    std::atomic_ref(flags[x[i]]).fetch_add(1);
});
auto exchanged = forall([](index<1> i, in1 x, i1 peak) {
    const std::atomic_ref<std::int32_t> highest(peak[0]);
    std::int32_t before = highest.load(std::memory_order_relaxed);
    while (before < x[i] && !highest.compare_exchange_weak(before, x[i], std::memory_order_relaxed)) {
    }
});

}  // namespace lost_updates
