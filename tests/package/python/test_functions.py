"""What the functions of a module do beyond the calls of tests/acceptance/python: python3 test_functions.py"""
import gc
import inspect
import itertools
import os
import random
import subprocess
import sys
import threading

import numpy as np

import functions as f
from checks import installed_torch, raises, run

AxisError = np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError


def same(a, b):
    np.testing.assert_array_equal(a, b)
    assert np.asarray(a).dtype == np.asarray(b).dtype, (np.asarray(a).dtype, np.asarray(b).dtype)


def test_import():
    code = "import sys, functions; assert not {'numpy', 'torch', 'jax'} & {*sys.modules}; functions.add.nin"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_attributes():
    assert f.add.types == ["bb->b", "ll->l", "LL->L", "ff->f", "dd->d", "DD->D"]
    assert 'in "quotation marks" and with a backslash: \\.' in f.add.__doc__
    assert f.add.__module__ == "functions" and f.add.__qualname__ == "add" and "functions.add" in repr(f.add)
    assert list(inspect.signature(f.dot).parameters) == [
        "x", "y", "axis", "dtype", "out", "keepdims", "initial", "where", "segments", "stream"]
    assert inspect.signature(f.dot).parameters["stream"].kind is inspect.Parameter.KEYWORD_ONLY
    assert not hasattr(f.dot, "nin") and not hasattr(f.sum, "outer")


def test_folds_by_the_same_operation():
    """Of several folds that say the same, a universal function has the one that is of its types."""
    assert f.multiply.identity == 1
    x = np.arange(1, 7, dtype="f4").reshape(2, 3)
    same(f.multiply.reduce(x, axis=None), np.float32(720))
    same(f.multiply.reduce(x[:, :0], axis=1), np.ones(2, "f4"))


def test_types():
    a = np.arange(4)
    same(f.add(a.astype("i1"), 3), a.astype("i1") + np.int8(3))
    same(f.add(a.astype("i2"), a.astype("u1")), (a + a).astype("i8"))
    same(f.add(a.astype("u8"), 3), a.astype("u8") + np.uint64(3))
    same(f.add(a.astype("f2"), a.astype("u2")), (a + a).astype("f4"))
    same(f.add(a.astype("i4"), 1.5), a + 1.5)
    same(f.add(a.astype("f4"), a), (a + a).astype("f8"))
    same(f.add(a, 1j), a + 1j)
    same(f.add(2, 3), np.int64(5))
    same(f.add(2, True), np.int64(3))
    same(f.add(a.astype("i1"), 1.5), a + 1.5)
    same(f.add(a > 1, 3), (a > 1) + np.int64(3))
    same(f.add(a.astype("i1"), 1j), a + 1j)
    same(f.add([1, 2], (3, 4.5)), np.array([4, 6.5]))
    same(f.add(a, a, dtype="f4"), (a + a).astype("f4"))
    same(f.half_of(np.float16([1, 3])), np.float16([0.5, 1.5]))
    same(f.is_less(a, 2), a < 2)
    raises(OverflowError, lambda: f.add(a.astype("i1"), 200), "200", "int8")
    raises(OverflowError, lambda: f.add(a.astype("u8"), -1), "-1", "uint64")
    raises(TypeError, lambda: f.add(np.array(["a"]), a), "<U1")
    raises(TypeError, lambda: f.half_of(a.astype("f4")), "float32", "float16")
    raises(TypeError, lambda: f.add(object(), a))
    raises(TypeError, lambda: f.add(a, a, dtype="M8[s]"), "datetime64")


