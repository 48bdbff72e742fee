#!/usr/bin/env python3
"""Host arrays in and out, by the wall clock: rel_diff of NumPy arrays with Python's libraries. Every peer writes into
an array that is there, and the copies are part of what is timed."""
import functools
import time

import numpy
import torch

from peers_common import NotMeasured, Results, Workload, load, parse_options, release, timing

SIZES = (10**6, 10**7, 10**8)


def rel_diff(x, y):
    return 2 * (x - y) / (x + y)


def pinned_empty(n):
    """A NumPy array in pinned memory."""
    return torch.empty(n, dtype=torch.float32, pin_memory=True).numpy()


def host_arrays(is_pinned, n):
    """Two inputs and an output."""
    arrays = [pinned_empty(n) if is_pinned else numpy.empty(n, numpy.float32) for _ in range(3)]
    rng = numpy.random.default_rng(1)
    for one in arrays[:2]:
        rng.random(out=one, dtype=numpy.float32)
        one += 1
    arrays[2][:] = 0
    return arrays


def by_numpy(x, y, out):
    sums = numpy.empty_like(x)

    def call():  # without more temporary arrays: faster than 2 * (x - y) / (x + y)
        numpy.subtract(x, y, out=out)
        numpy.multiply(out, numpy.float32(2), out=out)
        numpy.add(x, y, out=sums)
        numpy.divide(out, sums, out=out)
    return call


def by_torch(x, y, out, is_compiled=False):
    function = torch.compile(rel_diff, dynamic=False) if is_compiled else rel_diff
    inputs, output = [torch.from_numpy(x), torch.from_numpy(y)], torch.from_numpy(out)

    def call():
        output.copy_(function(*(one.to("cuda", non_blocking=True) for one in inputs)), non_blocking=True)
        torch.cuda.synchronize()
    return call


def by_cupy(x, y, out):
    cupy = load("cupy")
    kernel = cupy.ElementwiseKernel("T x, T y", "T out", "out = 2 * (x - y) / (x + y)")

    def call():
        kernel(cupy.asarray(x), cupy.asarray(y)).get(out=out)
    return call


def by_numba(x, y, out):
    function = load("numba").vectorize(["float32(float32, float32)"], target="cuda")(rel_diff_in_float)
    return lambda: function(x, y, out=out)


def rel_diff_in_float(x, y):
    d = x - y
    return (d + d) / (x + y)  # a literal 2 would make it double


def by_jax(x, y, out):
    jax = load("jax")
    function = jax.jit(rel_diff)

    def call():
        numpy.copyto(out, function(jax.device_put(x), jax.device_put(y)))
    return call


def measure(make, x, y, out, is_quick):
    """Whether the result is right, too."""
    out[:] = 0
    call = make(x, y, out)
    started = time.perf_counter()
    call()
    call()
    first = (time.perf_counter() - started) / 2
    some = slice(None, None, max(1, out.size // 1000))
    if not numpy.allclose(out[some], rel_diff(x[some], y[some]), rtol=1e-5, atol=1e-6):
        raise NotMeasured("WRONG")
    calls = max(1, min(20, int(0.02 / first)))
    times = []
    for _ in range(3 if is_quick or first > 0.1 else 7):
        started = time.perf_counter()
        for _ in range(calls):
            call()
        times.append(1e6 * (time.perf_counter() - started) / calls)
    return timing(times, times)


IMPLS = {"pytorch": by_torch, "torch.compile": functools.partial(by_torch, is_compiled=True), "cupy": by_cupy,
         "numba": by_numba, "jax": by_jax, "numpy": by_numpy}


def main():
    options = parse_options(__doc__)
    results = Results(options)
    for n in SIZES:
        for name in ("pageable", "pinned"):
            work = Workload("host", name, "float", n, 12 * n)
            if not results.want(work) or results.seconds() > options.seconds:
                continue
            arrays = host_arrays(name == "pinned", n)
            for impl, make in IMPLS.items():
                results.attempt(work, impl, lambda: measure(make, *arrays, options.quick))
                release()
    print(f"\n{results.seconds():6.1f} s")


if __name__ == "__main__":
    main()
