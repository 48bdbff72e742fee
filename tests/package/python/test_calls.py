"""What the shortest way of a call must not lose, and what many calls must not gain: python3 test_calls.py"""
import gc
import os
import resource
import subprocess
import sys
import threading
import timeit
import warnings

import numpy as np

import functions as f
from checks import installed, installed_torch, raises, run


def same(a, b):
    np.testing.assert_array_equal(a, b)
    assert type(a) is type(b) and a.dtype == b.dtype and a.strides == b.strides, (type(a), type(b), a.dtype, b.dtype)


def test_results():
    a, b = np.arange(1.0, 7).reshape(2, 3), np.arange(3.0)
    for x in a, a.T, a[:, ::2], a[1], a[1, ::-1], np.float64(3), np.array(3.0), a[:0], np.asfortranarray(a):
        for y in 2, 2.5, x, b[:x.shape[-1]] if np.ndim(x) and x.shape[-1] <= 3 else 1, np.array(4.0):
            same(f.add(x, y), np.add(x, y))
            same(f.add(y, x), np.add(y, x))
    same(f.add(a[:, :1], b), a[:, :1] + b)
    same(f.add(a.astype("f4"), 2), a.astype("f4") + 2)
    out = np.empty(())
    assert f.add(np.array(1.0), 2, out) is out and f.add(np.array(1.0), 3, out=(out,)) is out and out == 4
    assert f.add(a, a, out=(None,)) is not None and f.add(a, a, out=None) is not None
    same(f.add(a, a, a.copy()), a + a)
    same(f.add(a, a, out=a.copy(order="F")), (a + a).copy(order="F"))
    x = np.arange(20.0)
    f.add(x[1:], x[:-1], x[1:])
    same(x[1:], 2 * np.arange(20.0)[1:] - 1)
    f.add(x, x, x)
    raises(TypeError, lambda: f.add(a, a, out, out))
    raises(TypeError, lambda: f.add(a, a, out, out=out))
    raises(ValueError, lambda: f.add(a, a, out=(out, out)))
    raises(ValueError, lambda: f.add(a, a[:, :2]), "(2, 3)", "(2, 2)")
    raises(ValueError, lambda: f.add(a, a, np.empty((3, 2))))
    raises(OverflowError, lambda: f.add(a.astype("i1"), 1000), "1000", "int8")
    # A number that the arrays' type lacks, and the one that dtype= names has.
    for x in np.ones((2, 3), "u8"), np.ones((0, 3), "u8"), np.array(1, "u8"):
        np.testing.assert_array_equal(f.add(x, -1, dtype=float), np.add(x, -1, dtype=float), strict=True)
        raises(OverflowError, lambda: f.add(x, -1), "-1", "uint64")
    # Numbers of a kind that the type lacks, which only casting="unsafe" lets through.
    for number in 2.75, -2.75, 3 + 4j:
        for dtype in np.int8, np.int64, np.float32, np.float64:
            want = np.full(3, 1 + dtype(number.real), dtype)
            got = f.add(np.ones(3, dtype), number, dtype=dtype, casting="unsafe")
            np.testing.assert_array_equal(got, want, strict=True)
    raises(OverflowError, lambda: f.add(np.ones(3, "i1"), 1e3, dtype="i1", casting="unsafe"), "1000", "int8")
    raises(TypeError, lambda: f.add(np.ones(3, "i1"), 1.5, dtype="i1"), "float")
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":  # NumPy 1 refuses it as well
        same(f.add(5, 1.5, casting="no"), np.add(5, 1.5))
    frozen = np.empty((2, 3))
    frozen.flags.writeable = False
    raises(ValueError, lambda: f.add(a, a, frozen), "read-only")

    class Named(np.ndarray):
        pass

    assert type(f.add(a.view(Named), 1)) is Named


def test_floating_errors():
    big = np.array([1e308, 1.0])
    for call in (lambda: f.add(big, big)), (lambda: f.add(big, big, order="F")):
        with np.errstate(all="raise"):
            raises(FloatingPointError, call, "overflow", "add")
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error")
            call()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            call()
        assert len(said) == 1 and "overflow encountered in add" in str(said[0].message)
    with np.errstate(all="raise"):
        f.add(np.ones(3), 1)


