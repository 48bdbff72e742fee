"""Functions as JAX transforms them: python3 test_jax.py. The module `functions` is built with JAX, `ufuncs` is not."""
import os
import subprocess
import sys

import numpy as np

import functions as f
import ufuncs
from checks import raises, run

try:
    import jax
    from jax import numpy as jnp
except ImportError:
    print("JAX: SKIPPED, it is not installed")
    sys.exit()


def wide():
    return jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64()


def same(got, want):
    want = np.asarray(want)
    assert isinstance(got, jax.Array) and got.dtype == want.dtype and got.shape == want.shape, (got, want)
    np.testing.assert_array_equal(np.asarray(got), want)


def both(function, *arrays):
    """What a call gives as it is and compiled, which are equal."""
    plain, compiled = function(*arrays), jax.jit(function)(*arrays)
    jax.tree.map(lambda a, b: same(a, b), plain, compiled)
    return plain


x = jnp.arange(12.0).reshape(3, 4)
a = np.asarray(x)


def test_elementwise():
    for one in x, x.T, x[:, ::2], x[0], x[:0], x[0, 0], x.astype(jnp.int8), x.reshape((1,) * 6 + (3, 4)):
        same(both(lambda one: f.add(one, 2), one), np.asarray(one) + 2)
        same(both(f.add, one, one), np.asarray(one) + np.asarray(one))
    same(both(f.add, x, x[:, :1]), a + a[:, :1])
    same(both(f.add, x[0], x), a[0] + a)
    b = x.astype(jnp.bfloat16)
    same(both(f.multiply, b, b), np.asarray(b * b))
    first, second = both(lambda x: f.powers(x, 2, x), x)
    same(first, 2 * a * a), same(second, a * a)
    same(both(f.squared, x), a * a)
    for out in {"out": x}, {"out": (x,)}:
        raises(TypeError, lambda: f.add(x, x, **out), "out")
    raises(ValueError, lambda: f.add(x, x[:, :3]), "(3, 4)", "(3, 3)")
    raises(ValueError, lambda: jax.jit(f.add)(x, x[:, :3]), "(3, 4)", "(3, 3)")
    raises(TypeError, lambda: f.add(x, a), "jax", "numpy.ndarray")
    raises(ValueError, lambda: f.add(x, x, stream=1), "stream")
    raises(TypeError, lambda: f.add(x, x, nothing=1), "nothing")


def test_types():
    same(f.add(x.astype(jnp.int8), 3), (a.astype("i1") + np.int8(3)))
    same(f.add(x.astype(jnp.int8), 2.5), (a + 2.5).astype("f4"))  # a Python float is one of 32 bits here
    same(f.add(x.astype(jnp.float16), x.astype(jnp.uint16)), (2 * a).astype("f4"))
    raises(OverflowError, lambda: f.add(x.astype(jnp.int8), 300), "300")
    for call in f.add, jax.jit(f.add):
        raises(TypeError, lambda: call(x, x.astype(jnp.int32)), "float32, int32", "jax_enable_x64")
    raises(TypeError, lambda: f.maximum_of(x), "float32", "jax_enable_x64")
    raises(TypeError, lambda: f.add(x, x, dtype="float64"), "float64", "jax_enable_x64")
    with wide():
        same(both(f.add, x, x.astype(jnp.int32)), (2 * a).astype("f8"))
        same(both(f.maximum_of, x), np.float64(11))
        same(both(lambda x: f.add(x, 2.5), x.astype(jnp.int8)), a.astype("f8") + 2.5)
        same(both(lambda x: f.add(x, x, dtype="float64"), x), (2 * a).astype("f8"))
        same(both(f.is_less, x, x[:1]), a < a[:1])
        z = (x * (1 + 2j)).astype(jnp.complex128)
        same(both(f.add, z, z), np.asarray(z) * 2)


