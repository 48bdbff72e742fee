#!/usr/bin/env python3
"""Measures drawn workloads on the CPU: Foldwise, PyTorch, torch.compile, NumPy and Numba on the same operands, on all
cores, each checked before it is timed.

usage: measure_cpu.py FOLDER --json FILE [--seconds N] [--only N]... [--compile I/N]

As measure.py, by the wall clock, or, where the process may use one core only, by the processor time of its threads, so
that what else runs on that core does not count. Everybody is called as its users call it, Foldwise from C++ and the others
from Python, in rounds: in each everybody has a turn, of calls whose operands go round. A time is the median of the rounds.
"""
import ctypes
import functools
import importlib.metadata
import os
import pathlib
import statistics
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE.parent):
    sys.path.insert(0, str(folder))
import torch  # noqa: E402

from measuring import (OVER, Checker, File, Wrong, cell_of, drawn_workloads, function_of,  # noqa: E402
                       parse_options)
from numpy_results import results_of  # noqa: E402
from peers_common import Case, NotMeasured, compiled_of, release, settle  # noqa: E402
from report_cells import is_own  # noqa: E402
from results_file import output_of  # noqa: E402
from torch_arrays import TorchArrays, gathered  # noqa: E402
from torch_results import outputs_of  # noqa: E402

VECTOR_MATH = "foldwise VECTOR_MATH"  # of kernels whose functions have vector forms
IMPLS = ("foldwise", VECTOR_MATH, "pytorch", "torch.compile", "numpy", "numba", "numba serial", "copy")
MOST_SETS_BYTES = 1.5e9
ROUNDS, TURN = 7, 4e-3   # seconds of a turn, of one call at least
REST = 3e-3              # between turns: the last one's threads wait for more work, and then go to sleep
LONG = 0.3               # seconds of a call that is timed once
SERIAL_BYTES = 1e6       # up to which a loop on one thread may be Numba's fastest
CORES = len(os.sched_getaffinity(0))
CLOCK = time.process_time if CORES == 1 else time.perf_counter


