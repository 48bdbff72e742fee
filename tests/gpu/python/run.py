"""What Python's arrays on a GPU show: python3 run.py [test...]. Needs the modules beside it, and PyTorch, CuPy, Numba and
JAX; what is not installed is skipped. Ends within two minutes."""
import gc
import importlib
import importlib.util
import os
import pathlib
import resource
import subprocess
import sys
import threading
import time
import traceback

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.2")

import numpy as np

import functions as f

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # NumPy has dropped the name, which numba.cuda still looks up


class Skipped(Exception):
    pass


def installed(name):
    try:
        return importlib.import_module(name)
    except (ImportError, OSError) as error:
        raise Skipped(f"{name}: {error}") from error


def raises(kind, call, *pieces):
    try:
        call()
    except kind as error:
        assert all(piece in str(error) for piece in pieces), f"it said: {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


def test_acceptance():
    """tests/acceptance/python, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(here)}
    libraries = ["numpy"] + [one for name, all in (("torch", ["torch", "torch-cuda"]), ("cupy", ["cupy"]))
                             if importlib.util.find_spec(name) for one in all]
    for library in libraries:
        done = subprocess.run([sys.executable, here / "test_demo.py", library], env=environment, capture_output=True,
                              text=True, timeout=110)
        assert done.returncode == 0, f"{library}: {done.stdout[-2000:]}{done.stderr[-4000:]}"
        print("   ", done.stdout.strip())


def test_torch():
    torch = installed("torch")
    x = torch.arange(1.0, 13, device="cuda").reshape(3, 4)
    z = torch.complex(x, -x).conj()
    for one in x, x.T, x[:, ::2], x[0], z.imag, z.real, x[:0], x[0, 0], x.half(), x.double():
        for other in 2, 2.5, one:
            expected = torch.add(one, other) if one.dtype != torch.half else torch.add(one.float(), other)
            got = f.add(one, other)
            assert got.device == one.device and got.dtype == expected.dtype
            torch.testing.assert_close(got, expected)
    out = torch.empty_like(x)
    assert f.add(x, x, out) is out and bool((out == 2 * x).all())
    torch.testing.assert_close(f.sum(x, axis=(0, 1), keepdims=True), x.sum().reshape(1, 1))
    torch.testing.assert_close(f.running(x.double(), axis=1), x.double().cumsum(1))
    b = x.bfloat16()
    torch.testing.assert_close(f.multiply(b, b), b * b)
    y = torch.arange(20.0, device="cuda")
    f.add(y[1:], y[:-1], out=y[1:])
    torch.testing.assert_close(y[1:], 2 * torch.arange(20.0, device="cuda")[1:] - 1)
    torch.testing.assert_close(f.add(x, x, where=x > 5, out=x.clone()), torch.where(x > 5, 2 * x, x))
    flipped = torch.zeros(4, 3, device="cuda")
    f.scaled_transpose((3, 4), x, 2, flipped)
    torch.testing.assert_close(flipped, 2 * x.T)
    raises(ValueError, lambda: f.add(x, x.cpu()), "cuda:0", "cpu")
    raises(TypeError, lambda: f.add(x, np.ones(4)), "torch", "numpy")


def delayed(torch, stream, value, count=1 << 20):
    """Memory that is `value` only after a while, on a stream."""
    with torch.cuda.stream(stream):
        data = torch.zeros(count, device="cuda")
        torch.cuda._sleep(20_000_000)
        data.fill_(value)
    return data


def test_torch_streams():
    torch = installed("torch")
    own, other = torch.cuda.Stream(), torch.cuda.Stream()
    with torch.cuda.stream(own):
        got = f.add(delayed(torch, own, 3.0), 1)
    own.synchronize()
    assert bool((got == 4).all())
    for given in other, other.cuda_stream:  # stream= waits for what the current stream has queued
        with torch.cuda.stream(own):
            got = f.add(delayed(torch, own, 3.0), 1, stream=given)
        other.synchronize()
        assert bool((got == 4).all())
        with torch.cuda.stream(own):
            total = f.sum(delayed(torch, own, 1.0), stream=given)
        other.synchronize()
        assert float(total) == 1 << 20
    # The call is not on the current stream, which is empty although the other one is not.
    torch.cuda.synchronize()
    one = torch.ones(1 << 20, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(other):
        torch.cuda._sleep(200_000_000)
    got = f.add(one, 1, stream=other)
    assert torch.cuda.current_stream().query() and not other.query()
    other.synchronize()
    assert bool((got == 2).all())
    raises(TypeError, lambda: f.add(one, 1, stream="main"), "stream")


def test_torch_lifetimes():
    """Tensors that are dropped, also by another thread, while a kernel on another stream uses them."""
    torch = installed("torch")
    other = torch.cuda.Stream()
    for _ in range(20):
        x = torch.full((1 << 20,), 3.0, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(other):
            torch.cuda._sleep(3_000_000)
        got = f.add(x, 1, stream=other)
        dropped = [x]
        del x
        thread = threading.Thread(target=dropped.clear)
        thread.start()
        thread.join()
        noise = torch.full((1 << 20,), 9.0, device="cuda")  # what takes the memory, if it has been given back
        other.synchronize()
        assert bool((got == 4).all()), "the tensor's memory was used again before the kernel had run"
        del noise


def test_torch_graphs():
    torch = installed("torch")
    x, out = torch.ones(1000, device="cuda"), torch.empty(1000, device="cuda")
    f.add(x, x), f.sum(x), f.running(x.double())
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = f.add(x, 1)
        f.add(made, x, out)
        total = f.sum(out, axis=0)
    for value in 1.0, 5.0:
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        assert bool((made == value + 1).all() and (out == 2 * value + 1).all()), value
        assert float(total) == 1000 * (2 * value + 1)


def test_cupy():
    cupy = installed("cupy")
    x = cupy.arange(1.0, 13).reshape(3, 4)
    for one in x, x.T, x[:, ::2], x[0, ::-1], x[:0], x.astype("f4"), x.astype("i8"):
        got = f.add(one, 2)
        assert type(got) is cupy.ndarray
        np.testing.assert_array_equal(got.get(), one.get() + 2)
    out = cupy.empty_like(x)
    assert f.add(x, x, out=out) is out
    np.testing.assert_array_equal(out.get(), 2 * x.get())
    np.testing.assert_array_equal(f.sum(x, axis=0).get(), x.get().sum(axis=0))
    np.testing.assert_array_equal(f.add(x, x.astype("f4")).get(), 2 * x.get())
    np.testing.assert_array_equal(f.add(x, x, where=x > 5, out=x.copy()).get(), np.where(x.get() > 5, 2, 1) * x.get())
    stream = cupy.cuda.Stream(non_blocking=True)
    late = cupy.zeros(1 << 20)
    sleep = cupy.RawKernel("extern \"C\" __global__ void wait(long long n) { long long t = clock64(); "
                           "while (clock64() - t < n); }", "wait")
    cupy.cuda.Device().synchronize()
    with stream:
        sleep((1,), (1,), (20_000_000,))
        late.fill(3)
        got = f.add(late, 1)
        total = f.sum(late)
    stream.synchronize()
    assert (got.get() == 4).all() and float(total) == 3 * (1 << 20)
    late.fill(0)
    sleep((1,), (1,), (20_000_000,))
    late.fill(5)
    got = f.add(late, 1, stream=stream)
    stream.synchronize()
    assert (got.get() == 6).all()
    raises(TypeError, lambda: f.add(x, np.ones(4)), "cupy", "numpy")


def test_numba():
    installed("numba")
    cuda = installed("numba.cuda")
    a = np.arange(1.0, 13).reshape(3, 4)
    x = cuda.to_device(a)
    got = f.add(x, 2)
    assert type(got) is type(x)
    np.testing.assert_array_equal(got.copy_to_host(), a + 2)
    out = cuda.device_array_like(x)
    assert f.add(x, x, out=out) is out
    np.testing.assert_array_equal(out.copy_to_host(), 2 * a)
    np.testing.assert_array_equal(f.sum(x, axis=1).copy_to_host(), a.sum(axis=1))
    for shape in (3, 4), (4,):
        condition = cuda.to_device(np.ones(shape, bool) & (np.arange(4) % 2 == 1))
        out = cuda.to_device(a)
        assert f.add(x, x, where=condition, out=out) is out
        np.testing.assert_array_equal(out.copy_to_host(), np.where(np.arange(4) % 2 == 1, 2 * a, a))
    raises(TypeError, lambda: f.add(x, cuda.to_device(a.astype("f4"))), "Numba", "float32")
    raises(TypeError, lambda: f.add(x, a), "numba", "numpy")
    stream = cuda.stream()  # an array of a stream: the interface says so, and the call waits for it
    y = cuda.to_device(a, stream=stream)
    np.testing.assert_array_equal(f.add(y, 1).copy_to_host(), a + 1)
    np.testing.assert_array_equal(f.add(x, 1, stream=stream).copy_to_host(stream=stream), a + 1)


def test_cuda_interface():
    """An object that has the interface and nothing else, and one whose stream the call has to wait for."""
    cupy = installed("cupy")
    torch = installed("torch")

    class Plain:
        def __init__(self, array, stream=None, read_only=False):
            self.array = array
            self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "stream": stream, "version": 3,
                                             "data": (array.data.ptr, read_only)}

    x = cupy.arange(6.0).reshape(2, 3)
    got = f.add(Plain(x), 1)
    assert type(got).__name__ == "array" and got.shape == (2, 3)
    np.testing.assert_array_equal(cupy.asarray(got).get(), x.get() + 1)
    np.testing.assert_array_equal(cupy.from_dlpack(got).get(), x.get() + 1)
    np.testing.assert_array_equal(torch.from_dlpack(got).cpu().numpy(), x.get() + 1)
    out = cupy.zeros((2, 3))  # shapes, too, are the interface's, since the object has no attribute else
    wanted = Plain(out)
    assert f.add(Plain(x), 1, out=wanted) is wanted and f.add(Plain(x), 1, wanted) is wanted
    np.testing.assert_array_equal(out.get(), x.get() + 1)
    product = cupy.zeros((2, 2))
    f.matmul(Plain(x), Plain(x.T), out=Plain(product))
    np.testing.assert_allclose(product.get(), x.get() @ x.get().T)
    bins = cupy.zeros(4, "u4")
    f.histogram(Plain(cupy.array([1, 3, 3], "u1")), out=Plain(bins))
    np.testing.assert_array_equal(bins.get(), [0, 1, 0, 2])
    raises(ValueError, lambda: f.add(Plain(x), 1, out=Plain(cupy.zeros(3))), "(2, 3)", "(3,)")
    raises(TypeError, lambda: f.add(Plain(x), 1, out=Plain(cupy.zeros((2, 3), "c16"))), "exactly the type")
    raises(ValueError, lambda: f.add(Plain(x), 1, out=Plain(x, read_only=True)), "read-only")
    stream = torch.cuda.Stream()
    late = delayed(torch, stream, 7.0)
    got = f.add(Plain(cupy.asarray(late), stream=stream.cuda_stream), 1)
    assert (cupy.asarray(got).get() == 8).all()


def test_jax():
    jax = installed("jax")
    jnp = jax.numpy
    if jax.default_backend() != "gpu":
        raise Skipped("JAX has no GPU here")
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
    if jax.default_backend() != "gpu":
        raise Skipped("JAX has no GPU here")
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


def test_several_gpus():
    torch = installed("torch")
    if torch.cuda.device_count() < 2:
        raise Skipped("one GPU")
    x, y = torch.ones(1000, device="cuda:0"), torch.ones(1000, device="cuda:1")
    raises(ValueError, lambda: f.add(x, y), "cuda:0", "cuda:1")
    got = f.add(y, y)  # though cuda:0 is current
    assert got.device == y.device and torch.cuda.current_device() == 0 and bool((got == 2).all())
    cupy = installed("cupy")
    with cupy.cuda.Device(1):
        z = cupy.ones(1000)
    got = f.add(z, z)
    assert got.device.id == 1 and cupy.cuda.runtime.getDevice() == 0
    raises(ValueError, lambda: f.add(z, cupy.ones(1000)), "cuda:1", "cuda:0")


def test_threads():
    torch = installed("torch")
    wrong = []

    def call(i):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for k in range(300):
                got = f.add(torch.full((1000,), float(i), device="cuda"), k)
                if k % 50 == 0 and not bool((got == i + k).all()):
                    wrong.append((i, k))

    threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
    [one.start() for one in threads], [one.join() for one in threads]
    assert not wrong, wrong[:3]


def test_leaks():
    torch = installed("torch")
    x, out = torch.ones(1000, device="cuda"), torch.empty(1000, device="cuda")
    other = torch.cuda.Stream()

    def many(count):
        for i in range(count):
            f.add(x, x), f.add(x, 1, out), f.sum(x)
            if i % 10 == 0:
                f.add(x, 1, stream=other)
                raises(ValueError, lambda: f.add(x, x[:7]))
        torch.cuda.synchronize()

    def used():
        gc.collect()
        return torch.cuda.memory_allocated(), sys.getrefcount(x), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, \
            torch.cuda.mem_get_info()[0]

    many(3000)
    before = used()
    many(100_000)
    f.add(x, 1, stream=other)
    torch.cuda.synchronize()
    f.add(x, 1, stream=other)
    after = used()
    assert after[0] - before[0] <= 1 << 20 and abs(after[1] - before[1]) <= 2, (before, after)
    assert after[2] - before[2] < 32 << 10 and before[3] - after[3] < 64 << 20, (before, after)
    print(f"    300,000 calls: {before} before, {after} after (bytes of tensors, references, KiB, bytes free)")


def test_jax_leaks():
    jax = installed("jax")
    if jax.default_backend() != "gpu":
        raise Skipped("JAX has no GPU here")
    x = jax.numpy.ones(1000)
    step = jax.jit(lambda x, y: f.add(f.add(x, y), f.sum(x)))

    def many(count):
        for i in range(count):
            f.add(x, x), f.add(x, i), f.sum(x), step(x, x)
            if i % 100 == 0:
                raises(ValueError, lambda: f.add(x, x[:7]))
        jax.block_until_ready(f.add(x, x))

    def used():
        gc.collect()
        return jax.devices()[0].memory_stats()["bytes_in_use"], sys.getrefcount(x), \
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    many(1000)
    before = used()
    many(25_000)
    after = used()
    assert after[0] - before[0] <= 1 << 20 and abs(after[1] - before[1]) <= 2 and after[2] - before[2] < 64 << 10, \
        (before, after)
    print(f"    100,000 calls: {before} before, {after} after (bytes of arrays, references, KiB)")


def nanoseconds(call, synchronize, calls=400, repetitions=40):
    call()
    synchronize()
    best = float("inf")
    for _ in range(repetitions):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - begin) / calls)
        synchronize()
    return best * 1e9


def report(rows):
    for name, value in rows:
        print(f"    {name:58s} {value:9.0f} ns")


def test_cost():
    """A call with three arrays of 1000 floats, in nanoseconds of the host: the best of 40 times 400 calls."""
    rows = []
    cpp = here / "call_cost"
    if cpp.exists():
        rows.append(("C++, out on the GPU", float(subprocess.run([cpp], capture_output=True, text=True, check=True).stdout)))
    a = np.ones(1000, "f4")
    try:
        torch = installed("torch")
        x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
        wait = torch.cuda.synchronize
        rows += [("torch: f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), wait)),
                 ("torch: torch.add(x, y, out=out)", nanoseconds(lambda: torch.add(x, y, out=out), wait)),
                 ("torch: f.add(x, y)", nanoseconds(lambda: f.add(x, y), wait)),
                 ("torch: torch.add(x, y)", nanoseconds(lambda: torch.add(x, y), wait))]
    except Skipped as why:
        print("    SKIPPED", why)
    try:
        cupy = installed("cupy")
        u, v, w = (cupy.ones(1000, "f4") for _ in range(3))
        wait = cupy.cuda.Device().synchronize
        kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + y", "added")
        rows += [("cupy: f.add(x, y, out=out)", nanoseconds(lambda: f.add(u, v, out=w), wait)),
                 ("cupy: cupy.add(x, y, out=out)", nanoseconds(lambda: cupy.add(u, v, out=w), wait)),
                 ("cupy: ElementwiseKernel(x, y, out)", nanoseconds(lambda: kernel(u, v, w), wait)),
                 ("cupy: f.add(x, y)", nanoseconds(lambda: f.add(u, v), wait)),
                 ("cupy: cupy.add(x, y)", nanoseconds(lambda: cupy.add(u, v), wait))]
    except Skipped as why:
        print("    SKIPPED", why)
    try:
        numba = installed("numba")
        cuda = installed("numba.cuda")
        p, q, r = (cuda.to_device(a) for _ in range(3))
        ufunc = numba.vectorize(["float32(float32, float32)"], target="cuda")(lambda x, y: x + y)
        rows += [("numba: f.add(x, y, out=out)", nanoseconds(lambda: f.add(p, q, out=r), cuda.synchronize, 200, 10)),
                 ("numba: vectorize(target='cuda')(x, y, out=out)",
                  nanoseconds(lambda: ufunc(p, q, out=r), cuda.synchronize, 200, 10))]
    except Skipped as why:
        print("    SKIPPED", why)
    program = "import sys; sys.path.insert(0, sys.argv[1])\n" \
        "import timeit, numpy as np, functions as f\n" \
        "x, y, z = np.ones(1000, 'f4'), np.ones(1000, 'f4'), np.ones(1000, 'f4')\n" \
        "for call in (lambda: f.add(x, y, out=z)), (lambda: np.add(x, y, out=z)), (lambda: f.add(x, y)), (lambda: np.add(x, y)):\n" \
        "    print(min(timeit.repeat(call, number=2000, repeat=30)) / 2000 * 1e9)\n"
    environment = {**os.environ, "FOLDWISE_EXECUTOR": "cpu"}
    said = subprocess.run([sys.executable, "-c", program, here], env=environment, capture_output=True, text=True, check=True)
    names = "f.add(x, y, out=out)", "np.add(x, y, out=out)", "f.add(x, y)", "np.add(x, y)"
    rows += [("numpy on the CPU: " + name, float(line)) for name, line in zip(names, said.stdout.split())]
    report(rows)


def test_bandwidth():
    """10^8 floats read twice and written once; GB/s."""
    torch = installed("torch")
    x, y, out = (torch.ones(10 ** 8, device="cuda") for _ in range(3))
    for name, call in ("f.add", lambda: f.add(x, y, out=out)), ("torch.add", lambda: torch.add(x, y, out=out)), \
            ("f.sum", lambda: f.sum(x)), ("torch.sum", lambda: torch.sum(x)):
        call()
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        best = float("inf")
        for _ in range(10):
            begin.record()
            call()
            end.record()
            torch.cuda.synchronize()
            best = min(best, begin.elapsed_time(end))
        bytes_moved = 4e8 if "sum" in name else 1.2e9
        print(f"    {name:12s} {bytes_moved / best / 1e6:8.0f} GB/s")


def main():
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    chosen = [f"test_{name}" for name in sys.argv[1:]] or list(tests)
    failed = []
    for name in chosen:
        begin = time.perf_counter()
        try:
            tests[name]()
            said = "passed"
        except Skipped as why:
            said = f"SKIPPED: {why}"
        except BaseException:
            traceback.print_exc()
            failed.append(name)
            said = "FAILED"
        print(f"{name} {time.perf_counter() - begin:.1f} s: {said}", flush=True)
    print(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
