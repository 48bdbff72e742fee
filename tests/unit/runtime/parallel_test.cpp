// tests/unit/runtime/parallel_test.cpp: work on threads that take the next item when they are free: each item runs
// once, and exceptions are passed on.
#include "parallel.hpp"

#include "in_a_fork.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace foldwise::detail;
using namespace std::chrono_literals;

namespace {

#ifdef _OPENMP
class InParallelByTurns : public testing::Test {
  protected:
    void SetUp() override { omp_set_num_threads(4); }
    void TearDown() override { omp_set_num_threads(before_); }

  private:
    const int before_ = omp_get_max_threads();
};
#else
class InParallelByTurns : public testing::Test {};
#endif

/// Whether `holds` returns true at least once within 20 seconds. For what depends on timing: on a busy machine, threads
/// are interrupted or come late.
template <class Holds> bool soon(const Holds& holds) {
    using steady = std::chrono::steady_clock;
    for (const auto late = steady::now() + 20s; steady::now() < late; std::this_thread::sleep_for(1ms))
        if (holds()) return true;
    return false;
}

}  // namespace

TEST_F(InParallelByTurns, EachItemComesOnce) {
    for (const std::int64_t count : {0, 1, 2, 3, 31, 32, 33, 1000, 100003}) {
        for (const auto pause : {0us, 30us}) {
            if (count > 1000 && pause > 0us) continue;
            std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
            in_parallel_by_turns(count, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
                if (pause > 0us) std::this_thread::sleep_for(pause);
            });
            std::int64_t wrong = 0;
            for (const auto& one : times) wrong += one != 1;
            EXPECT_EQ(wrong, 0) << count;
        }
    }
}

TEST_F(InParallelByTurns, ManyCheapItemsBeginWhereCacheLinesMay) {
    EXPECT_TRUE(soon([] {
        constexpr std::int64_t count = 10'000;
        std::mutex mutex;
        std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
        in_parallel_by_turns(count, [&](std::int64_t begin, std::int64_t end) {
            // The 256th item comes in a range of 128 that takes long.
            if (begin <= 255 && 255 < end) std::this_thread::sleep_for(1ms);
            const std::lock_guard lock(mutex);
            ranges.emplace_back(begin, end);
        });
        return std::ranges::all_of(ranges, [](const auto& range) {
            const auto [begin, end] = range;
            return begin < 256 || (begin % chunk_multiple == 0 && (end % chunk_multiple == 0 || end == count));
        });
    }));
}

TEST_F(InParallelByTurns, EachThreadHasOneRunThatEndsAfterItsLastRange) {
    for (const std::int64_t count : {0, 1, 100, 20'000}) {
        struct counting {
            std::atomic<std::int64_t>&done, &runs;
            std::thread::id thread = std::this_thread::get_id();
            std::int64_t own = 0;

            ~counting() {
                ++runs;
                done += own;
            }
            void operator()(std::int64_t begin, std::int64_t end) {
                EXPECT_EQ(thread, std::this_thread::get_id());
                own += end - begin;
                if (begin % 64 == 0) std::this_thread::sleep_for(10us);
            }
        };
        std::atomic<std::int64_t> done = 0, runs = 0;
        in_parallel_by_turns_of(count, [&] { return counting{done, runs}; });
        EXPECT_EQ(done, count);
        EXPECT_GE(runs, 1);
        EXPECT_LE(runs, most_threads());
    }
}

#ifdef _OPENMP
TEST_F(InParallelByTurns, TensOfMicrosecondsAreWorthOtherThreads) {
    const auto caller = std::this_thread::get_id();
    // One call alone may have others if it was interrupted, and none if they came late.
    EXPECT_TRUE(soon([&] {
        int shared = 0;
        for (int call = 0; call < 20; ++call) {
            std::atomic<int> others = 0;
            in_parallel_by_turns(20, [&](std::int64_t begin, std::int64_t end) {
                if (std::this_thread::get_id() != caller) ++others;
                for (const auto until = clock::now() + (end - begin) * 1us; clock::now() < until;) {
                }
            });
            shared += others > 0;
        }
        return shared >= 5;
    }));
}

TEST_F(InParallelByTurns, ASlowFirstItemDoesNotMakeTurnsSmall) {
    EXPECT_TRUE(soon([] {
        std::int64_t ranges = 0;
        std::mutex mutex;
        in_parallel_by_turns(100'000, [&](std::int64_t begin, std::int64_t) {
            if (begin == 0)
                for (const auto until = clock::now() + 10us; clock::now() < until;) {
                }
            const std::lock_guard lock(mutex);
            ++ranges;
        });
        return ranges < 1000;
    }));
}

