"""What functions of all patterns compute, on NumPy's arrays: python3 test_patterns.py"""
import gc
import inspect
import itertools
import pydoc
import re
import sys

import numpy as np

import functions as f
from checks import raises, run

AxisError = np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError
PLACE = np.dtype([("row", "i4"), ("column", "i4")])
PARTICLE = np.dtype([("at", PLACE), ("velocity", "f4", 3), ("weight", "f8"), ("kind", "u1")], align=True)


def same(a, b):
    np.testing.assert_array_equal(a, b)
    assert np.asarray(a).dtype == np.asarray(b).dtype, (np.asarray(a).dtype, np.asarray(b).dtype)


def particles(count):
    all = np.zeros(count, PARTICLE)
    all["at"]["row"], all["at"]["column"], all["weight"] = np.arange(count), 7, np.arange(count) + 0.5
    all["velocity"] = np.arange(3 * count).reshape(count, 3)
    return all


def test_records():
    assert f.moved.dtypes == [(PARTICLE, np.dtype("i4"), PARTICLE)] and PARTICLE.itemsize == 40
    x = particles(6)
    want = x.copy()
    want["at"]["row"] += 3
    want["weight"] *= 2
    same(f.moved(x, 3), want)
    same(f.moved(x[::-2], np.int8(3)), want[::-2])
    one = f.moved(x[4], 3)
    assert isinstance(one, np.void) and one == want[4]
    out = np.zeros(6, PARTICLE)
    assert f.moved(x, 3, out=out) is out
    same(out, want)
    same(f.moved(x, 3, where=x["weight"] > 2, out=x.copy()), np.where(x["weight"] > 2, want, x))
    assert f.moved(x, 3, out=x) is x  # in place
    same(x, want)
    packed = np.dtype([("at", PLACE), ("velocity", "f4", 3), ("weight", "f8"), ("kind", "u1")])
    same(f.moved(x.astype(packed), 1), f.moved(x, 1))  # the same members elsewhere
    same(f.speed(x), x["velocity"].sum(axis=1))
    same(f.speed(np.float32([1, 2])), np.float32([1, 2]))
    same(f.next_colour(np.uint8([0, 1, 2])), np.uint8([1, 2, 0]))
    other = np.zeros(2, [("x", "f4")])
    raises(TypeError, lambda: f.moved(other, 1),
           "moved() does not take p: it has no member 'at'; the struct's dtype is moved.dtypes[0][0]")
    raises(TypeError, lambda: f.moved(x, 1, out=np.zeros(6)), "float64")
    raises(ValueError, lambda: f.moved(x, np.arange(5, dtype="i4")), "(6,)", "(5,)")
    assert f.weigh(6, x, x[5]) is None
    assert (x["weight"] == x["weight"][5]).all()
    raises(TypeError, lambda: f.weigh(x, x[5]), "weigh() takes the number of tasks first, as in weigh(n, all, like)")
    for scrambled in x.astype(packed), np.zeros(3, other.dtype):
        raises((TypeError, ValueError), lambda: f.weigh(3, scrambled, x[5]))


def test_indices_and_tables():
    same(f.numbered(np.arange(5.0)), np.arange(5.0) * 2)
    same(f.numbered(1.0, shape=4), np.arange(4.0) + 1)
    same(f.numbered(np.ones(3), out=np.zeros((2, 3))), 1 + np.arange(6.0).reshape(2, 3))
    same(f.numbered(np.ones(3), shape=(2, 3)), 1 + np.arange(6.0).reshape(2, 3))
    raises(TypeError, lambda: f.numbered(1.0), "shape=")
    raises(ValueError, lambda: f.numbered(np.ones(3), shape=4), "(3,)", "(4,)")
    raises(ValueError, lambda: f.numbered(np.ones(3), shape=-1), "negative")
    same(f.counted(shape=(2, 3)), np.array([[0, 1, 2], [10, 11, 12]]))
    out = np.zeros((2, 3), ">i8")
    assert f.counted(out=out) is out and out[1, 2] == 12
    raises(TypeError, lambda: f.counted(), "shape=")
    raises(ValueError, lambda: f.counted(shape=5))
    draws = f.uniform(np.uint64(5), shape=1000)
    assert draws.dtype == np.float32 and draws.shape == (1000,) and 0.4 < draws.mean() < 0.6
    same(f.uniform(5, shape=1000), draws)
    assert (f.uniform(6, shape=1000) != draws).any()
    raises(OverflowError, lambda: f.uniform(-1, shape=3), "uint64")
    table = np.arange(10.0) ** 2
    same(f.looked_up(np.array([[1, 2], [9, 0]]), table), table[[[1, 2], [9, 0]]])
    same(f.looked_up(3, table[::-1].astype("f4")), np.float32(36))
    raises(ValueError, lambda: f.looked_up(np.arange(3), table.reshape(2, 5)), "1")
    raises(TypeError, lambda: f.looked_up(np.arange(3), 1.0), "table")
    same(f.numbered(np.arange(4.0), where=np.array([True, False] * 2), out=np.full(4, -1.0)), np.array([0., -1, 4, -1]))
    same(f.numbered(np.arange(4.0), casting="unsafe", out=np.zeros(4, "f4")), np.arange(4, dtype="f4") * 2)
    raises(TypeError, lambda: f.numbered(np.arange(4.0), out=np.zeros(4, "f4")), "float32")
    raises(TypeError, lambda: f.numbered(np.arange(4.0), where=np.ones(4)), "float64")
    raises(ValueError, lambda: f.numbered(np.arange(4.0), casting="rough"), "rough")