def test_torch():
    torch = installed_torch("calls with tensors")
    if not torch:
        return
    x = torch.arange(1.0, 7).reshape(2, 3)
    z = torch.complex(x, x).conj()
    assert z.imag.is_neg()
    for one in x, x.T, x[:, ::2], x[:, 1], z.imag, z.imag[:1], z.imag[:1, :1], z.real, x[0, 0], x[:0]:
        for other in 2, 2.5, one, x[0, 0]:
            torch.testing.assert_close(f.add(one, other), torch.add(one, other))
    out = torch.zeros(2, 3)
    assert f.add(x, x, out) is out and f.add(x, 1, out=(out,)) is out
    torch.testing.assert_close(out, x + 1)
    f.add(x, x, z.imag)
    torch.testing.assert_close(z.imag, x + x)
    needs = x.clone().requires_grad_()
    raises(RuntimeError, lambda: f.add(needs, 1), "grad")
    raises(RuntimeError, lambda: f.add(x, 1, out=needs), "grad")
    with torch.no_grad():
        torch.testing.assert_close(f.add(needs, 1), x + 1)
        written = torch.zeros(2, 3, requires_grad=True)
        assert f.add(x, needs, out=written) is written and written.requires_grad and needs.grad is None
        torch.testing.assert_close(written, x + x)
    raises(ValueError, lambda: f.add(x, x[:, :2]), "(2, 3)", "(2, 2)")
    raises(TypeError, lambda: f.add(x, x, out=torch.zeros(2, 3, dtype=torch.int64)), "int64")


def test_unusual_tensors():
    """Tensors that are no addresses of elements, and answers that are not PyTorch's own."""
    torch = installed_torch("calls with tensors")
    if not torch:
        return
    from torch._subclasses.fake_tensor import FakeTensorMode

    class Own(torch.Tensor):
        pass

    class Lie(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, arguments=(), keywords=None):
            known = {torch.Tensor._cdata.__get__: 1, torch.Tensor.requires_grad.__get__: False}
            return known[function] if function in known else function(*arguments, **(keywords or {}))

    class Record(torch.overrides.TorchFunctionMode):
        asked = []

        def __torch_function__(self, function, types, arguments=(), keywords=None):
            self.asked.append(function)
            return function(*arguments, **(keywords or {}))

    x = torch.arange(3.0)
    for mode in torch.device("cpu"), Lie():
        with mode:
            results = f.add(x, 1), f.add(x, x, torch.zeros(3))
        assert all(torch.equal(result, expected) for result, expected in zip(results, (x + 1, x + x)))
    out = torch.zeros(3)
    with Record():  # by which calls would take microseconds
        f.add(x, x, out), f.add(x, 1)
    assert torch.equal(out, x + x) and not Record.asked, Record.asked
    one, other = torch.zeros(3), torch.ones(4)
    f.add(one, one), f.add(other, other)
    torch.utils.swap_tensors(one, other)  # the same objects of Python's, which have other tensors
    assert torch.equal(f.add(one, one), torch.full((4,), 2.0)) and torch.equal(f.add(other, other), torch.zeros(3))
    one.data = x
    assert torch.equal(f.add(one, one), x + x)
    assert torch.equal(f.add(x.as_subclass(Own), x), x + x)
    raises(RuntimeError, lambda: f.add(torch.nn.Parameter(x).as_subclass(Own), x), "grad")
    with FakeTensorMode():
        fake = torch.zeros(3)
    raises((ValueError, RuntimeError), lambda: f.add(fake, fake), "FakeTensor")
    raises(RuntimeError, lambda: f.add(x.to("meta"), x))
    raises(RuntimeError, lambda: f.add(x.to_sparse(), x))
    raises(RuntimeError, lambda: torch.vmap(lambda one: f.add(one, one))(torch.zeros(2, 3)))


def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def libraries():
    arrays = {"numpy": np.arange(100.0)}
    if torch := installed_torch("these calls"):
        arrays["torch"] = torch.arange(100.0)
    if jax := installed("jax", "these calls"):
        arrays["jax"] = jax.numpy.arange(100.0)
    return arrays


