#!/usr/bin/env python3
"""The cases of bench_host, NumPy arrays in and out, with Python's libraries and NumPy itself, by the wall clock: the
copies are part of what is timed, and arrays that come out are there before."""
import dataclasses
import time
import typing

import numpy
import torch

from peers_common import OVER, NotMeasured, Results, Workload, load, parse_options, release, settle, timing

SIZES = (10**8, 10**6, 10**7)


@dataclasses.dataclass(frozen=True)
class Case:
    """`function` is for PyTorch and JAX; numpy(*inputs, out) for NumPy; `numba` of elements, a function
    with a name, as Numba wants, in float: a literal 2 would make it double. A sum has no array to write into."""
    name: str
    inputs: int
    function: typing.Callable
    numpy: typing.Callable
    cupy: str
    numba: typing.Callable
    is_sum: bool = False


def numpy_rel_diff(x, y, out):
    """Without more temporary arrays: faster than 2 * (x - y) / (x + y)."""
    sums = numpy.add(x, y)
    numpy.subtract(x, y, out=out)
    numpy.multiply(out, numpy.float32(2), out=out)
    numpy.divide(out, sums, out=out)


def numba_rel_diff(x, y):
    d = x - y
    return (d + d) / (x + y)


def numba_sum(a, b):
    return a + b


def numba_double(x):
    return x + x


CASES = (
    Case("rel_diff", 2, lambda x, y: 2 * (x - y) / (x + y), numpy_rel_diff, "2 * (x - y) / (x + y)", numba_rel_diff),
    Case("sum", 1, lambda x: x.sum(), lambda x, out: x.sum(), "", numba_sum, is_sum=True),
    Case("forall", 1, lambda x: 2 * x, lambda x, out: numpy.add(x, x, out=out), "2 * x", numba_double),
)


def host_array(is_pinned, n):
    return torch.empty(n, dtype=torch.float32, pin_memory=True).numpy() if is_pinned else numpy.empty(n, numpy.float32)


# Each gives a function that computes `out`, or returns the sum, from the host's arrays.

def by_numpy(case, inputs, out):
    return lambda: case.numpy(*inputs, out)


def by_torch(case, inputs, out, is_compiled=False):
    function = torch.compile(case.function, dynamic=False) if is_compiled else case.function
    tensors, output = [torch.from_numpy(one) for one in inputs], torch.from_numpy(out)

    def call():
        result = function(*(one.to("cuda", non_blocking=True) for one in tensors))
        if case.is_sum:
            return result.item()
        output.copy_(result, non_blocking=True)
        torch.cuda.synchronize()
    return call


def by_torch_compile(case, inputs, out):
    return by_torch(case, inputs, out, is_compiled=True)


def by_cupy(case, inputs, out):
    cupy = load("cupy")
    if case.is_sum:
        return lambda: float(cupy.asarray(*inputs).sum())
    names = ", ".join(f"T {name}" for name in ("x", "y")[:case.inputs])
    kernel = cupy.ElementwiseKernel(names, "T out", f"out = {case.cupy}")
    return lambda: kernel(*map(cupy.asarray, inputs)).get(out=out)


def by_numba(case, inputs, out):
    numba = load("numba")
    if case.is_sum:
        return lambda add=numba.cuda.reduce(case.numba): add(*inputs)
    signature = f"float32({', '.join(['float32'] * case.inputs)})"
    function = numba.vectorize([signature], target="cuda")(case.numba)
    return lambda: function(*inputs, out=out)


def by_jax(case, inputs, out):
    jax = load("jax")
    function = jax.jit(case.function)

    def call():
        result = function(*map(jax.device_put, inputs))
        if case.is_sum:
            return float(result)
        numpy.copyto(out, result)
    return call


IMPLS = {"pytorch": by_torch, "torch.compile": by_torch_compile, "cupy": by_cupy, "numba": by_numba, "jax": by_jax,
         "numpy": by_numpy}


def measure(make, case, inputs, out, is_quick):
    """Checks, too."""
    out[:] = 0
    call = make(case, inputs, out)
    call()
    started = time.perf_counter()
    result = call()
    first = time.perf_counter() - started
    if case.is_sum:
        is_right = numpy.isclose(result, inputs[0].sum(dtype=numpy.float64), rtol=1e-4)
    else:
        some = slice(None, None, max(1, out.size // 1000))
        is_right = numpy.allclose(out[some], case.function(*(one[some] for one in inputs)), rtol=1e-5, atol=1e-6)
    if not is_right:
        raise NotMeasured("WRONG")
    calls = max(1, min(20, int(0.02 / first)))
    times = []
    for _ in range(3 if is_quick or first > 0.1 else 7):
        started = time.perf_counter()
        for _ in range(calls):
            call()
        times.append(1e6 * (time.perf_counter() - started) / calls)
    return timing(times, times)


def main():
    options = parse_options(__doc__)
    results = Results(options)
    for n in SIZES:
        for memory in ("pageable", "pinned"):
            works = [(case, Workload("host", f"{case.name} {memory}", "float", n,
                                     4 * n * (case.inputs + (not case.is_sum)))) for case in CASES]
            works = [(case, work) for case, work in works if results.want(work)]
            if not works:
                continue
            *inputs, out = (host_array(memory == "pinned", n) for _ in range(3))
            rng = numpy.random.default_rng(1)
            for one in inputs:
                rng.random(out=one, dtype=numpy.float32)
                one += 1
            for case, work in works:
                for impl, make in IMPLS.items():
                    if results.seconds() > options.seconds:
                        results.add(work, impl, {"why": OVER})
                        continue
                    results.attempt(work, impl, lambda: measure(make, case, inputs[:case.inputs], out, options.quick))
                    release()
                settle()
    print(f"\n{results.seconds():6.1f} s")


if __name__ == "__main__":
    main()
