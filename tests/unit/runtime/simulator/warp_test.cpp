// tests/unit/runtime/simulator/warp_test.cpp: the operations of a warp, compared with plain loops.
#include "simulator/warp.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace {

using namespace foldwise::simulation;

/// The CUDA C++ Programming Guide's words: a group of `width` lanes behaves as a warp of its own.
unsigned expected_source(warp_operation shuffle, unsigned lane, unsigned argument, unsigned width) {
    const unsigned place = lane % width, start = lane - place;
    switch (shuffle) {
    case warp_operation::shuffle_up:
        return argument > place ? lane : lane - argument;
    case warp_operation::shuffle_down:
        return place + argument >= width ? lane : lane + argument;
    case warp_operation::shuffle_xor:
        // Lanes of earlier groups can be read, those of later ones not.
        return (lane ^ argument) >= start + width ? lane : lane ^ argument;
    default:
        return start + argument % width;
    }
}

TEST(Warp, ShufflesReadFromWhereTheGuideSays) {
    for (const auto shuffle : {warp_operation::shuffle, warp_operation::shuffle_up, warp_operation::shuffle_down,
                               warp_operation::shuffle_xor})
        for (int width = 1; width <= 32; width *= 2)
            for (unsigned argument = 0; argument < 32; ++argument)
                for (unsigned lane = 0; lane < 32; ++lane)
                    ASSERT_EQ(source_lane(shuffle, lane, argument, width),
                              expected_source(shuffle, lane, argument, static_cast<unsigned>(width)))
                        << name(shuffle) << " lane " << lane << " argument " << argument << " width " << width;
}

TEST(Words, BytesArePermutedAsTheGuideSays) {
    EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7531), 0x77553311u);
    EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x0246), 0x00224466u);
}

TEST(Warp, ASourceLaneCountsFromTheGroupsStartInEitherDirection) {
    EXPECT_EQ(source_lane(warp_operation::shuffle, 20, 9, 8), 17U);
    EXPECT_EQ(source_lane(warp_operation::shuffle, 20, static_cast<std::uint32_t>(-1), 8), 23U);
}

class InAWarp : public testing::Test {
  protected:
    InAWarp() {
        std::mt19937 random(1);
        for (contribution& one : brought) one.value = random() % 3;
    }

    void run(warp_operation operation, std::uint32_t lanes) {
        results.fill(untouched);
        cooperate(operation, lanes, brought, results);
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!takes_part(lanes, lane)) {
                ASSERT_EQ(results[lane], untouched) << "lane " << lane;
            }
        }
    }
    void expect_all(std::uint32_t lanes, std::uint64_t result) const {
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (takes_part(lanes, lane)) {
                ASSERT_EQ(results[lane], result) << "lane " << lane;
            }
        }
    }
    static bool takes_part(std::uint32_t lanes, unsigned lane) { return (lanes >> lane & 1) != 0; }

    static constexpr std::uint64_t untouched = 77;
    static constexpr std::uint32_t masks[] = {0xffffffff, 0x0000ffff, 0xaaaaaaaa, 0x80000001, 0x00000010, 0x7ffffffe};
    per_lane<contribution> brought;
    per_lane<std::uint64_t> results;
};

TEST_F(InAWarp, WhoTakesNoPartIsNotRead) {
    for (unsigned lane = 0; lane < 32; ++lane) brought[lane] = {100 + lane, 1, 32};
    run(warp_operation::shuffle_down, 0x0000000b);  // lanes 0, 1 and 3
    EXPECT_EQ(results[0], 101U);
    EXPECT_EQ(results[1], value_of_nobody);
    EXPECT_EQ(results[3], value_of_nobody);
}

TEST_F(InAWarp, EachMayHaveItsOwnWidthAndSource) {
    for (unsigned lane = 0; lane < 32; ++lane) brought[lane] = {lane, lane, lane < 16 ? 16 : 4};
    run(warp_operation::shuffle_xor, 0xffffffff);
    for (unsigned lane = 0; lane < 16; ++lane) EXPECT_EQ(results[lane], 0U);
    EXPECT_EQ(results[31], 0U);
}

