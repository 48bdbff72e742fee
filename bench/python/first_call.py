#!/usr/bin/env python3
"""How long until a function from a string can be called: foldwise.inline beside numba.vectorize, PyTorch's load_inline
and, on a GPU, CuPy's ElementwiseKernel and Triton, all with the same formula.

usage: PYTHONPATH=<folder of the package foldwise> first_call.py [--gpu] [--repeat N] [tool...]

Each number is that of a process of its own, after its imports and, on a GPU, with its arrays there: from the text to
the result of a call with three elements. The columns: with an empty cache; another function, where the cache has one
already; the same function in another process; and once more in the same process. The median of N is printed, as a table
for documentation.
"""

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile

PRELUDE = """
import importlib, os, sys, time
import numpy as np
factor, repeat = sys.argv[1], int(sys.argv[2])
arrays, wait = lambda x, y: (x, y), lambda: None
if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # NumPy has dropped the name, which numba.cuda still looks up

def from_file(folder, text):
    # For what takes functions of files alone.
    path = os.path.join(os.environ[folder], f"function_{factor}.py")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path):
        open(path, "w").write(text.replace("FACTOR", factor))
    if os.path.dirname(path) not in sys.path:
        sys.path.insert(0, os.path.dirname(path))
    return importlib.import_module(f"function_{factor}").rel_diff
"""
TIMING = """
x, y = arrays(np.arange(3.0), np.ones(3))
wait()
times = []
for _ in range(repeat + 1):
    start = time.perf_counter()
    f = make()
    result = f(x, y)
    wait()
    times.append(time.perf_counter() - start)
    assert abs(float(result[2]) - float(factor) / 3) < 1e-12, result
print(*times)
"""
# The formula is factor * (x - y) / (x + y).
TOOLS = {
    "foldwise.inline": (
        "foldwise",
        '''
import foldwise
def make():
    return foldwise.inline("""
#include <foldwise/spec.hpp>
auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return FACTOR * (x - y) / (x + y); });
""".replace("FACTOR", factor), backends=["cpu"]).rel_diff
''',
    ),
    "numba.vectorize": (
        "numba",
        '''
import numba
def make():
    return from_file("NUMBA_CACHE_DIR", """
import numba
@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def rel_diff(x, y):
    return FACTOR * (x - y) / (x + y)
""")
''',
    ),
    "torch load_inline": (
        "torch",
        '''
import torch
from torch.utils.cpp_extension import load_inline
def make():
    module = load_inline(name=f"rel_diff_{factor}", functions=["rel_diff"], cpp_sources=f"""
torch::Tensor rel_diff(torch::Tensor x, torch::Tensor y) {{ return {factor} * (x - y) / (x + y); }}
""")
    return lambda x, y: module.rel_diff(torch.from_numpy(x), torch.from_numpy(y))
''',
    ),
}
TORCH_ON_GPU = """
import torch
arrays, wait = lambda x, y: (torch.from_numpy(x).cuda(), torch.from_numpy(y).cuda()), torch.cuda.synchronize
"""
TOOLS_ON_GPU = {
    "foldwise.inline": ("foldwise", TORCH_ON_GPU + TOOLS["foldwise.inline"][1].replace('["cpu"]', '["cuda", "cpu"]')),
    "numba.vectorize": (
        "numba",
        '''
import numba
from numba import cuda
arrays, wait = lambda x, y: (cuda.to_device(x), cuda.to_device(y)), cuda.synchronize
def make():
    return from_file("NUMBA_CACHE_DIR", """
import numba
@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="cuda")
def rel_diff(x, y):
    return FACTOR * (x - y) / (x + y)
""")
''',
    ),
    "cupy.ElementwiseKernel": (
        "cupy",
        '''
import cupy
arrays, wait = lambda x, y: (cupy.asarray(x), cupy.asarray(y)), cupy.cuda.Device().synchronize
def make():
    return cupy.ElementwiseKernel("T x, T y", "T z", f"z = {factor} * (x - y) / (x + y)", "rel_diff")
''',
    ),
    "triton.jit": (
        "triton",
        TORCH_ON_GPU
        + '''
import triton
def make():
    return from_file("TRITON_CACHE_DIR", """
import torch, triton
import triton.language as tl
@triton.jit
def kernel(x, y, out, count, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b = tl.load(x + i, i < count), tl.load(y + i, i < count)
    tl.store(out + i, FACTOR * (a - b) / (a + b), i < count)
def rel_diff(x, y):
    out = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out
""")
''',
    ),
    "torch load_inline": (
        "torch",
        TORCH_ON_GPU
        + '''
from torch.utils.cpp_extension import load_inline
def make():
    declaration = "torch::Tensor rel_diff(torch::Tensor x, torch::Tensor y)"
    kernels = """
template <class T> __global__ void kernel(const T* x, const T* y, T* out, long count) {
    const long i = blockIdx.x * long{blockDim.x} + threadIdx.x;
    if (i < count) out[i] = FACTOR * (x[i] - y[i]) / (x[i] + y[i]);
}
DECLARATION {
    auto out = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "rel_diff", [&] {
        kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(),
                                                 out.data_ptr<scalar_t>(), x.numel());
    });
    return out;
}
""".replace("FACTOR", factor).replace("DECLARATION", declaration)
    return load_inline(name=f"rel_diff_{factor}", functions=["rel_diff"], cpp_sources=declaration + ";",
                       cuda_sources=kernels).rel_diff
''',
    ),
}


def measure(program: str, cache: str, factor: int, repeat: int) -> "list[float]":
    environment = dict(os.environ)
    for library in ("FOLDWISE_CACHE", "NUMBA_CACHE", "TORCH_EXTENSIONS", "CUPY_CACHE", "TRITON_CACHE"):
        variable = f"{library}_DIR"
        environment[variable] = os.path.join(cache, variable.lower())
    command = [sys.executable, "-c", PRELUDE + program + TIMING, str(factor), str(repeat)]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr[-4000:])
    return [float(word) for word in run.stdout.splitlines()[-1].split()]


def written(seconds: float) -> str:
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.{1 if seconds * factor < 100 else 0}f} {unit}"
    return f"{seconds * 1e6:.0f} µs"


def measure_once(program: str) -> "tuple[float, ...]":
    with tempfile.TemporaryDirectory() as cache:
        first = measure(program, cache, 2, 0)[0]
        another = measure(program, cache, 3, 0)[0]
        again = measure(program, cache, 2, 20)
        return first, another, again[0], statistics.median(again[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="how often each is measured (default: 3)")
    parser.add_argument("--gpu", action="store_true", help="with arrays on a GPU, which Foldwise's are of PyTorch")
    parser.add_argument("tools", nargs="*", metavar="tool", help="all, unless some are named")
    arguments = parser.parse_args()
    tools = TOOLS_ON_GPU if arguments.gpu else TOOLS
    for name in arguments.tools:
        if name not in tools:
            parser.error(f"no tool {name}; there are {', '.join(tools)}")
    print("| | first | another function | next process | once more |\n|---|---|---|---|---|", flush=True)
    has_failed = False
    for name in arguments.tools or tools:
        library, program = tools[name]
        if importlib.util.find_spec(library) is None:
            print(f"{name}: SKIPPED, {sys.executable} has no {library}", file=sys.stderr)
            continue
        try:
            rows = [measure_once(program) for _ in range(arguments.repeat)]
        except RuntimeError as error:
            print(f"{name}: FAILED\n{error}", file=sys.stderr)
            has_failed = True
            continue
        medians = [written(statistics.median(column)) for column in zip(*rows)]
        print(f"| `{name}` | {' | '.join(medians)} |", flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