def test_folds():
    for axis in None, 0, 1, -1, (0, 1), (), (-1, 0):
        for keepdims in False, True:
            same(both(lambda x: f.sum(x, axis=axis, keepdims=keepdims), x), a.sum(axis=axis, keepdims=keepdims))
    same(both(lambda x: f.sum(x, axis=1, initial=5), x), a.sum(axis=1, initial=5))
    same(both(lambda x, y: f.dot(x, y, axis=1), x, x[:1]), (a * a[:1]).sum(1))
    same(both(f.sum, x[:0]), np.float32(0)), same(both(lambda x: f.sum(x, axis=0), x[:0]), np.zeros(4, "f4"))
    same(both(lambda x: f.sum(x, axis=1), x[:0]), np.zeros(0, "f4"))
    same(f.sum(x.reshape(-1), segments=np.array([0, 3, 12])), np.array([3, 63], "f4"))
    same(both(lambda x, s: f.sum(x, segments=s), x.reshape(-1), jnp.array([0, 3, 12])), np.array([3, 63], "f4"))
    same(f.sum(x, axis=1, where=x > 2), a.sum(axis=1, where=a > 2))
    raises((TypeError, IndexError), lambda: jax.jit(lambda x: f.sum(x, where=x > 2))(x), "concrete")
    raises(np.exceptions.AxisError, lambda: f.sum(x, axis=2), "2")
    with wide():
        y = x.astype(jnp.float64)
        raises(ValueError, lambda: jax.jit(f.maximum_of)(y[:0]), "maximum_of")
        same(both(lambda x: f.maximum_of(x, initial=-1), y[:0]), np.float64(-1))
        b = a.astype("f8")
        same(both(f.running, y), b.cumsum())
        for axis in 0, 1:
            same(both(lambda x: f.running(x, axis=axis), y), b.cumsum(axis=axis))
        same(both(lambda x: f.running(x, axis=1, exclusive=True, initial=3), y), b.cumsum(axis=1) - b + 3)
        same(both(lambda x: f.running(x, axis=1, reverse=True), y), b[:, ::-1].cumsum(axis=1)[:, ::-1])
        keys = jnp.array([0, 0, 1, 1])
        same(both(lambda x, k: f.running(x, by_key=k), y[0], keys), np.array([0.0, 1, 2, 5]))


def test_other_patterns():
    same(both(f.matmul, x, x.T), a @ a.T)
    pixels = jnp.array([1, 3, 3], jnp.uint8)
    same(both(lambda x: f.histogram(x, shape=4), pixels), np.array([0, 1, 0, 2], "u4"))
    same(both(lambda x: f.heat(x, 0.1), x), np.asarray(f.heat(a, np.float32(0.1))))
    same(both(lambda x: f.heat(x, 0.1, steps=3), x), np.asarray(f.heat(a, np.float32(0.1), steps=3)))
    raises(TypeError, lambda: f.scaled_transpose((3, 4), x, 2, x.T), "JAX")
    raises(TypeError, lambda: jax.jit(lambda x: f.scaled_transpose((3, 4), x, 2, x.T))(x), "JAX")
    with wide():
        y, b = x.astype(jnp.float64), a.astype("f8")
        same(both(f.inner1d, y, y[0]), (b * b[0]).sum(1))
        same(both(f.added, y), b.sum(1))
        same(both(lambda y: f.inner1d(y, y, axis=0), y), (b * b).sum(0))
        same(both(lambda y: f.inner1d(y, y, keepdims=True), y), (b * b).sum(1, keepdims=True))
        same(both(lambda y: f.pooled(y, p=2), y), np.asarray(f.pooled(b, p=2)))
        table, indices = y[0], jnp.array([3, 1, 1])
        same(both(f.looked_up, indices, table), b[0][[3, 1, 1]])
        same(both(f.weighted, indices, table), b[0][[3, 1, 1]].sum())
        same(both(f.numbered, y[0]), b[0] + np.arange(4))


