// bench/drawn/measure.cpp: times calls of drawn workloads as results.hpp does, for Python.
#include "delay.hpp"
#include "timing.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// A workload's call: null, or what went wrong.
using call = const char* (*)(void* const* pointers, int is_on_gpu, void* stream);

cudaStream_t stream() {
    static const cudaStream_t own = [] {
        cudaStream_t made;
        BENCH_CHECK(cudaStreamCreate(&made));
        return made;
    }();
    return own;
}

/// Puts microseconds, their spread and the host's into three figures.
template <class Launch> void measure(int sets, bool is_brisk, Launch launch, double* figures) {
    launch(0);
    const double expected = bench::time_once(stream(), [&] { launch(sets - 1); });
    const auto fill_queue = [](int launches) { bench::delay(50 + 20.0 * launches, stream()); };
    const bench::timing time =
        bench::time_device(stream(), sets, std::fmax(20, expected), launch, fill_queue, is_brisk);
    const int launches = std::clamp(static_cast<int>(4'000 / time.device_us), 1, 200);
    figures[0] = time.device_us;
    figures[1] = time.spread;
    figures[2] = bench::time_host(stream(), sets, launch, launches, 5);
}

}  // namespace

extern "C" {

/// Makes one call and waits for it. Null, or what went wrong.
const char* drawn_call(call work, void* const* pointers) {
    BENCH_CHECK(cudaDeviceSynchronize());
    if (const char* message = work(pointers, 1, stream())) return message;
    const cudaError_t status = cudaStreamSynchronize(stream());
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

/// Times calls whose operands go round: `pointers` has `operands` of each set, one set after the other.
const char* drawn_time(call work, void* const* pointers, int operands, int sets, int is_brisk, double* figures) {
    const char* message = nullptr;
    measure(
        sets, is_brisk != 0,
        [&](int set) {
            if (const char* failed = work(pointers + static_cast<std::ptrdiff_t>(set) * operands, 1, stream()))
                message = failed;
        },
        figures);
    return message;
}

/// Times copies that read half as many bytes, and write half as many.
void drawn_copy(std::int64_t bytes, int sets, double* figures) {
    const auto half = static_cast<std::size_t>(std::max<std::int64_t>(1, bytes / 2));
    const std::size_t step = (half + 511) / 512 * 512;
    const std::size_t whole = step * static_cast<std::size_t>(sets);
    void* memory = nullptr;
    BENCH_CHECK(cudaMalloc(&memory, 2 * whole));
    BENCH_CHECK(cudaMemset(memory, 7, 2 * whole));
    char* const from = static_cast<char*>(memory);
    char* const to = from + whole;
    measure(
        sets, true,
        [&](int set) {
            const std::size_t at = step * static_cast<std::size_t>(set);
            BENCH_CHECK(cudaMemcpyAsync(to + at, from + at, half, cudaMemcpyDeviceToDevice, stream()));
        },
        figures);
    BENCH_CHECK(cudaFree(memory));
}

}  // extern "C"
