#!/usr/bin/env python3
"""The cases of bench_forall with CuPy's RawKernel, Numba-CUDA, and what PyTorch and JAX have for them."""
import numpy
import torch

from peers_common import Case, Operand, Workload, load, measure_cases

SCALE = 1000.0

RAW = r"""
extern "C" {
__global__ void round_to(const double* in, double* out, double scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = rint(in[i] * scale) / scale;
}
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}
__global__ void stencil(const double* in, double* out, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns) return;
    int i = r * columns + c;
    bool edge = r == 0 || c == 0 || r + 1 == rows || c + 1 == columns;
    out[i] = edge ? in[i] : 0.25 * (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1]);
}
__global__ void histogram(const unsigned char* pixels, unsigned int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[pixels[i]], 1u);
}
__global__ void gather(const float* source, const int* at, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = source[at[i]];
}
}
"""


def raw(name, side):
    """A kernel that writes the same output in every call."""
    n, flat = numpy.int32(side * side), ((side * side + 255) // 256,)
    edge, tiles = numpy.int32(side), ((side + 31) // 32, (side + 7) // 8)

    def make():
        cupy = load("cupy")
        kernel = cupy.RawModule(code=RAW).get_function(name)
        empty = cupy.empty
        if name == "round_to":
            def call(x):
                out = empty(x.shape, x.dtype)
                kernel(flat, (256,), (x, out, SCALE, n))
                return out
        elif name == "histogram":
            bins = cupy.zeros(256, numpy.uint32)

            def call(x):
                kernel(flat, (256,), (x, bins, n))
        elif name == "gather":
            def call(x, at):
                out = empty(at.shape, x.dtype)
                kernel(flat, (256,), (x, at, out, n))
                return out
        else:
            def call(x):
                out = empty(x.shape, x.dtype)
                kernel(tiles, (32, 8), (x, out, edge, edge))
                return out
        return call
    return make


def numba_flat(define):
    def make():
        kernel = define(load("numba").cuda)
        return lambda *operands: kernel[(operands[0].size + 255) // 256, 256](*operands)
    return make


def numba_tiles(define):
    def make():
        kernel = define(load("numba").cuda)

        def call(x, out):
            m, n = x.shape
            kernel[((n + 31) // 32, (m + 7) // 8), (32, 8)](x, out)
        return call
    return make


def numba_round(cuda):
    rint = cuda.libdevice.rint

    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = rint(x[i] * SCALE) / SCALE
    return kernel


def numba_transpose(cuda):
    @cuda.jit
    def kernel(x, out):
        c, r = cuda.grid(2)
        if r < x.shape[0] and c < x.shape[1]:
            out[c, r] = x[r, c]
    return kernel


def numba_stencil(cuda):
    @cuda.jit
    def kernel(x, out):
        c, r = cuda.grid(2)
        if r < x.shape[0] and c < x.shape[1]:
            if r == 0 or c == 0 or r + 1 == x.shape[0] or c + 1 == x.shape[1]:
                out[r, c] = x[r, c]
            else:
                out[r, c] = 0.25 * (x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1])
    return kernel


def numba_histogram(cuda):
    one = numpy.int32(1)

    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.add(out, x[i], one)
    return kernel


def numba_gather(cuda):
    @cuda.jit
    def kernel(x, at, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = x[at[i]]
    return kernel


def torch_stencil(x):
    out = x.clone()
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return out


def jax_stencil(x):
    return x.at[1:-1, 1:-1].set(0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]))


def cases():
    for side in (10000, 1000, 100):
        n, line, sheet = side * side, (side * side,), (side, side)

        def made(name, kind, byte_count, operands, output, functions, n=n):
            return Case(Workload("forall", name, kind, n, byte_count), operands, (output,), functions)

        yield made("round", "double", 16 * n, (Operand(line, "double"),), Operand(line, "double"), {
            "pytorch": lambda x: torch.round(x * SCALE) / SCALE,
            "jax": lambda x: load("jax").numpy.round(x * SCALE) / SCALE,
            "cupy": raw("round_to", side), "numba": numba_flat(numba_round)})
        yield made("transpose", "float", 8 * n, (Operand(sheet, "float"),), Operand(sheet, "float"), {
            "pytorch": lambda x: x.T.clone(memory_format=torch.contiguous_format), "jax": lambda x: x.T,
            "cupy": raw("transpose", side), "numba": numba_tiles(numba_transpose)})
        yield made("stencil", "double", 16 * n, (Operand(sheet, "double"),), Operand(sheet, "double"), {
            "pytorch": torch_stencil, "jax": jax_stencil,
            "cupy": raw("stencil", side), "numba": numba_tiles(numba_stencil)})
        yield made("histogram", "uint8", n + 1024, (Operand(line, "uint8"),), Operand((256,), "int32", 0, 1), {
            "pytorch": lambda x: torch.bincount(x, minlength=256),
            "jax": lambda x: load("jax").numpy.bincount(x, length=256),
            "cupy": raw("histogram", side), "numba": numba_flat(numba_histogram)})
        yield made("gather", "float", 12 * n, (Operand(line, "float"), Operand(line, "int32", 0, n)),
                   Operand(line, "float"), {
            "pytorch": lambda x, at: x[at], "jax": lambda x, at: x[at],
            "cupy": raw("gather", side), "numba": numba_flat(numba_gather)})


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
