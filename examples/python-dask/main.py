"""Folds on a cluster of this machine's own, and compares with NumPy and with calls of whole arrays."""

import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster

import folds
from dask_folds import fold


def main():
    random = np.random.default_rng(1)
    table = random.normal(5, 3, (3000, 40))
    numbers = random.integers(-1000, 1000, (500, 300))
    steps = random.integers(0, 2**32, 100_000, dtype=np.uint32)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        x = da.from_array(table, chunks=(256, 15))
        for axis in (None, 0, 1, (0, 1)):
            for keepdims in (False, True):
                got = fold(folds.variance, x, axis, joined=folds.variance_joined, keepdims=keepdims, split_every=2)
                want = table.var(axis=axis, keepdims=keepdims)
                assert got.shape == want.shape and got.dtype == want.dtype, (got.shape, want.shape)
                np.testing.assert_allclose(got.compute(), want, rtol=1e-12)
        print(f"variance of {x.npartitions} blocks: {float(got.compute().item()):.6f}")

        n = da.from_array(numbers, chunks=(64, 64))
        for axis in (None, 0, 1):
            np.testing.assert_array_equal(fold(folds.total, n, axis).compute(), numbers.sum(axis=axis))
        print(f"sum of {n.npartitions} blocks: {int(fold(folds.total, n).compute())}")

        # An operation whose order matters: the bits of one call, however the array is cut.
        whole = folds.walk(steps)
        for length in (100_000, 9_973, 1_000):
            walked = fold(folds.walk, da.from_array(steps, chunks=length), joined=folds.walk_joined, split_every=3)
            assert walked.compute() == whole, (length, walked.compute(), whole)
        print(f"steps in their order: {whole}")


if __name__ == "__main__":  # workers import this file
    main()
