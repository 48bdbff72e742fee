#!/usr/bin/env python3
"""The cases of bench_vectorize, elementwise work over contiguous arrays, with Python's libraries."""
import functools
import math

import numpy
import torch

from peers_common import BYTES, Case, Operand, Workload, load, measure_cases

SIZES = [10 ** exponent for exponent in (8, 6, 7, 9, 4, 5, 3)]  # the time may be over before the last
MOST_BYTES = 1.3e10


def rel_diff(x, y):
    return 2 * (x - y) / (x + y)


def add(x, y):
    return x + y


def torch_polar(x, y):
    return torch.hypot(x, y), torch.atan2(y, x)


def jax_polar(x, y):
    jnp = load("jax").numpy
    return jnp.hypot(x, y), jnp.arctan2(y, x)


def black_scholes(library, erfc):
    """As cpu/formulas.hpp has it."""
    def prices(spot, strike, years, rate, vol):
        sd = vol * library.sqrt(years)
        d1 = (library.log(spot / strike) + (rate + 0.5 * vol * vol) * years) / sd
        discounted = strike * library.exp(-rate * years)
        call = spot * (0.5 * erfc(-d1 * 0.70710678)) - discounted * (0.5 * erfc((sd - d1) * 0.70710678))
        return call, call + discounted - spot
    return prices


def jax_black_scholes(*operands):
    jax = load("jax")
    return black_scholes(jax.numpy, jax.scipy.special.erfc)(*operands)


def elementwise(inputs, outputs, body):
    def make():
        return load("cupy").ElementwiseKernel(inputs, outputs, body)
    return make


CUPY_BLACK_SCHOLES = """
    float sd = vol * sqrtf(years);
    float d1 = (logf(spot / strike) + (rate + 0.5f * vol * vol) * years) / sd;
    float discounted = strike * expf(-rate * years);
    call = spot * (0.5f * erfcf(-d1 * 0.70710678f)) - discounted * (0.5f * erfcf((sd - d1) * 0.70710678f));
    put = call + discounted - spot;
"""


@functools.cache  # compiled once for all sizes
def numba_kernel(define):
    """define(cuda) gives a kernel of one element per thread."""
    @functools.cache
    def make():
        kernel = define(load("numba").cuda)
        return lambda *operands: kernel[(operands[0].size + 255) // 256, 256](*operands)
    return make


def numba_rel_diff(cuda):
    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            d = x[i] - y[i]
            out[i] = (d + d) / (x[i] + y[i])  # a literal 2 would make it double
    return kernel


def numba_add(cuda):
    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = x[i] + y[i]
    return kernel


def numba_polar(cuda):
    @cuda.jit
    def kernel(x, y, length, angle):
        i = cuda.grid(1)
        if i < length.size:
            length[i] = math.hypot(x[i], y[i])
            angle[i] = math.atan2(y[i], x[i])
    return kernel


def numba_black_scholes(cuda):
    half, root = numpy.float32(0.5), numpy.float32(0.70710678)  # literals would make it double

    @cuda.jit
    def kernel(spots, strikes, years, rates, vols, calls, puts):
        i = cuda.grid(1)
        if i < calls.size:
            spot, strike, time, rate, vol = spots[i], strikes[i], years[i], rates[i], vols[i]
            sd = vol * math.sqrt(time)
            d1 = (math.log(spot / strike) + (rate + half * vol * vol) * time) / sd
            discounted = strike * math.exp(-rate * time)
            call = spot * (half * math.erfc(-d1 * root)) - discounted * (half * math.erfc((sd - d1) * root))
            calls[i] = call
            puts[i] = call + discounted - spot
    return kernel


def made(name, kind, n, operands, outputs, functions):
    work = Workload("vectorize", name, kind, n, (len(operands) + outputs) * n * BYTES[kind])
    reasons = {impl: "has no bfloat16" for impl in ("cupy", "numba")} if kind == "bfloat16" else {}
    return Case(work, tuple(operands), (Operand((n,), kind),) * outputs, functions, reasons)


def cases():
    for n in SIZES:
        for case in cases_of(n):
            if case.work.bytes < MOST_BYTES:
                yield case


def cases_of(n):
    for kind in ("float", "double", "bfloat16"):
        yield made("rel_diff", kind, n, [Operand((n,), kind)] * 2, 1,
                   {"pytorch": rel_diff, "jax": rel_diff, "numba": numba_kernel(numba_rel_diff),
                    "cupy": elementwise("T x, T y", "T out", "out = 2 * (x - y) / (x + y)")})
    yield made("add", "int8", n, [Operand((n,), "int8")] * 2, 1,
               {"pytorch": add, "jax": add, "numba": numba_kernel(numba_add),
                "cupy": elementwise("T x, T y", "T out", "out = x + y")})
    ranges = ((32, 64), (32, 64), (0.5, 1), (1 / 64, 1 / 32), (1 / 8, 1 / 4))
    yield made("black_scholes", "float", n, [Operand((n,), "float", low, high) for low, high in ranges], 2,
               {"pytorch": black_scholes(torch, torch.erfc), "jax": jax_black_scholes,
                "numba": numba_kernel(numba_black_scholes),
                "cupy": elementwise("float32 spot, float32 strike, float32 years, float32 rate, float32 vol",
                                    "float32 call, float32 put", CUPY_BLACK_SCHOLES)})
    yield made("polar", "float", n, [Operand((n,), "float")] * 2, 2,
               {"pytorch": torch_polar, "jax": jax_polar, "numba": numba_kernel(numba_polar),
                "cupy": elementwise("float32 x, float32 y", "float32 length, float32 angle",
                                    "length = hypotf(x, y); angle = atan2f(y, x)")})


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
