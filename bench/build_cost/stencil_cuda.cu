// bench/build_cost/stencil_cuda.cu: the same by hand.
namespace build_cost {

__global__ void stencil_kernel(const double* in, double* out, int rows, int columns) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns) return;
    const int i = r * columns + c;
    const bool edge = r == 0 || c == 0 || r + 1 == rows || c + 1 == columns;
    out[i] = edge ? in[i] : 0.25 * (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1]);
}

void stencil(const double* in, double* out, int rows, int columns, cudaStream_t stream) {
    stencil_kernel<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(in, out, rows, columns);
}

}  // namespace build_cost
