"""Functions of a module with arrays of many libraries: python3 test_arrays.py. What is not installed is skipped."""
import array
import os
import subprocess
import sys

import numpy as np

import functions as f
from checks import installed, installed_torch, raises, run


def same(a, b):
    np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
    assert np.asarray(a).dtype == np.asarray(b).dtype, (np.asarray(a).dtype, np.asarray(b).dtype)


def test_buffers():
    x = array.array("d", [1, 2, 3])
    same(f.add(x, 1), np.array([2.0, 3, 4]))
    same(f.sum(memoryview(x)), np.float64(6))
    same(f.add(memoryview(bytearray(b"abc")).cast("b"), 1), np.frombuffer(b"bcd", "i1"))
    same(f.add(bytearray(b"abc"), 1), np.frombuffer(b"bcd", "u1").astype("i8"))
    out = array.array("f", [0] * 6)
    rows = memoryview(out).cast("B").cast("f", (3, 2))
    f.scaled_transpose((2, 3), np.arange(6, dtype="f4").reshape(2, 3), 2, rows)
    assert list(out) == [0, 6, 2, 8, 4, 10]
    f.add(x, 1, out=np.asarray(x))
    assert list(x) == [2, 3, 4]
    raises(TypeError, lambda: f.scaled_transpose((2, 3), np.zeros((2, 3), "f4"), 2, [[0.0] * 2] * 3), "list")
    raises(ValueError, lambda: f.add(np.ones(3), 1, out=np.frombuffer(bytes(24))), "read-only")


class Shared:
    """An array of a small library that has DLPack's methods and nothing else; it notes how it was asked."""
    def __init__(self, data, device=(1, 0), is_old=False):
        self.data, self.device, self.is_old, self.asked = data, device, is_old, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        if self.is_old and "max_version" in keywords:
            raise TypeError("an unexpected keyword argument 'max_version'")
        try:
            return self.data.__dlpack__(**keywords)
        except TypeError:  # NumPy 1
            return self.data.__dlpack__()


def test_dlpack():
    a = np.arange(6.0).reshape(2, 3)
    for is_old in False, True:
        x = Shared(a.T, is_old=is_old)
        same(f.add(x, 1), a.T + 1)
        same(f.sum(x, axis=0), a.T.sum(axis=0))
        same(f.add(x, a.T), 2 * a.T)  # a library without functions of its own goes with NumPy's arrays
    raises(TypeError, lambda: f.add(Shared(a, device=(7, 0)), 1), "Shared", "7")


def test_arrays_of_a_standard_library():
    xp = installed("array_api_strict", "arrays of array_api_strict")
    if not xp:
        return
    a = np.arange(6.0).reshape(2, 3)
    x = xp.asarray(a)
    for got, want in (f.add(x, 1), a + 1), (f.add(x, x[0, :]), a + a[0]), (f.running(x, axis=1), a.cumsum(axis=1)), \
            (f.add(x, xp.asarray(a, dtype=xp.float32)), 2 * a), (f.sum(x), a.sum()):
        assert type(got) is type(x)
        same(got, want)
    raises(TypeError, lambda: f.add(x, a), "array_api_strict", "numpy.ndarray")


class Standard(Shared):
    """An array of a library that has the array API's functions, and no attribute that a protocol does not promise."""
    def __array_namespace__(self):
        return Functions


class Functions:
    @staticmethod
    def from_dlpack(made):
        return Standard(np.from_dlpack(made))


def test_protocols_alone():
    """Shapes, types and values come from the protocol, whatever else an array has or lacks."""
    a = np.arange(6.0).reshape(2, 3)
    assert not hasattr(Standard(a), "shape") and not hasattr(Standard(a), "dtype")
    x, out = Standard(a), Standard(np.zeros((2, 3)))
    assert type(f.add(x, 1)) is Standard
    same(f.add(x, 1).data, a + 1)
    assert f.add(x, 1, out=out) is out and f.add(x, x, out) is out
    same(out.data, 2 * a)
    same(f.sum(x, axis=0).data, a.sum(axis=0))
    same(f.matmul(x, Standard(a.T)).data, a @ a.T)
    product = Standard(np.zeros((2, 2)))
    assert f.matmul(x, Standard(a.T), out=product) is product
    same(product.data, a @ a.T)
    bins = Standard(np.zeros(4, "u4"))
    assert f.histogram(Standard(np.array([1, 3, 3], "u1")), out=bins) is bins
    same(bins.data, np.array([0, 1, 0, 2], "u4"))
    raises(ValueError, lambda: f.add(x, 1, out=Standard(np.zeros(3))), "(2, 3)", "(3,)")
    # What needs more of a library than that is refused in one sentence.
    raises(TypeError, lambda: f.add(x, Standard(a.astype("f4"))), "Standard", "astype")
    raises(TypeError, lambda: f.add(x, 1, out=Standard(np.zeros((2, 3), "c16"))), "Standard", "exactly the type")
    if np.lib.NumpyVersion(np.__version__) >= "1.25.0":  # with booleans in DLPack
        raises(TypeError, lambda: f.add(x, 1, where=Standard(a > 1), out=out), "where", "Standard")
        raises(TypeError, lambda: f.sum(x, where=Standard(a > 1)), "where", "Standard")
    raises(TypeError, lambda: f.scaled_transpose((2, 3), Standard(a.astype("f4")), Standard(np.array(2, "f4")),
                                                 Standard(np.zeros((3, 2), "f4"))), "factor", "Standard")


