#!/usr/bin/env python3
"""The cases of bench_random, arrays filled with random numbers, with Python's libraries. cuRAND's host interface is
called as CuPy binds it; CuPy's own generators are kernels with cuRAND's device functions."""
import math

import torch

from peers_common import BYTES, TYPES, Case, Operand, Workload, load, measure_cases

SEED = 20261123


def is_right(is_normal):
    def check(call, out):
        out.fill_(math.nan)
        x = call()
        mean, mean_of_squares, least, greatest = (float(one) for one in (
            x.mean(dtype=torch.float64), torch.dot(x, x).double() / len(x) if x.dtype == torch.float64 else
            x.square().mean(dtype=torch.float64), x.min(), x.max()))
        error = 5 / math.sqrt(len(x))
        if is_normal:
            return abs(mean) < error and abs(mean_of_squares - 1) < 1.42 * error and -10 < least and greatest < 10
        return (abs(mean - 1 / 2) < 0.29 * error and abs(mean_of_squares - 1 / 3) < 0.3 * error and
                least >= 0 and greatest <= 1)
    return check


def fill(name, kind, n):
    is_normal, dtype = name == "normal", TYPES[kind]

    def by_torch(out):
        return out.normal_() if is_normal else out.uniform_()

    def by_torch_compile(out):
        draw = torch.randn if is_normal else torch.rand
        return draw(n, dtype=getattr(torch, dtype), device="cuda")

    def by_cupy():
        random = load("cupy").random
        generator = random.Generator(random.Philox4x3210(SEED))
        draw = generator.standard_normal if is_normal else generator.random
        return lambda out: draw(n, dtype=dtype)

    def by_curand():
        curand = load("cupy_backends.cuda.libs.curand")
        generator = curand.createGenerator(curand.CURAND_RNG_PSEUDO_PHILOX4_32_10)
        curand.setPseudoRandomGeneratorSeed(generator, SEED)
        curand.setStream(generator, load("cupy").cuda.get_current_stream().ptr)
        suffix = "Double" if kind == "double" else ""
        draw = getattr(curand, f"generate{'Normal' if is_normal else 'Uniform'}{suffix}")

        def call(out):
            draw(generator, out.data.ptr, n, *((0.0, 1.0) if is_normal else ()))
            return out
        return call

    def by_jax(out):
        jax = load("jax")
        draw = jax.random.normal if is_normal else jax.random.uniform
        return draw(jax.random.key(SEED), (n,), dtype)

    return Case(Workload("random", name, kind, n, n * BYTES[kind]), (Operand((n,), kind, values=lambda: 0),), (),
                {"pytorch": by_torch, "torch.compile": by_torch_compile, "cupy": by_cupy, "curand": by_curand,
                 "jax": by_jax}, {}, is_right(is_normal))


def cases():
    for n in (100000000, 1000000, 10000000):
        for name in ("uniform", "normal"):
            for kind in ("float", "double"):
                yield fill(name, kind, n)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
