#!/usr/bin/env python3
"""Measures drawn workloads on a GPU: Foldwise, PyTorch, torch.compile and CuPy on the same operands, one workload after
the other, each checked before it is timed.

usage: measure.py FOLDER --json FILE [--seconds N] [--only N]... [--compile I/N]

FOLDER has workloads.json and the libraries that ninja has built. FILE gets a JSON object a line; what has a cell there
is not measured again, so that a run can go on behind a crash. --compile only fills the caches of torch.compile and CuPy
with what one of N processes has to compile.
"""
import ctypes
import functools
import importlib.metadata
import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE.parent):
    sys.path.insert(0, str(folder))
import numpy  # noqa: E402
import torch  # noqa: E402

from measuring import (OVER, Checker, File, Wrong, cell_of, drawn_workloads, function_of,  # noqa: E402
                       parse_options)
from peers_common import (CACHE_BYTES, Case, NotMeasured, compiled_of, load, release, settle,  # noqa: E402
                          time_on_stream)
from torch_arrays import TorchArrays, gathered  # noqa: E402
from torch_results import outputs_of  # noqa: E402

torch.backends.cudnn.allow_tf32 = False  # the check expects float's precision
IMPLS = ("foldwise", "pytorch", "torch.compile", "cupy", "copy")
MOST_SETS_BYTES = 8e9


@functools.cache
def timer(folder):
    library = ctypes.CDLL(str(folder / "libmeasure.so"), mode=ctypes.RTLD_GLOBAL)
    for name in ("drawn_call", "drawn_time"):
        getattr(library, name).restype = ctypes.c_char_p
    return library


def foldwise_call(folder, work):
    file = folder / f"lib{work.name}.so"
    if not file.exists():
        raise NotMeasured("does not compile")
    timer(folder)
    library = ctypes.CDLL(str(file))
    return ctypes.cast(getattr(library, f"drawn_{work.name}"), ctypes.c_void_p)


def prepared(work, impl, function, arrays, sets):
    """What is called, and with what."""
    arguments = [arrays.arguments(i) for i in range(sets)]
    if impl == "torch.compile":
        function = compiled_of(Case(None, (), (), {"pytorch": function}))
    if impl == "cupy":
        cupy = load("cupy")
        arguments = [[cupy.asarray(one) if isinstance(one, torch.Tensor) else one for one in several]
                     for several in arguments]
        scalars = {one.name: TYPES_OF_CUPY[one.type] for one in work.inputs if one.is_scalar}
        places = [scalars.get(one.name) for one in work.inputs]
        arguments = [[place(one) if place else one for place, one in zip(places, several)] for several in arguments]
    return function, arguments


TYPES_OF_CUPY = {"float": numpy.float32, "double": numpy.float64}


def measure(folder, work, impl, arrays, sets, checker):
    """The figures of an implementation; raises where there are none."""
    if impl == "copy":
        return timed(lambda figures: timer(folder).drawn_copy(ctypes.c_int64(int(work.bytes)), sets, figures))
    arrays.reset()
    if impl == "foldwise":
        call = foldwise_call(folder, work)
        count = len(work.operands)
        pointers = (ctypes.c_void_p * (count * sets))(*(one for several in arrays.pointers for one in several))
        torch.cuda.synchronize()
        message = timer(folder).drawn_call(call, pointers)
        if message:
            raise RuntimeError(message.decode())
        found = checker.wrong(lambda i, at: arrays.gather(work.outputs[i].name, at), is_peer=False)
        if found:
            raise Wrong(found)
        return timed(lambda figures: timer(folder).drawn_time(call, pointers, count, sets, 1, figures))
    function, arguments = prepared(work, impl, function_of(work, impl), arrays, sets)
    outputs = outputs_of(work, function(*arguments[0]))
    torch.cuda.synchronize()
    found = checker.wrong(lambda i, at: gathered(outputs[i], at), is_peer=True)
    if found:
        raise Wrong(found)
    del outputs
    return time_on_stream(function, arguments, is_quick=True)