def test_states_of_numba():
    """Numba's generators are records of their two words, and arrays of them are Numba's own."""
    numba = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
    assert f.drawn.dtypes == [(numba, np.dtype("f8"))]
    states, x = np.zeros(3, numba), np.zeros(3)
    f.seeded(3, states, 42)
    # The words of create_xoroshiro128p_states(3, seed=42): splitmix64 of the seed, then two jumps.
    first, word = 42, 0
    word = (first + 0x9E3779B97F4A7C15) % 2 ** 64
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2 ** 64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2 ** 64
    word ^= word >> 31
    assert states[0]["s0"] == states[0]["s1"] == word and len({*states["s0"].tolist()}) == 3
    before = states.copy()
    f.drawn(3, states, x)
    same(x, ((before["s0"] + before["s1"]) >> np.uint64(11)) * 2.0 ** -53)
    assert (states != before).all()


def test_errors():
    raises(MemoryError, lambda: f.uniform(1, shape=2 ** 50))
    raises(OverflowError, lambda: f.uniform(1, shape=2 ** 70))
    raises(ValueError, lambda: f.uniform(1, shape=(1,) * 9), "9", "8")
    raises(TypeError, lambda: f.uniform(1, shape=2.5), "float")
    raises(ValueError, lambda: f.sum(np.zeros((1,) * 9)), "9", "8")
    raises(ValueError, lambda: f.maximum_of(np.zeros((3, 0)), axis=1), "maximum_of", "identity")
    raises(AxisError, lambda: f.running(np.zeros(3), axis=1), "1")
    raises(TypeError, lambda: f.running(np.zeros((3, 3)), axis=(0, 1)), "one axis")
    raises(TypeError, lambda: f.sum(np.zeros(3), out=np.float64(1)), "float64")
    raises(TypeError, lambda: f.matmul(np.eye(2), np.eye(2), foo=1), "foo")
    raises(TypeError, lambda: f.matmul(np.eye(2)), "takes 2 arguments, and 'b' is missing")
    raises(TypeError, lambda: f.sum(), "takes 1 argument, and 'x' is missing")
    raises(TypeError, lambda: f.sum[4, 64](np.zeros(3)), "sum() has no blocks and threads to choose: call sum(...)")


def test_folds():
    x = np.random.default_rng(1).normal(size=(4, 5, 6)).astype("f4")
    for axis in None, 0, (0, -1), ():
        np.testing.assert_allclose(f.variance(x, axis=axis), x.astype("f8").var(axis=axis), rtol=1e-6, atol=1e-12)
    parts = f.variance.partial(x, axis=1)
    assert parts.shape == (4, 6) and parts.dtype.names == ("n", "mean", "m2") and (parts["n"] == 5).all()
    same(f.variance.from_partials(parts, axis=()), f.variance(x, axis=1))
    np.testing.assert_allclose(f.variance.from_partials(parts), x.var(), rtol=1e-6)
    got = f.variance.from_partials(parts, axis=0, keepdims=True)
    np.testing.assert_allclose(got, x.var(axis=(0, 1))[None], rtol=1e-5)
    whole = f.variance.partial(x)
    assert isinstance(whole, np.void) and whole["n"] == x.size
    np.testing.assert_allclose(f.variance.from_partials(whole, initial=whole), f.variance(x), rtol=1e-12)
    same(f.variance(x[:0], initial=(2.0, 1.0, 8.0)), np.float64(4))
    record = np.array((2.0, 1.0, 8.0), f.variance.dtypes[0][-1])
    for initial in record, record[()], record.reshape(1):
        same(f.variance(x[:0], initial=initial), np.float64(4))
    best = f.argmax(np.arange(3.0), initial=(9.0, 7))
    assert best["first"] == 9 and best["second"] == 7
    for initial in 3.0, np.float64(3), [2.0, 1.0, 8.0], np.zeros(3), (1.0, 2.0), (1.0, 2.0, "a"), "a", np.zeros(1, "f8,f8"):
        raises(TypeError, lambda: f.variance(x, initial=initial), "variance(): initial= is an accumulator, of dtype",
               "('m2', '<f8')")
        raises(TypeError, lambda: f.variance.from_partials(parts, initial=initial), "initial= is an accumulator")
    for call in f.sum, f.running:
        for kind, initial in (ValueError, "a"), (ValueError, (1.0, 2.0)), (ValueError, np.zeros(3)), (TypeError, 1j):
            raises(kind, lambda: call(x, initial=initial), "(): initial= is an accumulator, of type float")
    raises(TypeError, lambda: f.argmax(x[0, 0], initial=3.0), "argmax(): initial= is an accumulator", "('second', '<i8')")
    raises(TypeError, lambda: f.sum(np.arange(3), initial=2.5), "sum(): initial= is an accumulator, of type int64, not float")
    raises(TypeError, lambda: f.variance.from_partials(x), "float32")
    raises(TypeError, lambda: f.variance.partial(x, where=x > 0), "where")
    raises(TypeError, lambda: f.running.partial(x), "running")
    best = f.argmax(x.ravel().astype("f8"))
    assert best["first"] == x.max() and best["second"] == x.argmax() and best.dtype.names == ("first", "second")
    assert f.even_count(3, shape=10) == 5 and f.even_count(np.ones(4, "u8")) == 2
    same(f.even_count(1, shape=(3, 4), axis=1), np.int64([2, 2, 2]))
    raises(TypeError, lambda: f.even_count(3), "shape=")
    same(f.weighted(np.array([0, 2, 2]), np.array([1.0, 2, 4])), np.float64(9))


