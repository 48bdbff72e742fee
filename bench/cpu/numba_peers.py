"""The same formulas and reductions as loops that Numba compiles and runs on all cores. As with OpenMP's `reduction`, folds may
have any order; no other arithmetic is relaxed."""
import math

import numba
import numpy as np

HALF, ROOT, TWO = np.float32(0.5), np.float32(0.70710678), np.float32(2)  # literals would make it double
LOWEST = np.float32(-np.inf)
ANY_ORDER = {"reassoc", "nsz"}


@numba.njit(parallel=True, cache=True, error_model="numpy")
def rel_diff(x, y, out):
    for i in numba.prange(x.size):
        out[i] = TWO * (x[i] - y[i]) / (x[i] + y[i])


@numba.njit
def normal_cdf(x):
    return HALF * math.erfc(-x * ROOT)


@numba.njit(parallel=True, cache=True, error_model="numpy")
def black_scholes(spot, strike, years, rate, vol, call, put):
    for i in numba.prange(spot.size):
        sd = vol * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + HALF * vol * vol) * years[i]) / sd
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = spot[i] * normal_cdf(d1) - discounted * normal_cdf(d1 - sd)
        put[i] = call[i] + discounted - spot[i]


@numba.njit(parallel=True, cache=True, fastmath=ANY_ORDER)
def sum_of(x):
    total = np.float32(0)
    for i in numba.prange(x.size):
        total += x[i]
    return total


@numba.njit(parallel=True, cache=True, fastmath={"nnan", "nsz"})  # as a < b ? b : a has it
def max_of(x):
    most = LOWEST
    for i in numba.prange(x.size):
        most = max(most, x[i])
    return most


@numba.njit(parallel=True, cache=True, fastmath=ANY_ORDER)
def dot(x, y):
    total = np.float32(0)
    for i in numba.prange(x.size):
        total += x[i] * y[i]
    return total


@numba.njit(parallel=True, cache=True)
def sum_axis_0(x, out):
    """A strip of columns for each task, row by row."""
    width = 256
    for strip in numba.prange((x.shape[1] + width - 1) // width):
        begin, end = strip * width, min(x.shape[1], (strip + 1) * width)
        sums = np.zeros(end - begin, np.float32)
        for i in range(x.shape[0]):
            line = x[i, begin:end]
            for j in range(sums.size):
                sums[j] += line[j]
        out[begin:end] = sums
    return out


@numba.njit(parallel=True, cache=True, fastmath=ANY_ORDER)
def sum_axis_1(x, out):
    for i in numba.prange(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
        out[i] = total
    return out


@numba.njit(parallel=True, cache=True)
def heat(a, k, out):
    m, n = a.shape
    for i in numba.prange(m):
        above, below = max(i - 1, 0), min(i + 1, m - 1)
        for j in range(1, n - 1):
            out[i, j] = a[i, j] + k * (a[above, j] + a[below, j] + a[i, j - 1] + a[i, j + 1] - np.float32(4) * a[i, j])
        for j in (0, n - 1):
            out[i, j] = a[i, j] + k * (a[above, j] + a[below, j] + a[i, max(j - 1, 0)] + a[i, min(j + 1, n - 1)] -
                                       np.float32(4) * a[i, j])


@numba.njit(parallel=True, cache=True)
def laplace(a, out):
    n = a.shape[0]
    for line in numba.prange(n * n):
        i, j = line // n, line % n
        before, behind = a[max(i - 1, 0), j], a[min(i + 1, n - 1), j]
        above, below = a[i, max(j - 1, 0)], a[i, min(j + 1, n - 1)]
        own, to = a[i, j], out[i, j]
        for k in range(1, n - 1):
            to[k] = before[k] + behind[k] + above[k] + below[k] + own[k - 1] + own[k + 1] - np.float32(6) * own[k]
        for k in (0, n - 1):
            to[k] = (before[k] + behind[k] + above[k] + below[k] + own[max(k - 1, 0)] + own[min(k + 1, n - 1)] -
                     np.float32(6) * own[k])


@numba.njit(parallel=True, cache=True)
def transpose(x, out):
    side, n = 32, x.shape[0]
    tiles = (n + side - 1) // side
    for tile in numba.prange(tiles * tiles):
        row, column = tile // tiles * side, tile % tiles * side
        for i in range(row, min(row + side, n)):
            for j in range(column, min(column + side, n)):
                out[i, j] = x[j, i]


@numba.njit(parallel=True, cache=True)
def norms(x, out):
    for i in numba.prange(x.shape[0]):
        squares = np.float32(0)
        for j in range(x.shape[1]):
            squares += x[i, j] * x[i, j]
        out[i] = math.sqrt(squares)


@numba.njit(parallel=True, cache=True)
def products(a, b, c):
    for at in numba.prange(a.shape[0]):
        for i in range(a.shape[1]):
            for j in range(b.shape[2]):
                total = np.float32(0)
                for k in range(a.shape[2]):
                    total += a[at, i, k] * b[at, k, j]
                c[at, i, j] = total


@numba.njit(parallel=True, cache=True, error_model="numpy")
def cholesky(a, lower):
    for at in numba.prange(a.shape[0]):
        for i in range(a.shape[1]):
            for j in range(i + 1):
                total = a[at, i, j]
                for k in range(j):
                    total -= lower[at, i, k] * lower[at, j, k]
                lower[at, i, j] = math.sqrt(total) if i == j else total / lower[at, j, j]
            for j in range(i + 1, a.shape[2]):
                lower[at, i, j] = 0
