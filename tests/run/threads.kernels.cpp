// tests/run/threads.kernels.cpp: what many threads call at once.
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>
#include <tuple>

namespace threads {

auto add = foldwise::vectorize<std::uint32_t(std::uint32_t, std::uint32_t), double(double, double)>(
    [](auto x, auto y) { return x + y; });
auto sum_difference = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return std::tuple{x + y, x - y}; });
auto places = foldwise::vectorize([](foldwise::index<2> at, std::int64_t x) { return at[0] * 1000 + at[1] + x; });

// Threads of several calls add to the same elements.
auto count = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const std::uint32_t, 1> x, foldwise::view<std::uint64_t, 1> counts) {
        std::atomic_ref(counts[x[i] % counts.extent(0)]).fetch_add(1, std::memory_order_relaxed);
    });

}  // namespace threads