def test_where():
    x = np.arange(24.0).reshape(2, 3, 4)
    for mask in x % 3 == 0, x < 0, x[0] > 4, np.array(True), np.array([[True], [False], [True]]), np.bool_(False):
        for axis, keepdims in itertools.product([None, 0, 1, (0, 2), (), -1], [False, True]):
            same(f.sum(x, axis=axis, where=mask, keepdims=keepdims), x.sum(axis=axis, where=mask, keepdims=keepdims))
            want = np.maximum.reduce(x, axis=axis, where=mask, keepdims=keepdims, initial=-1)
            same(f.maximum_of(x, axis=axis, where=mask, keepdims=keepdims, initial=-1), want)
    out = np.zeros((4, 2)).T
    assert f.sum(x, axis=1, where=x > 7, out=out) is out
    same(out, x.sum(axis=1, where=x > 7))
    same(f.dot(x, 2, where=x > 3, axis=2), (2 * x).sum(axis=2, where=x > 3))
    same(f.sum(x[:, :0], axis=1, where=np.bool_(True)), np.zeros((2, 4)))
    same(f.sum(x[:0], axis=1, where=x[0] > 1), np.zeros((0, 4)))
    raises(ValueError, lambda: f.maximum_of(x, where=x > 3), "maximum_of", "initial")
    raises(TypeError, lambda: f.sum(x, where=x), "float64")
    # Each element keeps the index that it has in the whole array.
    even = np.arange(24).reshape(2, 3, 4) % 2 == 0
    for mask in x % 3 == 0, x < 0, x[0] > 4, np.array(True), np.bool_(False):
        for axis, keepdims in itertools.product([None, 0, (0, 2), (), -1], [False, True]):
            same(f.even_count(1, shape=x.shape, axis=axis, where=mask, keepdims=keepdims, initial=5),
                 5 + (even & mask).sum(axis=axis, keepdims=keepdims))
    out = np.zeros((3, 2), "i8").T
    assert f.even_count(np.ones((4, 1), "u8").T, shape=x.shape, axis=2, where=x > 7, out=out) is out
    same(out, (even & (x > 7)).sum(axis=2))
    assert f.even_count(1, shape=0, where=np.ones(0, bool)) == 0
    best = f.argmax(x.ravel(), where=x.ravel() < 20, initial=(-1.0, -1))
    assert (best["first"], best["second"]) == (19, 19)
    best = f.argmax(x, axis=1, where=x % 3 == 0, initial=(-1.0, -1))
    same(best["second"], np.where(x % 3 == 0, x, -1).max(axis=1).astype("i8"))
    raises(ValueError, lambda: f.argmax(x, where=x > 3), "argmax", "initial")
    raises(TypeError, lambda: f.ramped(x, where=x > 3),
           "ramped() takes the index of each element, and only a reduction that does has where=")


