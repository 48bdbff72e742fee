"""tests/acceptance/python for each library, and the same of arrays that it does not know."""
import importlib.util
import subprocess
import sys

import numpy as np

import demo
from common import here, installed, raises, Skipped


def accept(library):
    done = subprocess.run([sys.executable, here / "test_demo.py", library], capture_output=True, text=True)
    print("   ", done.stdout.strip())
    assert done.returncode == 0, f"{library}: {done.stdout[-2000:]}{done.stderr[-4000:]}"


def test_acceptance_of_numpy():
    accept("numpy")


def test_acceptance_of_torch():
    if not importlib.util.find_spec("torch"):
        raise Skipped("torch is not installed")
    accept("torch")


def test_acceptance_of_torch_cuda():
    installed("torch")
    accept("torch-cuda")


def test_acceptance_of_cupy():
    installed("cupy")
    accept("cupy")


def test_acceptance_of_jax():
    jax = installed("jax")
    f = demo.rel_diff
    x, y = jax.numpy.arange(1, 13.0).reshape(3, 4), jax.numpy.arange(4.0)
    a, b = np.asarray(x), np.asarray(y)
    z = f(x, y)
    assert isinstance(z, jax.Array) and z.dtype == jax.numpy.float32 and z.devices() == x.devices()
    np.testing.assert_allclose(np.asarray(z), 2 * (a - b) / (a + b), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(f(x.T, 2)), 2 * (a.T - 2) / (a.T + 2), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(demo.total(x, axis=0)), a.sum(0))
    assert float(demo.total(x)) == a.sum()
    raises(TypeError, lambda: f(x, b), "jax", "numpy")
    raises(TypeError, lambda: f(x, y, out=x), "out")
    raises(ValueError, lambda: f(x, y[:3]), "(3, 4)", "(3,)")


def test_acceptance_of_numba():
    installed("numba")
    cuda = installed("numba.cuda")
    f = demo.rel_diff
    a, b = np.arange(1, 13.0).reshape(3, 4), np.arange(4.0)
    x, y = cuda.to_device(a), cuda.to_device(b)
    z = f(x, y)
    assert type(z) is type(x) and z.dtype == np.float64
    np.testing.assert_allclose(z.copy_to_host(), 2 * (a - b) / (a + b), rtol=1e-15)
    np.testing.assert_allclose(f(x.T, 2).copy_to_host(), 2 * (a.T - 2) / (a.T + 2), rtol=1e-15)
    out = cuda.device_array_like(x)
    assert f(x, y, out=out) is out
    np.testing.assert_allclose(out.copy_to_host(), 2 * (a - b) / (a + b), rtol=1e-15)
    np.testing.assert_array_equal(demo.total(x, axis=0).copy_to_host(), a.sum(0))
    np.testing.assert_array_equal(demo.running(x, axis=1).copy_to_host(), a.cumsum(1))
    squares = cuda.device_array(4)
    demo.square_all(4, y, squares)
    np.testing.assert_array_equal(squares.copy_to_host(), b ** 2)
    raises(TypeError, lambda: f(x, b), "numpy")
    raises(ValueError, lambda: f(x, y[:3]), "(3, 4)", "(3,)")
