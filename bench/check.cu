// bench/check.cu
#include "check.hpp"

#include "noise.hpp"
#include "timing.hpp"

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <cmath>
#include <cstring>

namespace bench {

namespace {

constexpr unsigned int threads = 256, blocks = 2048;

/// f(i) for all i below n.
template <class F> __global__ void for_each(std::int64_t n, F f) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += std::int64_t{threads} * blocks)
        f(i);
}

template <class F> void run(std::int64_t n, F f) {
    for_each<<<blocks, threads>>>(n, f);
    BENCH_CHECK(cudaDeviceSynchronize());
}

/// A number that kernels write, in the host's memory.
template <class T> class counter {
  public:
    counter() { BENCH_CHECK(cudaMallocManaged(&value_, sizeof(T))), *value_ = 0; }
    counter(const counter&) = delete;
    ~counter() { cudaFree(value_); }
    T* get() { return value_; }

  private:
    T* value_;
};

}  // namespace

void fill_noise(void* memory, std::int64_t bytes, std::uint32_t fixed, std::uint32_t random) {
    auto* words = static_cast<std::uint32_t*>(memory);
    run((bytes + 3) / 4, [=] __device__(std::int64_t i) { words[i] = fixed | (noise_at(i) & random); });
}

void fill_below(std::int64_t* memory, std::int64_t n, std::int64_t end) {
    run(n, [=] __device__(std::int64_t i) { memory[i] = noise_at(i) % end; });
}

template <class T> void fill_odd(T* memory, std::int64_t n) {
    run(n, [=] __device__(std::int64_t i) { memory[i] = static_cast<T>(static_cast<int>(2 * (noise_at(i) & 7)) - 7); });
}

template <class T> void fill_sparse(T* memory, std::int64_t n, std::int64_t count) {
    const std::int64_t every = n > count ? n / count : 1;
    run(n, [=] __device__(std::int64_t i) { memory[i] = static_cast<T>(noise_at(i) % every == 0 ? 1.0f : 0.0f); });
}

template <class Place> void fill_places(Place* places, std::int64_t n, std::int64_t bins, spread how) {
    run(n, [=] __device__(std::int64_t i) {
        const double u = (noise_at(i) + 0.5) * 0x1p-32;
        double place = 0;
        if (how == spread::uniform) place = u * static_cast<double>(bins);
        if (how == spread::zipf) place = exp(u * log(static_cast<double>(bins + 1))) - 1;
        const auto whole = static_cast<std::int64_t>(place);
        places[i] = static_cast<Place>(whole < bins ? whole : bins - 1);
    });
}
template void fill_places(std::uint8_t*, std::int64_t, std::int64_t, spread);
template void fill_places(std::int32_t*, std::int64_t, std::int64_t, spread);

void fill_band(std::int32_t* columns, std::int64_t rows, std::int64_t in_row) {
    run(rows * in_row, [=] __device__(std::int64_t i) {
        const std::int64_t first = i / in_row - in_row / 2, most = rows - in_row;
        columns[i] = static_cast<std::int32_t>((first < 0 ? 0 : first < most ? first : most) + i % in_row);
    });
}

void fill_columns(std::int32_t* columns, std::int64_t rows, std::int64_t in_row) {
    run(rows * in_row, [=] __device__(std::int64_t i) {
        const double u = (noise_at(i) + 0.5) * 0x1p-32;
        columns[i] = static_cast<std::int32_t>((static_cast<double>(i % in_row) + u) * static_cast<double>(rows) /
                                               static_cast<double>(in_row));
    });
}

template <class T> void fill_with(T* memory, std::int64_t n, T value) {
    run(n, [=] __device__(std::int64_t i) { memory[i] = value; });
}

bool same_bytes(const void* a, const void* b, std::int64_t bytes) {
    const auto *first = static_cast<const unsigned char*>(a), *second = static_cast<const unsigned char*>(b);
    counter<unsigned int> differences;
    run(bytes, [=, found = differences.get()] __device__(std::int64_t i) {
        if (first[i] != second[i]) atomicAdd(found, 1u);
    });
    return *differences.get() == 0;
}

template <class T> double worst_difference(const T* a, const T* b, std::int64_t n, double floor) {
    counter<unsigned long long> worst;  // the bits of a number that is not negative grow with it
    run(n, [=, worst = worst.get()] __device__(std::int64_t i) {
        const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
        if (x == y || (isnan(x) && isnan(y))) return;
        const double relative = fabs(x - y) / fmax(fabs(y), floor);
        const auto bits = static_cast<unsigned long long>(__double_as_longlong(isnan(relative) ? INFINITY : relative));
        if (bits > *static_cast<const volatile unsigned long long*>(worst)) atomicMax(worst, bits);
    });
    double result;
    std::memcpy(&result, worst.get(), sizeof result);
    return result;
}

#define BENCH_FILLS(T)                                                                                                 \
    template void fill_odd(T*, std::int64_t);                                                                          \
    template void fill_sparse(T*, std::int64_t, std::int64_t);                                                         \
    template void fill_with(T*, std::int64_t, T);                                                                      \
    template double worst_difference(const T*, const T*, std::int64_t, double);
BENCH_FILLS(float)
BENCH_FILLS(double)
BENCH_FILLS(foldwise::half)
BENCH_FILLS(foldwise::bfloat16)
BENCH_FILLS(std::int8_t)
BENCH_FILLS(std::int16_t)
BENCH_FILLS(std::int32_t)
BENCH_FILLS(std::int64_t)
BENCH_FILLS(std::uint32_t)

}  // namespace bench
