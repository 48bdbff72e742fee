// bench/cub_peers.cu: CUB's side, in a file of its own because its headers take seconds to compile.
#include "peers.hpp"

#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

namespace bench {

namespace {

struct rel_diff_op {
    template <class T> __device__ T operator()(T x, T y) const { return 2 * (x - y) / (x + y); }
};

template <class T> void transform(const T* x, const T* y, T* out, std::int64_t n, cudaStream_t stream) {
    cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), out, n, rel_diff_op{}, stream);
}

}  // namespace

void cub_rel_diff(const float* x, const float* y, float* out, std::int64_t n, cudaStream_t stream) {
    transform(x, y, out, n, stream);
}
void cub_rel_diff(const double* x, const double* y, double* out, std::int64_t n, cudaStream_t stream) {
    transform(x, y, out, n, stream);
}

}  // namespace bench
