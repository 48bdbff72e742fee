// tests/unit/runtime/simulator/cooperation_test.cpp: CUDA's intrinsics as kernels call them: types, masks, lanes that
// are missing or have ended, barriers that count.
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/launch.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

constexpr unsigned int all_lanes = 0xffffffff;

/// What each of the threads of one block returns.
template <class T, class Thread> std::vector<T> each(dim3 block, Thread thread) {
    std::vector<T> results(block.count());
    const auto kernel =
        +[](T* to, Thread* run) { to[threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)] = (*run)(); };
    EXPECT_EQ(foldwise::simulation::launch_with_barriers(kernel, 1, block, 0, nullptr, results.data(), &thread), 0);
    return results;
}

template <class T> class Shuffle : public testing::Test {};
using numbers = testing::Types<bool, char, std::int8_t, std::uint16_t, int, unsigned int, long, unsigned long,
                               long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(Shuffle, numbers);

TYPED_TEST(Shuffle, CarriesEachTypeWhole) {
    using T = TypeParam;
    static_assert(std::is_same_v<decltype(__shfl_sync(1, T{}, 0)), decltype(+T{})>);
    const auto value = [](unsigned lane) {
        if constexpr (sizeof(T) == 8)
            return static_cast<T>(1e15) / 3 + static_cast<T>(lane);  // bits in both halves
        else
            return static_cast<T>(lane * 3);
    };
    using result = decltype(+T{});
    const auto up = each<result>(32, [&] { return __shfl_up_sync(all_lanes, value(threadIdx.x), 3); });
    const auto down = each<result>(32, [&] { return __shfl_down_sync(all_lanes, value(threadIdx.x), 5, 16); });
    const auto flipped = each<result>(32, [&] { return __shfl_xor_sync(all_lanes, value(threadIdx.x), 9); });
    const auto last = each<result>(32, [&] { return __shfl_sync(all_lanes, value(threadIdx.x), -1, 8); });
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(up[lane], result{value(lane < 3 ? lane : lane - 3)});
        EXPECT_EQ(down[lane], result{value(lane % 16 + 5 > 15 ? lane : lane + 5)});
        EXPECT_EQ(flipped[lane], result{value(lane ^ 9)});
        EXPECT_EQ(last[lane], result{value(lane | 7)});
    }
}

TEST(Lanes, AreCountedThroughAllAxesOfABlock) {
    const auto first = each<unsigned>(
        {3, 5, 7}, [] { return __shfl_sync(all_lanes, threadIdx.x + 3 * (threadIdx.y + 5 * threadIdx.z), 0); });
    for (unsigned thread = 0; thread < first.size(); ++thread) EXPECT_EQ(first[thread], thread / 32 * 32);
}

TEST(Lanes, OfAPartlyFilledWarpDoNotWaitForTheRest) {
    const auto votes = each<unsigned>(40, [] { return __ballot_sync(all_lanes, threadIdx.x % 2); });
    EXPECT_EQ(votes[0], 0xaaaaaaaaU);
    EXPECT_EQ(votes[39], 0x000000aaU);
}

TEST(Lanes, DoNotWaitForThoseThatHaveEnded) {
    const auto sums = each<int>(64, [] {
        if (threadIdx.x % 4 == 3) return -1;
        return __reduce_add_sync(all_lanes, 1);
    });
    for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(sums[thread], thread % 4 == 3 ? -1 : 24);
}

TEST(Lanes, WaitForOneThatEndsLater) {
    const auto votes = each<unsigned>(32, [] {
        if (threadIdx.x == 31) {
            __syncwarp(0xc0000000);
            return 0U;
        }
        if (threadIdx.x == 30) __syncwarp(0xc0000000);
        return __ballot_sync(all_lanes, 1);
    });
    EXPECT_EQ(votes[0], 0x7fffffffU);
    EXPECT_EQ(votes[31], 0U);
}