def sets_of(work):
    """As many that they leave the caches behind."""
    allocated = max(1, sum(one.allocated for one in work.operands))
    return int(max(1, min(64, 2 + 2 * cache_bytes() // allocated, MOST_SETS_BYTES // allocated)))


@functools.cache
def cache_bytes():
    """Of the last level."""
    told = output_of("getconf", "LEVEL3_CACHE_SIZE")
    return max(int(told) if told.isdigit() else 0, 32 << 20)


def library(folder, work, impl):
    return folder / (f"lib{work.name}.vector_math.so" if impl == VECTOR_MATH else f"lib{work.name}.so")


def foldwise_call(folder, work, impl, arrays, sets):
    file = library(folder, work, impl)
    if not file.exists():
        raise NotMeasured("does not compile")
    calls = getattr(ctypes.CDLL(str(file)), f"drawn_{work.name}_calls")
    calls.restype = ctypes.c_char_p
    pointers = [(ctypes.c_void_p * len(work.operands))(*arrays.pointers[i]) for i in range(sets)]
    if message := calls((ctypes.c_void_p * 1)(ctypes.addressof(pointers[0])), 1, 0, ctypes.c_int64(1)):
        raise RuntimeError(message.decode())
    return calls, pointers


def array(one):
    """A tensor as NumPy's."""
    return one.numpy() if isinstance(one, torch.Tensor) else one


def peer_call(work, impl, arrays, sets):
    """What is called, with what, and the results of the first call."""
    function = function_of(work, impl)
    arguments = [arrays.arguments(i) for i in range(sets)]
    if impl == "torch.compile":
        function = compiled_of(Case(None, (), (), {"pytorch": function}))
    if impl == "numpy":
        arguments = [[array(one) for one in several] for several in arguments]
    if impl.startswith("numba"):
        arguments = [[one.value if one.is_scalar else array(arrays.sets[i][one.name]) for one in work.operands]
                     for i in range(sets)]
        function(*arguments[0])
        return function, arguments, None
    return function, arguments, function(*arguments[0])


def prepare(folder, work, impl, arrays, sets, checker):
    """What is called, and with what in each set of operands; raises where there is nothing to time."""
    if impl == "copy":
        half = max(1, int(work.bytes) // 2)
        pairs = [torch.zeros(2, half, dtype=torch.uint8) for _ in range(sets)]
        return torch.Tensor.copy_, [(one[0], one[1]) for one in pairs]
    if impl == "numba serial" and work.bytes > SERIAL_BYTES:
        raise NotMeasured("larger than what one thread is faster at")
    arrays.reset()
    results = None
    if is_own(impl):
        function, arguments = foldwise_call(folder, work, impl, arrays, sets)
    else:
        function, arguments, results = peer_call(work, impl, arrays, sets)
    if results is None:
        found = checker.wrong(lambda i, at: arrays.gather(work.outputs[i].name, at), is_peer=not is_own(impl))
    elif impl == "numpy":
        outputs = results_of(work, results)
        found = checker.wrong(lambda i, at: outputs[i][tuple(at)], is_peer=True)
    else:
        outputs = outputs_of(work, results)
        found = checker.wrong(lambda i, at: gathered(outputs[i], at), is_peer=True)
    if found:
        raise Wrong(found)
    return function, arguments


class Turns:
    """The calls of an implementation that is a Python function."""

    def __init__(self, function, arguments):
        self.function, self.arguments, self.next, self.times = function, arguments, 0, []
        self.written = [None] * len(arguments)  # or every call would get the same output, which stays in the cache
        self.turn(2)
        self.expected = self.turn(1)
        self.calls = max(1, min(1000, int(TURN / self.expected)))

    def turn(self, calls):
        """Seconds of a call."""
        function, arguments, written, at = self.function, self.arguments, self.written, self.next
        begin = CLOCK()
        for _ in range(calls):
            written[at] = function(*arguments[at])
            at = at + 1 if at + 1 < len(arguments) else 0
        took = (CLOCK() - begin) / calls
        self.next = at
        return took

    def round(self):
        if self.expected > LONG:
            self.times = [self.expected]
            return
        time.sleep(REST)
        self.turn(1)  # wakes its threads
        self.times.append(self.turn(self.calls))

    def figures(self):
        """The median of the rounds, and how much they differ."""
        times = sorted(1e6 * one for one in self.times)
        middle = statistics.median(times)
        return {"us": middle, "least_us": times[0],
                "spread": (times[len(times) * 3 // 4] - times[len(times) // 4]) / middle}


class CallsFromCpp(Turns):
    """The calls of a function drawn_NAME_calls of call.hpp."""

    def __init__(self, function, pointers):
        self.pointers = pointers
        super().__init__(function, (ctypes.c_void_p * len(pointers))(*map(ctypes.addressof, pointers)))

    def turn(self, calls):
        count, first = len(self.arguments), self.next
        self.next = (first + calls) % count
        begin = CLOCK()
        message = self.function(self.arguments, count, first, ctypes.c_int64(calls))
        took = (CLOCK() - begin) / calls
        if message:
            raise RuntimeError(message.decode())
        return took


def measure_workload(folder, work, refused, file):
    todo = [impl for impl in IMPLS if (work.number, impl) not in file.done and
            (impl != VECTOR_MATH or library(folder, work, impl).exists())]
    if not todo:
        return
    print(f"\n{work.number:4} {work.description} ", end="", flush=True)
    sets = sets_of(work)
    file.write({"begin": todo[0], "number": work.number})
    arrays = TorchArrays(work, sets, "cpu")
    checker = Checker(work, arrays)
    found, turns = {}, {}
    for impl in todo:
        file.write({"begin": impl, "number": work.number})
        try:
            if is_own(impl) and work.name in refused:
                raise NotMeasured("is refused: " + refused[work.name].splitlines()[0][:200])
            kind = CallsFromCpp if is_own(impl) else Turns
            turns[impl] = kind(*prepare(folder, work, impl, arrays, sets, checker))
        except NotMeasured as error:
            found[impl] = {"why": str(error)}
        except Wrong as error:
            found[impl] = {"why": f"WRONG: {error}"}
        except Exception as error:
            found[impl] = {"why": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"}
    order = list(turns)
    for number in range(ROUNDS):
        turn = number % max(1, len(order))
        for impl in order[turn:] + order[:turn]:
            turns[impl].round()
    for impl in todo:
        figures = found.get(impl) or turns[impl].figures()
        file.write(cell_of("drawn-cpu", work, impl) | figures)
        print(f" {impl} {figures['us']:.2f}" if "us" in figures else f" {impl}: {figures['why']}", end="", flush=True)
    del turns, arrays, checker
    release()
    settle()


def compile_part(works, part):
    """Fills the caches of torch.compile and Numba with what one of N processes has to compile."""
    index, parts = map(int, part.split("/"))
    torch.set_num_threads(1)
    for work in works[index::parts]:
        for impl in ("numba", "numba serial", "torch.compile"):
            try:
                if impl != "numba serial" or work.bytes <= SERIAL_BYTES:
                    peer_call(work, impl, TorchArrays(work, 1, "cpu"), 1)
            except Exception as error:
                print(f"{work.name} {impl}: {type(error).__name__}: {error}"[:300], file=sys.stderr)
            release()


def head():
    """Where results come from."""
    packages = {one.metadata["Name"]: one.version for one in importlib.metadata.distributions()
                if one.metadata["Name"].lower().startswith(("torch", "numba", "numpy"))}
    return {"packages": packages, "threads": torch.get_num_threads(), "clock": CLOCK.__name__,
            "cache_bytes": cache_bytes()}


def main():
    options = parse_options(__doc__)
    started = time.monotonic()
    folder = options.folder.resolve()
    works, refused = drawn_workloads(folder)
    works = [work for work in works if not options.only or work.number in options.only]
    if options.compile:
        return compile_part(works, options.compile)
    torch.set_num_threads(CORES)
    file = File(options.json)
    if not file.done:
        file.write(head())
    for work in works:
        if time.monotonic() - started > options.seconds:
            for impl in IMPLS[:-1]:
                if (work.number, impl) not in file.done:
                    file.write(cell_of("drawn-cpu", work, impl) | {"why": OVER})
            continue
        measure_workload(folder, work, refused, file)
    print(f"\n{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
