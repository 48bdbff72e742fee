// bench/timing.hpp: how everything here is timed.
//
// Device time: CUDA events around a batch of launches, back to back on one stream, divided by their number; the median
// of several batches. Successive launches work on different sets of operands whose total exceeds the L2 cache, so that
// repeated runs do not measure the cache. Host time: the wall clock of a batch that is enqueued and not waited for.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
}
#define BENCH_CHECK(call) ::bench::check(call, #call)

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Microseconds of one launch, to size batches with.
template <class Launch> double time_once(cudaStream_t stream, Launch launch) {
    BENCH_CHECK(cudaStreamSynchronize(stream));
    const auto begin = std::chrono::steady_clock::now();
    launch();
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

struct timing {
    double device_us;  ///< Per launch.
    double spread;     ///< (third quartile - first) / median of the batches.
};

inline timing summary(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const double middle = median(times);
    return {middle, (times[times.size() * 3 / 4] - times[times.size() / 4]) / middle};
}

/// The wall clock of calls that wait for what they do, after two to warm up.
template <class Call> timing time_calls(int calls, Call call) {
    std::vector<double> times;
    for (int i = -2; i < calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        if (i >= 0) times.push_back(took.count());
    }
    return summary(times);
}

/// Times launch(set) for sets that go round. `expected_us` only sizes the batches. before(launches) is called ahead of
/// each batch, outside what is timed. `is_quick` takes few batches.
template <class Launch, class Before>
timing time_device(cudaStream_t stream, int sets, double expected_us, Launch launch, Before before,
                   bool is_quick = false) {
    const bool is_long = expected_us > 2000, is_very_long = expected_us > 20'000;  // and varies little
    const int launches = std::clamp(static_cast<int>(4000 / expected_us), is_very_long ? 1 : is_long ? 3 : 10, 400);
    const int batches = is_very_long ? 3 : is_long || is_quick ? 5 : 15;
    cudaEvent_t begin, end;
    BENCH_CHECK(cudaEventCreate(&begin));
    BENCH_CHECK(cudaEventCreate(&end));
    int set = 0;
    std::vector<double> times;
    for (int batch = is_very_long ? -1 : -2; batch < batches; ++batch) {  // the first ones to warm up
        before(launches);
        BENCH_CHECK(cudaEventRecord(begin, stream));
        for (int i = 0; i < launches; ++i) launch(set++ % sets);
        BENCH_CHECK(cudaEventRecord(end, stream));
        BENCH_CHECK(cudaEventSynchronize(end));
        float ms = 0;
        BENCH_CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (batch >= 0) times.push_back(1000.0 * ms / launches);
    }
    BENCH_CHECK(cudaGetLastError());
    BENCH_CHECK(cudaEventDestroy(begin));
    BENCH_CHECK(cudaEventDestroy(end));
    return summary(times);
}

template <class Launch> timing time_device(cudaStream_t stream, int sets, double expected_us, Launch launch) {
    return time_device(stream, sets, expected_us, launch, [](int) {});
}

/// Microseconds that a call keeps the host, with the queue never full. What takes the GPU long takes fewer launches.
template <class Launch>
double time_host(cudaStream_t stream, int sets, Launch launch, int launches = 200, int batches = 25) {
    std::vector<double> times;
    for (int batch = -2; batch < batches; ++batch) {
        BENCH_CHECK(cudaStreamSynchronize(stream));
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < launches; ++i) launch(i % sets);
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        if (batch >= 0) times.push_back(took.count() / launches);
    }
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return median(times);
}

}  // namespace bench
