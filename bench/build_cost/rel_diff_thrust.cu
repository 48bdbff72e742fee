// bench/build_cost/rel_diff_thrust.cu: the same with Thrust.
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cstdint>

namespace build_cost {

template <class T> struct relative_difference {
    __device__ T operator()(T x, T y) const { return 2 * (x - y) / (x + y); }
};

template <class T> void rel_diff(const T* x, const T* y, T* out, std::int64_t n, cudaStream_t stream) {
    thrust::transform(thrust::cuda::par_nosync.on(stream), x, x + n, y, out, relative_difference<T>{});
}
template void rel_diff(const float*, const float*, float*, std::int64_t, cudaStream_t);
template void rel_diff(const double*, const double*, double*, std::int64_t, cudaStream_t);

}  // namespace build_cost