def test_masks():
    """Folds leave the masked elements of numpy.ma's arrays out; what cannot refuses them."""
    data = np.arange(24.0).reshape(2, 3, 4)
    m = np.ma.array(data, mask=data % 3 == 0)
    keep = ~m.mask
    for axis in None, 0, (0, 2), -1:
        same(f.sum(m, axis=axis), data.sum(axis=axis, where=keep))
        same(f.sum(m, axis=axis, where=data > 7), data.sum(axis=axis, where=keep & (data > 7)))
        same(f.dot(m, m[0], axis=axis), (data * data[0]).sum(axis=axis, where=keep & keep[0]))
        same(f.maximum_of(m, axis=axis, initial=-1), np.maximum.reduce(data, axis=axis, where=keep, initial=-1))
    same(f.running(m, axis=1), np.where(keep, data, 0).cumsum(axis=1))
    same(f.running(m, axis=1, where=data > 7), np.where(keep & (data > 7), data, 0).cumsum(axis=1))
    same(f.sum(m[0, 0, 0]), np.float64(0))
    same(f.add(m, 1).mask, m.mask)  # elementwise functions are NumPy's in this, too
    raises(TypeError, lambda: f.maximum_of(m), "where=~m.mask", "initial=")
    best = f.argmax(np.ma.array(data, mask=data > 20), initial=(-1.0, -1))
    assert (best["first"], best["second"]) == (20, 20)
    raises(TypeError, lambda: f.argmax(m), "where=~m.mask", "initial=")
    raises(TypeError, lambda: f.ramped(m), "where=~m.mask", "index")
    raises(TypeError, lambda: f.sum.partial(m), "sum.partial()", "where=~m.mask")
    raises(TypeError, lambda: f.sum.from_partials(m), "sum.from_partials()", "where=~m.mask")
    flat = m.ravel()
    raises(TypeError, lambda: f.sum(flat, segments=[0, 24]), "segments=", "where=~m.mask")
    raises(TypeError, lambda: f.running(flat, by_key=np.zeros(24, "i8")), "by_key=", "where=~m.mask")
    ints = np.ma.array([0, 1, 2], mask=[0, 1, 0])
    records = np.ma.array(particles(3), mask=[(0, 0, 1, 0)] * 3)
    out, single, pair = np.zeros(3), np.zeros((2, 2), "f4"), np.ma.array(np.zeros((2, 2), "f4"), mask=[[0, 1], [0, 0]])
    for call in (
        lambda: f.numbered(flat), lambda: f.looked_up([0], flat), lambda: f.uniform(ints.astype("u8"), shape=3), lambda: f.moved(records, 1),
        lambda: f.numbered(out, where=np.ma.array(out == 0, mask=[0, 1, 0])), lambda: f.weighted([0], flat),
        lambda: f.numbered(out, out=np.ma.array(out, mask=[0, 1, 0])), lambda: f.sum(out, out=m[0, 0, :1].reshape(())),
        lambda: f.sum(out, where=np.ma.array(out == 0, mask=[0, 1, 0])), lambda: f.sum(out, segments=ints),
        lambda: f.histogram(ints.astype("u1"), shape=3), lambda: f.histogram([np.uint8(1)], np.ma.array([1, 2], "u4", mask=[1, 0])),
        lambda: f.heat(m[0], 0.1), lambda: f.filtered(flat, [0, 0, 1.0]), lambda: f.matmul(m, data.swapaxes(1, 2)),
        lambda: f.scaled_transpose((2, 2), pair, 1, single),
        lambda: f.scaled_transpose((2, 2), single, 1, pair), lambda: f.block_sums(3, flat, out),
        lambda: f.scaled_transpose((2, 2), single, np.ma.array(np.float32(1), mask=True), single),
    ):
        raises(TypeError, call, "where=~m.mask")
    # Where nothing is masked, and where there is no mask but a field or an attribute of this name.
    for plain in np.ma.array(data), np.ma.array(data, mask=False), data.view(np.recarray):
        same(f.sum(plain), data.sum())
        same(f.running(plain, axis=0), data.cumsum(axis=0))
    same(f.matmul(np.matrix(data[0]), data[1].T), data[0] @ data[1].T)


def test_scans_where():
    x = np.arange(1.0, 25).reshape(2, 3, 4)
    for mask in x % 3 == 0, x < 0, x[0] > 4, np.array([[True], [False], [True]]), np.bool_(True), np.bool_(False):
        zeros = np.where(mask, x, 0)
        for axis in None, 0, 1, -1:
            same(f.running(x, axis=axis, where=mask), zeros.cumsum(axis=axis))
            same(f.running(x[:, :0], axis=axis, where=np.bool_(True)), x[:, :0].cumsum(axis=axis))
            if axis is not None:
                got = f.running(x, axis=axis, where=mask, exclusive=True, reverse=True, initial=2)
                same(got, np.flip(np.flip(zeros, axis).cumsum(axis), axis) - zeros + 2)
    out = np.zeros((2, 3, 4), "c16")
    assert f.running(x, axis=1, where=x > 5, out=out) is out
    same(out, np.where(x > 5, x, 0).cumsum(axis=1).astype("c16"))
    y = x.copy()
    f.running(y, axis=2, where=y > 5, out=y)
    same(y, np.where(x > 5, x, 0).cumsum(axis=2))
    raises(TypeError, lambda: f.running(x, where=x), "float64")
    raises(TypeError, lambda: f.running(x.ravel(), where=x.ravel() > 1, segments=[0, 24]), "segments")


def test_segments():
    x, offsets = np.arange(10.0), np.array([0, 3, 3, 10])
    same(f.sum(x, segments=offsets), np.array([3.0, 0, 42]))
    same(f.sum(x, segments=[0, 5, 10], initial=1), np.array([11.0, 36]))
    same(f.sum(x[::-1], segments=offsets.astype("u4")), np.array([24.0, 0, 21]))
    out = np.zeros(3, ">f8")
    assert f.sum(x, segments=offsets, out=out) is out and out[2] == 42
    keys = np.array([1, 1, 2, 2, 2, 1, 1, 1, 1, 0])
    begins = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    want = np.concatenate([np.cumsum(part) for part in np.split(x, begins[1:])])
    same(f.running(x, by_key=keys), want)
    same(f.running(x, segments=[0, 2, 5, 9, 10]), want)
    same(f.running(x, by_key=keys.astype(bool)), np.append(np.arange(10.0).cumsum()[:-1], 9))
    raises(TypeError, lambda: f.sum(x, segments=offsets, axis=0), "axis")
    raises(TypeError, lambda: f.sum(x, segments=offsets / 2), "float64")
    raises(TypeError, lambda: f.sum(x, segments=offsets.astype("i2")), "int16")
    raises(ValueError, lambda: f.sum(x, segments=offsets[::-1]))
    raises(ValueError, lambda: f.sum(x, segments=offsets + 1))
    raises(TypeError, lambda: f.sum(x, segments=3), "int")
    raises(ValueError, lambda: f.sum(x, segments=[[0, 10]]), "one axis")
    raises(ValueError, lambda: f.running(x, by_key=keys[:3]))
    raises(TypeError, lambda: f.running(x, by_key=keys, segments=offsets), "by_key")


