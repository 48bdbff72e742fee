// tests/run/sums.kernels.cpp: tasks that add to elements atomically, with every type that std::atomic_ref adds.
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

namespace sums {

using foldwise::index;
using foldwise::view;

using places = view<const std::int32_t, 1>;

auto add = foldwise::forall<void(places, view<const std::int32_t, 1>, view<std::int32_t, 1>),
                            void(places, view<const std::uint32_t, 1>, view<std::uint32_t, 1>),
                            void(places, view<const std::int64_t, 1>, view<std::int64_t, 1>),
                            void(places, view<const std::uint64_t, 1>, view<std::uint64_t, 1>),
                            void(places, view<const float, 1>, view<float, 1>),
                            void(places, view<const double, 1>, view<double, 1>)>(
    [](index<1> i, auto place, auto x, auto sums) {
        std::atomic_ref(sums[place[i]]).fetch_add(x[i], std::memory_order_relaxed);
    });

// In every way, to two views, in the order that is the default; some tasks add nothing, and others often.
auto tally = foldwise::forall(
    [](index<2> at, view<const std::int32_t, 2> place, view<double, 1> totals, view<std::uint32_t, 2> counts) {
        const std::int32_t p = place[at];
        if (p % 3 != 0) std::atomic_ref<double>{totals[p]} += static_cast<double>(at[0]) * 0.5;
        std::atomic_ref(totals[totals.extent(0) - 1 - p]).fetch_sub(2);
        for (std::int32_t k = 0; k < p % 4; ++k) ++std::atomic_ref(counts(k, p));
        std::atomic_ref(counts(at[1] % 4, p))--;
    });

// Tasks add to many elements each, so that their number says little.
auto spread = foldwise::forall([](index<1> row, view<const std::int32_t, 2> place, view<std::int64_t, 1> sums) {
    for (std::int64_t k = 0; k < place.extent(1); ++k)
        std::atomic_ref(sums[place(row[0], k)]).fetch_add(k + row[0], std::memory_order_relaxed);
});

// Under an order that is not relaxed, and with the results.
auto in_order =
    foldwise::forall([](index<1> i, places place, view<std::int32_t, 1> sums, view<std::int32_t, 1> before) {
        std::atomic_ref(sums[place[i]]).fetch_add(1, std::memory_order_acq_rel);
        before[i] = std::atomic_ref(sums[0]).fetch_add(0, std::memory_order_acq_rel);
    });

}  // namespace sums