def test_messages():
    """Every message begins with the function's name in Python, and says how arguments would fit."""
    a, x = np.arange(4), np.arange(4.0)
    single = x.astype("f4")
    raises(TypeError, lambda: f.half_of(x), "half_of() does not take (float64); it takes (float16) -> float16,",
           "cast to these safely: x.astype(np.float16)")
    raises(TypeError, lambda: f.half_of([1.5]), "np.array(x, np.float16)")
    raises(TypeError, lambda: f.histogram(a, shape=4), "histogram() does not take (int64); it takes (uint8) -> uint32,",
           ": pixel.astype(np.uint8)")
    raises(TypeError, lambda: f.histogram(1.5, shape=4), "histogram() does not take (float)", ": int(pixel)")
    raises(TypeError, lambda: f.variance(x), "variance() does not take (float64); it takes (float32) -> float64,",
           ": x.astype(np.float32)")
    raises(TypeError, lambda: f.powers(x, a, x), "-> (float32, float32) or ", ": n.astype(np.int32)")
    raises(TypeError, lambda: f.is_less(x, 1j * x), "it takes (float64, float64) -> bool, and what can be cast to these safely")
    raises(TypeError, lambda: f.add(x, x, dtype="i8"), "dtype=int64", "; casting='unsafe' casts them")
    raises(TypeError, lambda: f.add(x, x, dtype="f4", casting="safe"), "; casting='same_kind' casts them")
    raises(TypeError, lambda: f.add(x, x, out=single), "add(): cannot cast a result of float64", "; casting='same_kind' casts them")
    raises(TypeError, lambda: f.numbered(x, out=a), "numbered(): cannot cast a result", "; casting='unsafe' casts them")
    raises(TypeError, lambda: f.inner1d(x, x, 0), "inner1d(): an output must be an array, not int; an axis is named: axis=0")
    raises(TypeError, lambda: f.matmul(np.eye(2), np.eye(2), (0, 1)), "axis=(0, 1)")
    raises(TypeError, lambda: f.half_of(x=single), "half_of() takes its inputs by position, and not as x=: call half_of(x)")
    raises(ValueError, lambda: f.heat(x, 0.1), "heat(): ", "of shape (4,)")
    raises(ValueError, lambda: f.scaled_transpose((2, 3), single.reshape(2, 2), 1, single[:1, None]), "scaled_transpose(): ")
    for name, kind, call in (
        ("sum", ValueError, lambda: f.sum(x, out=np.empty(3))), ("sum", TypeError, lambda: f.sum(x, where=x)),
        ("sum", OverflowError, lambda: f.sum(a, initial=2 ** 70)), ("add", ValueError, lambda: f.add(x, x[:3])),
        ("sum", ValueError, lambda: f.sum(np.zeros((1,) * 9))), ("add", OverflowError, lambda: f.add(a, 2 ** 64)),
        ("sum", TypeError, lambda: f.sum(x, segments=x)), ("sum", ValueError, lambda: f.sum(x, segments=[[0]])),
        ("maximum_of", ValueError, lambda: f.maximum_of(x[:0])), ("matmul", TypeError, lambda: f.matmul(x, x, foo=1)),
        ("running", ValueError, lambda: f.running(x, by_key=a[:3])), ("uniform", ValueError, lambda: f.uniform(1, shape=-1)),
    ):
        try:
            call()
        except kind as error:
            assert str(error).startswith(name + "(): ") or str(error).startswith(name + "() "), error
        else:
            raise AssertionError(f"no {kind.__name__} of {name}")


def test_numbers_alone():
    """Numbers without an array are taken by functions of narrower types, too, as C++ takes them."""
    for number in 1.5, 3, True:
        same(f.half_of(number), np.float16(number / 2))
    same(f.moved(np.zeros(1, f.moved.dtypes[0][0]), 3)["at"]["row"], np.int32([3]))
    same(f.multiply(3.0, 2.5), np.float32(7.5))
    same(f.powers(1.5, 2, 2.0)[0], np.float64(4.5))
    raises(OverflowError, lambda: f.powers(1.5, 2 ** 40, 2.0), "int32")


