// bench/cub_transform_peers.cu: the functions of CUB's benchmarks of DeviceTransform, and what runs them.
#include "cub_suite_peers.cuh"

#include <cuda/std/cmath>
#include <cuda/std/limits>

namespace cub_suite {

namespace ops {

struct mul {
    template <class T> __device__ T operator()(T c) const { return static_cast<T>(c * T(-2)); }
};
struct add {
    template <class T> __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct triad {
    template <class T> __device__ T operator()(T b, T c) const { return static_cast<T>(b + T(-2) * c); }
};
struct nstream {
    template <class T> __device__ T operator()(T a, T b, T c) const { return static_cast<T>(a + b + T(-2) * c); }
};

template <class T> struct fill {
    __device__ T operator()() const { return T(42); }
};

/// The order of complex numbers in CUB's benchmarks.
struct compare_complex {
    using complex = cuda::std::complex<float>;
    __device__ bool operator()(const complex& a, const complex& b) const {
        double magnitude_a = cuda::std::abs(a), magnitude_b = cuda::std::abs(b);
        if (cuda::std::isnan(magnitude_a) || cuda::std::isnan(magnitude_b)) return false;
        if (cuda::std::isinf(magnitude_a) || cuda::std::isinf(magnitude_b)) {
            magnitude_a = cuda::std::abs(a * 0.5f);
            magnitude_b = cuda::std::abs(b * 0.5f);
        }
        const auto difference = static_cast<float>(cuda::std::abs(magnitude_a - magnitude_b));
        if (difference < cuda::std::numeric_limits<float>::epsilon() * 2) return cuda::std::arg(a) < cuda::std::arg(b);
        return magnitude_a < magnitude_b;
    }
};

struct grayscale {
    template <class T> __device__ T operator()(rgb<T> pixel) const {
        return T(0.2989) * pixel.r + T(0.587) * pixel.g + T(0.114) * pixel.b;
    }
};

struct fibonacci {
    __device__ std::uint32_t operator()(std::int64_t n) const {
        std::uint32_t before = 0, last = 1;
        if (n <= 1) return before;
        for (std::int64_t i = 3; i <= n; ++i) {
            const std::uint32_t next = before + last;
            before = last;
            last = next;
        }
        return last;
    }
};

template <int N> struct heavy {
    __device__ std::uint32_t operator()(std::uint32_t x) const {
        std::uint32_t some[N];
        some[0] = x;
        for (int i = 1; i < N; ++i) some[i] = some[i - 1] * some[i - 1] + 1;
        for (int i = 0; i < N; ++i) some[i] = (some[i] * some[i]) % 19;
        for (int i = 0; i < N; ++i) some[i] = some[N - i - 1] * some[i];
        std::uint32_t sum = 0;
        for (int i = 0; i < N; ++i) sum += some[i];
        return sum;
    }
};

}  // namespace ops

#define BENCH_STREAMS(T)                                                                                               \
    template struct peers<ops::mul, T, T>;                                                                             \
    template struct peers<ops::add, T, T, T>;                                                                          \
    template struct peers<ops::triad, T, T, T>;                                                                        \
    template struct peers<ops::nstream, T, T, T, T>;
BENCH_STREAMS(std::int8_t)
BENCH_STREAMS(std::int16_t)
BENCH_STREAMS(float)
BENCH_STREAMS(double)
template struct peers<ops::fill<std::int8_t>, std::int8_t>;
template struct peers<ops::fill<std::int16_t>, std::int16_t>;
template struct peers<ops::fill<std::int32_t>, std::int32_t>;
template struct peers<ops::fill<std::int64_t>, std::int64_t>;
template struct peers<ops::compare_complex, bool, std::complex<float>, std::complex<float>>;
template struct peers<ops::grayscale, float, rgb<float>>;
template struct peers<ops::grayscale, double, rgb<double>>;
template struct peers<ops::fibonacci, std::uint32_t, std::int64_t>;
template struct peers<ops::heavy<32>, std::uint32_t, std::uint32_t>;
template struct peers<ops::heavy<64>, std::uint32_t, std::uint32_t>;

}  // namespace cub_suite