def test_scatter():
    pixels = np.random.default_rng(1).integers(0, 256, size=(20, 30)).astype("u1")
    want = np.bincount(pixels.ravel(), minlength=256).astype("u4")
    same(f.histogram(pixels, shape=256), want)
    bins = np.ones(256, "u4")
    assert f.histogram(pixels.T, out=bins) is bins
    same(bins, want + 1)
    for bins in np.ones(256, ">u4"), np.ones(512, "u4")[::2], np.frombuffer(bytearray(1025), "u1")[1:].view("u4"):
        before = bins.copy()
        f.histogram(pixels, bins)
        same(bins, (before + want).astype(bins.dtype))
    same(f.histogram(np.uint8([]), shape=(3,)), np.zeros(3, "u4"))
    grid = f.deposit([0, 1, 1], 2, np.array([0.5, 1, 2]), shape=(2, 3))
    same(grid, np.array([[0, 0, 0.5], [0, 0, 3]]))
    raises(TypeError, lambda: f.histogram(pixels), "shape=")
    raises(TypeError, lambda: f.histogram(pixels, out=bins, shape=256), "shape=")
    raises(TypeError, lambda: f.histogram(pixels, out=np.zeros(256, "u8")), "uint64")
    raises(ValueError, lambda: f.histogram(pixels, shape=(16, 16)), "1", "2")
    bins = np.ones(256, "u4")
    bins.flags.writeable = False
    raises(ValueError, lambda: f.histogram(pixels, out=bins), "read-only")


def step_of_heat(a, k):
    p = np.pad(a, 1, mode="edge")
    return a + k * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * a)


