// bench/vectorize_peers.cu
#include "vectorize_peers.hpp"

#include "elementwise_peers.cuh"

#include <cuda_bf16.h>

namespace bench {

namespace {

template <class T> struct rel_diff {
    __device__ T operator()(T x, T y) const { return 2 * (x - y) / (x + y); }
};
template <> struct rel_diff<__nv_bfloat16> {  // rounds once, at the end
    __device__ __nv_bfloat16 operator()(__nv_bfloat16 x, __nv_bfloat16 y) const {
        const float a = __bfloat162float(x), b = __bfloat162float(y);
        return __float2bfloat16(2 * (a - b) / (a + b));
    }
};

struct add {
    __device__ std::int8_t operator()(std::int8_t x, std::int8_t y) const { return static_cast<std::int8_t>(x + y); }
};

/// As formulas.hpp.
struct black_scholes {
    __device__ static float normal_cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
    __device__ cuda::std::tuple<float, float> operator()(float spot, float strike, float years, float rate,
                                                         float vol) const {
        const float sd = vol * sqrtf(years);
        const float d1 = (logf(spot / strike) + (rate + 0.5f * vol * vol) * years) / sd;
        const float d2 = d1 - sd;
        const float discounted = strike * expf(-rate * years);
        const float call = spot * normal_cdf(d1) - discounted * normal_cdf(d2);
        return {call, call + discounted - spot};
    }
};

struct polar {
    __device__ cuda::std::tuple<float, float> operator()(float x, float y) const {
        return {hypotf(x, y), atan2f(y, x)};
    }
};

template <class T> const T* in(const contiguous& on, int which) { return static_cast<const T*>(on.in[which]); }
template <class T> T* out(const contiguous& on, int which) { return static_cast<T*>(on.out[which]); }

/// run(f, inputs, outputs)
template <class Run> void choose(elementwise what, const contiguous& on, Run run) {
    const auto binary = [&]<class T>(auto f, T*) {
        run(f, pointers<const T, const T>(in<T>(on, 0), in<T>(on, 1)), pointers<T>(out<T>(on, 0)));
    };
    const pointers<float, float> both(out<float>(on, 0), out<float>(on, 1));
    switch (what) {
    case elementwise::rel_diff_float:
        return binary(rel_diff<float>(), static_cast<float*>(nullptr));
    case elementwise::rel_diff_double:
        return binary(rel_diff<double>(), static_cast<double*>(nullptr));
    case elementwise::rel_diff_bfloat16:
        return binary(rel_diff<__nv_bfloat16>(), static_cast<__nv_bfloat16*>(nullptr));
    case elementwise::add_int8:
        return binary(add(), static_cast<std::int8_t*>(nullptr));
    case elementwise::black_scholes:
        return run(black_scholes(),
                   pointers<const float, const float, const float, const float, const float>(
                       in<float>(on, 0), in<float>(on, 1), in<float>(on, 2), in<float>(on, 3), in<float>(on, 4)),
                   both);
    case elementwise::polar:
        return run(polar(), pointers<const float, const float>(in<float>(on, 0), in<float>(on, 1)), both);
    }
}

}  // namespace

void run_cub(elementwise what, const contiguous& on, cudaStream_t stream) {
    choose(what, on, [&](auto f, auto inputs, auto outputs) { by_cub(f, inputs, outputs, on.n, stream); });
}

void run_thrust(elementwise what, const contiguous& on, cudaStream_t stream) {
    choose(what, on, [&](auto f, auto inputs, auto outputs) { by_thrust(f, inputs, outputs, on.n, stream); });
}

void run_by_hand(elementwise what, const contiguous& on, cudaStream_t stream) {
    choose(what, on, [&](auto f, auto inputs, auto outputs) { by_hand(f, inputs, outputs, on.n, stream); });
}

}  // namespace bench
