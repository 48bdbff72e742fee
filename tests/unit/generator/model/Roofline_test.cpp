// tests/unit/generator/model/Roofline_test.cpp: lower bounds of times, by memory and by arithmetic.
#include "model/Roofline.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static Operations counted(const std::vector<OperationCount>& counts) {
    Operations operations;
    for (const OperationCount& c : counts) operations.add(c.operation, c.count);
    return operations;
}

static double onPipe(const std::vector<OperationCount>& counts, Pipe pipe) {
    return pipeResults(counted(counts))[static_cast<std::size_t>(pipe)];
}

/// Ten multiprocessors at 1 GHz, a gigabyte per second.
static const Gpu gpu{"test", "Test", 1e9, 10, 1e9, {100, 50, 20, 10, 5, 1}};

TEST(Roofline, AnAdditionAndAMultiplicationFuse) {
    EXPECT_EQ(onPipe({{Operation::Float32Add, 3}, {Operation::Float32Multiply, 2}}, Pipe::Float32), 3);
    EXPECT_EQ(onPipe({{Operation::Float64Add, 1}, {Operation::Float64Multiply, 4}}, Pipe::Float64), 4);
    // Not across types.
    EXPECT_EQ(onPipe({{Operation::Float32Add, 1}, {Operation::Float64Multiply, 1}}, Pipe::Float32), 1);
}

TEST(Roofline, ComplexOperationsTakeSeveralPipes) {
    EXPECT_EQ(onPipe({{Operation::Float32Function, 2}}, Pipe::Float32), 12);
    EXPECT_EQ(onPipe({{Operation::Float32Function, 2}}, Pipe::Special), 2);
    EXPECT_EQ(onPipe({{Operation::Float32Compare, 2}}, Pipe::Integer), 2);
    EXPECT_EQ(onPipe({{Operation::Call, 9}}, Pipe::Float32), 0);
}

TEST(Roofline, TwoFunctionsOrALoopTakeLong) {
    EXPECT_FALSE(takesLong(counted({{Operation::Float32Add, 9}, {Operation::Float32Divide, 1}})));
    EXPECT_FALSE(takesLong(counted({{Operation::Float32Function, 1}, {Operation::Convert, 2}})));
    EXPECT_TRUE(takesLong(counted({{Operation::Float32Function, 2}, {Operation::Convert, 2}})));
    EXPECT_TRUE(takesLong(counted({{Operation::Float64Function, 1}, {Operation::Float64Add, 1}})));
}

TEST(Roofline, DivisionsAndFunctionsMayBranch) {
    EXPECT_FALSE(mayBranch(counted({{Operation::Float32Add, 9}, {Operation::IntegerDivide, 1}})));
    EXPECT_TRUE(mayBranch(counted({{Operation::Float32Add, 9}, {Operation::Float32Divide, 1}})));
    EXPECT_TRUE(mayBranch(counted({{Operation::Float64Function, 1}})));
    Repetition loop;
    loop.each = counted({{Operation::Float32Add, 1}});
    Operations looped;
    looped.add(loop);
    EXPECT_TRUE(mayBranch(looped));
}

TEST(Roofline, MemoryIsBytesOverBandwidth) {
    const Roofline found = roofline(gpu, 12, {});
    EXPECT_DOUBLE_EQ(found.memorySeconds, 12e-9);
    EXPECT_EQ(found.arithmeticSeconds, 0);
    EXPECT_TRUE(found.memoryBound());
    EXPECT_DOUBLE_EQ(found.seconds(), 12e-9);
}

TEST(Roofline, TheSlowestPipeBounds) {
    // 1000 integer results at 20 * 10 * 1e9 per second; the float32 ones take a tenth of that.
    const Roofline found = roofline(gpu, 1, counted({{Operation::Integer, 1000}, {Operation::Float32Add, 500}}));
    EXPECT_EQ(found.pipe, Pipe::Integer);
    EXPECT_FALSE(found.issueBound);
    EXPECT_DOUBLE_EQ(found.arithmeticSeconds, 5e-9);
    EXPECT_FALSE(found.memoryBound());
    EXPECT_DOUBLE_EQ(found.seconds(), 5e-9);
}

TEST(Roofline, FourSchedulersIssue128LanesPerClock) {
    const Gpu wide{"wide", "Wide", 1e9, 1, 1e9, {128, 128, 128, 128, 128, 128}};
    const Roofline found = roofline(wide, 0, counted({{Operation::Float32Add, 128}, {Operation::Integer, 128}}));
    EXPECT_TRUE(found.issueBound);
    EXPECT_DOUBLE_EQ(found.arithmeticSeconds, 2e-9);
}

TEST(Roofline, LoopsOfUnknownTripsCountOnce) {
    const Repetition loop{RepetitionKind::Loop, {"a.cpp", 1}, 2, counted({{Operation::Integer, 10}})};
    Operations operations;
    operations.add(loop);
    EXPECT_EQ(pipeResults(operations)[static_cast<std::size_t>(Pipe::Integer)], 20);
}

TEST(Roofline, TheLongestLimitBinds) {
    const Roofline found = roofline(gpu, 1, counted({{Operation::Integer, 1000}}));  // 1 and 5 ns per element
    const std::vector<Limit> many = limitsOf(found, 1'000'000);
    ASSERT_EQ(many.size(), 3u);
    EXPECT_EQ(many[0].kind, LimitKind::Arithmetic);
    EXPECT_DOUBLE_EQ(many[0].seconds, 5e-3);
    EXPECT_EQ(many[1].kind, LimitKind::Memory);
    EXPECT_DOUBLE_EQ(many[1].seconds, 1e-3);
    EXPECT_EQ(many[2].kind, LimitKind::Latency);
    EXPECT_EQ(limitsOf(found, 10)[0].kind, LimitKind::Latency);
    EXPECT_EQ(limitsOf(roofline(gpu, 1, {}), 10).size(), 2u) << "no arithmetic, no limit";
    EXPECT_DOUBLE_EQ(atomicSeconds(gpu, 1'000'000), 1e-3);
}
