// tests/unit/runtime/simulator/atomic_test.cpp: CUDA's atomic operations, one by one and from two host threads at once.
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/platform.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <thread>

namespace {

template <class T> class Atomic : public testing::Test {};
using integers = testing::Types<int, unsigned int, unsigned long long>;
TYPED_TEST_SUITE(Atomic, integers);

TYPED_TEST(Atomic, ReturnsWhatWasThere) {
    using T = TypeParam;
    T x = 12;
    EXPECT_EQ(atomicAdd(&x, 5), T{12});
    EXPECT_EQ(x, T{17});
    EXPECT_EQ(atomicExch(&x, 6), T{17});
    EXPECT_EQ(atomicMin(&x, 9), T{6});
    EXPECT_EQ(x, T{6});
    EXPECT_EQ(atomicMin(&x, 4), T{6});
    EXPECT_EQ(atomicMax(&x, 3), T{4});
    EXPECT_EQ(x, T{4});
    EXPECT_EQ(atomicMax(&x, 14), T{4});
    EXPECT_EQ(atomicAnd(&x, 7), T{14});
    EXPECT_EQ(atomicOr(&x, 9), T{6});
    EXPECT_EQ(atomicXor(&x, 5), T{15});
    EXPECT_EQ(x, T{10});
    EXPECT_EQ(atomicCAS(&x, 11, 1), T{10});
    EXPECT_EQ(x, T{10});
    EXPECT_EQ(atomicCAS(&x, 10, 1), T{10});
    EXPECT_EQ(x, T{1});
}

TEST(Atomics, SumsWrapAround) {
    int x = INT_MAX;
    atomicAdd(&x, 1);
    EXPECT_EQ(x, INT_MIN);
    atomicSub(&x, 1);
    EXPECT_EQ(x, INT_MAX);
    unsigned int y = 2;
    EXPECT_EQ(atomicSub(&y, 3), 2U);
    EXPECT_EQ(y, UINT_MAX);
}

TEST(Atomics, SignedOrderIsNotUnsignedOrder) {
    long long x = -5;
    atomicMax(&x, 3);
    EXPECT_EQ(x, 3);
    atomicMin(&x, -7);
    EXPECT_EQ(x, -7);
    unsigned int y = 1;
    atomicMax(&y, 0x80000000);
    EXPECT_EQ(y, 0x80000000);
}

TEST(Atomics, FloatsAdd) {
    float x = 1.5f;
    EXPECT_EQ(atomicAdd(&x, 2), 1.5f);
    EXPECT_EQ(x, 3.5f);
    EXPECT_EQ(atomicExch(&x, 0.25f), 3.5f);
    double y = 0.1;
    atomicAdd(&y, 0.2);
    EXPECT_EQ(y, 0.1 + 0.2);
}

TEST(Atomics, CountersWrapAtTheirLimit) {
    unsigned int x = 0;
    for (const unsigned old : {0U, 1U, 2U, 0U}) EXPECT_EQ(atomicInc(&x, 2), old);
    x = 7;  // beyond the limit
    EXPECT_EQ(atomicInc(&x, 2), 7U);
    EXPECT_EQ(x, 0U);
    for (const unsigned old : {0U, 2U, 1U, 0U}) EXPECT_EQ(atomicDec(&x, 2), old);
    x = 7;
    EXPECT_EQ(atomicDec(&x, 2), 7U);
    EXPECT_EQ(x, 2U);
}

TEST(Atomics, HalfWordsCompareAndSwap) {
    unsigned short x = 3;
    EXPECT_EQ(atomicCAS(&x, 3, 9), 3);
    EXPECT_EQ(x, 9);
}

TEST(Atomics, HostThreadsDoNotLoseEachOthers) {
    unsigned long long sum = 0;
    float total = 0;
    const auto add = [&] {
        for (int i = 0; i < 100000; ++i) atomicAdd(&sum, 1), atomicAdd(&total, 1);
    };
    { std::jthread a(add), b(add); }
    EXPECT_EQ(sum, 200000U);
    EXPECT_EQ(total, 200000);
}

}  // namespace