def test_leaks(calls=int(os.environ.get("FOLDWISE_TEST_CALLS", 20000))):
    """No call leaves references or memory behind, whatever library and whatever way it takes, errors too."""
    for name, x in libraries().items():
        slow = 20 if name == "jax" else 1
        out = f.add(x, 0)

        def many(count):
            for i in range(count // slow):
                f.add(x, x), f.add(x, i % 1000), f.sum(x)
                raises(TypeError, lambda: f.add(x, object()))
                raises(ValueError, lambda: f.add(x, x[:7]))
                if name != "jax":
                    f.add(x, x, out=out), f.add(x, x, out=out[:]), f.running(x)

        before_all = sys.gettotalrefcount() if hasattr(sys, "gettotalrefcount") else 0
        many(calls // 4)
        gc.collect()
        before = sys.getrefcount(x), sys.getallocatedblocks(), resident()
        many(calls)
        gc.collect()
        after = sys.getrefcount(x), sys.getallocatedblocks(), resident()
        assert after[0] == before[0], (name, "references", before, after)
        assert after[1] - before[1] < max(500, calls // 50 // slow), (name, "blocks", before, after)
        assert after[2] - before[2] < 16384, (name, "KiB", before, after)
        if hasattr(sys, "gettotalrefcount"):
            assert sys.gettotalrefcount() - before_all < calls // 4, name


def test_threads():
    wrong = []
    for name, x in libraries().items():
        def call():
            for _ in range(30 if name == "jax" else 300):
                if float(f.sum(x)) != 4950 or float(f.add(x, x)[99]) != 198:
                    wrong.append(name)

        threads = [threading.Thread(target=call) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert not wrong, wrong


def test_first_calls_at_once():
    """Two threads that make the first calls of a process get what they would get alone."""
    program = """if True:
        import sys, threading
        sys.setswitchinterval(1e-6)
        import numpy as np, functions as f
        barrier, wrong = threading.Barrier(8), []
        def call(i):
            barrier.wait()
            x = np.arange(100.0) if i % 2 else np.arange(100)
            try:
                if f.add(x, i)[99] != 99 + i or f.sum(x) != 4950 or f.add.nin != 2:
                    wrong.append(i)
            except BaseException as error:
                wrong.append(error)
        threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
        [one.start() for one in threads], [one.join() for one in threads]
        assert not wrong, wrong
        """
    for _ in range(3):
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_first_tensors_at_once():
    """The same with tensors: one thread makes PyTorch's operators, and the others wait for it without the GIL."""
    program = """if True:
        import sys, threading
        sys.setswitchinterval(1e-6)
        import functions as f, torch
        barrier, wrong = threading.Barrier(8), []
        def call(i):
            x = torch.arange(100.0, dtype=torch.float64, requires_grad=i % 2 == 1)
            barrier.wait()
            try:
                y = f.squared(x)
                if float(y.detach()[9]) != 81 or y.requires_grad != x.requires_grad or torch.ops.functions.add(y.detach(), y.detach())[9] != 162:
                    wrong.append(i)
            except BaseException as error:
                wrong.append(error)
        threads = [threading.Thread(target=call, args=(i,)) for i in range(8)]
        [one.start() for one in threads], [one.join() for one in threads]
        assert not wrong, wrong
        """
    if not installed_torch("tensors of several threads"):
        return
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_new_tensors():
    """Results are PyTorch's own in every respect, also where its C functions are not what they were."""
    program = """if True:
        import sys, torch
        if sys.argv[1] == "unmade":
            torch.Tensor.is_contiguous = lambda self: False
        elif sys.argv[1] == "unread":
            torch.Tensor._cdata = 1
        import functions as f
        x = torch.arange(6.0).reshape(2, 3)
        for type in torch.int8, torch.int64, torch.float32, torch.float64, torch.complex128:
            for one in x, x.T, x[:0], x[0, 0], x[None, :, ::2], x.expand(4, 2, 3):
                one = one.to(type)
                got, want = f.add(one, one), one + one
                assert type == got.dtype and got.shape == want.shape and torch.equal(got, want)
                assert got.stride() == torch.empty(got.shape).stride() and got.storage_offset() == 0
                assert not got.requires_grad and got.is_leaf and got.device == one.device
                got.resize_(0)
        assert f.is_less(x.double(), 2).dtype == torch.bool and f.multiply(x.bfloat16(), 2).dtype == torch.bfloat16
        with torch.inference_mode():
            assert f.add(x, x).is_inference()
        kept = [f.add(x, i) for i in range(1000)]
        assert all(torch.equal(one, x + i) for i, one in enumerate(kept))
        """
    if not installed_torch("new tensors"):
        return
    for which in "known", "unmade", "unread":
        subprocess.run([sys.executable, "-c", program, which], check=True, timeout=60)


def test_short_way():
    """Usual calls take the short way: with a keyword that changes nothing, which leads past it, they take longer."""
    torch = installed_torch("the short way of tensors")
    for library in filter(None, (np, torch)):
        x, y, out = (library.ones(8) for _ in range(3))
        names = {"f": f, "x": x, "y": y, "out": out}
        usual = ["f.add(x, y, out)", "f.add(x, y, out=out)", "f.add(x, 2.0, out)", "f.add(x, y)"]
        longer = "f.add(x, y, out=out, where=True)"
        taken = {call: min(timeit.repeat(call, globals=names, repeat=30, number=200)) for call in [*usual, longer]}
        for call in usual:
            assert taken[call] < 0.6 * taken[longer], (library.__name__, call, taken)


def test_fork():
    """A process that has called kernels, with threads of OpenMP's running, forks; both go on calling."""
    program = """if True:
        import os, numpy as np, functions as f
        x = np.arange(1e6)
        f.add(x, x), f.sum(x)
        child = os.fork()
        assert f.sum(np.ones(10 ** 6)) == 1e6 and f.add(x, 1)[-1] == 1e6
        if child == 0:
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        """
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)


if __name__ == "__main__":
    run(globals(), "calls")
