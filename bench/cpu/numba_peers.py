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