def test_arrow():
    pa = installed("pyarrow", "arrays of pyarrow")
    if not pa:
        return
    x = pa.array([1.0, 2, 3])
    same(f.add(x, np.ones(3)), np.array([2.0, 3, 4]))
    same(f.sum(pa.chunked_array([x, x])), np.float64(12))
    raises(ValueError, lambda: f.add(pa.array([1.0, None]), 1), "1 nulls")
    raises(ValueError, lambda: f.sum(pa.chunked_array([[1, None], [None]])), "2 nulls")


def test_narrow_floats():
    ml_dtypes = installed("ml_dtypes", "arrays of ml_dtypes")
    if not ml_dtypes:
        return
    x = np.arange(6).astype(ml_dtypes.bfloat16).reshape(2, 3)
    same(f.multiply(x, x), x * x)
    same(f.multiply(x.T[::-1], 2), x.T[::-1] * ml_dtypes.bfloat16(2))
    same(f.multiply(x, x.astype("f4")), (x * x).astype("f4"))
    out = np.zeros_like(x)
    assert f.multiply(x, 3, out=out) is out
    same(out, x * ml_dtypes.bfloat16(3))
    f.multiply(out[:, 1:], 1, out=out[:, :-1])
    same(out[:, 0], x[:, 1] * ml_dtypes.bfloat16(3))
    same(f.multiply(x[0, 1], 2), ml_dtypes.bfloat16(2))
    same(f.total_of_narrow(x), np.float32(15))
    raises(TypeError, lambda: f.half_of(x), "bfloat16", "float16")
    # Without such arrays NumPy's function has the other signatures.
    same(f.multiply(np.float32([1, 2]), 2), np.float32([2, 4]))
    assert f.multiply.types == ["EE->E", "ff->f"]


def test_without_ml_dtypes():
    kept = sys.modules.get("ml_dtypes")
    sys.modules["ml_dtypes"] = None  # as if it were not installed
    try:
        for call in lambda: f.multiply.dtypes, lambda: f.multiply(1.0, 2.0, dtype="bfloat16"):
            raises(ModuleNotFoundError, call, "bfloat16", "ml_dtypes", "not installed")
        same(f.multiply(np.float32([1, 2]), 2), np.float32([2, 4]))
    finally:
        del sys.modules["ml_dtypes"]
        if kept:
            sys.modules["ml_dtypes"] = kept


def test_older_numpy():
    subprocess.run([sys.executable, "-c", """if True:
        import numpy as np
        version, np.__version__ = np.__version__, "1.22.4"
        import functions as f
        from checks import raises
        for call in f.add, f.add, lambda x, y: f.sum(x):
            raises(ImportError, lambda: call(np.arange(3.0), 1), "numpy 1.23 or later", "1.22.4 is installed")
        np.__version__ = version
        assert f.add(np.arange(3.0), 1).tolist() == [1, 2, 3]
        """], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})


def test_jax():
    jax = installed("jax", "arrays of jax")
    if not jax:
        return
    jnp = jax.numpy
    x = jnp.arange(12.0).reshape(3, 4)
    a = np.asarray(x)
    for got, want in (f.add(x, 1), a + 1), (f.add(x, x[0]), a + a[0]), (f.sum(x, axis=0), a.sum(axis=0)), \
            (f.add(x.T, x.T), 2 * a.T):
        assert isinstance(got, jax.Array)
        np.testing.assert_array_equal(np.asarray(got), want)
    raises(TypeError, lambda: f.add(x, jnp.arange(4, dtype="i4")), "float64", "jax_enable_x64")
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        got = f.add(x, jnp.arange(4, dtype="i4"))
        assert got.dtype == "f8"
        np.testing.assert_array_equal(np.asarray(got), a + np.arange(4))
    b = x.astype(jnp.bfloat16)
    got = f.multiply(b, b)
    assert got.dtype == jnp.bfloat16
    np.testing.assert_array_equal(np.asarray(got), np.asarray(b * b))
    kept = f.add(x, x)
    for _ in range(20):
        f.add(x, 2)
    np.testing.assert_array_equal(np.asarray(kept), 2 * a)
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda x: x + 1)(kept)), 2 * a + 1)
    raises(TypeError, lambda: f.add(x, a), "jax", "numpy.ndarray")
    raises(TypeError, lambda: f.add(x, x, out=x), "out")
    raises(ValueError, lambda: f.add(x, x, stream=1), "stream")


