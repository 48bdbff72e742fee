#!/usr/bin/env python3
"""The cases of bench_reduce, whole arrays and along axes, with Python's libraries."""
import functools
import math

import torch

from peers_common import BYTES, Case, Operand, Workload, load, measure_cases

SIZES = [10 ** exponent for exponent in (8, 6, 7, 9, 4, 5, 3)]  # the time may be over before the last
RESULTS = {"int8->int32": "int32", "bfloat16->float": "float32"}  # of the others their own type
SHAPES = ((3000000, 32), (10000, 10000), (32, 3000000), (1000, 1000), (8, 12500000), (12500000, 8), (10000000, 3),
          (1001, 9999))


def fold(name, kind, axis=None):
    """A sum or maximum along axes, or of everything."""
    result = RESULTS.get(kind)
    if name == "sum":
        options = {} if axis is None else {"dim": axis}
        return {"pytorch": lambda x: torch.sum(x, **options, dtype=result and getattr(torch, result)),
                "cupy": lambda: lambda x: x.sum(axis=axis, dtype=result),
                "jax": lambda x: load("jax").numpy.sum(x, axis=axis, dtype=result)}
    return {"pytorch": lambda x: torch.amax(x, () if axis is None else axis),
            "cupy": lambda: lambda x: x.max(axis=axis), "jax": lambda x: load("jax").numpy.max(x, axis=axis)}


@functools.cache
def numba_sum():
    """What Numba has for it: cuda.reduce with a result on the device."""
    add = load("numba").cuda.reduce(lambda a, b: a + b)
    return lambda x, out: add(x, res=out)


def dot():
    return {"pytorch": lambda x, y: torch.dot(x, y), "torch.compile": lambda x, y: (x * y).sum(),
            "cupy": lambda: load("cupy").dot, "jax": lambda x, y: load("jax").numpy.dot(x, y)}


def argmax():
    return {"pytorch": lambda x: torch.argmax(x), "cupy": lambda: load("cupy").argmax,
            "jax": lambda x: load("jax").numpy.argmax(x)}


def variance():
    return {"pytorch": lambda x: torch.var(x, correction=0), "cupy": lambda: load("cupy").var,
            "jax": lambda x: load("jax").numpy.var(x)}


def any_of():
    return {"pytorch": lambda x: torch.any(x), "cupy": lambda: load("cupy").any,
            "jax": lambda x: load("jax").numpy.any(x)}


def made(name, kind, shape, functions, results=1, size="", inputs=1):
    element = kind.split("->")[0]
    element = "double" if element == "3 doubles" else element
    n = shape[0] if kind == "3 doubles" else math.prod(shape)
    bytes_of_results = 0 if results == 1 else results * BYTES[element if kind not in RESULTS else "float"]
    reasons = {}
    if element == "bfloat16":
        reasons["cupy"] = "has no bfloat16"
    operands = tuple(Operand(shape, element) for _ in range(inputs))
    work = Workload("reduce", name, kind, n, sum(one.bytes for one in operands) + bytes_of_results, size)
    return Case(work, operands, (Operand((1,), element),), functions, reasons)


def matrix(name, kind, m, n):
    yield made(f"{name} rows", kind, (m, n), fold(name, kind, 1), m, f"{m}x{n}")
    yield made(f"{name} columns", kind, (m, n), fold(name, kind, 0), n, f"{m}x{n}")


def cases():
    for n in SIZES[:3]:
        yield from whole(n)
    yield from along_axes()
    for n in SIZES[3:]:
        yield from whole(n)


def whole(n):
    yield made("sum", "float", (n,), fold("sum", "float") | {"numba": numba_sum})
    if n < 10 ** 9:
        yield made("sum", "double", (n,), fold("sum", "double") | {"numba": numba_sum})
    yield made("dot", "float", (n,), dot(), inputs=2)
    yield made("max", "float", (n,), fold("max", "float"))
    yield made("argmax", "float", (n,), argmax())
    yield made("variance", "float", (n,), variance())
    yield made("any", "bool", (n,), any_of())
    yield made("sum", "int8->int32", (n,), fold("sum", "int8->int32"))
    yield made("sum", "3 doubles", (n, 3), fold("sum", "3 doubles", 0))


def along_axes():
    for m, n in SHAPES:
        yield from matrix("sum", "float", m, n)
    yield from matrix("sum", "bfloat16->float", 10000, 10000)
    yield from matrix("sum", "int8->int32", 10000, 10000)
    yield from matrix("max", "float", 10000, 10000)
    pictures = (64, 128, 56, 56)
    size = "x".join(map(str, pictures))
    yield made("sum axis 1", "float", pictures, fold("sum", "float", 1), 64 * 56 * 56, size)
    yield made("sum axes 023", "float", pictures, fold("sum", "float", (0, 2, 3)), 128, size)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
