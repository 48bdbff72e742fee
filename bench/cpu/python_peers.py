"""The same formulas and reductions in NumPy, and as parallel loops of Numba where there is one: prints
{"case/numpy/elements": nanoseconds} as JSON."""
import functools
import json
import sys
import time

import numpy as np

try:
    import numba_peers
except ImportError as error:
    numba_peers = None
    print(f"no Numba: {error}", file=sys.stderr)


def rel_diff(n, rng):
    """By peer, what computes it."""
    x, y = rng.uniform(1, 2, n).astype(np.float32), rng.uniform(2, 3, n).astype(np.float32)
    out, sums = np.empty_like(x), np.empty_like(x)

    def run():  # without temporary arrays: faster than 2 * (x - y) / (x + y)
        np.subtract(x, y, out=out)
        np.multiply(out, np.float32(2), out=out)
        np.add(x, y, out=sums)
        np.divide(out, sums, out=out)

    return peers(run, "rel_diff", x, y, out)


def peers(run, name, *operands):
    """NumPy's, and Numba's of that name with these operands."""
    return {"numpy": run} | ({"numba": functools.partial(getattr(numba_peers, name), *operands)} if numba_peers else {})


def normal_cdf(x):
    """NumPy has no erf: Abramowitz and Stegun 26.2.17, right within 8e-8, with exp alone."""
    k = 1 / (1 + np.float32(0.2316419) * np.abs(x))
    coefficients = (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530)
    tail = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        tail *= k
        tail += np.float32(coefficient)
    tail *= k
    tail *= np.float32(0.39894228) * np.exp(np.float32(-0.5) * x * x)
    return np.where(x > 0, 1 - tail, tail)


def black_scholes(n, rng):
    spot, strike, years = (rng.uniform(low, high, n).astype(np.float32)
                           for low, high in ((50, 150), (60, 140), (0.1, 2)))
    rate, vol = np.float32(0.05), np.float32(0.2)

    def run():
        sd = vol * np.sqrt(years)
        d1 = (np.log(spot / strike) + (rate + np.float32(0.5) * vol * vol) * years) / sd
        discounted = strike * np.exp(-rate * years)
        call = spot * normal_cdf(d1) - discounted * normal_cdf(d1 - sd)
        return call, call + discounted - spot

    return peers(run, "black_scholes", spot, strike, years, rate, vol, np.empty_like(spot), np.empty_like(spot))


def folds(rng):
    """Of each reduction: its name, elements, how many are added to each result, what computes it by peer, and what
    doubles give."""
    x, y = (rng.random(10**8, dtype=np.float32) * 2 - 1 for _ in range(2))
    for n in (10**4, 10**6, 10**8):
        some, others = x[:n], y[:n]
        yield "sum", n, n, peers(functools.partial(np.sum, some), "sum_of", some), np.sum(some, dtype=np.float64)
        yield "max", n, 0, peers(functools.partial(np.max, some), "max_of", some), some[np.argmax(some)]
        yield ("dot", n, n, peers(functools.partial(np.dot, some, others), "dot", some, others),
               np.einsum("i,i", some, others, dtype=np.float64))
    matrix, out = x.reshape(10**4, 10**4), np.empty(10**4, np.float32)
    for axis in (0, 1):
        run = functools.partial(np.sum, matrix, axis=axis, out=out)
        yield (f"sum_axis_{axis}", 10**8, 10**4, peers(run, f"sum_axis_{axis}", matrix, out),
               np.sum(matrix, axis=axis, dtype=np.float64))


def items(rng):
    """Of each stencil, tiling and function of rows: its name, the elements of its first operand, and what computes it
    by peer. NumPy's products of matrices are BLAS's."""
    def made(*shape):
        return rng.random(shape, dtype=np.float32)

    for n in (1024, 8192):
        x, out, k = made(n, n), np.empty((n, n), np.float32), np.float32(0.1)
        yield "heat", n * n, peers(functools.partial(heat, x, k, out), "heat", x, k, out)
        yield "transpose", n * n, peers(functools.partial(np.copyto, out, x.T), "transpose", x, out)
    for n in (128, 400):
        x, out = made(n, n, n), np.empty((n, n, n), np.float32)
        yield "laplace", n**3, peers(functools.partial(laplace, x, out), "laplace", x, out)
    for n in (512, 1024):
        x, y, out = made(n, n), made(n, n), np.empty((n, n), np.float32)
        yield "matmul", n * n, {"numpy": functools.partial(np.matmul, x, y, out)}
    for n in (10**4, 10**6):
        x, out = made(n, 32), np.empty(n, np.float32)
        yield "norms", 32 * n, peers(functools.partial(np.linalg.norm, x, axis=1), "norms", x, out)
        a, b, c = made(n, 2, 4), made(n, 4, 5), np.empty((n, 2, 5), np.float32)
        for case in ("products", "products_any"):
            yield case, 8 * n, peers(functools.partial(np.matmul, a, b, c), "products", a, b, c)
    for n in (10**3, 10**5):
        x = made(n, 16, 16)
        x = np.ascontiguousarray(x + x.transpose(0, 2, 1) + 16 * np.eye(16, dtype=np.float32))
        yield "cholesky", 256 * n, peers(functools.partial(np.linalg.cholesky, x), "cholesky", x, np.empty_like(x))


def heat(a, k, out):
    padded = np.pad(a, 1, "edge")
    np.multiply(a, np.float32(-4), out=out)
    for around in (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]):
        np.add(out, around, out=out)
    np.multiply(out, k, out=out)
    np.add(out, a, out=out)


def laplace(a, out):
    padded, inner = np.pad(a, 1, "edge"), slice(1, -1)
    np.multiply(a, np.float32(-6), out=out)
    for axis in range(3):
        for moved in (slice(None, -2), slice(2, None)):
            np.add(out, padded[tuple(moved if at == axis else inner for at in range(3))], out=out)


def expect_folded(got, want, added):
    """As bench.cpp does."""
    error = np.abs(got - want).max()
    if not error <= 1e-3 * added**0.5:
        sys.exit(f"wrong by {error}")


def mean_time(run, seconds):
    """Nanoseconds a run, over runs that take `seconds` together: what Google Benchmark reports."""
    run()
    begin, runs = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds or runs < 2:
        run()
        runs += 1
    return (time.perf_counter() - begin) / runs * 1e9


def main():
    seconds = float(sys.argv[1])
    rng = np.random.default_rng(1)
    times = {}
    for case, sizes in ((rel_diff, (10**3, 10**4, 10**5, 10**6, 10**7)), (black_scholes, (10**3, 10**4, 10**5, 10**6))):
        for n in sizes:
            for peer, run in case(n, rng).items():
                times[f"{case.__name__}/{peer}/{n}"] = mean_time(run, seconds)
    for name, elements, added, runs, want in folds(rng):
        for peer, run in runs.items():
            expect_folded(run(), want, added)
            times[f"{name}/{peer}/{elements}"] = mean_time(run, seconds)
    for name, elements, runs in items(rng):
        for peer, run in runs.items():
            times[f"{name}/{peer}/{elements}"] = mean_time(run, seconds)
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
