"""What calls take beside those of the libraries themselves and of C++, and whether they keep what they promise."""
import os
import subprocess
import sys
import time

import numpy as np

import functions as f
from common import here, installed

# What a call may take beyond the same call from C++, in nanoseconds; and of its rate, what has to be left.
BEYOND_CPP = {"numpy": 600, "torch": 600, "cupy": 1500}
OF_RATE = 0.97


def from_cpp(**environment):
    """The lines of call_cost."""
    done = subprocess.run([here / "call_cost"], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, f"call_cost: {done.stdout}{done.stderr}"
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def nanoseconds(call, synchronize, calls=400, repetitions=60):
    """The best of so many times so many calls, between which what they have queued is waited for."""
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


class Table:
    """Rows of calls, the C++ call being the first."""

    def __init__(self, library, cpp_out, cpp_new):
        self.library, self.cpp, self.missed = library, {"out": cpp_out, "new": cpp_new}, []
        for name, value in self.cpp.items():
            if value is not None:
                print(f"    {'C++, ' + name:58s} {value:9.0f} ns")

    def row(self, name, value, kind=None):
        """A call; with a kind, one of ours, which that call of C++ is compared with."""
        beyond = ""
        if kind and self.cpp[kind] is not None:
            more = value - self.cpp[kind]
            beyond = f" {more:+9.0f} ns beyond C++"
            most = BEYOND_CPP.get(self.library)
            if most and kind == "out":
                beyond += f", at most {most}"
                if more > most:
                    self.missed.append(f"{name} takes {more:.0f} ns more than C++, not {most}")
        print(f"    {name:58s} {value:9.0f} ns{beyond}", flush=True)

    def check(self):
        assert not self.missed, "; ".join(self.missed)


def test_cost_of_torch():
    """A call with three arrays of 1000 floats, in nanoseconds of the host; so are the others."""
    torch = installed("torch")
    cpp = from_cpp()
    table = Table("torch", cpp["out"], cpp["new"])
    x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
    wait = torch.cuda.synchronize
    table.row("f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), wait), "out")
    table.row("f.add(x, y, out)", nanoseconds(lambda: f.add(x, y, out), wait), "out")
    table.row("torch.add(x, y, out=out)", nanoseconds(lambda: torch.add(x, y, out=out), wait))
    table.row("f.add(x, y)", nanoseconds(lambda: f.add(x, y), wait), "new")
    table.row("torch.add(x, y)", nanoseconds(lambda: torch.add(x, y), wait))
    table.check()


def test_cost_of_cupy():
    cupy = installed("cupy")
    cpp = from_cpp()
    table = Table("cupy", cpp["out"], cpp["new"])
    x, y, out = (cupy.ones(1000, "f4") for _ in range(3))
    wait = cupy.cuda.Device().synchronize
    kernel = cupy.ElementwiseKernel("T x, T y", "T z", "z = x + y", "added")
    table.row("f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), wait), "out")
    table.row("cupy.add(x, y, out=out)", nanoseconds(lambda: cupy.add(x, y, out=out), wait))
    table.row("ElementwiseKernel(x, y, out)", nanoseconds(lambda: kernel(x, y, out), wait))
    table.row("f.add(x, y)", nanoseconds(lambda: f.add(x, y), wait), "new")
    table.row("cupy.add(x, y)", nanoseconds(lambda: cupy.add(x, y), wait))
    table.row("ElementwiseKernel(x, y)", nanoseconds(lambda: kernel(x, y), wait))
    table.check()


def test_cost_of_numba():
    numba = installed("numba")
    cuda = installed("numba.cuda")
    cpp = from_cpp()
    table = Table("numba", cpp["out"], cpp["new"])
    x, y, out = (cuda.to_device(np.ones(1000, "f4")) for _ in range(3))
    table.row("f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), cuda.synchronize, 200, 10), "out")
    ufunc = numba.vectorize(["float32(float32, float32)"], target="cuda")(lambda x, y: x + y)
    table.row("vectorize(target='cuda')(x, y, out=out)",
              nanoseconds(lambda: ufunc(x, y, out=out), cuda.synchronize, 200, 10))


def test_cost_of_jax():
    jax = installed("jax")
    x, y = (jax.numpy.ones(1000) for _ in range(2))
    table = Table("jax", None, from_cpp()["new"])

    def row(name, call, kind=None):
        table.row(name, nanoseconds(call, lambda: jax.block_until_ready(call()), 200, 20), kind)

    compiled, added = jax.jit(f.add), jax.jit(jax.numpy.add)
    row("f.add(x, y)", lambda: f.add(x, y), "new")
    row("jax.numpy.add(x, y)", lambda: jax.numpy.add(x, y))
    row("jax.jit(f.add)(x, y)", lambda: compiled(x, y), "new")
    row("jax.jit(jax.numpy.add)(x, y)", lambda: added(x, y))


def test_cost_of_numpy():
    """Arrays on the host, whose calls run on the GPU: they are complete on return."""
    table = Table("numpy", from_cpp()["host"], None)
    x, y, out = (np.ones(1000, "f4") for _ in range(3))
    wait = lambda: None
    table.row("f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), wait), "out")
    table.row("f.add(x, y)", nanoseconds(lambda: f.add(x, y), wait))
    table.check()


def test_cost_of_numpy_on_the_cpu():
    """The same in a process that is told to compute on the CPU."""
    if os.environ.get("FOLDWISE_EXECUTOR") != "cpu":
        program = "import measure; measure.test_cost_of_numpy_on_the_cpu()"
        environment = {**os.environ, "FOLDWISE_EXECUTOR": "cpu"}
        done = subprocess.run([sys.executable, "-c", program], env=environment, cwd=here, capture_output=True, text=True)
        print(done.stdout.rstrip())
        assert done.returncode == 0, done.stderr[-2000:]
        return
    table = Table("numpy", from_cpp()["host"], None)
    x, y, out = (np.ones(1000, "f4") for _ in range(3))
    wait = lambda: None
    table.row("f.add(x, y, out=out)", nanoseconds(lambda: f.add(x, y, out=out), wait), "out")
    table.row("np.add(x, y, out=out)", nanoseconds(lambda: np.add(x, y, out=out), wait))
    table.row("f.add(x, y)", nanoseconds(lambda: f.add(x, y), wait))
    table.row("np.add(x, y)", nanoseconds(lambda: np.add(x, y), wait))
    table.check()


def check_rates(cpp, calls, record, milliseconds):
    """Calls with 10^8 floats: `record()` marks a place in the stream, between two of which time is counted."""
    missed = []
    print(f"    {'C++: add':32s} {cpp['add']:8.0f} GB/s\n    {'C++: sum':32s} {cpp['sum']:8.0f} GB/s")
    for name, call in calls.items():
        call()
        best = float("inf")
        for _ in range(10):
            begin = record()
            call()
            best = min(best, milliseconds(begin, record()))
        kind = "sum" if "sum" in name else "add"
        rate = (0.4 if kind == "sum" else 1.2) * 1e9 / best / 1e6
        print(f"    {name:32s} {rate:8.0f} GB/s")
        if name.startswith("f.") and rate < OF_RATE * cpp[kind]:
            missed.append(f"{name} has {rate:.0f} GB/s, and C++ {cpp[kind]:.0f}")
    assert not missed, "; ".join(missed)


def test_bandwidth_of_torch():
    torch = installed("torch")
    cpp = from_cpp()
    x, y, out = (torch.ones(10 ** 8, device="cuda") for _ in range(3))

    def record():
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def milliseconds(begin, end):
        torch.cuda.synchronize()
        return begin.elapsed_time(end)

    check_rates(cpp, {"f.add(x, y, out=out)": lambda: f.add(x, y, out=out), "f.add(x, y)": lambda: f.add(x, y),
                      "torch.add(x, y, out=out)": lambda: torch.add(x, y, out=out),
                      "f.sum(x, axis=0)": lambda: f.sum(x, axis=0), "torch.sum(x)": lambda: torch.sum(x)},
                record, milliseconds)


def test_bandwidth_of_cupy():
    cupy = installed("cupy")
    cpp = from_cpp()
    x, y, out = (cupy.ones(10 ** 8, "f4") for _ in range(3))

    def record():
        event = cupy.cuda.Event()
        event.record()
        return event

    def milliseconds(begin, end):
        end.synchronize()
        return cupy.cuda.get_elapsed_time(begin, end)

    check_rates(cpp, {"f.add(x, y, out=out)": lambda: f.add(x, y, out=out), "f.add(x, y)": lambda: f.add(x, y),
                      "cupy.add(x, y, out=out)": lambda: cupy.add(x, y, out=out),
                      "f.sum(x, axis=0)": lambda: f.sum(x, axis=0), "cupy.sum(x)": lambda: cupy.sum(x)},
                record, milliseconds)