def test_stencils():
    a = np.random.default_rng(1).normal(size=(8, 9))
    np.testing.assert_allclose(f.heat(a, 0.1), step_of_heat(a, 0.1), rtol=1e-12)
    assert f.heat(a.astype("f4"), 0.1).dtype == np.float32
    want = a
    for _ in range(5):
        want = step_of_heat(want, 0.1)
    np.testing.assert_allclose(f.heat(a.T, 0.1, steps=5), want.T, rtol=1e-12)
    out = np.zeros((9, 8)).T
    assert f.heat(a, 0.1, out=out, steps=5) is out
    np.testing.assert_allclose(out, want, rtol=1e-12)
    b = a.copy()
    f.heat(b, np.float64(0.1), out=b)  # in place
    np.testing.assert_allclose(b, step_of_heat(a, 0.1), rtol=1e-12)
    np.testing.assert_allclose(f.heat(a, np.full(9, 0.1)), step_of_heat(a, 0.1), rtol=1e-12)
    x = np.arange(6.0) ** 2
    for given in x.copy(), np.full(6, -1.0), np.full(6, -1, ">f8"):
        want = given.copy()
        want[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
        out = f.inner_mean(x, out=given)
        np.testing.assert_allclose(out, want)
    x = np.arange(6.0)
    f.inner_mean(x, out=x)
    np.testing.assert_allclose(x, np.arange(6.0))
    np.testing.assert_allclose(f.filtered(x, [0, 0, 1.0]), np.roll(x, -1))
    raises(TypeError, lambda: f.inner_mean(x), "out=")
    raises(ValueError, lambda: f.heat(a, 0.1, steps=0), "0")
    raises(ValueError, lambda: f.heat(a[0], 0.1))
    raises(ValueError, lambda: f.heat(a, 0.1, out=np.zeros((9, 8))), "(9, 8)", "(8, 9)")
    raises(TypeError, lambda: f.heat(1.0, 0.1), "a")


def test_generalized():
    assert f.matmul.signature == "(m,n),(n,p)->(m,p)" and (f.matmul.nin, f.matmul.nout, f.matmul.ntypes) == (2, 1, 2)
    assert f.matmul.types == ["ff->f", "dd->d"] and f.matmul.identity is None and f.cross.signature == "(3),(3)->(3)"
    random = np.random.default_rng(1)
    a, b = random.normal(size=(5, 2, 3, 4)), random.normal(size=(2, 4, 6))
    np.testing.assert_allclose(f.matmul(a, b), a @ b)
    assert f.matmul(a.astype("f4"), b.astype("f4")).dtype == np.float32
    np.testing.assert_allclose(f.matmul(a.swapaxes(-1, -2)[..., ::-1, :], a), a.swapaxes(-1, -2)[..., ::-1, :] @ a)
    for axes in [(0, 1), (0, 1), (0, 1)], [(-1, -2), (2, 0), (1, 2)], [(3, 0), (1, 2), (-1, 0)]:
        x, y = np.moveaxis(a, (-2, -1), axes[0]), np.moveaxis(b, (-2, -1), axes[1])
        np.testing.assert_allclose(f.matmul(x, y, axes=axes), np.matmul(x, y, axes=axes))
        out = np.zeros(np.matmul(x, y, axes=axes).shape)
        assert f.matmul(x, y, axes=axes, out=out) is out
        np.testing.assert_allclose(out, np.matmul(x, y, axes=axes))
    x, y = random.normal(size=(3, 4, 5)), random.normal(size=(4, 5))
    np.testing.assert_allclose(f.inner1d(x, y), (x * y).sum(-1))
    np.testing.assert_allclose(f.inner1d(x, x, axis=0), (x * x).sum(0))
    np.testing.assert_allclose(f.inner1d(x, x, axis=1, keepdims=True), (x * x).sum(1, keepdims=True))
    np.testing.assert_allclose(f.inner1d(x, x, axes=[0, 0]), (x * x).sum(0))
    one = f.inner1d(np.arange(3.0), np.arange(3.0))
    # A new array has zeros where elements are not assigned, whatever was in its memory.
    for _ in range(5):
        np.full(500, 77.0)
        np.testing.assert_array_equal(f.added(np.ones((500, 2))), np.full(500, 2.0))
    np.testing.assert_array_equal(f.added(np.ones((2, 2)), out=np.array([3.0, 4.0])), [5, 6])
    assert isinstance(one, np.float64) and one == 5
    same(f.cross([1.0, 0, 0], np.eye(3)), np.cross([1.0, 0, 0], np.eye(3)))
    same(f.pooled(np.arange(5.0), p=2), np.array([6.0, 4]))
    same(f.pooled(np.arange(10.0).reshape(2, 5), out=np.zeros((2, 2))), np.array([[6.0, 4], [21, 14]]))
    a = np.eye(3)
    f.matmul(a + 1, a + 1, out=a)
    np.testing.assert_allclose(a, (np.eye(3) + 1) @ (np.eye(3) + 1))
    want = a @ a
    f.matmul(a, a, out=a)  # in place
    np.testing.assert_allclose(a, want)
    same(f.matmul(np.zeros((0, 2, 3)), np.zeros((3, 4))), np.zeros((0, 2, 4)))
    same(f.matmul(np.zeros((2, 0)), np.zeros((0, 4))), np.zeros((2, 4)))
    raises(ValueError, lambda: f.matmul(x, y.T[:3]), "core dimension 0", "size 3", "5")
    raises(ValueError, lambda: f.matmul(x, y[0]), "dimensions", "requires 2")
    raises(ValueError, lambda: f.matmul(x, 2.0), "dimensions")
    raises(ValueError, lambda: f.matmul(np.ones((2, 3, 3)), np.ones((3, 3, 3))), "(2,)", "(3,)")
    raises(ValueError, lambda: f.cross(np.ones(4), np.ones(4)), "size 4", "3")
    raises(TypeError, lambda: f.matmul(x, y, axis=0), "axis",
           "(m,n),(n,p)->(m,p); axes=[(-2, -1), (-2, -1), (-2, -1)] names those of each operand")
    raises(TypeError, lambda: f.inner1d(x, x, axis=(0, 1)),
           "axis is an integer, not tuple; axes=[-1, -1, ()] names those of each operand")
    raises(TypeError, lambda: f.matmul(x, y, keepdims=True), "keepdims")
    raises(TypeError, lambda: f.inner1d(x, x, axes=0), "list")
    raises(ValueError, lambda: f.inner1d(x, x, axes=[0]), "3")
    raises(AxisError, lambda: f.inner1d(x, x, axis=3), "3")
    raises(ValueError, lambda: f.matmul(a, a, axes=[(0, 0), (0, 1), (0, 1)]))
    raises(TypeError, lambda: f.pooled(np.arange(5.0)), "p=", "(n)->(p)")
    raises(ValueError, lambda: f.pooled(np.arange(5.0), p=3, out=np.zeros(2)), "3", "2")
    raises(TypeError, lambda: f.inner1d(x, x, where=True), "where")


def test_blocks():
    x, sums = np.arange(100.0), np.zeros(4)
    assert f.block_sums(100, x, sums) is None
    same(sums, np.add.reduceat(x, [0, 32, 64, 96]))
    raises(TypeError, lambda: f.block_sums(100, x, sums.astype("f4")), "float32")
    raises(ValueError, lambda: f.block_sums((10, 10), x, sums), "takes one number of items, not 2")
    raises(TypeError, lambda: f.block_sums(100.0, x, sums), "block_sums(): shape is an integer")
    raises(TypeError, lambda: f.block_sums[4, 32](x, sums), "call block_sums(tasks, ...), with the number of tasks")


def test_folds_of_functions():
    assert f.add.identity == 0 and f.is_less.identity is None
    x = np.arange(24.0).reshape(2, 3, 4)
    same(f.add.reduce(x, axis=(0, 2), where=x > 3, initial=5), np.add.reduce(x, axis=(0, 2), where=x > 3, initial=5))
    same(f.add.reduce(x[:0], axis=0), np.zeros((3, 4)))
    same(f.add.reduce(np.arange(10 ** 6)), np.arange(10 ** 6).sum())
    same(f.add.accumulate(np.arange(10 ** 6)), np.arange(10 ** 6).cumsum())
    y = np.arange(10)
    same(f.add.accumulate(y[::-1], out=y), np.arange(10)[::-1].cumsum())


def test_leaks():
    x, i, p, m = np.arange(9.0), np.arange(3), particles(3), np.eye(3)
    small = x.astype("f4")
    calls = [
        lambda: f.moved(p, 1), lambda: f.moved(p, 1, out=p, where=p["weight"] > 1), lambda: f.looked_up(i, x),
        lambda: f.uniform(1, shape=3), lambda: f.variance.from_partials(f.variance.partial(small, initial=(0, 0, 0))),
        lambda: f.sum(x, where=x > 3), lambda: f.sum(x, segments=[0, 9]), lambda: f.running(x, by_key=x.astype("i4")),
        lambda: f.histogram(x.astype("u1"), shape=9), lambda: f.heat(m, 0.1, steps=2), lambda: f.matmul(m, m, out=m),
        lambda: f.inner1d(m, m, axis=0, keepdims=True), lambda: f.pooled(x, p=2), lambda: f.weigh(3, p, p[0]),
        lambda: f.matmul(m, Recorder()), lambda: f.add(x, [1.0] * 9), lambda: f.variance.dtypes, lambda: f.add.__doc__]
    wrong = [
        lambda: f.moved(m, 1), lambda: f.sum(x, where=x), lambda: f.sum(x, segments=x), lambda: f.histogram(i),
        lambda: f.matmul(m, x), lambda: f.inner1d(x, x, axis=5), lambda: f.heat(x, 1.0), lambda: f.matmul(m, Refuser()),
        lambda: f.add(x, 1, out=i), lambda: f.add(x, 1, casting="rough"), lambda: f.variance(small, initial=m)]

    def many(times):
        for _ in range(times):
            for call in calls:
                call()
            for call in wrong:
                raises(Exception, call)

    def counts():
        gc.collect()
        return sys.getrefcount(x), sys.getrefcount(p), sys.getrefcount(None), sys.getallocatedblocks()

    # What is kept for later calls comes to an end; a leak does not.
    for _ in range(12):
        before = counts()
        many(300)
        after = counts()
        if after[:2] == before[:2] and abs(after[2] - before[2]) < 30 and after[3] - before[3] < 100:
            return
    raise AssertionError((before, after))


class Recorder:
    """An array of another library, which takes NumPy's functions by its own method."""

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return ufunc.__name__, method, len(inputs), sorted(keywords)


class Refuser:
    __array_ufunc__ = None


def test_overrides():
    a = np.eye(3)
    assert f.add(a, Recorder(), where=True)[:3] == ("add", "__call__", 2)
    assert f.add.reduce(Recorder(), axis=0)[:2] == ("add", "reduce")
    assert f.matmul(Recorder(), a, a)[2:] == f.matmul(Recorder(), a, out=a)[2:] == (2, ["out"])
    assert f.matmul(a, Recorder(), axes=[]) == ("matmul", "__call__", 2, ["axes"]) == f.matmul(Recorder(), a, axes=[])
    for function in f.add, f.matmul:
        raises(TypeError, lambda: function(a, Refuser()), "Refuser")
        raises(TypeError, lambda: function(a, Recorder(), a, out=a))
        raises(ValueError, lambda: function(a, Recorder(), out=(a, a)))

    class Wrapped:
        def __array__(self, dtype=None, copy=None):
            return a

        def __array_wrap__(self, array, context=None, return_scalar=False):
            return "wrapped"

    assert f.add(Wrapped(), a) == "wrapped"


def test_xarray():
    try:
        import xarray
    except ImportError:
        print("functions of xarray's arrays: SKIPPED, there is no xarray here")
        return
    x = xarray.DataArray(np.arange(6.0).reshape(2, 3), dims=("row", "column"), coords={"row": [10, 20]})
    y = xarray.DataArray(np.arange(3.0), dims="column")
    for got, want in (f.add(x, y), x + y), (f.add(y, x), y + x), (f.add(2.0, x), x + 2.0), (f.is_less(x, 3), x < 3):
        xarray.testing.assert_identical(got, want)
    got = xarray.apply_ufunc(f.variance, x.astype("f4"), input_core_dims=[["column"]], kwargs={"axis": -1})
    np.testing.assert_allclose(got, x.var("column"))


def test_dask():
    try:
        import dask.array
    except ImportError:
        print("functions of Dask's arrays: SKIPPED, there is no Dask here")
        return
    x = np.arange(24.0).reshape(4, 6)
    lazy = dask.array.from_array(x, chunks=(2, 3))
    got = f.add(lazy, lazy[0])
    assert isinstance(got, dask.array.Array)
    same(got.compute(scheduler="threads"), x + x[0])
    same(lazy.map_blocks(f.add, 1.0).compute(scheduler="synchronous"), x + 1)


def test_pandas():
    try:
        import pandas
    except ImportError:
        print("functions of pandas' columns: SKIPPED, there is no pandas here")
        return
    frame = pandas.DataFrame({"x": [1.0, 2, 3], "y": [4.0, 5, 6]}, index=[7, 8, 9])
    pandas.testing.assert_series_equal(f.add(frame.x, frame.y), frame.x + frame.y, check_names=False)
    pandas.testing.assert_series_equal(f.add(frame.x, frame.x[::-1]), 2 * frame.x, check_names=False)  # by index
    pandas.testing.assert_frame_equal(f.add(frame, 1.0), frame + 1)
    same(f.sum(frame.x), np.float64(6))


def test_documentation():
    text = f.variance.__doc__
    assert text.startswith(
        "variance(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, *, segments=None, "
        "stream=None)\n")
    for piece in "The variance of all elements.", "float32 -> float64", "keepdims : bool, optional":
        assert piece in text, text
    help = pydoc.plain(pydoc.render_doc(f.add))
    assert "add(" in help and "The sum, in" in help and "float64, float64 -> float64" in help, help
    for name in dir(f):
        one = getattr(f, name)
        if not hasattr(one, "_description"):
            continue
        signature = inspect.signature(one)
        line = one.__doc__.splitlines()[0]
        assert line == name + str(signature), (line, str(signature))
        for parameter in signature.parameters:
            assert re.search(rf"^{parameter} : ", one.__doc__, re.M), (name, parameter)
    assert str(inspect.signature(f.matmul)) == (
        "(a, b, c=None, *, out=None, axes=None, axis=None, keepdims=False, dtype=None, casting='safe', "
        "stream=None)")


def test_integers():
    """What is no integer where one is wanted is told with the names of the function and the argument."""
    a = np.ones((2, 3))
    for call, kind, text in (
        (lambda: f.sum(a, axis=1.5), TypeError, "sum(): axis is an integer or a sequence of integers, not float"),
        (lambda: f.sum(a, axis=(0, 1.5)), TypeError, "sum(): axis consists of integers, not of float"),
        (lambda: f.sum(a, axis=5), IndexError, "sum(): axis 5 is out of bounds for array of dimension 2"),
        (lambda: f.sum(a, axis=(0, 0)), ValueError, "sum(): duplicate value in 'axis'"),
        (lambda: f.sum(a, axis=2 ** 70), OverflowError, "sum(): axis has more than 64 bits"),
        (lambda: f.running(a, axis="0"), TypeError, "running(): axis consists of integers, not of str"),
        (lambda: f.running(a, axis=(0, 1)), TypeError, "running() runs along one axis"),
        (lambda: f.inner1d(a, a, axis=(0, 1)), TypeError, "inner1d(): axis is an integer, not tuple"),
        (lambda: f.inner1d(a, a, axis=2), IndexError, "inner1d(): axis 2 is out of bounds"),
        (lambda: f.matmul(a, a.T, axes=[(0, 1.5), (0, 1), (0, 1)]), TypeError,
         "matmul(): axes item 0 consists of integers, not of float"),
        (lambda: f.pooled(np.ones(4), p=2.0), TypeError, "pooled(): p is an integer, not float"),
        (lambda: f.pooled(np.ones(4), p=-2), ValueError, "pooled(): p is -2, and negative dimensions"),
        (lambda: f.uniform(1, shape=a), TypeError, "uniform(): shape consists of integers, not of ndarray"),
        (lambda: f.uniform(1, shape=(2, -1)), ValueError, "uniform(): shape has -1, and negative dimensions"),
        (lambda: f.uniform(1, shape=(1,) * 9), ValueError, "uniform(): shape has 9 axes; at most 8"),
        (lambda: f.counted(shape=2.5), TypeError, "counted(): shape is an integer"),
        (lambda: f.histogram(np.ones(2, "u1"), shape=2.5), TypeError, "histogram(): shape is an integer"),
        (lambda: f.heat(a, 0.5, steps=1.5), TypeError, "heat(): steps is an integer, not float"),
        (lambda: f.scaled_transpose((3, 2.0), a, 2, a), TypeError,
         "scaled_transpose(): shape consists of integers, not of float"),
        (lambda: f.scaled_transpose(3.0, a, 2, a), TypeError, "scaled_transpose(): shape is an integer"),
    ):
        raises(kind, call, text)
    for shape in np.array([2, 3]), [np.int8(2), 3], (2, np.array(3)):  # what NumPy takes, too
        assert f.uniform(1, shape=shape).shape == np.zeros(shape).shape
    for shape in 3, np.array(3), np.array([3]), np.uint64(3):
        assert f.uniform(1, shape=shape).shape == (3,)


if __name__ == "__main__":
    run(globals(), "patterns")
