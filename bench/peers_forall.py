#!/usr/bin/env python3
"""The cases of bench_forall with CuPy's RawKernel and Numba-CUDA, and one table of all.

usage: peers_forall.py [--foldwise=PROGRAM] [--json=FILE]

PROGRAM is bench_forall; it runs first. Times are what the GPU takes: launches are queued behind a delay, batches lie
between CUDA events, operands go round so that they do not stay in the cache; medians of batches.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

import cupy
import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # NumPy 2.0 has dropped it, and Numba asks for it
from numba import cuda  # noqa: E402

CACHE_BYTES = 60 << 20
SCALE = 1000.0

RAW = cupy.RawModule(code=r"""
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
""")


@cuda.jit
def numba_round(x, out, scale):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.floor(x[i] * scale + 0.5) / scale


@cuda.jit
def numba_transpose(x, out):
    c, r = cuda.grid(2)
    if r < x.shape[0] and c < x.shape[1]:
        out[c, r] = x[r, c]


@cuda.jit
def numba_stencil(x, out):
    c, r = cuda.grid(2)
    if r < x.shape[0] and c < x.shape[1]:
        if r == 0 or c == 0 or r + 1 == x.shape[0] or c + 1 == x.shape[1]:
            out[r, c] = x[r, c]
        else:
            out[r, c] = 0.25 * (x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1])


@cuda.jit
def numba_histogram(x, out):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(out, x[i], np.uint32(1))


@cuda.jit
def numba_gather(x, at, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[at[i]]


def operands(name, side):
    n = side * side
    if name == "round":
        return cupy.random.rand(n), None, cupy.empty(n)
    if name == "transpose":
        return cupy.random.rand(side, side, dtype=cupy.float32), None, cupy.empty((side, side), cupy.float32)
    if name == "stencil":
        return cupy.random.rand(side, side), None, cupy.empty((side, side))
    if name == "histogram":
        return cupy.random.randint(0, 256, n, dtype=cupy.uint8), None, cupy.zeros(256, cupy.uint32)
    return cupy.random.rand(n, dtype=cupy.float32), cupy.random.randint(0, n, n, dtype=cupy.int32), cupy.empty(n, cupy.float32)


def by_cupy(name, side):
    n, flat = side * side, ((side * side + 255) // 256,)
    tiles = ((side + 31) // 32, (side + 7) // 8)
    kernel = RAW.get_function("round_to" if name == "round" else name)
    if name == "round":
        return lambda x, at, out: kernel(flat, (256,), (x, out, SCALE, np.int32(n)))
    if name in ("transpose", "stencil"):
        return lambda x, at, out: kernel(tiles, (32, 8), (x, out, np.int32(side), np.int32(side)))
    if name == "histogram":
        return lambda x, at, out: kernel(flat, (256,), (x, out, np.int32(n)))
    return lambda x, at, out: kernel(flat, (256,), (x, at, out, np.int32(n)))


def by_numba(name, side):
    n = side * side
    flat, tiles = (n + 255) // 256, ((side + 31) // 32, (side + 7) // 8)
    if name == "round":
        return lambda x, at, out: numba_round[flat, 256](x, out, SCALE)
    if name == "transpose":
        return lambda x, at, out: numba_transpose[tiles, (32, 8)](x, out)
    if name == "stencil":
        return lambda x, at, out: numba_stencil[tiles, (32, 8)](x, out)
    if name == "histogram":
        return lambda x, at, out: numba_histogram[flat, 256](x, out)
    return lambda x, at, out: numba_gather[flat, 256](x, at, out)


DELAY = cupy.RawKernel(r"""extern "C" __global__ void delay(long long ns) {
    long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now - begin < ns);
}""", "delay")


def measure(call, sets, host_us):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    call(*sets[0])
    cupy.cuda.Device().synchronize()
    begin.record()
    call(*sets[-1])
    end.record()
    end.synchronize()
    launches = max(5, min(60, int(3 / max(0.001, cupy.cuda.get_elapsed_time(begin, end)))))
    times, number = [], 0
    for batch in range(9):
        DELAY((1,), (1,), (np.int64(1000 * (100 + host_us * launches)),))
        begin.record()
        for _ in range(launches):
            call(*sets[number % len(sets)])
            number += 1
        end.record()
        end.synchronize()
        if batch > 1:
            times.append(1000 * cupy.cuda.get_elapsed_time(begin, end) / launches)
    return statistics.median(times)


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:])
    own = {}
    if "foldwise" in options:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "own.json")
            subprocess.run([options["foldwise"], f"--json={file}"], check=True)
            with open(file) as text:
                own = {(r["case"], r["tasks"]): r for r in json.load(text)["rows"]}
    rows = []
    for side in (1000, 10000):
        for name in ("round", "transpose", "stencil", "histogram", "gather"):
            one = operands(name, side)
            size = sum(a.nbytes for a in one if a is not None)
            sets = [one] + [operands(name, side) for _ in range(min(64, 2 + 3 * CACHE_BYTES // size) - 1)]
            row = {"case": name, "tasks": side * side}
            row.update(own.get((name, side * side), {}))
            row["cupy_us"] = measure(by_cupy(name, side), sets, 15)
            views = [tuple(None if a is None else cuda.as_cuda_array(a) for a in s) for s in sets]
            row["numba_us"] = measure(by_numba(name, side), views, 150)
            rows.append(row)
    columns = ("foldwise_us", "by_hand_us", "lambda_us", "shared_us", "cupy_us", "numba_us")
    print(f"{'case':10} {'tasks':>10} " + " ".join(f"{c:>12}" for c in columns))
    for row in rows:
        print(f"{row['case']:10} {row['tasks']:>10} " +
              " ".join(f"{row[c]:12.2f}" if row.get(c) else f"{'':12}" for c in columns))
    if "json" in options:
        with open(options["json"], "w") as text:
            json.dump(rows, text, indent=2)


if __name__ == "__main__":
    main()
