// tests/unit/generator/model/Operations_test.cpp: sums of operations.
#include "model/Operations.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static Operations operationsOf(const std::vector<OperationCount>& counts) {
    Operations operations;
    for (const OperationCount& c : counts) operations.add(c.operation, c.count);
    return operations;
}

static Repetition loopAt(std::uint32_t line, const Operations& each, std::uint64_t times = 1) {
    return {RepetitionKind::Loop, {"a.cpp", line}, times, each};
}

TEST(Operations, ClassesAreKeptInTheOrderOfTheTable) {
    const Operations operations =
        operationsOf({{Operation::Integer, 1}, {Operation::Float32Add, 2}, {Operation::Integer, 3}});
    EXPECT_EQ(operations.counts, (std::vector<OperationCount>{{Operation::Float32Add, 2}, {Operation::Integer, 4}}));
    EXPECT_EQ(operations.count(Operation::Integer), 4u);
    EXPECT_EQ(operations.count(Operation::Float64Add), 0u);
}

TEST(Operations, NoneLeavesNoTrace) {
    Operations operations;
    operations.add(Operation::Float32Add, 0);
    operations.add(operationsOf({{Operation::Integer, 5}}), 0);
    EXPECT_TRUE(operations.empty());
}

TEST(Operations, AddsOthersSoManyTimes) {
    Operations operations = operationsOf({{Operation::Float32Add, 1}});
    operations.add(operationsOf({{Operation::Float32Add, 2}, {Operation::Float32Multiply, 1}}), 10);
    EXPECT_EQ(operations, operationsOf({{Operation::Float32Add, 21}, {Operation::Float32Multiply, 10}}));
}

TEST(Operations, SumsSaturate) {
    Operations operations;
    operations.add(operationsOf({{Operation::Integer, UINT64_MAX / 2}}), 3);
    operations.add(Operation::Integer);
    EXPECT_EQ(operations.count(Operation::Integer), UINT64_MAX);
}

TEST(Operations, ALoopEnteredAgainIsTheSameLoop) {
    const Operations each = operationsOf({{Operation::Integer, 2}});
    Operations inner, outer;
    inner.add(loopAt(3, each));
    outer.add(inner, 4);
    outer.add(inner);
    EXPECT_EQ(outer.repeated, (std::vector<Repetition>{loopAt(3, each, 5)}));
    outer.add(loopAt(4, each));
    EXPECT_EQ(outer.repeated.size(), 2u);
}

TEST(Operations, OneTripOfEachLoopCountsLoopsWithinLoops) {
    Operations inner = operationsOf({{Operation::Integer, 2}});
    Operations outer = operationsOf({{Operation::Float32Add, 1}});
    outer.add(loopAt(5, inner, 3));
    Operations all = operationsOf({{Operation::Float32Add, 1}});
    all.add(loopAt(4, outer, 2));
    EXPECT_EQ(all.withLoopsOnce(), operationsOf({{Operation::Float32Add, 3}, {Operation::Integer, 12}}));
}

TEST(Operations, OneIsNotMany) {
    EXPECT_EQ(textOf(Operation::Float32Add, 1), "1 float32 addition");
    EXPECT_EQ(textOf(Operation::IntegerDivide, 2), "2 integer divisions");
}
