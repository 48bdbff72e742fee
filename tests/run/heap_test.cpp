// tests/run/heap_test.cpp: calls on the CPU with views as operands allocate nothing, whatever their layout.
#include "heap.hpp"
#include "shapes.kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using foldwise::view;

template <class Call> void expect_no_allocation(Call call) {
    for (int i = 0; i < 3; ++i) call();
    const std::uint64_t before = interpose::heap_allocations();
    for (int i = 0; i < 20; ++i) call();
    EXPECT_EQ(interpose::heap_allocations() - before, 0u);
}

TEST(Heap, IsCounted) {
    const std::uint64_t before = interpose::heap_allocations();
    const std::vector<int> numbers(100);
    EXPECT_GT(interpose::heap_allocations(), before);
}

TEST(Heap, IsNotTouchedByCallsOnTheCpu) {
    constexpr std::int64_t side = 400;
    std::vector<std::uint32_t> a(side * side), b(side * side), c(side * side);
    std::vector<std::int64_t> where(side * side);
    const view<std::uint32_t> x = foldwise::host(a.data(), {side, side}), y = foldwise::host(b.data(), {side, side}),
                              out = foldwise::host(c.data(), {side, side});
    const view<std::uint32_t> row = y.slice(0, 0, 1), column = y.slice(1, 0, 1);
    const foldwise::executor cpu = foldwise::cpu();
    expect_no_allocation([&] { run::weave(x, y, out, cpu); });
    expect_no_allocation([&] { run::weave(x, std::uint32_t{3}, out, cpu); });
    expect_no_allocation([&] { run::weave(x, y, x, cpu); });
    expect_no_allocation([&] { run::weave(row, column, out, cpu); });
    expect_no_allocation(
        [&] { run::weave(x.slice(1, 0, side, 2), y.slice(1, 1, side, 2), out.slice(1, 0, side, 2), cpu); });
    expect_no_allocation([&] { run::weave(x, y.transpose(), out, cpu); });
    expect_no_allocation([&] { run::weave(x, y, out.transpose(), cpu); });
    expect_no_allocation([&] { run::places(foldwise::host(where.data(), {side, side}), cpu); });
}

TEST(Heap, IsNotTouchedWhereOverlapIsSought) {
    std::vector<std::uint32_t> memory(300 * 300);
    const view<std::uint32_t> square = foldwise::host(memory.data(), {300, 300});
    // Interleaved in two axes.
    expect_no_allocation([&] {
        run::weave(square.slice(0, 0, 300, 2).slice(1, 0, 300, 3), std::uint32_t{1},
                   square.slice(0, 1, 300, 2).slice(1, 1, 300, 3), foldwise::cpu());
    });
}

}  // namespace
