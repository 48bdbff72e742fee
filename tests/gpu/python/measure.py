"""What calls take beside those of the libraries themselves and of C++, and whether they keep what they promise."""
import ctypes
import os
import subprocess
import sys
import timeit

import numpy as np

import functions as f
from common import here, installed

# What a call may take beyond the same call from C++, in nanoseconds; and of its rate, what has to be left.
BEYOND_CPP = {"numpy": 600, "torch": 600, "cupy": 1500}
OF_RATE = 0.97

# Calls from C++, in this process.
cpp = ctypes.CDLL(str(here / "call_cost.so"))


def from_cpp(kind, calls):
    """What one of so many calls from C++ takes: with an output, with a new array, with memory of the host's."""
    function = {"out": cpp.nanoseconds_out, "new": cpp.nanoseconds_new, "host": cpp.nanoseconds_host}[kind]
    function.restype = ctypes.c_double
    return function(calls)


def rates_of_cpp():
    """GB/s from C++."""
    add, sum = ctypes.c_double(), ctypes.c_double()
    cpp.measure_rates(ctypes.byref(add), ctypes.byref(sum))
    return {"add": add.value, "sum": sum.value}


def nanoseconds(call, names, synchronize, kind=None, calls=400, repetitions=60):
    """The best of so many times so many calls, between which what they have queued is waited for; and, with a kind,
    that of calls from C++ in turns with them, so that both find the machine the same. The call is a text, so that no
    function of Python's is around it."""
    timer = timeit.Timer(call, globals={"f": f, **names})
    timer.timeit(10)
    synchronize()
    best, best_of_cpp = float("inf"), float("inf")
    for _ in range(repetitions):
        best = min(best, timer.timeit(calls) / calls * 1e9)
        synchronize()
        if kind:
            best_of_cpp = min(best_of_cpp, from_cpp(kind, calls))
    return best, best_of_cpp


class Table:
    """Rows of calls with arrays of a library."""

    def __init__(self, library):
        self.library, self.missed = library, []

    def row(self, call, names, wait, kind=None, **repeated):
        """A call; with a kind, one of ours, which that call of C++ is compared with."""
        value, of_cpp = nanoseconds(call, names, wait, kind, **repeated)
        beyond = ""
        if kind:
            beyond = f" {value - of_cpp:+9.0f} ns beyond the {of_cpp:.0f} of C++"
            most = BEYOND_CPP.get(self.library)
            if most and kind != "new":
                beyond += f", at most {most}"
                if value - of_cpp > most:
                    self.missed.append(f"{call} takes {value - of_cpp:.0f} ns more than C++, not {most}")
        print(f"    {call:32s} {value:9.0f} ns{beyond}", flush=True)

    def check(self):
        assert not self.missed, "; ".join(self.missed)


def test_cost_of_torch():
    """A call with three arrays of 1000 floats, in nanoseconds of the host; so are the others."""
    torch = installed("torch")
    table = Table("torch")
    x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
    names, wait = {"torch": torch, "x": x, "y": y, "out": out}, torch.cuda.synchronize
    table.row("f.add(x, y, out=out)", names, wait, "out")
    table.row("f.add(x, y, out)", names, wait, "out")
    table.row("f.add(x, y, out=out, where=True)", names, wait)  # what no short way leads to
    table.row("torch.add(x, y, out=out)", names, wait)
    table.row("f.add(x, y)", names, wait, "new")
    table.row("torch.add(x, y)", names, wait)
    table.check()


def test_cost_of_cupy():
    cupy = installed("cupy")
    table = Table("cupy")
    x, y, out = (cupy.ones(1000, "f4") for _ in range(3))
    kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + y", "added")
    names, wait = {"cupy": cupy, "x": x, "y": y, "out": out, "kernel": kernel}, cupy.cuda.Device().synchronize
    table.row("f.add(x, y, out=out)", names, wait, "out")
    table.row("f.add(x, y, out)", names, wait, "out")
    table.row("f.add(x, y, out=out, where=True)", names, wait)  # what no short way leads to
    table.row("cupy.add(x, y, out=out)", names, wait)
    table.row("kernel(x, y, out)", names, wait)  # an ElementwiseKernel
    table.row("f.add(x, y)", names, wait, "new")
    table.row("cupy.add(x, y)", names, wait)
    table.row("kernel(x, y)", names, wait)
    table.check()


def test_cost_of_numba():
    numba = installed("numba")
    cuda = installed("numba.cuda")
    table = Table("numba")

    @numba.vectorize(["float32(float32, float32)"], target="cuda")
    def ufunc(x, y):
        return x + y

    x, y, out = (cuda.to_device(np.ones(1000, "f4")) for _ in range(3))
    names, few = {"ufunc": ufunc, "x": x, "y": y, "out": out}, {"calls": 200, "repetitions": 10}
    table.row("f.add(x, y, out=out)", names, cuda.synchronize, "out", **few)
    table.row("ufunc(x, y, out=out)", names, cuda.synchronize, **few)  # by numba.vectorize


