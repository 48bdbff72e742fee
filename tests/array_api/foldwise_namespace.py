"""The array API standard's namespace: NumPy's, with functions of kernels in the place of NumPy's.

Elementwise functions are the module's as they are. Folds get what the standard leaves to a library: the type of a sum
of narrow integers, and the conditions of all() and any().
"""

import numpy as np

import standard

FOLDS = ["sum", "prod", "max", "min", "all", "any", "cumulative_sum"]
ELEMENTWISE = [
    name for name in dir(standard) if type(getattr(standard, name)).__name__ == "kernel" and name not in FOLDS
]
__array_api_version__ = np.__array_api_version__
__version__ = np.__version__
globals().update({name: getattr(standard, name) for name in ELEMENTWISE})


def __getattr__(name):
    return getattr(np, name)


def __dir__():
    return sorted({*dir(np), *globals()})


def _wide(x, dtype):
    """The type of a sum: integers have at least the default integer's 64 bits."""
    if dtype is not None:
        return dtype
    return {"i": "int64", "u": "uint64"}.get(x.dtype.kind, x.dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return standard.sum(x, axis=axis, dtype=_wide(x, dtype), keepdims=keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return standard.prod(x, axis=axis, dtype=_wide(x, dtype), keepdims=keepdims)


def max(x, /, *, axis=None, keepdims=False):
    return standard.max(x, axis=axis, keepdims=keepdims)


def min(x, /, *, axis=None, keepdims=False):
    return standard.min(x, axis=axis, keepdims=keepdims)


def all(x, /, *, axis=None, keepdims=False):
    return standard.all(np.astype(x, bool), axis=axis, keepdims=keepdims)


def any(x, /, *, axis=None, keepdims=False):
    return standard.any(np.astype(x, bool), axis=axis, keepdims=keepdims)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    type = np.dtype(_wide(x, dtype))
    sums = standard.cumulative_sum(x, axis=0 if axis is None else axis, dtype=type)
    if include_initial:
        first = list(sums.shape)
        first[0 if axis is None else axis] = 1
        sums = np.concat([np.zeros(first, type), sums], axis=0 if axis is None else axis)
    return sums
