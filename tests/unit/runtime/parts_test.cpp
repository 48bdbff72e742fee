// tests/unit/runtime/parts_test.cpp: calls of more than 2^31 elements, on addresses without memory.
#include "parts.hpp"

#include "arguments.hpp"
#include "test_kernels.hpp"
#include "vectorize/run_vectorize.hpp"

#include <gtest/gtest.h>

using namespace foldwise::detail;
using test_kernels::mix;

namespace {

void check(std::initializer_list<std::int64_t> extents) {
    std::int64_t strides[3][max_axes] = {{-5, 0, 7, 3}, {1, 1, 1, 1}, {1000, 100, 10, 1}};
    element_layout layout{static_cast<int>(extents.size()), {}, strides};
    element_range call{1, nullptr, &layout, 0, nullptr};
    int axis = 0;
    for (std::int64_t extent : extents) {
        layout.extents[axis++] = extent;
        call.count *= extent;
    }
    const std::uintptr_t base = std::uintptr_t{1} << 60;
    const operand_address operands[] = {{reinterpret_cast<void*>(base), false},
                                        {reinterpret_cast<void*>(base), false},
                                        {reinterpret_cast<void*>(base), false}};
    call.operands = operands;

    std::int64_t next = 0;
    each_part(operands_of(mix), call, [&](const element_range& part) {
        EXPECT_LE(part.count, largest_part);
        EXPECT_EQ(part.first, next);
        for (std::size_t i = 0; i < 3; ++i) {
            std::int64_t offset = 0, rest = part.first;
            for (int a = layout.rank - 1; a >= 0; rest /= layout.extents[a--])
                offset += rest % layout.extents[a] * strides[i][a];
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.operands[i].data),
                      base + static_cast<std::uintptr_t>(offset * 4));
        }
        std::int64_t count = 1;
        for (int a = 0; a < part.layout->rank; ++a) count *= part.layout->extents[a];
        EXPECT_EQ(count, part.count);
        next += part.count;
    });
    EXPECT_EQ(next, call.count);
}

}  // namespace

TEST(Parts, AreConsecutiveAndSmall) {
    check({3, 5});
    check({1 << 20, 1 << 11});
    check({1 << 20, (1 << 11) + 1});
    check({3, 1 << 16, 1 << 16});
    check({2, 3, 2, std::int64_t{1} << 33});
    check({std::int64_t{5} << 31});
}
