"""JAX's arrays on a GPU, traced and not."""
import threading

import numpy as np

import functions as f
from common import installed, raises


def test_jax():
    jax = installed("jax")
    jnp = jax.numpy
    x = jnp.arange(1.0, 13).reshape(3, 4)
    a = np.asarray(x)
    for _ in range(50):
        y = jnp.exp(x * 0) + x  # still being computed when the call is made
        got = f.add(y, y)
        assert isinstance(got, jax.Array) and got.devices() == x.devices()
        then = got * 2 + f.sum(got)
        np.testing.assert_allclose(np.asarray(then), 4 * (a + 1) + 2 * (a + 1).sum(), rtol=1e-6)
    b = x.astype(jnp.bfloat16)
    np.testing.assert_array_equal(np.asarray(f.multiply(b, b)), np.asarray(b * b))
    raises(TypeError, lambda: f.add(x, a), "jax", "numpy")
    big = jnp.ones(1 << 24)
    for i in range(30):  # memory that is dropped as soon as it is used
        big = f.add(big, 1)
    assert float(big[0]) == 31 and float(big[-1]) == 31 and float(jnp.min(big)) == 31


def test_jax_programs():
    """Functions in compiled programs, vectorised and differentiated, on the GPU that JAX chooses."""
    jax = installed("jax")
    jnp = jax.numpy
    x = jnp.arange(24.0).reshape(2, 3, 4)
    a = np.asarray(x)

    def pairs(got, want):
        return zip(got, want) if isinstance(want, tuple) else [(got, want)]

    def check(function, want, *arrays):
        for call in function, jax.jit(function):
            for got, one in pairs(call(*arrays), want):
                assert isinstance(got, jax.Array) and got.devices() == x.devices()
                np.testing.assert_allclose(np.asarray(got), one, rtol=1e-6)

    check(f.add, 2 * a, x, x)
    check(lambda x: f.add(x, x[0, :, :1]), a + a[0, :, :1], x)
    check(lambda x: f.add(x, 2), a + 2, x)
    check(lambda x: f.sum(x, axis=(0, -1), keepdims=True, initial=3), a.sum(axis=(0, -1), keepdims=True, initial=3), x)
    check(f.sum, a.sum(), x)
    check(f.sum, np.float32(0), x[:0])
    check(lambda x, s: f.sum(x, segments=s), np.array([3, 273], "f4"), x.reshape(-1), jnp.array([0, 3, 24]))
    check(lambda x: f.matmul(x, x[0].T), a @ a[0].T, x)
    check(lambda x: f.powers(x, 2, x), (2 * a * a, a * a), x)
    check(jax.vmap(f.sum), a.sum((1, 2)), x)
    check(jax.vmap(f.add, (0, None)), a + a[0], x, x[0])
    check(jax.vmap(lambda x, y: f.dot(x, y, axis=0), (0, None)), (a * a[0]).sum(1), x, x[0])
    check(jax.vmap(lambda p: f.histogram(p, shape=4)), np.array([[0, 1, 0, 2], [2, 1, 0, 0]]),
          jnp.array([[1, 3, 3], [0, 0, 1]], jnp.uint8))
    check(jax.grad(lambda x: f.squared(x).sum()), 2 * a, x)
    check(jax.vmap(jax.grad(lambda x: f.squared(x).sum())), 2 * a, x)
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        y = x.astype(jnp.float64)
        check(lambda y: f.running(y, axis=1), a.astype("f8").cumsum(1), y)
        check(f.looked_up, a.reshape(-1)[[3, 1]].astype("f8"), jnp.array([3, 1]), y.reshape(-1))
    raises(TypeError, lambda: jax.grad(lambda x: f.sum(x))(x), "GRADIENTS")

    # In order with what XLA computes before and after, on its own stream, over and over in memory that it uses again.
    @jax.jit
    def steps(x):
        return jax.lax.fori_loop(0, 50, lambda i, x: f.add(jnp.sin(x) * 0 + x, 1) + f.sum(x * 0), x)

    np.testing.assert_array_equal(np.asarray(steps(jnp.ones(1 << 22))), np.full(1 << 22, 51, "f4"))
    text = jax.jit(f.add).lower(x, x).compile().as_text()
    assert text.count("foldwise.functions") == 1, text
    wrong = []

    def call(i):
        compiled = jax.jit(lambda x: f.sum(f.add(x, i)))
        for k in range(50):
            if float(compiled(jnp.full(1000, float(k)))) != 1000 * (i + k):
                wrong.append((i, k))

    threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
    [one.start() for one in threads], [one.join() for one in threads]
    assert not wrong, wrong[:3]
    for device in jax.devices()[1:]:  # each on its own GPU
        there = jax.device_put(x, device)
        got = jax.jit(f.add)(there, there)
        assert got.devices() == {device}
        np.testing.assert_array_equal(np.asarray(got), 2 * a)
