"""Arrays of PyTorch, CuPy, Numba and others on a GPU: results, streams, lifetimes, threads."""
import threading

import numpy as np

import functions as f
from common import installed, raises, Skipped


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
    for current in own, torch.cuda.Stream(priority=-1), torch.cuda.ExternalStream(other.cuda_stream):
        with torch.cuda.stream(current):
            got = f.add(delayed(torch, current, 3.0), 1)
        current.synchronize()
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


def check_dropped(dropped, other, take_memory):
    """Drops an array of threes from its list, by another thread, before a kernel on another stream has read it."""
    got = f.add(dropped[0], 1, stream=other)
    thread = threading.Thread(target=dropped.clear)
    thread.start()
    thread.join()
    noise = take_memory()  # the array's, if it has been given back
    other.synchronize()
    assert bool((got == 4).all()), "the array's memory was used again before the kernel had run"
    del noise


def test_torch_lifetimes():
    """Tensors that are dropped, also by another thread, while a kernel on another stream uses them."""
    torch = installed("torch")
    other = torch.cuda.Stream()
    for _ in range(20):
        x = torch.full((1 << 20,), 3.0, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(other):
            torch.cuda._sleep(3_000_000)
        dropped = [x]
        del x
        check_dropped(dropped, other, lambda: torch.full((1 << 20,), 9.0, device="cuda"))


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
    for one in x, x.T, x[:, ::2], x[0], x[0, ::-1], x[0, 0], x[:, None], x[:0], x.astype("f4"), x.astype("i8"):
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


def test_cupy_lifetimes():
    """Arrays that are dropped, also by another thread, while a kernel on another stream uses them."""
    cupy = installed("cupy")
    other = cupy.cuda.Stream(non_blocking=True)
    sleep = cupy.RawKernel("extern \"C\" __global__ void wait(long long n) { long long t = clock64(); "
                           "while (clock64() - t < n); }", "wait")
    for _ in range(20):
        x = cupy.full(1 << 20, 3.0)
        cupy.cuda.Device().synchronize()
        with other:
            sleep((1,), (1,), (3_000_000,))
        dropped = [x]
        del x
        check_dropped(dropped, other, lambda: cupy.full(1 << 20, 9.0))


def test_threads_of_cupy_and_numpy():
    cupy = installed("cupy")
    wrong = []

    def call(i):
        with cupy.cuda.Stream(non_blocking=True) as stream:
            for k in range(300):
                got, host = f.add(cupy.full(1000, float(i)), k), f.add(np.full(1000, float(i)), k)
                total = f.sum(got)
                if k % 50 == 0:
                    stream.synchronize()
                    if not bool((got == i + k).all()) or float(total) != 1000 * (i + k):
                        wrong.append(("cupy", i, k))
                if not (host == i + k).all():
                    wrong.append(("numpy", i, k))

    threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
    [one.start() for one in threads], [one.join() for one in threads]
    assert not wrong, wrong[:3]
