// bench/gpu.hpp: the GPU that is measured.
#pragma once

#include "timing.hpp"

#include <foldwise/runtime.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

struct gpu {
    std::string name;
    std::size_t cache;  ///< Bytes of L2.
    cudaStream_t stream;
    double copy_rate;  ///< Bytes per microsecond of one large copy, read and written: what fractions refer to.

    /// How many sets of operands of so many bytes leave the cache behind.
    int sets_of(double bytes) const {
        return static_cast<int>(std::fmin(64, 2 + 3 * static_cast<double>(cache) / bytes));
    }
};

inline double copy_rate(cudaStream_t stream, std::int64_t bytes) {
    foldwise::array<std::uint8_t> from(foldwise::shape{bytes}), to(foldwise::shape{bytes});
    const auto count = static_cast<std::size_t>(bytes);
    BENCH_CHECK(cudaMemset(from.data(), 7, count));
    const timing time = time_device(stream, 1, 2e-6 * static_cast<double>(bytes) / 4, [&](int) {
        BENCH_CHECK(cudaMemcpyAsync(to.data(), from.data(), count, cudaMemcpyDeviceToDevice, stream));
    });
    return 2 * static_cast<double>(bytes) / time.device_us;
}

/// The first GPU, or the end of the program where there is none; prints what it copies at.
inline gpu open_gpu() {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
        std::fprintf(stderr, "there is no GPU here\n");
        std::exit(2);
    }
    cudaStream_t stream;
    BENCH_CHECK(cudaStreamCreate(&stream));
    const double rate = copy_rate(stream, 1'000'000'000);
    std::printf("%s, copy of 10^9 bytes: %.3f TB/s read and written\n", properties.name, rate / 1e6);
    return {properties.name, static_cast<std::size_t>(properties.l2CacheSize), stream, rate};
}

}  // namespace bench
