"""A user's program, for mypy: what is wrong in it has to be found, and nothing else."""
from typing import assert_type

import numpy as np
import numpy.typing as npt

import functions as f

x: npt.NDArray[np.float64] = np.arange(6.0)
i: npt.NDArray[np.int64] = np.arange(6)

assert_type(f.add(x, x), npt.NDArray[np.float64])
assert_type(f.add(x, 2, where=x > 1, out=np.zeros(6)), npt.NDArray[np.float64])
assert_type(f.add(i, 2), npt.NDArray[np.int64])
assert_type(f.add(np.float64(1), np.float64(2)), np.float64)
assert_type(f.is_less(x, 3.0), npt.NDArray[np.bool_])
assert_type(f.sum(x), np.float64)
assert_type(f.sum(x, axis=0, keepdims=True), npt.NDArray[np.float64])
assert_type(f.running(x, segments=[0, 3, 6]), npt.NDArray[np.float64])
assert_type(f.matmul(x.reshape(2, 3), x.reshape(3, 2), axes=[(0, 1)] * 3), npt.NDArray[np.float64])
assert_type(f.looked_up(i, x), npt.NDArray[np.float64])
assert_type(f.uniform(5, shape=(2, 3)), npt.NDArray[np.float32])
assert_type(f.add.nin, int)
f.sum([1, 2, 3], axis=(0,))
f.add.outer(x, x)
f.variance.from_partials(f.variance.partial(x.astype(np.float32), axis=0))
f.scaled_transpose((2, 3), x.astype(np.float32).reshape(2, 3), 2, np.zeros((3, 2), np.float32))
f.heat(x.reshape(2, 3), 0.5, steps=3)
f.histogram(x.astype(np.uint8), shape=256)

f.add(x)  # error: no second argument
f.add(x, x, outt=x)  # error: no such keyword
f.sum(x, axis="rows")  # error: no axis
f.add(x, x, casting="rough")  # error: no such casts
f.scaled_transpose((2, 3), 2.0, 2, x)  # error: no view
f.heat(x, 0.5, step=3)  # error: no such keyword
