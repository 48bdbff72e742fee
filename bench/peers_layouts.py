#!/usr/bin/env python3
"""The cases of bench_layouts, broadcast, transposed and misaligned operands, with Python's libraries."""
import torch

from peers_common import BYTES, Case, Operand, Workload, load, measure_cases

NO_BFLOAT16 = "has no bfloat16"


def broadcast(x, s, t):
    return x * s + t


def add_transposed(x, y):
    return x + y.T


def add(x, y):
    return x + y


def elementwise(inputs, expression, *turned):
    """A CuPy kernel of the operands, of which those with these numbers are transposed."""
    def make():
        kernel = load("cupy").ElementwiseKernel(inputs, "T out", f"out = {expression}")
        return lambda *operands: kernel(*(one.T if i in turned else one for i, one in enumerate(operands)))
    return make


def contiguous(view):
    def make():
        cupy = load("cupy")
        return lambda x: cupy.ascontiguousarray(view(x))
    return make


def permuted(*axes):
    return lambda x: x.permute(*axes).clone(memory_format=torch.contiguous_format)


def numba_2d(body):
    """body(i, j, *operands) for each element of the last operand, the output."""
    def make():
        cuda = load("numba").cuda
        element = cuda.jit(device=True)(body)

        @cuda.jit
        def kernel_of_two(x, out):
            j, i = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                element(i, j, x, out)

        @cuda.jit
        def kernel_of_three(x, y, out):
            j, i = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                element(i, j, x, y, out)

        @cuda.jit
        def kernel_of_four(x, s, t, out):
            j, i = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                element(i, j, x, s, t, out)

        def call(*operands):
            kernel = {2: kernel_of_two, 3: kernel_of_three, 4: kernel_of_four}[len(operands)]
            m, n = operands[-1].shape
            kernel[((n + 31) // 32, (m + 7) // 8), (32, 8)](*operands)
        return call
    return make


def numba_permuted(is_back):
    def make():
        cuda = load("numba").cuda

        @cuda.jit
        def kernel(x, out):
            k = cuda.grid(1)
            if k < out.size:
                k, d = divmod(k, out.shape[3])
                k, c = divmod(k, out.shape[2])
                a, b = divmod(k, out.shape[1])
                if is_back:
                    out[a, b, c, d] = x[a, c, d, b]
                else:
                    out[a, b, c, d] = x[a, d, b, c]
        return lambda x, out: kernel[(out.size + 255) // 256, 256](x, out)
    return make


def numba_add():
    cuda = load("numba").cuda

    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = x[i] + y[i]
    return lambda x, y, out: kernel[(out.size + 255) // 256, 256](x, y, out)


def broadcast_body(i, j, x, s, t, out):
    out[i, j] = x[i, j] * s[j] + t[i, 0]


def transposed_body(i, j, x, y, out):
    out[i, j] = x[i, j] + y[j, i]


def second_body(i, j, x, out):
    out[i, j] = x[i, 2 * j]


def workload(case, kind, n, elements, shape=""):
    return Workload("layouts", case, kind, n, elements * BYTES[kind], shape)


def made(work, operands, output, functions):
    reasons = {"jax": "takes no array that begins between two multiples of 16 bytes"} if operands[0].offset else {}
    if work.type == "bfloat16":
        reasons |= {impl: NO_BFLOAT16 for impl in ("cupy", "numba")}
    return Case(work, tuple(operands), (output,), functions, reasons)


def cases():
    for m, n in ((32, 32), (1000, 1000), (10000, 10000), (9999, 10001)):
        yield made(workload("broadcast", "float", m * n, 2 * m * n + m + n, f"{m}x{n}"),
                   [Operand(shape, "float") for shape in ((m, n), (n,), (m, 1))], Operand((m, n), "float"),
                   {"pytorch": broadcast, "jax": broadcast, "cupy": elementwise("T x, T s, T t", "x * s + t"),
                    "numba": numba_2d(broadcast_body)})
    for n in (1000, 8192):
        yield made(workload("x+yT", "float", n * n, 3 * n * n, f"{n}x{n}"), [Operand((n, n), "float")] * 2,
                   Operand((n, n), "float"),
                   {"pytorch": add_transposed, "jax": add_transposed, "cupy": elementwise("T x, T y", "x + y", 1),
                    "numba": numba_2d(transposed_body)})
    for m, n in ((1000, 1000), (10000, 20000)):
        yield made(workload("x[:,::2]", "float", m * n, m * n * 3 // 2, f"{m}x{n}"), [Operand((m, n), "float")],
                   Operand((m, n // 2), "float"),
                   {"pytorch": lambda x: x[:, ::2].clone(memory_format=torch.contiguous_format),
                    "jax": lambda x: x[:, ::2], "cupy": contiguous(lambda x: x[:, ::2]), "numba": numba_2d(second_body)})
    for kind, n, c, side in (("float", 32, 64, 56), ("float", 64, 256, 80), ("float", 256, 3, 384),
                             ("bfloat16", 128, 256, 80), ("int8", 128, 256, 80)):
        count = n * c * side * side
        planes, pixels = (n, c, side, side), (n, side, side, c)
        for name, source, target, axes in (("nchw->nhwc", planes, pixels, (0, 2, 3, 1)),
                                           ("nhwc->nchw", pixels, planes, (0, 3, 1, 2))):
            yield made(workload(name, kind, count, 2 * count, f"{n}x{c}x{side}x{side}"), [Operand(source, kind)],
                       Operand(target, kind),
                       {"pytorch": permuted(*axes), "jax": lambda x, axes=axes: x.transpose(axes),
                        "cupy": contiguous(lambda x, axes=axes: x.transpose(axes)),
                        "numba": numba_permuted(name == "nhwc->nchw")})
    for n in (1000000, 100000000):
        for kind in ("float", "int8", "bfloat16"):
            for name, offset in (("x+y", 0), ("x[1:]+y", 1)):
                yield made(workload(name, kind, n, 3 * n),
                           [Operand((n,), kind, offset=offset), Operand((n,), kind)], Operand((n,), kind),
                           {"pytorch": add, "jax": add, "cupy": elementwise("T x, T y", "x + y"), "numba": numba_add})


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
