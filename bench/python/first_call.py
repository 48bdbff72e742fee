#!/usr/bin/env python3
"""How long until a function from a string can be called: foldwise.inline beside numba.vectorize and PyTorch's
load_inline, all with the same formula, on the CPU.

usage: PYTHONPATH=<folder of the package foldwise> first_call.py [--repeat N]

Each number is that of a process of its own, after its imports: from the text to the result of a call with three
elements. The columns: with an empty cache; another function, where the cache has one already; the same function in
another process; and once more in the same process. The median of N is printed, as a table for documentation.
"""

import argparse
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile

PRELUDE = "import sys, time\nimport numpy as np\nfactor, repeat = sys.argv[1], int(sys.argv[2])\n"
TIMING = """
x, y = np.arange(3.0), np.ones(3)
times = []
for _ in range(repeat + 1):
    start = time.perf_counter()
    f = make()
    result = f(x, y)
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
import importlib, os, numba
# Numba's cache is for functions of files.
path = os.path.join(os.environ["NUMBA_CACHE_DIR"], f"function_{factor}.py")
os.makedirs(os.path.dirname(path), exist_ok=True)
if not os.path.exists(path):
    open(path, "w").write(f"""
import numba
@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def rel_diff(x, y):
    return {factor} * (x - y) / (x + y)
""")
sys.path.insert(0, os.path.dirname(path))
def make():
    return importlib.import_module(f"function_{factor}").rel_diff
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


def measure(program: str, cache: str, factor: int, repeat: int) -> "list[float]":
    environment = dict(os.environ)
    for variable in ("FOLDWISE_CACHE_DIR", "NUMBA_CACHE_DIR", "TORCH_EXTENSIONS_DIR"):
        environment[variable] = os.path.join(cache, variable.lower())
    command = [sys.executable, "-c", PRELUDE + program + TIMING, str(factor), str(repeat)]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{run.stderr}\nfirst_call.py: a program has failed")
    return [float(word) for word in run.stdout.splitlines()[-1].split()]


def written(seconds: float) -> str:
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.{1 if seconds * factor < 100 else 0}f} {unit}"
    return f"{seconds * 1e6:.0f} µs"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="how often each is measured (default: 3)")
    repeat = parser.parse_args().repeat
    print("| | first | another function | next process | once more |\n|---|---|---|---|---|")
    for name, (library, program) in TOOLS.items():
        if importlib.util.find_spec(library) is None:
            print(f"{name}: SKIPPED, {sys.executable} has no {library}", file=sys.stderr)
            continue
        rows = []
        for _ in range(repeat):
            with tempfile.TemporaryDirectory() as cache:
                first = measure(program, cache, 2, 0)[0]
                another = measure(program, cache, 3, 0)[0]
                again = measure(program, cache, 2, 20)
                rows.append((first, another, again[0], statistics.median(again[1:])))
        print(f"| `{name}` | " + " | ".join(written(statistics.median(column)) for column in zip(*rows)) + " |", flush=True)


if __name__ == "__main__":
    main()
