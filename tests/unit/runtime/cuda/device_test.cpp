// tests/unit/runtime/cuda/device_test.cpp: CUDA's side of device_api, on machines with a GPU and without.
#include <foldwise/array.hpp>
#include <foldwise/detail/device_api.hpp>
#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

using foldwise::detail::cuda_device;

// As generated files do.
[[maybe_unused]] static const bool registered = foldwise::detail::use(cuda_device());

TEST(CudaDevice, NamesItsErrors) {
    EXPECT_EQ(cuda_device().error_text(1), "cudaErrorInvalidValue: invalid argument");
    EXPECT_TRUE(cuda_device().is_out_of_memory(2));
    EXPECT_FALSE(cuda_device().is_out_of_memory(1));
}

TEST(CudaDevice, WithoutAGpuArraysAreOnTheHostAndAskingIsAnError) {
    const char* reason = cuda_device().unavailable();
    if (!reason) GTEST_SKIP() << "[SKIP] there is a GPU";
    EXPECT_EQ(std::string(reason).rfind("cudaError", 0), 0u) << reason;
    EXPECT_EQ(foldwise::array<float>(foldwise::shape{3}).place().kind, foldwise::memory::host);
    try {
        foldwise::array<float> x(foldwise::shape{3}, foldwise::cuda());
        ADD_FAILURE() << "nothing was thrown";
    } catch (const foldwise::device_error& e) {
        EXPECT_NE(std::string(e.what()).find(std::string("there is no GPU: ") + reason), std::string::npos) << e.what();
    }
}

TEST(CudaDevice, WithAGpuMemoryGoesThereAndBack) {
    if (const char* reason = cuda_device().unavailable()) GTEST_SKIP() << "[SKIP] " << reason;
    std::vector<double> data(100003);
    std::iota(data.begin(), data.end(), 0.0);
    const auto device = foldwise::to_device(data, foldwise::cuda());
    EXPECT_EQ(device.place().kind, foldwise::memory::cuda);
    EXPECT_EQ(device.to_host(), data);
    EXPECT_EQ(to_device(device, foldwise::cuda()).to_host(), data);
    EXPECT_EQ(to_host(device.slice(0, 100002, -1, -50001)), (std::vector<double>{100002, 50001, 0}));
    const auto far = [] { foldwise::array<double>(foldwise::shape{std::int64_t{1} << 46}, foldwise::cuda()); };
    EXPECT_THROW(far(), foldwise::out_of_memory);
    EXPECT_EQ(foldwise::to_device(data, foldwise::cuda()).to_host(), data) << "the error stayed behind";
}
