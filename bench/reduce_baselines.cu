// bench/reduce_baselines.cu
#include "reduce_baselines.hpp"

#include "timing.hpp"

namespace bench {

namespace {

__device__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

__global__ void nothing() { wait_for_previous(); }

constexpr unsigned int threads = 512;

__global__ void __launch_bounds__(threads)
    read_words(const uint4* words, std::int64_t count, std::uint32_t* never_written) {
    constexpr int in_flight = 4;
    wait_for_previous();
    const std::int64_t step = std::int64_t{gridDim.x} * threads;
    std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    uint4 all{};
    const auto take = [&](const uint4& word) {
        all.x ^= word.x;
        all.y ^= word.y;
        all.z ^= word.z;
        all.w ^= word.w;
    };
    for (; i + (in_flight - 1) * step < count; i += in_flight * step) {
        uint4 some[in_flight];
        for (int k = 0; k < in_flight; ++k) some[k] = words[i + k * step];
        for (int k = 0; k < in_flight; ++k) take(some[k]);
    }
    for (; i < count; i += step) take(words[i]);
    // So that the loads stay: the caller's words have their highest bit never set.
    if ((all.x | all.y | all.z | all.w) >> 31) *never_written = all.x;
}

/// As Foldwise launches its kernels, if it overlaps.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), unsigned int blocks, unsigned int threads, bool overlaps,
            cudaStream_t stream, Parameters... arguments) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = overlaps ? 1 : 0;
    BENCH_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace

void launch_empty(bool overlaps, cudaStream_t stream) { launch(nothing, 1, 32, overlaps, stream); }

void read_all(const void* words, std::int64_t count, unsigned int blocks, std::uint32_t* never_written,
              cudaStream_t stream) {
    launch(read_words, blocks, threads, true, stream, static_cast<const uint4*>(words), count, never_written);
}

}  // namespace bench