def timed(call):
    figures = (ctypes.c_double * 3)()
    message = call(figures)
    if message:
        raise RuntimeError(message.decode())
    return dict(zip(("us", "spread", "host_us"), figures))


def sets_of(work):
    """As many that they leave the cache behind."""
    allocated = sum(one.allocated for one in work.operands)
    return int(max(1, min(64, 2 + 3 * CACHE_BYTES // max(1, allocated), MOST_SETS_BYTES // allocated)))


def head(folder):
    """Where results come from."""
    packages = {one.metadata["Name"]: one.version for one in importlib.metadata.distributions()
                if one.metadata["Name"].lower().startswith(("torch", "triton", "cupy", "numpy"))}
    figures = (ctypes.c_double * 3)()
    timer(folder).drawn_copy(ctypes.c_int64(2 * 10**9), 1, figures)
    return {"packages": packages, "device": torch.cuda.get_device_name(), "copy_bytes_per_us": 2e9 / figures[0],
            "runtime": torch.version.cuda}


def measure_workload(folder, work, refused, file):
    todo = [impl for impl in IMPLS if (work.number, impl) not in file.done]
    if not todo:
        return
    turn = work.number % (len(IMPLS) - 1)  # nobody is always the first, on a GPU that has cooled down
    todo.sort(key=lambda impl: (IMPLS.index(impl) - turn) % len(IMPLS))
    print(f"\n{work.number:4} {work.description} ", end="", flush=True)
    sets = sets_of(work)
    file.write({"begin": todo[0], "number": work.number})
    arrays = TorchArrays(work, sets)
    checker = Checker(work, arrays)
    for impl in todo:
        file.write({"begin": impl, "number": work.number})
        try:
            if impl == "foldwise" and work.name in refused:
                raise NotMeasured("is refused: " + refused[work.name].splitlines()[0][:200])
            figures = measure(folder, work, impl, arrays, sets, checker)
        except NotMeasured as error:
            figures = {"why": str(error)}
        except Wrong as error:
            figures = {"why": f"WRONG: {error}"}
        except Exception as error:
            if "CUDA error" in str(error) or "illegal" in str(error):  # nothing works behind it: run.py begins again
                why = f"{type(error).__name__}: {str(error).splitlines()[0][:200]}"
                file.write(cell_of("drawn", work, impl) | {"why": why})
                file.file.flush()
                os._exit(3)
            figures = {"why": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"}
        file.write(cell_of("drawn", work, impl) | figures)
        print(f" {impl} {figures['us']:.2f}" if "us" in figures else f" {impl}: {figures['why']}", end="", flush=True)
        release()
    del arrays, checker
    release()
    settle()


def compile_part(works, part):
    index, parts = map(int, part.split("/"))
    for work in works[index::parts]:
        for impl in ("torch.compile", "cupy"):
            try:
                arrays = TorchArrays(work, 1)
                function, arguments = prepared(work, impl, function_of(work, impl), arrays, 1)
                function(*arguments[0])
                torch.cuda.synchronize()
            except Exception as error:
                print(f"{work.name} {impl}: {type(error).__name__}", file=sys.stderr)
            arrays = function = arguments = None
            release()


def main():
    options = parse_options(__doc__)
    started = time.monotonic()
    folder = options.folder.resolve()
    works, refused = drawn_workloads(folder)
    works = [work for work in works if not options.only or work.number in options.only]
    if options.compile:
        return compile_part(works, options.compile)
    file = File(options.json)
    if not file.done:
        file.write(head(folder))
    for work in works:
        if time.monotonic() - started > options.seconds:
            for impl in IMPLS[:-1]:
                if (work.number, impl) not in file.done:
                    file.write(cell_of("drawn", work, impl) | {"why": OVER})
            continue
        measure_workload(folder, work, refused, file)
    print(f"\n{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
