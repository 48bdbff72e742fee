// What calls of functions.add and functions.sum from C++ take, for run.py to compare with: a line for each, of a name
// and a number. Nanoseconds of the host for three arrays of 1000 floats, and GB/s for arrays of 10^8 on a GPU.
#include "call_cost.kernels.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

/// The best of 50 times 500 calls, between which `wait` waits for what they have queued.
template <class Call, class Wait> double nanoseconds(Call call, Wait wait) {
    using clock = std::chrono::steady_clock;
    constexpr int calls = 500;
    double best = 1e9;
    for (int repetition = 0; repetition < 50; ++repetition) {
        const auto begin = clock::now();
        for (int i = 0; i < calls; ++i) call();
        const std::chrono::duration<double, std::nano> taken = clock::now() - begin;
        best = std::min(best, taken.count() / calls);
        wait();
    }
    return best;
}

/// The best of 30 calls, as a stream's events see them.
template <class Call> double milliseconds(cudaStream_t stream, Call call) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 1e9F;
    for (int repetition = 0; repetition < 31; ++repetition) {
        cudaEventRecord(begin, stream);
        call();
        cudaEventRecord(end, stream);
        cudaEventSynchronize(end);
        float taken = 0;
        cudaEventElapsedTime(&taken, begin, end);
        if (repetition > 0) best = std::min(best, taken);
    }
    return best;
}

void measure_small_calls() {
    const auto x = foldwise::full({1000}, 1.0F), y = foldwise::full({1000}, 1.0F);
    foldwise::array<float> out(1000);
    const auto wait = [&] { out.to_host(); };
    std::printf("out %.0f\n", nanoseconds([&] { functions::add(x, y, out); }, wait));
    std::printf("new %.0f\n", nanoseconds([&] { const auto result = functions::add(x, y); }, wait));
    const std::vector<float> u(1000, 1.0F), v(1000, 1.0F);
    std::vector<float> w(1000);
    std::printf("host %.0f\n", nanoseconds([&] { functions::add(u, v, w); }, [] {}));
}

void measure_bandwidth() {
    constexpr std::int64_t size = 100'000'000;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    const foldwise::executor executor = foldwise::cuda(0, stream);
    const auto x = foldwise::full({size}, 1.0F), y = foldwise::full({size}, 1.0F);
    foldwise::array<float> out(foldwise::shape{size}), total(1);
    cudaDeviceSynchronize();
    const double add = milliseconds(stream, [&] { functions::add(x, y, out, executor); });
    const double sum = milliseconds(stream, [&] { functions::sum(x, total, executor); });
    std::printf("add %.0f\nsum %.0f\n", 12e-6 * size / add, 4e-6 * size / sum);
}

}  // namespace

int main() {
    measure_small_calls();
    if (foldwise::place_of().kind == foldwise::memory::cuda) measure_bandwidth();
}
