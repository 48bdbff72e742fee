// tests/unit/runtime/chunks_test.cpp: where arrays are cut into chunks.
#include "chunks.hpp"

#include <gtest/gtest.h>

#include <cstdint>

using namespace foldwise::detail;

static constexpr chunk_limits limits{1 << 20, 1 << 20, 1 << 12, 1 << 16};

TEST(Chunks, CoverAllElementsOnce) {
    for (const std::int64_t count : {1, 63, 64, 65, 341, 342, 1000, 5461, 5462, 87'381, 1'000'003}) {
        const chunk_plan plan = plan_chunks(count, 12, limits);
        std::int64_t end = 0;
        for (std::int64_t chunk = 0; chunk < plan.chunks(); ++chunk) {
            EXPECT_EQ(plan.begin(chunk), end);
            EXPECT_GT(plan.size(chunk), 0);
            EXPECT_LE(plan.size(chunk), plan.length);
            end += plan.size(chunk);
        }
        EXPECT_EQ(end, count);
    }
}

TEST(Chunks, AreManyOfTheLeastSizeBeforeTheyGrow) {
    EXPECT_EQ(plan_chunks(300, 12, limits).chunks(), 1);
    EXPECT_EQ(plan_chunks(342, 12, limits).length, 320);   // 4096 bytes, in whole cache lines
    EXPECT_EQ(plan_chunks(2500, 12, limits).length, 320);  // an eighth would be less
    EXPECT_EQ(plan_chunks(16'000, 12, limits).length, 1984);
    EXPECT_EQ(plan_chunks(10'000'000, 12, limits).length, 5440);  // 65536 bytes
}

TEST(Chunks, HaveOneElementWhereThatIsMoreThanTheLimit) {
    const chunk_plan plan = plan_chunks(3, 100'000, limits);
    EXPECT_EQ(plan.length, 1);
    EXPECT_EQ(plan.chunks(), 3);
    EXPECT_EQ(plan_chunks(40, 40'000, limits).length, 1);
}
