// bench/build_cost/stencil_cub.cu: the same with CUB.
#include <cub/device/device_for.cuh>

namespace build_cost {

struct neighbours {
    const double* in;
    double* out;
    int rows, columns;

    __device__ void operator()(int i) const {
        const int r = i / columns, c = i - r * columns;
        const bool edge = r == 0 || c == 0 || r + 1 == rows || c + 1 == columns;
        out[i] = edge ? in[i] : 0.25 * (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1]);
    }
};

void stencil(const double* in, double* out, int rows, int columns, cudaStream_t stream) {
    cub::DeviceFor::Bulk(rows * columns, neighbours{in, out, rows, columns}, stream);
}

}  // namespace build_cost
