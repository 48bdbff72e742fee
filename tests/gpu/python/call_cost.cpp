// What calls of functions.add and functions.sum from C++ take, for measure.py to compare with in the same process:
// there CUDA takes as long for them as for what Python calls, which differs between processes by more than what is
// compared. Nanoseconds of the host for three arrays of 1000 floats, and GB/s for arrays of 10^8 on a GPU.
#include "call_cost.kernels.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace {

/// The mean time of one call among `calls`.
template <class Call> double nanoseconds(int calls, Call call) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double, std::nano>(clock::now() - begin).count() / calls;
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

/// What small calls compute with, on the GPU if there is one.
struct arrays {
    foldwise::array<float> x = foldwise::full({1000}, 1.0F), y = foldwise::full({1000}, 1.0F), out{1000};
    std::vector<float> u = std::vector<float>(1000, 1.0F), v = u, w = u;
};

arrays& small() {
    static auto* const all = new arrays;  // never destroyed: CUDA may be gone by then
    return *all;
}

}  // namespace

/// Into an array that is there; what has been queued is waited for.
extern "C" double nanoseconds_out(int calls) {
    arrays& all = small();
    const double taken = nanoseconds(calls, [&] { functions::add(all.x, all.y, all.out); });
    all.out.to_host();
    return taken;
}

/// Into a new array each.
extern "C" double nanoseconds_new(int calls) {
    arrays& all = small();
    const double taken = nanoseconds(calls, [&] { const auto result = functions::add(all.x, all.y); });
    functions::add(all.x, all.y, all.out);
    all.out.to_host();
    return taken;
}

/// With memory of the host's, which is complete on return.
extern "C" double nanoseconds_host(int calls) {
    arrays& all = small();
    return nanoseconds(calls, [&] { functions::add(all.u, all.v, all.w); });
}

/// GB/s of sums of two arrays, and of the sum of one.
extern "C" void measure_rates(double* add, double* sum) {
    constexpr std::int64_t size = 100'000'000;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    {
        const foldwise::executor executor = foldwise::cuda(0, stream);
        const auto x = foldwise::full({size}, 1.0F), y = foldwise::full({size}, 1.0F);
        foldwise::array<float> out(foldwise::shape{size}), total(1);
        cudaDeviceSynchronize();
        *add = 12e-6 * size / milliseconds(stream, [&] { functions::add(x, y, out, executor); });
        *sum = 4e-6 * size / milliseconds(stream, [&] { functions::sum(x, total, executor); });
        cudaDeviceSynchronize();
    }
    cudaStreamDestroy(stream);
}
