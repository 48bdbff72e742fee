// tests/gpu/on_gpu.hpp: helpers that tests of streams and graphs share.
#pragma once

#include <foldwise/detail/device_api.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#define CUDA_OK(call) ASSERT_EQ(call, cudaSuccess) << cudaGetErrorString(cudaGetLastError())

/// Tests that are skipped where there is no GPU.
class on_gpu : public testing::Test {
  protected:
    void SetUp() override {
        if (const char* reason = foldwise::detail::cuda_device().unavailable())
            GTEST_SKIP() << "there is no GPU: " << reason;
    }
};

/// A stream of a test's own. It is not synchronised with the default stream.
class own_stream {
  public:
    own_stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess); }
    own_stream(const own_stream&) = delete;
    ~own_stream() { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }
    operator cudaStream_t() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

/// count elements, none of them 0, and their sum modulo 2^32.
struct numbers {
    explicit numbers(std::size_t count, std::uint32_t seed) : values(count) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = seed + static_cast<std::uint32_t>(i * 2654435761u % 1000) + 1;
            sum += values[i];
        }
    }
    std::vector<std::uint32_t> values;
    std::uint32_t sum = 0;
};