def test_layouts():
    a = np.arange(24.0).reshape(2, 3, 4)
    for x in a[:, ::-1, ::2], a.T, a[:0], a[0, 0, 0], np.broadcast_to(a[0], (5, 3, 4)):
        same(f.add(x, 1.0), x + 1.0)
        same(f.sum(x), np.float64(x.sum()))
        for axis in range(x.ndim):
            same(f.sum(x, axis=axis), x.sum(axis=axis))
            same(f.running(x, axis=axis), x.cumsum(axis=axis))
        same(f.running(x), x.cumsum())
    packed = np.zeros(5, dtype=[("a", "i1"), ("b", "f8"), ("c", "c16")])
    packed["b"], packed["c"] = np.arange(5.0), np.arange(5.0)
    for x in packed["b"], packed["c"], np.arange(5, dtype=">i8"), np.arange(5, dtype=">f4"):
        same(f.add(x, x), x.astype(x.dtype.newbyteorder("=")) * x.dtype.type(2))
    same(f.sum(packed["b"]), np.float64(10))
    same(f.sum(np.arange(5, dtype=">i8")), np.int64(10))
    raises(ValueError, lambda: f.sum(np.zeros((1,) * 9)), "9")


def test_ufunc_methods():
    a = np.arange(1.0, 13).reshape(3, 4)
    same(f.add.reduce(a, axis=1), a.sum(axis=1))
    same(f.add.accumulate(a, axis=0), a.cumsum(axis=0))
    same(f.add.outer(a[0], a[1]), np.add.outer(a[0], a[1]))
    counts = np.zeros(3, dtype=np.int64)
    f.add.at(counts, [0, 2, 2], 1)
    same(counts, np.array([1, 0, 2]))

    class Other:
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return ufunc.__name__, method, len(inputs)

    assert f.add(Other(), a) == ("add", "__call__", 2) == f.add(a, Other())


def test_errors_of_loops():
    """What kernels throw comes through NumPy's function, however that is called; the module has no kernels for the simulator."""
    program = """if True:
        import numpy as np, functions as f
        class Delegate:
            def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
                return getattr(ufunc, method)(a, a)
        a = np.arange(6.0).reshape(2, 3)
        calls = [lambda: f.add(a, a), lambda: f.add.outer(a, a), lambda: f.add.reduce(a), lambda: f.add.accumulate(a),
                 lambda: f.add(Delegate(), a), lambda: f.add(a, a)]
        for call in calls:
            try:
                print("returned", call())
            except Exception as error:
                print(type(error).__name__, error)
        """
    environment = {**os.environ, "FOLDWISE_EXECUTOR": "simulator"}
    said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    lines = said.stdout.splitlines()
    assert len(lines) == 6 and "simulator" in lines[0] and len({*lines}) == 1, said.stdout + said.stderr


def test_outputs():
    a, b = np.arange(20.0), np.ones(20)
    for i, j, k in itertools.product(range(3), repeat=3):
        x = a.copy()
        want = x[i:i + 17] + x[j:j + 17]
        f.add(x[i:i + 17], x[j:j + 17], out=x[k:k + 17])
        same(x[k:k + 17], want)
    x = a.copy().reshape(4, 5)
    want = x.cumsum(axis=1)
    assert f.running(x, axis=1, out=x) is x
    same(x, want)
    x = a.copy()
    f.running(x[:-1], out=x[1:])
    same(x[1:], a[:-1].cumsum())
    out = np.empty((), "c16")
    assert f.sum(a, out=out) is out and out == 190
    raises(TypeError, lambda: f.sum(a, out=np.empty((), "f4")), "float32")
    raises(ValueError, lambda: f.sum(a, out=np.empty(3)), "(3,)")
    raises(TypeError, lambda: f.sum(a, out=[0.0]), "list")
    b.flags.writeable = False
    raises(ValueError, lambda: f.running(a, out=b), "read-only")


