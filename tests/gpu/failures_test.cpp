// tests/gpu/failures_test.cpp: every call of CUDA's runtime library fails, one after the other, and every allocation on
// the heap, in a program with calls of all kinds. Each then throws what is documented, leaks nothing, leaves CUDA's
// last error as it was, and the next one is right. Needs a GPU.
#include "cuda_failures.hpp"
#include "failures_scenario.hpp"
#include "heap.hpp"
#include "on_gpu.hpp"
#include "result_slots.hpp"
#include "transfer_ring.hpp"

#include <foldwise/error.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <new>
#include <optional>
#include <string>

namespace {

using failures::own_work;
using failures::results;
using failures::scenario;

/// What is in use: of the pool that arrays come from by default, and of CUDA's objects.
std::map<std::string, std::int64_t> in_use() {
    const own_work mine;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    auto all = interpose::cuda_objects();
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = 0;
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes), cudaSuccess);
    all["bytes of the pool"] = static_cast<std::int64_t>(bytes);
    return all;
}

enum class ending { none, out_of_memory, device_error, bad_alloc, other };

struct outcome {
    ending how = ending::none;
    std::string error;
    std::optional<results> made;
};

template <class Stop> outcome run(const scenario& calls, const Stop& stop) {
    outcome found;
    const auto ended = [&](ending how, const char* what) {
        stop();
        found.how = how;
        found.error = what;
    };
    try {
        found.made.emplace(calls.calculate(true));
        stop();
    } catch (const foldwise::out_of_memory& e) {
        ended(ending::out_of_memory, e.what());
    } catch (const foldwise::device_error& e) {
        ended(ending::device_error, e.what());
    } catch (const std::bad_alloc& e) {
        ended(ending::bad_alloc, e.what());
    } catch (const std::exception& e) {
        ended(ending::other, e.what());
    }
    return found;
}

class Failures : public on_gpu {
  protected:
    void SetUp() override {
        on_gpu::SetUp();
        if (IsSkipped()) return;
        calls_.emplace();
        right_ = calls_->calculate(false);
        for (int i = 0; i < 3; ++i) {
            forget();
            ASSERT_EQ(calls_->calculate(true), right_);
        }
        before_ = in_use();
    }

    /// What calls keep for the next ones is to be made anew, but for the streams' workspaces.
    static void forget() {
        const own_work mine;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        foldwise::detail::clear_rings();
        foldwise::detail::clear_result_slots(foldwise::detail::cuda_device());
    }

    void expect_nothing_left() {
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "CUDA's last error is not the caller's";
        EXPECT_EQ(foldwise::default_resource(foldwise::memory::cuda), foldwise::stream_ordered_memory());
        for (const auto& [what, number] : in_use()) EXPECT_LE(number, before_[what]) << what << " were leaked";
        forget();
        EXPECT_EQ(calls_->calculate(true), right_) << "the next calls are wrong";
        EXPECT_EQ(in_use(), before_);
    }

    std::uint64_t fail_each_cuda_call(int status, bool only_allocations) {
        std::map<std::string, int> survived;
        for (std::uint64_t n = 0;; ++n) {
            forget();
            interpose::failing_cuda failing({n, status, only_allocations});
            const outcome found = run(*calls_, [&] { failing.stop(); });
            const std::string function = failing.failed();
            SCOPED_TRACE("call " + std::to_string(n) + ", " + function + ": " + found.error);
            if (function.empty()) {
                EXPECT_EQ(found.how, ending::none);
                for (const auto& [name, times] : survived)
                    std::cout << name << " failed " << times << " times and was not needed\n";
                return n;
            }
            if (found.how == ending::none) {
                EXPECT_EQ(found.made, right_);
                ++survived[function];
            } else if (status == cudaErrorMemoryAllocation) {
                EXPECT_EQ(found.how, ending::out_of_memory);
            } else {
                EXPECT_TRUE(found.how == ending::device_error || found.how == ending::out_of_memory);
            }
            expect_nothing_left();
            if (HasFailure()) return n;
        }
    }

    std::uint64_t fail_each_allocation(std::uint64_t failing_count) {
        for (std::uint64_t n = 0;; ++n) {
            SCOPED_TRACE("allocation " + std::to_string(n));
            forget();
            std::uint64_t numbered = 0;
            {
                interpose::failing_heap failing(
                    {.first = n, .count = failing_count, .is_exempt = own_work::is_under_way});
                const outcome found = run(*calls_, [&] { numbered = failing.stop(); });
                if (numbered <= n) {
                    EXPECT_EQ(found.made, right_) << found.error;
                    return n;
                }
                // What has no memory for its message either is the plain std::bad_alloc.
                EXPECT_TRUE(found.how == ending::out_of_memory || (failing_count > 1 && found.how == ending::bad_alloc))
                    << found.error;
            }
            expect_nothing_left();
            if (HasFailure()) return n;
        }
    }

