// tests/unit/runtime/device/launch_test.cpp: launches of kernels that were compiled for older and newer GPUs, errors
// that remain afterwards, and errors of checked kernels.
#include "fake_cuda_runtime.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define FILE_WITH_A_KERNEL(name)                                                                                       \
    namespace name {                                                                                                   \
    const void* address();                                                                                             \
    int launch(CUstream_st* stream);                                                                                   \
    }
FILE_WITH_A_KERNEL(for_75)
FILE_WITH_A_KERNEL(for_90)
FILE_WITH_A_KERNEL(for_both)
FILE_WITH_A_KERNEL(for_both_too)
FILE_WITH_A_KERNEL(checked)
FILE_WITH_A_KERNEL(checked_too)

TEST(Launch, OfKernelsWithoutTheWaitNeverOverlaps) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    cuda.architectures = {{0, 75}};  // on whatever GPU
    for (int i = 0; i < 3; ++i) EXPECT_EQ(for_75::launch(nullptr), cudaSuccess);
    ASSERT_EQ(cuda.launches.size(), 3u);
    for (const auto& one : cuda.launches) EXPECT_FALSE(one.overlaps);
    EXPECT_EQ(cuda.launches[0].kernel, for_75::address());
    EXPECT_EQ(cuda.kernels_asked + cuda.devices_asked, 0);
}

TEST(Launch, OfKernelsWithTheWaitAlwaysOverlaps) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    cuda.architectures = {{0, 90}};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(for_90::launch(nullptr), cudaSuccess);
    ASSERT_EQ(cuda.launches.size(), 3u);
    for (const auto& one : cuda.launches) EXPECT_TRUE(one.overlaps);
    EXPECT_EQ(cuda.kernels_asked + cuda.devices_asked, 0);
}

TEST(Launch, OfKernelsForBothOverlapsOnTheGpusThatRunTheOneWithTheWait) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    cuda.architectures = {{0, 90}, {1, 75}, {2, 100}, {3, 80}};
    const std::vector<bool> expected{true, false, true, false};
    for (int i = 0; i < 3; ++i) {
        for (cuda.device = 0; cuda.device < 4; ++cuda.device) {
            EXPECT_EQ(for_both::launch(nullptr), cudaSuccess);
            EXPECT_EQ(cuda.launches.back().overlaps, expected[static_cast<std::size_t>(cuda.device)]) << cuda.device;
        }
    }
    EXPECT_EQ(cuda.kernels_asked, 4) << "each GPU is asked about once";
    // Devices past those that are remembered.
    cuda.architectures[1000] = 75;
    cuda.architectures[1001] = 90;
    cuda.device = 1000;
    EXPECT_EQ(for_both::launch(nullptr), cudaSuccess);
    EXPECT_FALSE(cuda.launches.back().overlaps);
    cuda.device = 1001;
    EXPECT_EQ(for_both::launch(nullptr), cudaSuccess);
    EXPECT_TRUE(cuda.launches.back().overlaps);
}

TEST(Launch, OneFileDoesNotAnswerForAnother) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    cuda.device = 7;
    cuda.architectures = {{7, 90}};
    EXPECT_EQ(for_both::launch(nullptr), cudaSuccess);
    EXPECT_TRUE(cuda.launches.back().overlaps);
    cuda.architectures = {{7, 75}};  // the other file has no 90 for it
    EXPECT_EQ(for_both_too::launch(nullptr), cudaSuccess);
    EXPECT_FALSE(cuda.launches.back().overlaps);
    EXPECT_EQ(for_75::launch(nullptr), cudaSuccess);
    EXPECT_FALSE(cuda.launches.back().overlaps);
    EXPECT_EQ(for_90::launch(nullptr), cudaSuccess);
    EXPECT_TRUE(cuda.launches.back().overlaps);
}

TEST(Launch, ThatFailsLeavesNoErrorBehindAndNoOtherTakesOneAway) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    for (const auto launch : {for_75::launch, for_90::launch, checked::launch}) {
        cuda.status_of_launch = cudaErrorInvalidConfiguration;
        EXPECT_EQ(launch(nullptr), cudaErrorInvalidConfiguration);
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "the caller would take it for one of its own";
    }
    // A GPU that there is no code for: the launch says so.
    cuda.device = 9;
    cuda.status_of_launch = cudaErrorNoKernelImageForDevice;
    EXPECT_EQ(for_both::launch(nullptr), cudaErrorNoKernelImageForDevice);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);

    cuda.status_of_launch = cudaErrorLaunchOutOfResources;
    EXPECT_NE(cudaLaunchKernelExC(nullptr, nullptr, nullptr), cudaSuccess);  // the caller's own
    for (const auto launch : {for_75::launch, for_90::launch, checked::launch}) EXPECT_EQ(launch(nullptr), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchOutOfResources);
}

TEST(Launch, EachFileTellsItsOwnMistakes) {
    fake_cuda_runtime& cuda = new_fake_cuda_runtime();
    const auto told_by = [&](int (*launch)(CUstream_st*), const char* text) {
        cuda.finds.kind = foldwise::detail::mistake::failure;
        std::strcpy(cuda.finds.text, text);
        try {
            EXPECT_EQ(launch(nullptr), cudaSuccess);
        } catch (const foldwise::detail::check_failed& failed) {
            return std::string(failed.found.text);
        }
        return std::string("nothing");
    };
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(told_by(checked::launch, "the one's"), "the one's");
        EXPECT_EQ(checked_too::launch(nullptr), cudaSuccess) << "the other was blamed";
        EXPECT_EQ(told_by(checked_too::launch, "the other's"), "the other's");
        EXPECT_EQ(checked::launch(nullptr), cudaSuccess);
    }
}