def test_folds():
    a = np.arange(24.0).reshape(2, 3, 4)
    same(f.dot(a, a[0, 0], axis=-1), a @ a[0, 0])
    same(f.dot(a, 2), np.float64(2 * a.sum()))
    same(f.sum(a.astype("f4"), dtype="f8"), a.sum())
    same(f.sum(np.arange(5, dtype="i4")), np.int64(10))
    same(f.sum(a, (0, 2), None, None, True), a.sum(axis=(0, 2), keepdims=True))
    same(f.sum(a, axis=(), initial=1), a + 1)
    same(f.sum(a, keepdims=True), a.sum(keepdims=True))
    same(f.sum(3), np.int64(3))
    same(f.running(a, axis=2, exclusive=True, initial=5), a.cumsum(axis=2) - a + 5)
    same(f.running(a, axis=2, reverse=True), a[..., ::-1].cumsum(axis=2)[..., ::-1])
    raises(AxisError, lambda: f.sum(a, axis=-4), "-4")
    raises(ValueError, lambda: f.sum(a, axis=(0, -3)), "duplicate")
    raises(TypeError, lambda: f.sum(a, axis=1.5))
    for call in f.sum, f.running:
        raises(TypeError, lambda: call(a[0, 0], np.zeros(1)), "axis is an integer", "not an array", "out=")
    raises(TypeError, lambda: f.sum(), "x")
    raises(TypeError, lambda: f.sum(a, keepdim=True), "keepdim")
    raises(TypeError, lambda: f.sum(a, 0, axis=0), "axis")
    raises(OverflowError, lambda: f.sum(np.arange(3), initial=2 ** 70), "int64")


def test_tasks():
    x = np.arange(6, dtype="f4").reshape(2, 3)
    out = np.zeros((3, 2), "f4")
    assert f.scaled_transpose((2, 3), x, 2, out) is None
    same(out, (2 * x).T)
    f.scaled_transpose((2, 3), x.astype("f2")[::-1], np.float32(1), out)
    same(out, x[::-1].T)
    raises(TypeError, lambda: f.scaled_transpose((2, 3), x, 1, np.zeros((3, 2))), "float64")
    raises(TypeError, lambda: f.scaled_transpose((2, 3), x.astype("f8"), 1, out),
           "exactly so where elements are written: x.astype(np.float32)")
    raises(TypeError, lambda: f.scaled_transpose((2, 3), x.astype("i4"), np.float64(1), out),
           "are written: x.astype(np.float32), factor.astype(np.float32)")
    # A cast would make a copy of what is written, and one from complex numbers loses too much.
    for call in (lambda: f.scaled_transpose((2, 3), x.astype("f8"), 1, np.zeros((3, 2))),
                 lambda: f.scaled_transpose((2, 3), x, 1, np.zeros((3, 2))),
                 lambda: f.block_sums(3, np.zeros(96, "c16"), np.zeros(3)),
                 lambda: f.block_sums(3, np.zeros(96), np.zeros(3, "f4"))):
        assert raises(TypeError, call).endswith("exactly so where elements are written")
    raises(ValueError, lambda: f.scaled_transpose(6, x, 1, out), "2")
    for arguments in (x, 1, out), (x, (2, 3), 1, out), (x,):
        raises(TypeError, lambda: f.scaled_transpose(*arguments),
               "takes the numbers of tasks first, as in scaled_transpose((n0, n1), ")
    raises(ValueError, lambda: f.scaled_transpose((2, 3), x, 1, np.zeros((1, 1), "f4")), "out")
    raises(ValueError, lambda: f.scaled_transpose((2, 3), x, 1, out.astype(">f4")), "out")


