"""Eight threads that make a process's first calls at once: python3 test_threads.py. Each round is a process of its own."""
import os
import subprocess
import sys
import threading
import time
import types

from checks import installed_torch

ROUNDS, THREADS, CALLS = 5, 8, 200


def calls_of_numpy(f):
    import numpy as np

    def call(i, k):
        x = np.full(50, float(i))
        assert (f.add(x, k) == i + k).all() and (f.add(x, x, dtype=float) == 2 * i).all()
        assert f.add.reduce(x) == 50 * i and f.add.identity == 0 and f.sum(x) == 50 * i
        assert (f.running(x) == np.arange(1, 51) * i).all()
        records = np.zeros(3, f.moved.dtypes[0][0])
        assert f.moved(records, 1).dtype == records.dtype
        assert f.histogram(memoryview(b"\1\2\3"), shape=4).tolist() == [0, 1, 1, 1] and f.sum([i, k]) == i + k
        with np.errstate(over="raise"):
            try:
                f.multiply(np.float32(3e38), np.float32(10))
            except FloatingPointError:
                pass
            else:
                raise AssertionError("no FloatingPointError")

    return call


def calls_of_torch(f):
    import torch

    def call(i, k):
        x = torch.full((50,), float(i))
        assert bool((f.add(x, k) == i + k).all()) and float(f.sum(x)) == 50 * i and bool((f.add(x, x, x) == 2 * i).all())

    return call


def calls_of_another(f):
    """A library that has DLPack's methods and functions of its own, whose import takes a while."""
    import numpy as np

    class Array:
        def __init__(self, of):
            self.of = of

        def __array_namespace__(self):
            time.sleep(0.01)
            return sys.modules["slow"]

        def __dlpack__(self, **options):
            return self.of.__dlpack__()

        def __dlpack_device__(self):
            return self.of.__dlpack_device__()

    Array.__module__ = "slow"
    sys.modules["slow"] = types.ModuleType("slow")
    sys.modules["slow"].from_dlpack = lambda made: Array(np.from_dlpack(made))
    first = [Array(np.full(50, float(i))) for i in range(THREADS)]

    def call(i, k):
        # One of another thread: both are of one library.
        x, y = Array(np.full(50, float(k))), first[(i + 1) % THREADS]
        got = f.add(x, y)
        assert type(got) is Array and (got.of == k + (i + 1) % THREADS).all()

    return call


def run_round(calls):
    import functions as f

    call, wrong = calls(f), []
    begin = threading.Barrier(THREADS)

    def work(i):
        try:
            begin.wait()
            for k in range(CALLS):
                call(i, k)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
    [one.start() for one in threads], [one.join() for one in threads]
    if wrong:
        raise wrong[0]


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.setswitchinterval(1e-5)
        run_round(globals()[sys.argv[1]])
        sys.exit()
    for calls in calls_of_numpy, calls_of_another, calls_of_torch:
        if calls is not calls_of_torch or installed_torch("threads with PyTorch"):
            for _ in range(ROUNDS if calls is not calls_of_torch else 2):
                subprocess.run([sys.executable, __file__, calls.__name__], check=True, timeout=100, env=os.environ)
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"threads{'' if has_gil else ' without the GIL'}: passed")