    std::optional<scenario> calls_;
    results right_;
    std::map<std::string, std::int64_t> before_;
};

TEST_F(Failures, OfWhatAllocates) {
    const std::uint64_t points = fail_each_cuda_call(cudaErrorMemoryAllocation, true);
    EXPECT_GT(points, 50u);
    std::cout << points << " of CUDA's calls that allocate or launch failed, for want of memory, one by one\n";
}

TEST_F(Failures, OfAllCallsOfCuda) {
    const std::uint64_t points = fail_each_cuda_call(cudaErrorLaunchFailure, false);
    EXPECT_GT(points, 150u);
    std::cout << points << " of CUDA's calls failed, one by one\n";
}

TEST_F(Failures, OfOneAllocationOnTheHeap) {
    const std::uint64_t points = fail_each_allocation(1);
    EXPECT_GT(points, 30u);
    std::cout << points << " allocations on the heap failed, one by one\n";
}

TEST_F(Failures, OfAllAllocationsOnTheHeapFromOneOn) {
    const std::uint64_t points = fail_each_allocation(UINT64_MAX);
    EXPECT_GT(points, 30u);
    std::cout << points << " allocations on the heap failed, each with all that would have followed\n";
}

// What a program asks CUDA only once has to fail in a program of its own, which the test below starts for each call.

constexpr const char* call_of_child = "FOLDWISE_FAILING_CALL";
constexpr int all_right = 0, no_such_call = 3;

/// Exits with one of these; or with 1, having said why.
[[noreturn]] void fail_one_of_the_first_calls(const std::string& number_and_status) {
    const std::size_t colon = number_and_status.find(':');
    const std::uint64_t number = std::stoull(number_and_status.substr(0, colon));
    const int status = std::stoi(number_and_status.substr(colon + 1));
    const auto wrong = [&](const std::string& why) {
        std::cout << "call " << number << ", status " << status << ": " << why << std::endl;
        std::_Exit(1);
    };
    std::string function, error;
    std::optional<std::uint32_t> total;
    std::optional<scenario> calls;
    {
        interpose::failing_cuda failing({UINT64_MAX, status});
        const own_work mine;
        calls.emplace();
    }
    {
        interpose::failing_cuda failing({number, status});
        try {
            total = calls->first_calls();
        } catch (const foldwise::out_of_memory& e) {
            error = e.what();
        } catch (const foldwise::device_error& e) {
            error = e.what();
        } catch (const std::exception& e) {
            wrong(std::string("another type was thrown: ") + e.what());
        }
        failing.stop();
        function = failing.failed();
    }
    std::cout << function << ": " << error << std::endl;
    if (cudaPeekAtLastError() != cudaSuccess) wrong("CUDA's last error is not the caller's");
    const std::uint32_t again = calls->first_calls();
    if (again != calls->first_calls()) wrong("the next calls differ");
    if (total && *total != again) wrong("nothing was thrown, and the result is wrong");
    std::_Exit(function.empty() ? no_such_call : all_right);
}

TEST(FirstCalls, Child) {
    const char* const call = std::getenv(call_of_child);
    if (!call) GTEST_SKIP() << "FirstCalls.FailOneByOne starts this";
    fail_one_of_the_first_calls(call);
}

TEST_F(on_gpu, FirstCallsFailOneByOne) {
    char self[4096] = {};
    ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    int points = 0;
    for (const int status : {static_cast<int>(cudaErrorMemoryAllocation), static_cast<int>(cudaErrorUnknown)}) {
        for (int n = 0;; ++n) {
            const std::string command = std::string(call_of_child) + "=" + std::to_string(n) + ":" +
                                        std::to_string(status) + " '" + self + "' --gtest_filter=FirstCalls.Child";
            const int ended = std::system(command.c_str());
            ASSERT_TRUE(WIFEXITED(ended)) << "call " << n << " ended the program";
            if (WEXITSTATUS(ended) == no_such_call) break;
            ASSERT_EQ(WEXITSTATUS(ended), all_right) << "call " << n << ", status " << status;
            ++points;
        }
    }
    EXPECT_GT(points, 20);
    std::cout << points << " of a program's first calls of CUDA failed, each in a program of its own\n";
}

}  // namespace