def test_cost_of_jax():
    jax = installed("jax")
    table = Table("jax")
    x, y = (jax.numpy.ones(1000) for _ in range(2))
    names = {"jax": jax, "x": x, "y": y, "compiled": jax.jit(f.add), "added": jax.jit(jax.numpy.add)}
    few = {"calls": 200, "repetitions": 20}

    def wait():
        jax.block_until_ready(jax.numpy.add(x, y))  # on the stream of all calls

    table.row("f.add(x, y)", names, wait, "new", **few)
    table.row("jax.numpy.add(x, y)", names, wait, **few)
    table.row("compiled(x, y)", names, wait, "new", **few)  # f.add
    table.row("added(x, y)", names, wait, **few)  # jax.numpy.add


def cost_of_numpy(with_peer):
    table = Table("numpy")
    x, y, out = (np.ones(1000, "f4") for _ in range(3))
    names = {"np": np, "x": x, "y": y, "out": out}
    for call, kind in ("f.add(x, y, out=out)", "host"), ("f.add(x, y, out)", "host"), ("np.add(x, y, out=out)", None), \
            ("f.add(x, y)", None), ("np.add(x, y)", None):
        if with_peer or call.startswith("f."):
            table.row(call, names, lambda: None, kind)
    table.check()


def test_cost_of_numpy():
    """Arrays on the host, whose calls run on the GPU: they are complete on return."""
    cost_of_numpy(False)


def test_cost_of_numpy_on_the_cpu():
    """The same in a process that is told to compute on the CPU."""
    environment = {**os.environ, "FOLDWISE_EXECUTOR": "cpu"}
    program = "import measure; measure.cost_of_numpy(True)"
    done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=here, capture_output=True, text=True)
    print(done.stdout.rstrip())
    assert done.returncode == 0, done.stderr[-2000:]


def check_rates(calls, record, milliseconds, repeated=10):
    """Calls with 10^8 floats: `record()` marks a place in the stream, between two of which the time of several calls is
    counted, so that the GPU does not wait for the first of them alone."""
    missed, of_cpp = [], rates_of_cpp()
    print(f"    {'C++: add':32s} {of_cpp['add']:8.0f} GB/s\n    {'C++: sum':32s} {of_cpp['sum']:8.0f} GB/s")
    for name, call in calls.items():
        call()
        best = float("inf")
        for _ in range(10):
            begin = record()
            for _ in range(repeated):
                call()
            best = min(best, milliseconds(begin, record()) / repeated)
        kind = "sum" if "sum" in name else "add"
        rate = (0.4 if kind == "sum" else 1.2) * 1e9 / best / 1e6
        print(f"    {name:32s} {rate:8.0f} GB/s")
        if name.startswith("f.") and rate < OF_RATE * of_cpp[kind]:
            missed.append(f"{name} has {rate:.0f} GB/s, and C++ {of_cpp[kind]:.0f}")
    assert not missed, "; ".join(missed)


def test_bandwidth_of_torch():
    torch = installed("torch")
    x, y, out = (torch.ones(10 ** 8, device="cuda") for _ in range(3))

    def record():
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def milliseconds(begin, end):
        torch.cuda.synchronize()
        return begin.elapsed_time(end)

    check_rates({"f.add(x, y, out=out)": lambda: f.add(x, y, out=out), "f.add(x, y)": lambda: f.add(x, y),
                 "torch.add(x, y, out=out)": lambda: torch.add(x, y, out=out),
                 "f.sum(x, axis=0)": lambda: f.sum(x, axis=0), "torch.sum(x)": lambda: torch.sum(x)},
                record, milliseconds)


def test_bandwidth_of_cupy():
    cupy = installed("cupy")
    x, y, out = (cupy.ones(10 ** 8, "f4") for _ in range(3))

    def record():
        event = cupy.cuda.Event()
        event.record()
        return event

    def milliseconds(begin, end):
        end.synchronize()
        return cupy.cuda.get_elapsed_time(begin, end)

    check_rates({"f.add(x, y, out=out)": lambda: f.add(x, y, out=out), "f.add(x, y)": lambda: f.add(x, y),
                 "cupy.add(x, y, out=out)": lambda: cupy.add(x, y, out=out),
                 "f.sum(x, axis=0)": lambda: f.sum(x, axis=0), "cupy.sum(x)": lambda: cupy.sum(x)},
                record, milliseconds)
