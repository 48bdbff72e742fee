"""Folds of Foldwise over Dask's arrays, whose blocks are NumPy's or CuPy's."""

import dask.array as da
import numpy as np


def fold(function, x, axis=None, *, joined=None, keepdims=False, split_every=None):
    """Returns what function(x, axis, keepdims=keepdims) gives, as an array that Dask computes.

    Each block is folded where it is, by function.partial(). `joined` is a fold of such accumulators, by the same
    operation and without a finish; `function` itself will do if its accumulators are its elements, as those of a sum
    are. Dask joins neighbours, split_every blocks at a time, and function.from_partials() finishes.

    Blocks that lie behind one another along an axis are combined in their order. Of several axes, the operation has to
    commute, unless only the first of them is cut into blocks.
    """
    join = function if joined is None else joined
    one = np.asarray(function(np.ones((1,) * x.ndim, x.dtype), axis=axis, keepdims=keepdims))
    meta = np.empty_like(x._meta, shape=(0,) * one.ndim, dtype=one.dtype)  # an array of the blocks' library

    def chunk(block, axis, keepdims, computing_meta=False):
        if computing_meta:  # Dask casts what it takes for the blocks' type, and accumulators cannot be cast
            return np.empty_like(block, dtype=one.dtype)
        return function.partial(block, axis=axis, keepdims=keepdims)

    return da.reduction(
        x,
        chunk=chunk,
        combine=lambda parts, axis, keepdims: join(parts, axis=axis, keepdims=keepdims),
        aggregate=lambda parts, axis, keepdims: function.from_partials(parts, axis=axis, keepdims=keepdims),
        axis=axis,
        keepdims=keepdims,
        split_every=split_every,
        dtype=one.dtype,
        meta=meta,
    )