TEST_F(InParallelByTurns, NobodyWaitsBehindASlowItem) {
    constexpr std::int64_t count = 400;
    std::atomic<std::int64_t> done = 0;
    bool others_are_done = false;
    in_parallel_by_turns(count, [&](std::int64_t begin, std::int64_t end) {
        EXPECT_EQ(end, begin + 1) << "an item that takes long is a turn";
        std::this_thread::sleep_for(50us);
        if (begin == 40) {
            const auto late = clock::now() + 20s;
            while (done < count - 1 && clock::now() < late) std::this_thread::sleep_for(1ms);
            others_are_done = done == count - 1;
        }
        ++done;
    });
    EXPECT_TRUE(others_are_done);
}
#endif

TEST_F(InParallelByTurns, WhatIsThrownArrives) {
    for (const std::int64_t wrong : {0, 3, 250}) {
        const auto begun_before_it_throws = [=] {
            std::atomic<std::int64_t> begun = 0;
            EXPECT_THROW(in_parallel_by_turns(100'000,
                                              [&](std::int64_t begin, std::int64_t end) {
                                                  ++begun;
                                                  if (begin <= wrong && wrong < end) throw std::runtime_error("wrong");
                                                  std::this_thread::sleep_for(50us);
                                              }),
                         std::runtime_error);
            return begun.load();
        };
        EXPECT_TRUE(soon([&] { return begun_before_it_throws() < 1000; })) << "the others went on";
    }
}

#ifdef _OPENMP

namespace {

/// Whether items that wait for each other all come, which takes a thread for each of them.
bool has_threads(int threads) {
    omp_set_num_threads(threads);  // which each thread of the program says for itself
    std::atomic<int> there = 0;
    std::atomic<bool> is_late = false;
    each_in_parallel(threads, threads, [&](std::int64_t begin, std::int64_t end) {
        there += static_cast<int>(end - begin);
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (there < threads && !is_late) {
            std::this_thread::yield();
            if (std::chrono::steady_clock::now() >= deadline) is_late = true;
        }
    });
    return !is_late;
}

}  // namespace

TEST_F(InParallelByTurns, ForkedProcessesHaveThreadsOfTheirOwn) {
    ASSERT_TRUE(has_threads(4));
    EXPECT_TRUE(in_a_fork([] { return has_threads(4) && in_a_fork([] { return has_threads(4); }); }));
    EXPECT_TRUE(has_threads(4)) << "the process that forked has lost its own";
    std::thread([] {
        EXPECT_TRUE(has_threads(4));
        EXPECT_TRUE(in_a_fork([] { return has_threads(4); }));
        EXPECT_TRUE(has_threads(4));
    }).join();
}

TEST_F(InParallelByTurns, ProcessesForkedByAThreadOfATeamHaveOne) {
    std::atomic<bool> works = false;
    each_in_parallel(2, 2, [&](std::int64_t begin, std::int64_t) {
        if (begin == 0)
            works = in_a_fork([] {
                std::int64_t done = 0;
                in_parallel_by_turns(1000, [&](std::int64_t first, std::int64_t end) { done += end - first; });
                return done == 1000;
            });
    });
    EXPECT_TRUE(works);
}

#endif