TEST(Lanes, OfDifferentMasksMeetApart) {
    const auto votes = each<unsigned>(32, [] {
        const bool low = threadIdx.x < 12;
        unsigned int seen = 0;
        for (int round = 0; round < (low ? 5 : 3); ++round) seen = __ballot_sync(low ? 0xfff : 0xfffff000, 1);
        return seen;
    });
    EXPECT_EQ(votes[0], 0xfffU);
    EXPECT_EQ(votes[31], 0xfffff000U);
}

TEST(Lanes, MeetInDifferentLines) {
    const auto values = each<unsigned>(32, [] {
        if (threadIdx.x % 2 == 0) return __shfl_xor_sync(all_lanes, threadIdx.x, 1);
        return __shfl_xor_sync(all_lanes, threadIdx.x * 10, 1);
    });
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(values[lane], lane % 2 == 0 ? (lane + 1) * 10 : lane - 1);
}

TEST(Lanes, VoteAndMatch) {
    struct found {
        int all, any, all_same;
        unsigned same, both;
    };
    const auto results = each<found>(32, [] {
        const unsigned lane = threadIdx.x;
        found f{};
        f.all = __all_sync(all_lanes, lane < 32);
        f.any = __any_sync(all_lanes, lane == 17);
        f.same = __match_any_sync(all_lanes, lane % 2 ? 1.5 : 2.5);
        f.both = __match_all_sync(all_lanes, 4LL, &f.all_same);
        return f;
    });
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(results[lane].all, 1);
        EXPECT_EQ(results[lane].any, 1);
        EXPECT_EQ(results[lane].same, lane % 2 ? 0xaaaaaaaaU : 0x55555555U);
        EXPECT_EQ(results[lane].both, all_lanes);
        EXPECT_EQ(results[lane].all_same, 1);
    }
}

TEST(Lanes, Reduce) {
    EXPECT_EQ(each<int>(32, [] { return __reduce_min_sync(all_lanes, 3 - static_cast<int>(threadIdx.x)); })[5], -28);
    EXPECT_EQ(each<int>(32, [] { return __reduce_max_sync(all_lanes, 3 - static_cast<int>(threadIdx.x)); })[5], 3);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_max_sync(all_lanes, 3 - threadIdx.x); })[5], 0xffffffffU);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_min_sync(all_lanes, threadIdx.x + 8); })[5], 8U);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_add_sync(all_lanes, threadIdx.x); })[5], 496U);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_and_sync(all_lanes, threadIdx.x | 96); })[5], 96U);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_or_sync(all_lanes, threadIdx.x); })[5], 31U);
    EXPECT_EQ(each<unsigned>(32, [] { return __reduce_xor_sync(all_lanes, 1U << threadIdx.x); })[5], all_lanes);
}

TEST(Lanes, AreAloneInTheirActiveMask) {
    const auto masks = each<unsigned>({8, 8}, [] { return __activemask(); });
    for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(masks[thread], 1U << thread % 32);
}

TEST(Barriers, CountAndVote) {
    struct found {
        int count, all, any, none;
    };
    const auto results = each<found>(100, [] {
        const bool odd = threadIdx.x % 2;
        found f{};
        f.count = __syncthreads_count(odd ? 5 : 0);
        f.all = __syncthreads_and(odd);
        f.any = __syncthreads_or(threadIdx.x == 99);
        f.none = __syncthreads_or(0);
        f.all += 2 * __syncthreads_and(-1);
        return f;
    });
    for (const found& f : results) {
        EXPECT_EQ(f.count, 50);
        EXPECT_EQ(f.all, 2);
        EXPECT_EQ(f.any, 1);
        EXPECT_EQ(f.none, 0);
    }
}

TEST(Barriers, KeepTheThreadsInStep) {
    int arrived = 0;
    const auto early = each<int>(1024, [&] {
        int wrong = 0;
        for (int round = 1; round <= 10; ++round) {
            atomicAdd(&arrived, 1);
            __syncthreads();
            wrong += arrived != 1024 * round;
            __syncthreads();
        }
        return wrong;
    });
    for (const int wrong : early) EXPECT_EQ(wrong, 0);
}

}  // namespace
