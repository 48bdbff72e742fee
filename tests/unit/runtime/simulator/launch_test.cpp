// tests/unit/runtime/simulator/launch_test.cpp: grids, shared memory, what a launch refuses, and what it throws without
// leaving anything behind.
#define FOLDWISE_SIMULATOR 1
#include "../expect_error.hpp"
#include "../in_a_fork.hpp"

#include <foldwise/device/launch.hpp>
#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace device = foldwise::device_code;
using foldwise::device_error;

constexpr unsigned int all_lanes = 0xffffffff;

/// Sums of 256 elements each: shuffles, then the warps' sums through shared memory.
template <class T> __global__ void sum_blocks(const T* in, T* sums) {
    __shared__ T partial[8];
    T x = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned lanes = 16; lanes > 0; lanes /= 2) x += __shfl_down_sync(all_lanes, x, lanes);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 8; ++warp) x += partial[warp];
        sums[blockIdx.x] = x;
    }
}

void expect_sums() {
    std::vector<int> in(20 * 256), sums(20);
    std::iota(in.begin(), in.end(), 0);
    ASSERT_EQ(foldwise::simulation::launch_with_barriers(sum_blocks<int>, 20, 256, 0, nullptr, in.data(), sums.data()),
              0);
    for (int block = 0; block < 20; ++block)
        ASSERT_EQ(sums[static_cast<std::size_t>(block)], 256 * 256 * block + 255 * 128);
}

TEST(Launch, SumsBlocks) { expect_sums(); }

/// The last block to finish adds up what all have left, in one launch; the ticket is ready for the next one.
__global__ void sum_all(const int* in, int* partials, unsigned int* ticket, int* total) {
    __shared__ bool is_last;
    const int count = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = count;
        __threadfence();
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        *total = 0;
        for (unsigned block = 0; block < gridDim.x; ++block) *total += partials[block];
    }
}

TEST(Launch, TheLastBlockHandsOver) {
    std::vector<int> in(33 * 64, 1), partials(33);
    unsigned int ticket = 0;
    for (int launches = 0; launches < 3; ++launches) {
        int total = -1;
        foldwise::simulation::launch_with_barriers(sum_all, 33, 64, 0, nullptr, in.data(), partials.data(), &ticket,
                                                   &total);
        EXPECT_EQ(total, 33 * 64);
        EXPECT_EQ(ticket, 0U);
    }
}

TEST(Launch, GridsAndBlocksHaveThreeAxes) {
    const dim3 grid{3, 2, 4}, block{5, 3, 2};
    std::vector<int> visits(grid.count() * block.count());
    const auto kernel = +[](int* to) {
        __syncthreads();
        const unsigned in_grid = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        ++to[in_grid * 30 + in_block];
    };
    EXPECT_EQ(foldwise::simulation::launch_with_barriers(kernel, grid, block, 0, nullptr, visits.data()), 0);
    for (const int visit : visits) ASSERT_EQ(visit, 1);
}