def test_random_calls():
    random.seed(1)
    numbers = np.random.default_rng(1)
    for _ in range(2000):
        shape = [random.choice([0, 1, 1, 2, 3, 5]) for _ in range(random.randint(0, 4))]
        operands = []
        for _ in range(2):
            own = [extent if random.random() < 0.8 else random.choice([1, 2]) for extent in shape]
            own = own[random.randint(0, len(own)) if random.random() < 0.2 else 0:]
            kind = random.choice(["i1", "i8", "u8", "f4", "f8", "c16", ">f8", ">i8"])
            x = numbers.integers(0, 50, size=[2 * extent for extent in own]).astype(kind)
            x = x[tuple(slice(None, None, random.choice([2, -2])) for _ in own)]
            operands.append(x.T if random.random() < 0.2 else x)
        types = [x.dtype.newbyteorder("=") for x in operands]
        common = next(t for t in np.dtype("i1 i8 u8 f4 f8 c16".replace(" ", ",")).descr
                      if all(np.can_cast(own, t[1], "safe") for own in types))[1]
        keywords = {"order": random.choice("CFAK")} if random.random() < 0.2 else {}
        try:
            want = np.add(*operands, dtype=common, **keywords)
        except ValueError:
            raises(ValueError, lambda: f.add(*operands, **keywords))
            continue
        got = f.add(*operands, **keywords)
        same(got, want)
        assert np.ndim(got) == 0 or got.strides == want.strides
        axis = random.choice([None, *range(operands[0].ndim)])
        if operands[0].dtype.kind == "f" and operands[0].dtype.itemsize == 8:
            keepdims = random.random() < 0.5
            same(f.sum(operands[0], axis=axis, keepdims=keepdims), operands[0].sum(axis=axis, keepdims=keepdims))


def test_threads_and_leaks():
    a = np.arange(1000.0)
    wrong = []

    def call():
        for _ in range(200):
            if f.sum(a) != a.sum() or f.add(a, a)[-1] != 1998:
                wrong.append(1)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong

    def many():
        for _ in range(2000):
            f.add(a, 1), f.sum(a, axis=0), f.running(a), f.dot(a, a, initial=1)
            raises(TypeError, lambda: f.add(a, object()))
            raises(ValueError, lambda: f.add(a, a[:7]))

    many()
    gc.collect()
    before = sys.getrefcount(a), sys.getrefcount(None), sys.getallocatedblocks()
    many()
    gc.collect()
    after = sys.getrefcount(a), sys.getrefcount(None), sys.getallocatedblocks()
    # One reference or block for each of the 2000 rounds would be seen; what Python itself does meanwhile is less.
    assert after[0] == before[0] and abs(after[1] - before[1]) < 1000 and after[2] - before[2] < 1000, (before, after)


def test_torch():
    torch = installed_torch("functions of PyTorch's tensors")
    if not torch:
        return
    x = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(f.add(x.T, x.T), 2 * x.T)
    torch.testing.assert_close(f.add(x, x.double()), 2 * x.double())
    torch.testing.assert_close(f.half_of(x.half()), x.half() / 2)
    torch.testing.assert_close(f.add(x, x, dtype=torch.float64), 2 * x.double())
    torch.testing.assert_close(f.add(x, x, where=x > 5, out=x.clone()), torch.where(x > 5, 2 * x, x))
    torch.testing.assert_close(f.add(x.to(torch.complex128).conj() * 1j, 1), x.to(torch.complex128) * 1j + 1)
    y = torch.arange(20.0)
    f.add(y[1:], y[:-1], out=y[1:])
    torch.testing.assert_close(y[1:], 2 * torch.arange(20.0)[1:] - 1)
    torch.testing.assert_close(f.sum(x, axis=1, keepdims=True), x.sum(1, keepdim=True))
    torch.testing.assert_close(f.running(x.double(), axis=0), x.double().cumsum(0))
    out = torch.zeros(4, 3)
    f.scaled_transpose((3, 4), x, 2, out)
    torch.testing.assert_close(out, 2 * x.T)
    torch.testing.assert_close(torch.vmap(torch.ops.functions.add, (0, None))(x, x[0]), x + x[0])
    torch.testing.assert_close(torch.vmap(torch.ops.functions.add, (1, 0))(x, x.T[:, None]), x.T[:, None] + x.T[:, None])
    raises(TypeError, lambda: f.add(x, x, out=torch.zeros(3, 4, dtype=torch.int64)), "int64")
    raises(ValueError, lambda: f.add(x, x[:2]), "(3, 4)", "(2, 4)")
    raises(RuntimeError, lambda: f.add(x.requires_grad_(), x), "grad")


if __name__ == "__main__":
    run(globals(), "functions")