def vectorised(function, arrays, axes=0):
    """What vmap() makes of a function is what it makes of each part."""
    def parts(i):
        return [one if axis is None else jnp.take(one, i, axis)
                for one, axis in zip(arrays, axes if isinstance(axes, tuple) else (axes,) * len(arrays))]

    sizes = [one.shape[axis] for one, axis in
             zip(arrays, axes if isinstance(axes, tuple) else (axes,) * len(arrays)) if axis is not None]
    got = jax.vmap(function, axes)(*arrays)
    want = [function(*parts(i)) for i in range(sizes[0])]
    jax.tree.map(lambda got, *want: same(got, np.stack([np.asarray(one) for one in want])), got, *want)
    jax.tree.map(lambda a, b: same(a, b), jax.jit(jax.vmap(function, axes))(*arrays), got)


def test_vmap():
    cube = jnp.arange(24.0).reshape(2, 3, 4)
    vectorised(f.add, (cube, cube))
    vectorised(f.add, (cube, x), (0, None))
    vectorised(f.add, (cube, x), (2, 1))
    vectorised(f.add, (x[:, 0], cube), (0, 1))  # of arrays with other numbers of axes
    vectorised(lambda x: f.add(x, 2), (cube,))
    vectorised(lambda x, y: f.powers(x, 3, y), (cube, x[0]), (2, 0))
    for axis in None, 0, -1, (0, 1), ():
        for keepdims in False, True:
            vectorised(lambda x: f.sum(x, axis=axis, keepdims=keepdims, initial=2), (cube,), 1)
    vectorised(lambda x, y: f.dot(x, y, axis=0), (cube, x), (0, None))
    vectorised(lambda x, s: f.sum(x, segments=s), (x, jnp.array([0, 1, 4])), (0, None))
    vectorised(lambda x, s: f.sum(x, segments=s), (x, jnp.array([[0, 1, 4], [0, 0, 4], [0, 2, 4]])))
    vectorised(f.matmul, (cube, x.T), (0, None))
    vectorised(f.matmul, (x[:, :2].T, cube), (None, 0))
    vectorised(lambda x: f.heat(x, 0.1), (cube,))
    vectorised(lambda x: f.histogram(x, shape=4), (jnp.array([[1, 3, 3], [0, 0, 1]], jnp.uint8),))
    many = jnp.arange(12.0).reshape(3, 2, 2, 1, 1, 1, 1, 1, 1, 1)  # of more axes than kernels have
    same(jax.vmap(jax.vmap(lambda x: f.add(x, 1)))(many), np.asarray(many) + 1)
    same(jax.vmap(jax.vmap(lambda x: f.sum(x, axis=0)))(many), np.asarray(many).sum(2))
    same(jax.vmap(f.add)(cube[:0], cube[:0]), np.zeros((0, 3, 4), "f4"))
    same(jax.vmap(f.sum)(cube[:0]), np.zeros(0, "f4"))
    nested = jax.vmap(jax.vmap(lambda x, y: f.dot(x, y), (0, None)), (None, 0))(x, x)
    same(nested, np.stack([(a * row).sum(1) for row in a]))
    with wide():
        y = cube.astype(jnp.float64)
        vectorised(lambda x: f.running(x, axis=1), (y,))
        vectorised(f.running, (y,))
        vectorised(f.inner1d, (y, y[0]), (0, None))
        vectorised(lambda y: f.inner1d(y, y, keepdims=True), (y,))
        vectorised(f.looked_up, (jnp.array([[3, 1], [0, 2], [1, 1]]), x.astype(jnp.float64)))
        vectorised(f.looked_up, (jnp.array([3, 1]), x.astype(jnp.float64)), (None, 0))
        vectorised(f.numbered, (x.astype(jnp.float64),))