__global__ void reverse(int* values) {
    int* const shared = device::dynamic_shared<int>();
    shared[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

TEST(Launch, GivesDynamicSharedMemory) {
    std::vector<int> values(700);
    std::iota(values.begin(), values.end(), 0);
    foldwise::simulation::launch_with_barriers(reverse, 1, 700, 700 * sizeof(int), nullptr, values.data());
    for (int i = 0; i < 700; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], 699 - i);
    void* memory = &values;
    foldwise::simulation::launch_with_barriers(
        +[](void** to) { *to = device::dynamic_shared<int>(); }, 1, 1, 0, nullptr, &memory);
    EXPECT_EQ(memory, nullptr);
}

TEST(Launch, RefusesWhatCudaRefuses) {
    const auto kernel = +[] { FAIL() << "was launched"; };
    constexpr int invalid_value = 1, invalid_configuration = 9;
    const auto status = [&](dim3 grid, dim3 block, std::size_t shared = 0) {
        return foldwise::simulation::launch_with_barriers(kernel, grid, block, shared, nullptr);
    };
    EXPECT_EQ(status(0, 32), invalid_configuration);
    EXPECT_EQ(status(1, 0), invalid_configuration);
    EXPECT_EQ(status(1, 1025), invalid_configuration);
    EXPECT_EQ(status(1, {32, 33}), invalid_configuration);
    EXPECT_EQ(status(1, {1, 1, 65}), invalid_configuration);
    EXPECT_EQ(status({1, 65536}, 1), invalid_configuration);
    EXPECT_EQ(status(1, 1, 300000), invalid_value);
}

std::string at_line(int line) { return __FILE__ + (":" + std::to_string(line)); }

/// The whole message of what a launch throws.
template <class Launch> std::string thrown_by(Launch launch) {
    try {
        launch();
    } catch (const device_error& e) {
        return e.what();
    }
    return "nothing";
}

TEST(Stuck, ABarrierThatSomeHaveNotReached) {
    constexpr int line = __LINE__ + 3;
    const auto kernel = +[] {
        if (threadIdx.x >= 96) return;
        __syncthreads();
    };
    const std::string thrown =
        thrown_by([&] { foldwise::simulation::launch_with_barriers(kernel, 4, 128, 0, nullptr); });
    EXPECT_EQ(thrown, "simulator: divergent barrier in block (0,0,0)\n"
                      "  (0,0,0) to (95,0,0) in __syncthreads at " +
                          at_line(line) +
                          "\n"
                          "  (96,0,0) to (127,0,0) ended");
    expect_sums();
}

TEST(Stuck, TwoBarriers) {
    constexpr int first = __LINE__ + 3, second = first + 2;
    const auto kernel = +[] {
        if (blockIdx.y == 0 || threadIdx.y != 1) {
            __syncthreads();
        } else {
            __syncthreads();
        }
    };
    const std::string thrown = thrown_by([&] {
        foldwise::simulation::launch_with_barriers(kernel, {1, 2}, {2, 3}, 0, nullptr);
    });
    EXPECT_EQ(thrown, "simulator: divergent barrier in block (0,1,0)\n"
                      "  (0,0,0) to (1,0,0) in __syncthreads at " +
                          at_line(first) +
                          "\n"
                          "  (0,1,0) to (1,1,0) in __syncthreads at " +
                          at_line(second) +
                          "\n"
                          "  (0,2,0) to (1,2,0) in __syncthreads at " +
                          at_line(first));
    expect_sums();
}

TEST(Stuck, TwoKindsOfBarrierInOneLine) {
    expect_error<device_error>(
        [] {
            foldwise::simulation::launch_with_barriers(
                +[] { threadIdx.x != 0 ? __syncthreads_or(1) : __syncthreads_and(1); }, 1, 2, 0, nullptr);
        },
        "(0,0,0) in __syncthreads_and at ", "(1,0,0) in __syncthreads_or at ");
}

TEST(Stuck, AShuffleThatALaneDoesNotReach) {
    expect_error<device_error>(
        [] {
            foldwise::simulation::launch_with_barriers(
                +[] {
                    if (threadIdx.x != 7) __shfl_xor_sync(all_lanes, 1, 1);
                    __syncthreads();
                },
                1, 32, 0, nullptr);
        },
        "divergent barrier in block (0,0,0)", "(0,0,0) to (6,0,0) in __shfl_xor_sync of lanes 0xffffffff at ",
        "(7,0,0) in __syncthreads at ");
    expect_sums();
}

TEST(Stuck, LanesThatDisagreeOnTheMask) {
    expect_error<device_error>(
        [] {
            foldwise::simulation::launch_with_barriers(
                +[] {
                    if (threadIdx.x != 31) __syncwarp(threadIdx.x == 0 ? 0xffffffff : 0x7fffffff);
                },
                1, 32, 0, nullptr);
        },
        "(0,0,0) in __syncwarp of lanes 0xffffffff at ", "(1,0,0) to (30,0,0) in __syncwarp of lanes 0x7fffffff at ",
        "(31,0,0) ended");
}

TEST(Mistakes, ALaneOutsideOfItsOwnMask) {
    constexpr int line = __LINE__ + 1;
    const auto kernel = +[] { __ballot_sync(0x0000ffff, 1); };
    const std::string thrown =
        thrown_by([&] { foldwise::simulation::launch_with_barriers(kernel, 1, 32, 0, nullptr); });
    EXPECT_EQ(thrown, "simulator: __ballot_sync with the mask 0x0000ffff, which leaves out the lane itself, in thread "
                      "(16,0,0) of block (0,0,0) at " +
                          at_line(line));
    expect_sums();
}

TEST(Mistakes, AWidthThatIsNoPowerOfTwo) {
    for (const int width : {0, -8, 12, 64}) {
        expect_error<device_error>(
            [&] {
                foldwise::simulation::launch_with_barriers(
                    +[](int lanes) { __shfl_down_sync(all_lanes, 1.0f, 1, lanes); }, 1, 32, 0, nullptr, width);
            },
            "__shfl_down_sync with the width " + std::to_string(width) + ", which is no power of two up to 32");
    }
}

TEST(Mistakes, ABarrierInAKernelLaunchedWithout) {
    expect_error<device_error>(
        [] {
            foldwise::simulation::launch(
                +[] { __syncthreads(); }, 1, 32, nullptr);
        },
        "__syncthreads at ", "outside of a kernel that was launched with barriers");
}

TEST(Mistakes, AKernelThatLaunchesOne) {
    expect_error<device_error>(
        [] {
            foldwise::simulation::launch_with_barriers(
                +[] {
                    foldwise::simulation::launch_with_barriers(
                        +[] {}, 1, 1, 0, nullptr);
                },
                1, 1, 0, nullptr);
        },
        "a kernel launches another one");
    expect_sums();
}

TEST(Exceptions, LeaveTheLaunchAndReleaseWhatTheOthersHold) {
    static int alive;
    struct guard {
        guard() { atomicAdd(&alive, 1); }
        ~guard() { atomicSub(&alive, 1); }
    };
    const auto kernel = +[] {
        const guard held;
        __syncwarp();
        __syncthreads();
        if (threadIdx.x == 70) throw std::runtime_error("thread 70");
        __syncthreads();
    };
    expect_error<std::runtime_error>([&] { foldwise::simulation::launch_with_barriers(kernel, 2, 128, 0, nullptr); },
                                     "thread 70");
    EXPECT_EQ(alive, 0);
    expect_sums();
}

TEST(Soak, HostThreadsTakeTurns) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int launches = 0; launches < 20; ++launches) expect_sums();
        });
    }
}

TEST(Soak, ManyLaunchesKeepNothing) {
    const auto stuck = +[] {
        if (threadIdx.x != 0) __syncthreads();
    };
    const auto launch_both = [&] {
        expect_sums();
        EXPECT_THROW(foldwise::simulation::launch_with_barriers(stuck, 1, 64, 100, nullptr), device_error);
    };
    for (int warming_up = 0; warming_up < 10; ++warming_up) launch_both();
    const std::size_t before = mallinfo2().uordblks;
    for (int launches = 0; launches < 100; ++launches) launch_both();
    EXPECT_EQ(mallinfo2().uordblks, before);
}

TEST(Launch, ForkedProcessesRunGridsWhateverOtherThreadsDo) {
    std::atomic<bool> ends = false;
    std::thread other([&] {
        while (!ends) expect_sums();
    });
    for (int i = 0; i < 20 && !HasFailure(); ++i) {
        EXPECT_TRUE(in_a_fork([] {
            expect_sums();
            return !testing::Test::HasFailure();
        }));
    }
    ends = true;
    other.join();
    expect_sums();
}

}  // namespace