TEST_F(InAWarp, Vote) {
    for (const std::uint32_t lanes : masks) {
        std::uint32_t ballot = 0;
        for (unsigned lane = 0; lane < 32; ++lane) ballot |= brought[lane].value != 0 ? 1U << lane : 0;
        ballot &= lanes;
        run(warp_operation::ballot, lanes);
        expect_all(lanes, ballot);
        run(warp_operation::any, lanes);
        expect_all(lanes, ballot != 0);
        run(warp_operation::all, lanes);
        expect_all(lanes, ballot == lanes);
    }
}

TEST_F(InAWarp, VotesOfAllAndNone) {
    for (contribution& one : brought) one.value = 1;
    run(warp_operation::all, 0x00ff00ff);
    expect_all(0x00ff00ff, 1);
    for (contribution& one : brought) one.value = 0;
    run(warp_operation::any, 0x00ff00ff);
    expect_all(0x00ff00ff, 0);
}

TEST_F(InAWarp, Match) {
    for (const std::uint32_t lanes : masks) {
        run(warp_operation::match_any, lanes);
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!takes_part(lanes, lane)) continue;
            std::uint32_t same = 0;
            for (unsigned other = 0; other < 32; ++other)
                if (takes_part(lanes, other) && brought[other].value == brought[lane].value) same |= 1U << other;
            EXPECT_EQ(results[lane], same) << "lane " << lane;
        }
    }
    run(warp_operation::match_all, 0xffffffff);
    expect_all(0xffffffff, 0);
    for (contribution& one : brought) one.value = 5;
    run(warp_operation::match_all, 0x0ff00000);
    expect_all(0x0ff00000, 0x0ff00000);
}

TEST_F(InAWarp, Reduce) {
    std::mt19937 random(2);
    for (contribution& one : brought) one.value = static_cast<std::uint32_t>(random());
    for (const std::uint32_t lanes : masks) {
        std::uint32_t sum = 0, all = ~0U, any = 0, odd = 0, least = ~0U, most = 0;
        std::int32_t least_signed = INT32_MAX, most_signed = INT32_MIN;
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!takes_part(lanes, lane)) continue;
            const auto value = static_cast<std::uint32_t>(brought[lane].value);
            const auto as_signed = static_cast<std::int32_t>(value);
            sum += value, all &= value, any |= value, odd ^= value;
            if (value < least) least = value;
            if (value > most) most = value;
            if (as_signed < least_signed) least_signed = as_signed;
            if (as_signed > most_signed) most_signed = as_signed;
        }
        const auto expect = [&](warp_operation operation, std::uint32_t result) {
            SCOPED_TRACE(name(operation));
            run(operation, lanes);
            expect_all(lanes, result);
        };
        expect(warp_operation::add, sum);
        expect(warp_operation::bit_and, all);
        expect(warp_operation::bit_or, any);
        expect(warp_operation::bit_xor, odd);
        expect(warp_operation::min_unsigned, least);
        expect(warp_operation::max_unsigned, most);
        expect(warp_operation::min_signed, static_cast<std::uint32_t>(least_signed));
        expect(warp_operation::max_signed, static_cast<std::uint32_t>(most_signed));
    }
}

TEST(Warp, NamesAreThoseThatKernelsWrite) {
    EXPECT_STREQ(name(warp_operation::sync), "__syncwarp");
    EXPECT_STREQ(name(warp_operation::shuffle_xor), "__shfl_xor_sync");
    EXPECT_STREQ(name(warp_operation::match_all), "__match_all_sync");
    EXPECT_STREQ(name(warp_operation::max_signed), "__reduce_max_sync");
    EXPECT_STREQ(name(warp_operation::bit_xor), "__reduce_xor_sync");
    EXPECT_STREQ(name(block_barrier::any), "__syncthreads_or");
}

}  // namespace
