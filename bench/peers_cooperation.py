#!/usr/bin/env python3
"""The cases of bench_cooperation, matrices, stencils and many small matrices, with Python's libraries. PyTorch's and
CuPy's products are cuBLAS's, and CuPy's factorisations cuSOLVER's."""
import functools
import math
import operator

import numpy
import torch
from torch.nn.functional import pad

from peers_common import Case, Operand, Workload, load, measure_cases, odd_numbers

torch.backends.cuda.matmul.allow_tf32 = False  # others compute with all bits of a float
TILE, PADDED = 32, 33


def is_near(call, wanted, error):
    return bool(((call() - wanted).abs() < error).all())


# ---- Blocks ----------------------------------------------------------------------------------------------------------

def numba_transpose():
    cuda, numba = load("numba").cuda, load("numba")

    @cuda.jit
    def kernel(x, out):
        tile = cuda.shared.array((TILE, PADDED), numba.float32)
        r, c = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
        i, j = cuda.threadIdx.y, cuda.threadIdx.x
        for k in range(i, TILE, 8):
            if r + k < x.shape[0] and c + j < x.shape[1]:
                tile[k, j] = x[r + k, c + j]
        cuda.syncthreads()
        for k in range(i, TILE, 8):
            if c + k < out.shape[0] and r + j < out.shape[1]:
                out[c + k, r + j] = tile[j, k]

    def call(x, out):
        kernel[(-(-x.shape[1] // TILE), -(-x.shape[0] // TILE)), (TILE, 8)](x, out)
    return call


def transpose(side):
    n = side * side
    return Case(Workload("blocks", "transpose", "float", n, 8 * n, f"{side}x{side}"),
                (Operand((side, side), "float"),), (Operand((side, side), "float"),),
                {"pytorch": lambda x: x.T.clone(memory_format=torch.contiguous_format),
                 "cupy": lambda: lambda x: load("cupy").ascontiguousarray(x.T), "numba": numba_transpose}, {},
                lambda call, x: torch.equal(call(), x.T))


def numba_matmul():
    """A thread for each element, in tiles, as Numba's documentation has it."""
    cuda, numba = load("numba").cuda, load("numba")

    @cuda.jit
    def kernel(x, y, z):
        xs = cuda.shared.array((TILE, TILE), numba.float32)
        ys = cuda.shared.array((TILE, TILE), numba.float32)
        i, j = cuda.threadIdx.y, cuda.threadIdx.x
        r, c = cuda.blockIdx.y * TILE + i, cuda.blockIdx.x * TILE + j
        total = numba.float32(0)
        for k in range(0, x.shape[1], TILE):
            xs[i, j] = x[r, k + j]
            ys[i, j] = y[k + i, c]
            cuda.syncthreads()
            for at in range(TILE):
                total += xs[i, at] * ys[at, j]
            cuda.syncthreads()
        z[r, c] = total

    def call(x, y, z):
        kernel[(z.shape[1] // TILE, z.shape[0] // TILE), (TILE, TILE)](x, y, z)
    return call


def matmul(side):
    sheet = side, side
    return Case(Workload("blocks", "matmul", "float", side * side, 12 * side * side, f"{side}x{side}"),
                tuple(Operand(sheet, "float", values=odd_numbers(*sheet)) for _ in range(2)),
                (Operand(sheet, "float"),),
                {"pytorch": torch.mm, "cupy": lambda: load("cupy").matmul, "numba": numba_matmul}, {},
                lambda call, x, y: torch.equal(call().double(), x.double() @ y.double()))


# ---- Stencils --------------------------------------------------------------------------------------------------------

def five_of(padded):
    """One step, of an array with what its edge gives around it."""
    here = padded[1:-1, 1:-1]
    near = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return here + 0.2 * (near - 4 * here)


def torch_five(x):
    return five_of(pad(x[None, None], (1,) * 4, mode="replicate")[0, 0])


def cupy_five():
    ndimage, weights = load("cupyx.scipy.ndimage"), load("cupy").array([[0, 0.2, 0], [0.2, 0.2, 0.2], [0, 0.2, 0]])
    return lambda x, out: ndimage.correlate(x, weights, output=out, mode="nearest")


def numba_five():
    cuda = load("numba").cuda

    @cuda.jit
    def kernel(x, out):
        c, r = cuda.grid(2)
        rows, columns = x.shape
        if r < rows and c < columns:
            here = x[r, c]
            near = (x[max(r - 1, 0), c] + x[min(r + 1, rows - 1), c] + x[r, max(c - 1, 0)] +
                    x[r, min(c + 1, columns - 1)])
            out[r, c] = here + 0.2 * (near - 4 * here)

    def call(x, out):
        kernel[(-(-x.shape[1] // 32), -(-x.shape[0] // 8)), (32, 8)](x, out)
    return call


def five_point(side, steps):
    """One step or several, which go from one array to another and back."""
    n, sheet = side * side, (side, side)
    name = "5-point" if steps == 1 else f"5-point, {steps} steps"

    def by_torch(x):
        for _ in range(steps):
            x = torch_five(x)
        return x

    @torch._dynamo.disable
    def by_compiled_steps(x):  # one function of all steps would take minutes to compile
        step = torch.compile(torch_five, dynamic=False)
        for _ in range(steps):
            x = step(x)
        return x

    def by_cupy():
        step, empty_like = cupy_five(), load("cupy").empty_like

        def call(x):
            arrays = empty_like(x), empty_like(x) if steps > 1 else None
            for i in range(steps):
                step(x, arrays[i % 2])
                x = arrays[i % 2]
            return x
        return call

    def by_numba():
        step, others = numba_five(), {}

        def call(x, out):
            if steps > 1 and x.shape not in others:
                others[x.shape] = load("numba").cuda.device_array(x.shape, x.dtype)
            for i in range(steps):
                to = out if (steps - i) % 2 else others[out.shape]
                step(x, to)
                x = to
        return call

    functions = {"pytorch": by_torch, "cupy": by_cupy, "numba": by_numba}
    if steps > 1:
        functions["torch.compile"] = by_compiled_steps
    return Case(Workload("stencil", name, "double", n, 16 * n, f"{side}x{side}"), (Operand(sheet, "double"),),
                (Operand(sheet, "double"),), functions, {},
                lambda call, x: is_near(call, by_torch(x), 1e-12))


def star_of(padded, radius):
    """A star of three axes, of an array with what its edge gives around it."""
    def moved(axis, by):
        places = [slice(radius, -radius)] * 3
        places[axis] = slice(radius + by, padded.shape[axis] - radius + by)
        return padded[tuple(places)]
    return combined(moved, radius)


def combined(moved, radius):
    here = moved(0, 0)
    near, *far = (functools.reduce(operator.add, (moved(axis, sign * by) for axis in range(3) for sign in (-1, 1)))
                  for by in range(1, radius + 1))
    if far:
        return here + 0.05 * (16 * near - far[0] - 90 * here) / 12
    return here + 0.1 * (near - 6 * here)


def numba_seven():
    cuda, numba = load("numba").cuda, load("numba")
    zero, tenth, six = numba.float32(0), numba.float32(0.1), numba.float32(6)

    @cuda.jit
    def kernel(x, out):
        c, r, p = cuda.grid(3)
        planes, rows, columns = x.shape
        if p < planes and r < rows and c < columns:
            near = x[p - 1, r, c] if p > 0 else zero
            near += x[p + 1, r, c] if p + 1 < planes else zero
            near += x[p, r - 1, c] if r > 0 else zero
            near += x[p, r + 1, c] if r + 1 < rows else zero
            near += x[p, r, c - 1] if c > 0 else zero
            near += x[p, r, c + 1] if c + 1 < columns else zero
            out[p, r, c] = x[p, r, c] + tenth * (near - six * x[p, r, c])
    return launched_in_three_axes(kernel)


def numba_thirteen():
    cuda, numba = load("numba").cuda, load("numba")
    scale, sixteen, ninety = (numba.float32(value) for value in (0.05 / 12, 16, 90))

    @cuda.jit
    def kernel(x, out):
        c, r, p = cuda.grid(3)
        m, n, k = x.shape
        if p < m and r < n and c < k:
            near = (x[(p + m - 1) % m, r, c] + x[(p + 1) % m, r, c] + x[p, (r + n - 1) % n, c] +
                    x[p, (r + 1) % n, c] + x[p, r, (c + k - 1) % k] + x[p, r, (c + 1) % k])
            far = (x[(p + m - 2) % m, r, c] + x[(p + 2) % m, r, c] + x[p, (r + n - 2) % n, c] +
                   x[p, (r + 2) % n, c] + x[p, r, (c + k - 2) % k] + x[p, r, (c + 2) % k])
            out[p, r, c] = x[p, r, c] + scale * (sixteen * near - far - ninety * x[p, r, c])
    return launched_in_three_axes(kernel)


def launched_in_three_axes(kernel):
    def call(x, out):
        planes, rows, columns = x.shape
        kernel[(-(-columns // 32), -(-rows // 8), planes), (32, 8, 1)](x, out)
    return call


def star(side, radius):
    n, cube = side ** 3, (side, side, side)
    mode = "constant" if radius == 1 else "circular"

    def by_torch(x):
        return star_of(pad(x[None, None], (radius,) * 6, mode=mode)[0, 0], radius)

    def by_rolls(x):  # which are one kernel when they are compiled
        return combined(lambda axis, by: torch.roll(x, -by, axis) if by else x, radius)

    def by_cupy():
        cupy, ndimage = load("cupy"), load("cupyx.scipy.ndimage")
        weights = numpy.zeros((2 * radius + 1,) * 3, dtype=numpy.float32)
        by_distance = [0.4, 0.1] if radius == 1 else [1 - 0.05 * 90 / 12, 0.05 * 16 / 12, -0.05 / 12]
        for axis in range(3):
            for by in range(-radius, radius + 1):
                at = [radius] * 3
                at[axis] += by
                weights[tuple(at)] = by_distance[abs(by)]
        weights, how = cupy.asarray(weights), "constant" if radius == 1 else "wrap"
        return lambda x: ndimage.correlate(x, weights, mode=how)

    functions = {"pytorch": by_torch, "cupy": by_cupy, "numba": numba_seven if radius == 1 else numba_thirteen}
    if radius == 2:
        functions["torch.compile"] = by_rolls
    return Case(Workload("stencil", f"{6 * radius + 1}-point", "float", n, 8 * n, f"{side}x{side}x{side}"),
                (Operand(cube, "float"),), (Operand(cube, "float"),), functions, {},
                lambda call, x: is_near(call, by_torch(x), 1e-5))


# ---- Functions of rows and of small matrices -------------------------------------------------------------------------

def numba_items(layout, kind, axes, function):
    """A generalised universal function, `axes` is the number of core dimensions of each operand."""
    def make():
        numba = load("numba")
        signature = numba.void(*(getattr(numba, kind)[(slice(None),) * max(1, count)] for count in axes))
        return numba.guvectorize([signature], layout, target="cuda")(function)
    return make


def multiply(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def square_root_of_squares(x, norm):
    total = x[0] * x[0]
    for i in range(1, x.shape[0]):
        total += x[i] * x[i]
    norm[0] = math.sqrt(total)


def factorise(a, lower):
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            if j > i:
                lower[i, j] = 0
            else:
                total = a[i, j]
                for k in range(j):
                    total -= lower[i, k] * lower[j, k]
                lower[i, j] = math.sqrt(total) if i == j else total / lower[j, j]


def products(count):
    a, b, c = (count, 2, 4), (count, 4, 5), (count, 2, 5)
    return Case(Workload("guvectorize", "matmul", "double", 20 * count, 304 * count, f"{count} of 2x4x5"),
                tuple(Operand(shape, "double", values=odd_numbers(*shape)) for shape in (a, b)),
                (Operand(c, "double"),),
                {"pytorch": torch.matmul, "cupy": lambda: load("cupy").matmul,
                 "numba": numba_items("(m,n),(n,p)->(m,p)", "float64", (2, 2, 2), multiply)}, {},
                lambda call, a, b: torch.equal(call(), (a[:, :, :, None] * b[:, None]).sum(2)))


def row_norms(rows):
    sheet = rows, 32
    return Case(Workload("guvectorize", "row norms", "float", 32 * rows, 132 * rows, f"{rows}x32"),
                (Operand(sheet, "float", values=odd_numbers(*sheet)),), (Operand((rows,), "float"),),
                {"pytorch": lambda x: torch.linalg.vector_norm(x, dim=1),
                 "cupy": lambda: functools.partial(load("cupy").linalg.norm, axis=1),
                 "numba": numba_items("(n)->()", "float32", (1, 0), square_root_of_squares)}, {},
                lambda call, x: is_near(call, (x * x).sum(1).sqrt(), 1e-5))


def cholesky(count):
    cube = count, 16, 16

    def definite():
        noise = torch.rand(cube, device="cuda")
        return (noise + noise.mT) / 2 + 16 * torch.eye(16, device="cuda")

    def is_right(call, a):
        lower = call()
        return bool(((lower @ lower.mT - a).abs() < 1e-4).all() and (lower.triu(1) == 0).all())

    return Case(Workload("guvectorize", "cholesky", "float", 256 * count, 2048 * count, f"{count}x16x16"),
                (Operand(cube, "float", values=definite),), (Operand(cube, "float"),),
                # Without the errors that torch.linalg.cholesky waits for.
                {"pytorch": lambda a: torch.linalg.cholesky_ex(a).L, "cupy": lambda: load("cupy").linalg.cholesky,
                 "numba": numba_items("(n,n)->(n,n)", "float32", (2, 2), factorise)},
                {"torch.compile": "leaves factorisations to PyTorch"}, is_right)


def cases():
    yield transpose(10000)
    yield matmul(2048)
    yield five_point(10000, 1)
    yield star(512, 1)
    yield star(512, 2)
    yield five_point(1024, 100)
    yield five_point(4096, 100)
    yield products(1000000)
    yield row_norms(3000000)
    yield cholesky(100000)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