def test_gradients():
    from jax.test_util import check_grads
    n = jnp.array([1, 2, 3], jnp.int32)
    with wide():
        v, w = jnp.arange(1.0, 4), jnp.arange(6.0).reshape(2, 3)
        check_grads(jax.jit(lambda v, w: f.powers(v, n, w)), (v, w), order=1, modes=["rev"])
        check_grads(jax.jit(f.squared), (v,), order=1, modes=["rev"])
        for one in jax.grad, lambda function: jax.jit(jax.grad(function)):
            same(one(lambda v: f.powers(v, n, w)[1].sum())(v), np.asarray(w.sum(0)))
            same(one(lambda v: f.squared(v).sum())(v.astype(jnp.float32)), np.asarray(2 * v, "f4"))
        same(jax.grad(lambda v: f.powers(v, 2, 3.0)[0].sum())(v), np.asarray(4 * v))
        same(jax.vmap(jax.grad(f.squared))(v), np.asarray(2 * v))
        same(jax.grad(lambda v: jax.vmap(f.squared)(v).sum())(v), np.asarray(2 * v))
        z, m = jnp.array([1 + 2j, 3 - 1j]), jnp.array([2.0, 3])
        _, pull = jax.vjp(f.turned, z, m)
        _, known = jax.vjp(lambda z, m: z * z * m, z, m)
        jax.tree.map(np.testing.assert_allclose, pull(z + 1), known(z + 1))
        # What has no gradient does not matter where none is needed, and is told where one is.
        same(jax.grad(lambda v: jnp.where(f.is_less(v, 2.5), v * v, 0).sum())(v), np.array([2.0, 4, 0]))
        same(jax.grad(lambda v: (v * f.add(jax.lax.stop_gradient(v), 1)).sum())(v), np.asarray(v + 1))
        raises(TypeError, lambda: jax.grad(lambda v: f.add(v, v).sum())(v), "add()", "GRADIENTS")
        raises(TypeError, lambda: jax.grad(lambda v: f.sum(v))(v), "sum()", "GRADIENTS")


def test_programs():
    """A call is one operation of the compiled program, on the arrays where they are."""
    text = jax.jit(f.add).lower(x, x).compile().as_text()
    assert text.count("custom-call(") == 1 and "copy(" not in text and "foldwise.functions" in text, text
    text = jax.jit(lambda x: f.sum(x, axis=0)).lower(x).compile().as_text()
    assert text.count("custom-call(") == 1 and "copy(" not in text, text
    # Numbers are arguments: other ones are not compiled anew.
    f.add(x, 0.5)
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: compiled.append(name))
    for number in 1.5, 2.5, 3.5:
        same(f.add(x, number), a + np.float32(number))
    assert not [name for name in compiled if "compile" in name], compiled
    f.add(x[:2], 0.5)
    assert [name for name in compiled if "compile" in name]
    shapes = jax.eval_shape(lambda x: f.sum(f.add(x, x[0]), axis=1), x)
    assert shapes.shape == (3,) and shapes.dtype == jnp.float32
    same(jax.lax.fori_loop(0, 5, lambda i, x: f.add(x, 1), x), a + 5)
    same(jax.lax.scan(lambda c, row: (f.add(c, f.sum(row)), f.squared(row)), jnp.float32(0), x)[1], a * a)


def test_without_the_keyword():
    same(ufuncs.add(x, x), 2 * a)
    raises(TypeError, lambda: jax.jit(ufuncs.add)(x, x), "keyword JAX")


def test_older_versions():
    """Of a JAX that is too old a call with its arrays says so, each one, and nothing else is affected."""
    subprocess.run([sys.executable, "-c", """if True:
        import jax, numpy as np
        version, jax.__version__ = jax.__version__, "0.4.38"
        import functions as f
        from checks import raises
        x = jax.numpy.arange(3.0)
        for call in f.add, f.add, lambda x, y: jax.jit(f.add)(x, y), lambda x, y: f.sum(x):
            raises(ImportError, lambda: call(x, 1), "jax 0.5 or later", "0.4.38 is installed")
        assert f.add(np.arange(3.0), 1).tolist() == [1, 2, 3]
        jax.__version__ = version
        assert isinstance(f.add(x, 1), jax.Array)
        """], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})


if __name__ == "__main__":
    run(globals(), "jax")
