// tests/gpu/large_test.cpp: calls with more results than 32 bits can count.
#include "large.kernels.hpp"
#include "on_gpu.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace {

TEST_F(on_gpu, WritesAllResultsOfAnEmptyAxis) {
    constexpr std::int64_t rows = (std::int64_t{1} << 32) / 1000 + 7, columns = 1000, count = rows * columns;
    std::size_t free = 0, total = 0;
    CUDA_OK(cudaMemGetInfo(&free, &total));
    if (free < static_cast<std::size_t>(count) + (std::size_t{1} << 30))
        GTEST_SKIP() << "the GPU has " << free << " bytes of memory free";
    foldwise::array<std::uint8_t> out({rows, columns}, foldwise::cuda());
    for (const std::uint64_t value : {7, 3}) {
        CUDA_OK(cudaMemset(out.data(), 0, static_cast<std::size_t>(count)));
        const foldwise::array<std::uint8_t> last({rows, columns, 0}, foldwise::cuda()),
            first({0, rows, columns}, foldwise::cuda());
        if (value == 7)
            large::least(last, out, foldwise::axis(2));
        else
            large::least(first, out, foldwise::axis(0), foldwise::initial(std::uint8_t{3}));
        EXPECT_EQ(large::total(out), value * static_cast<std::uint64_t>(count));
    }
    // A single kept axis.
    CUDA_OK(cudaMemset(out.data(), 0, static_cast<std::size_t>(count)));
    const foldwise::array<std::uint8_t> none({count, 0}, foldwise::cuda());
    large::least(none, out.reshape(foldwise::shape{count}), foldwise::axis(1));
    EXPECT_EQ(large::total(out), 7 * static_cast<std::uint64_t>(count));
}

}  // namespace
