#!/usr/bin/env python3
"""The cases of bench_scan, running sums of arrays, rows and columns, with Python's libraries."""
import math

import torch

from peers_common import Case, Operand, Workload, load, measure_cases, odd_numbers

SIZES = [10 ** exponent for exponent in (8, 6, 7, 9, 5, 4, 3)]  # the time may be over before the last
SHAPES = ((8192, 8192), (1000, 1000), (1000000, 16), (16, 1000000), (10000000, 3))


def is_right(axis):
    def check(call, x):
        y = call()
        n = x.shape[axis]
        return (torch.equal(y.narrow(axis, 0, 1), x.narrow(axis, 0, 1)) and
                torch.equal(y.narrow(axis, 1, n - 1) - y.narrow(axis, 0, n - 1), x.narrow(axis, 1, n - 1)))
    return check


def made(name, shape, axis):
    n = math.prod(shape)
    size = "x".join(map(str, shape)) if len(shape) > 1 else ""
    return Case(Workload("scan", name, "float", n, 8 * n, size), (Operand(shape, "float", values=odd_numbers(*shape)),), (), {
        "pytorch": lambda x: torch.cumsum(x, axis), "cupy": lambda: lambda x: load("cupy").cumsum(x, axis=axis),
        "jax": lambda x: load("jax").numpy.cumsum(x, axis=axis)}, check=is_right(axis))


def cases():
    for n in SIZES[:3]:
        yield made("sum", (n,), 0)
    for shape in SHAPES:
        yield made("sum rows", shape, 1)
        yield made("sum columns", shape, 0)
    for n in SIZES[3:]:
        yield made("sum", (n,), 0)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