MISSING = object()


class OnGpu:
    """What __cuda_array_interface__ says, of a GPU that need not be there."""
    def __init__(self, **changes):
        self.interface = {"shape": (2, 3), "typestr": "<f8", "data": (0x1000, False), "version": 3, **changes}

    @property
    def __cuda_array_interface__(self):
        return {name: value for name, value in self.interface.items() if value is not MISSING}


def test_wrong_cuda_arrays():
    """Whatever is wrong is said before the address is used."""
    for changes, kind, pieces in [
            ({"typestr": ">f8"}, TypeError, [">f8"]), ({"typestr": "<U4"}, TypeError, ["<U4"]),
            ({"typestr": "<f3"}, TypeError, ["<f3"]), ({"mask": np.ones(2)}, TypeError, ["mask"]),
            ({"data": MISSING}, TypeError, ["data"]), ({"data": 5}, TypeError, ["data"]),
            ({"strides": (8,)}, ValueError, ["2 extents and 1 strides"]), ({"strides": (8, 3)}, ValueError, ["3 bytes"]),
            ({"shape": (2, -3)}, ValueError, ["-3"]), ({"data": (0, False)}, ValueError, ["address 0"]),
            ({"shape": (1,) * 9}, ValueError, ["9 axes"])]:
        raises(kind, lambda: f.add(OnGpu(**changes), 1.0), *pieces)
    raises(RuntimeError, lambda: f.add(OnGpu(), 1.0), "OnGpu", "GPU")
    raises(RuntimeError, lambda: f.sum(OnGpu()), "GPU")
    raises(TypeError, lambda: f.add(OnGpu(), np.ones(3)), "OnGpu", "numpy.ndarray")


def test_cupy_without_a_gpu():
    cupy = installed("cupy", "arrays of cupy")
    if not cupy:
        return
    memory = cupy.cuda.UnownedMemory(0x1000, 80, None, 0)
    x = cupy.ndarray((2, 3), dtype="f4", memptr=cupy.cuda.MemoryPointer(memory, 0))
    raises(TypeError, lambda: f.add(x, np.ones(3)), "cupy.ndarray", "numpy.ndarray")
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        raises(RuntimeError, lambda: f.add(x, 1), "cupy", "GPU")


class Stream:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Protocol:
    def __cuda_stream__(self):
        return 0, 7


def test_streams():
    a = np.ones(3)
    for stream in 1, 7, Stream(ptr=7), Stream(cuda_stream=7), Stream(handle=7), Protocol():
        for call in (lambda: f.add(a, a, stream=stream), lambda: f.sum(a, stream=stream),
                     lambda: f.scaled_transpose((1, 1), np.ones((1, 1), "f4"), 1, np.ones((1, 1), "f4"), stream=stream)):
            raises(ValueError, call, "stream")
    same(f.add(a, a, stream=None), 2 * a)
    same(f.sum(a, axis=0, stream=None), np.float64(3))
    raises(TypeError, lambda: f.add(a, a, stream="default"), "str")
    raises(ValueError, lambda: f.add(a, a, stream=-1), "-1")


def test_tensors_without_numpy():
    """Calls with tensors alone need no NumPy."""
    if not installed_torch("tensors without NumPy"):
        return
    program = """if True:
        import sys, warnings
        sys.modules["numpy"] = None  # importing it is an error
        warnings.simplefilter("ignore")
        import torch, functions as f
        t = torch.arange(12.0).reshape(3, 4)
        equal = torch.testing.assert_close
        equal(f.add(t, t), 2 * t), equal(f.add(t, 1.5), t + 1.5), equal(f.add(t, t, out=torch.empty(3, 4)), 2 * t)
        equal(f.add(t, t, dtype=torch.float64), 2 * t.double())
        equal(f.add(t, t[0], where=t > 5, out=t.clone()), torch.where(t > 5, t + t[0], t))
        equal(f.sum(t), t.sum()), equal(f.sum(t, axis=(0, 1), keepdims=True), t.sum().reshape(1, 1))
        d = t.double()
        equal(f.running(d, axis=1), d.cumsum(1)), equal(f.matmul(d, d.T), d @ d.T)
        flipped = torch.zeros(4, 3)
        f.scaled_transpose((3, 4), t, 2.0, flipped)
        equal(flipped, 2 * t.T)
        try:
            f.sum(t, axis=2)
        except IndexError as error:
            assert "axis 2 is out of bounds" in str(error)
        assert sys.modules["numpy"] is None
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=100)


if __name__ == "__main__":
    run(globals(), "arrays")
