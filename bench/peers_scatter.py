#!/usr/bin/env python3
"""The cases of bench_scatter, histograms and sums by place, with Python's libraries."""
import torch

from peers_common import BYTES, Case, Operand, Workload, load, measure_cases, odd_numbers, places

SPREADS = ("uniform", "zipf", "one bin")


def histogram(kind, n, bins, how):
    def by_torch_compile(x):
        counts = torch.zeros(bins, dtype=torch.int32, device="cuda")
        return counts.index_add_(0, x.int(), torch.ones((), dtype=torch.int32, device="cuda").expand(n))

    def check(call, x):
        wanted = torch.zeros(bins, dtype=torch.int64, device="cuda")
        if how == "one bin":
            wanted[0] = n
        else:
            numbers, counts = torch.unique(x, return_counts=True)
            wanted[numbers.long()] = counts
        return torch.equal(call().long(), wanted)

    return Case(Workload("scatter", f"histogram, {how}", kind, n, n * BYTES[kind] + 4 * bins, f"{n} in {bins}"),
                (Operand((n,), kind, values=places(n, bins, how)),), (),
                {"pytorch": lambda x: torch.bincount(x, minlength=bins), "torch.compile": by_torch_compile,
                 "cupy": lambda: lambda x: load("cupy").bincount(x, minlength=bins),
                 "jax": lambda x: load("jax").numpy.bincount(x, length=bins)}, {}, check)


def add(n, bins, how):
    def check(call, places, x, out):
        out.zero_()
        wanted = out.double().index_add_(0, places, x.double())
        return torch.equal(call().double(), wanted)

    def by_cupy():
        add_at = load("cupy").add.at

        def call(places, x, out):
            add_at(out, places, x)
            return out
        return call

    return Case(Workload("scatter", f"add, {how}", "float", n, 8 * n + 8 * bins, f"{n} in {bins}"),
                (Operand((n,), "int32", values=places(n, bins, how)), Operand((n,), "float", values=odd_numbers(n)),
                 Operand((bins,), "float", values=lambda: 0)), (),
                {"pytorch": lambda places, x, out: out.index_add_(0, places, x), "cupy": by_cupy,
                 "jax": lambda places, x, out: out.at[places].add(x)}, {}, check)


def cases():
    for n in (100000000, 1000000):
        for how in SPREADS:
            yield histogram("uint8", n, 256, how)
            for bins in (256, 4096, 1000000):
                yield histogram("int32", n, bins, how)
    for n in (10000000, 1000000):
        for how in SPREADS:
            yield add(n, n // 10, how)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
