#!/usr/bin/env python3
"""The cases of bench_segments, sums of segments and sparse matrices times a vector, with Python's libraries. PyTorch's
and CuPy's sparse matrices are cuSPARSE's."""
import functools

import numpy
import torch

from peers_common import Case, Operand, Workload, load, measure_cases, odd_numbers


@functools.cache
def offsets_of(n, count, is_zipf):
    """As distributions.hpp has them."""
    if not is_zipf:
        return torch.from_numpy((numpy.arange(count + 1) * n // count).astype(numpy.int32)).cuda()
    weights = 1 / numpy.arange(1, count + 1)
    lengths = numpy.zeros(count, dtype=numpy.int64)
    lengths[numpy.arange(count) * 1000003 % count] = (n / weights.sum() * weights).astype(numpy.int64)
    lengths[0] += n - lengths.sum()
    return torch.from_numpy(numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int32)).cuda()


def numbers_of(n, offsets):
    """The segment of each element."""
    lengths = (offsets[1:] - offsets[:-1]).long()
    return torch.repeat_interleave(torch.arange(len(lengths), dtype=torch.int32, device="cuda"), lengths, output_size=n)


def is_right(call, x, offsets, numbers):
    wanted = torch.zeros(len(offsets) - 1, dtype=torch.float64, device="cuda")
    sums = torch.cat([wanted.new_zeros(1), torch.cumsum(x, 0, dtype=torch.float64)])
    wanted = sums[offsets[1:].long()] - sums[offsets[:-1].long()]
    return torch.equal(call().double(), wanted)


def segment_sums(n, count, is_zipf):
    name = f"sum, {'zipf' if is_zipf else 'even'}"

    def by_cupy():
        add = load("cupy").add
        return lambda x, offsets, numbers: add.reduceat(x, offsets[:-1])

    reasons = {"cupy": "gives the next element for a segment without any"} if is_zipf else {}
    return Case(Workload("segments", name, "float", n, 4 * n + 8 * count + 4, f"{n} in {count}"),
                (Operand((n,), "float", values=odd_numbers(n)),
                 Operand((count + 1,), "int32", values=lambda: offsets_of(n, count, is_zipf)),
                 Operand((n,), "int32", values=lambda: numbers_of(n, offsets_of(n, count, is_zipf)))), (),
                {"pytorch": lambda x, offsets, numbers: torch.segment_reduce(x, "sum", offsets=offsets, unsafe=True),
                 "torch.compile": lambda x, offsets, numbers: x.new_zeros(count).index_add_(0, numbers, x),
                 "cupy": by_cupy,
                 "jax": lambda x, offsets, numbers: load("jax").ops.segment_sum(x, numbers, count,
                                                                                indices_are_sorted=True)},
                reasons, is_right)


def csr(rows, in_row, is_band):
    n = rows * in_row

    def columns():
        if not is_band:
            first = torch.arange(in_row, device="cuda") + torch.rand((rows, in_row), dtype=torch.float64, device="cuda")
            return (first * (rows / in_row)).floor_().clamp_(max=rows - 1)
        first = (torch.arange(rows, device="cuda") - in_row // 2).clamp_(0, rows - in_row)
        return (first[:, None] + torch.arange(in_row, device="cuda")).flatten()

    def by_cupy():
        sparse, matrices = load("cupyx.scipy.sparse"), {}

        def call(values, columns, offsets, x):
            key = values.data.ptr
            if key not in matrices:
                matrices[key] = sparse.csr_matrix((values, columns, offsets), shape=(rows, rows))
            return matrices[key] @ x
        return call

    def check(call, values, columns, offsets, x):
        return torch.equal(call(), (values * x[columns.long()]).view(rows, in_row).sum(1))

    name = "csr, band" if is_band else "csr, random"
    return Case(Workload("segments", name, "float", n, 8 * n + 12 * rows + 4, f"{rows} rows of {in_row}"),
                (Operand((n,), "float", values=odd_numbers(n)), Operand((n,), "int32", values=columns),
                 Operand((rows + 1,), "int32", values=lambda: offsets_of(n, rows, False)),
                 Operand((rows,), "float", values=odd_numbers(rows))), (),
                {"pytorch": lambda values, columns, offsets, x: torch.mv(
                    torch.sparse_csr_tensor(offsets, columns, values, (rows, rows), check_invariants=False), x),
                 "cupy": by_cupy}, {"torch.compile": "leaves sparse matrices to PyTorch"}, check)


def cases():
    for n, count in ((100000000, 100000), (100000000, 10000000), (100000000, 100), (1000000, 1000)):
        yield segment_sums(n, count, False)
        yield segment_sums(n, count, True)
    for rows in (4000000, 100000):
        yield csr(rows, 16, True)
        yield csr(rows, 16, False)


if __name__ == "__main__":
    measure_cases(cases(), __doc__)
