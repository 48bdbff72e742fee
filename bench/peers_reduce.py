#!/usr/bin/env python3
"""The cases of bench_reduce with PyTorch, torch.compile, CuPy and JAX, and one table of all.

usage: peers_reduce.py [--foldwise=PROGRAM|FILE.json] [--json=FILE] [--only=TEXT] [--seconds=NUMBER]

PROGRAM is bench_reduce, which runs first; FILE.json is what it wrote before. TEXT is a part of "case type size". Times
are taken as peers_layouts.py, which has to lie beside this file, takes them. JAX has a stream of its own: what a long
batch of its calls takes more than a short one by the wall clock, and so no number where its host is what one waits for.
What torch.compile does comes last, the large cases first, until so many seconds are over (200).
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
from peers_layouts import CACHE_BYTES, attempt, cupy, measure, print_table, torch  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

jax.config.update("jax_enable_x64", True)

PEERS = ("cub_us", "torch_us", "torch_compile_us", "cupy_us", "jax_us")
TYPES = {"float": torch.float32, "double": torch.float64, "bool": torch.bool, "int8->int32": torch.int8,
         "bf16->float": torch.bfloat16, "3 doubles": torch.float64}
RESULTS = {"int8->int32": "int32", "bf16->float": "float32"}
SIZES = [10 ** exponent for exponent in range(3, 10)]
FEWEST_BYTES_FOR_JAX = 4_000_000


class Case:
    """`functions`: by peer, of the operands."""

    def __init__(self, name, kind, size, shape, functions, operands=1):
        self.name, self.kind, self.size, self.shape = name, kind, size, shape
        self.functions, self.operands = functions, operands
        self.dtype = TYPES[kind]
        self.bytes = operands * torch.Size(shape).numel() * self.dtype.itemsize

    def key(self):
        return self.name, self.kind, self.size

    def make(self):
        """Sets of operands, as many as leave the cache behind: views of one array."""
        sets = 1 if self.bytes > 1e10 else min(400, 2 + 3 * CACHE_BYTES // self.bytes)
        count = torch.Size(self.shape).numel()
        stride = -(-count // 512) * 512
        flat = torch.empty(sets * self.operands * stride, dtype=self.dtype, device="cuda")
        if self.dtype.is_floating_point:
            flat.uniform_(1, 2)
        elif self.dtype == torch.bool:
            flat.random_(0, 2)
        else:
            flat.random_(-128, 128)
        views = [flat[i * stride:i * stride + count].view(self.shape) for i in range(sets * self.operands)]
        return [views[i:i + self.operands] for i in range(0, len(views), self.operands)]


def folds(name, kind, axis):
    """A sum or maximum along axes, or of everything."""
    result = RESULTS.get(kind)
    if name == "sum":
        torch_result = {"dtype": getattr(torch, result)} if result else {}
        dims = {} if axis is None else {"dim": axis}
        return {"torch": lambda x: torch.sum(x, **dims, **torch_result),
                "cupy": lambda x: x.sum(axis=axis, dtype=result),
                "jax": lambda x: jnp.sum(x, axis=axis, dtype=result)}
    dims = () if axis is None else axis
    return {"torch": lambda x: torch.amax(x, dims), "cupy": lambda x: x.max(axis=axis),
            "jax": lambda x: jnp.max(x, axis=axis)}


def cases():
    for n in SIZES:
        for kind in ("float", "double", "int8->int32"):
            if kind != "double" or n < 10 ** 9:
                yield Case("sum", kind, str(n), (n,), folds("sum", kind, None))
        yield Case("sum", "3 doubles", str(n), (n, 3), folds("sum", "double", 0))
        yield Case("max", "float", str(n), (n,), folds("max", "float", None))
        yield Case("dot", "float", str(n), (n,), {"torch": torch.dot, "torch_compile": lambda x, y: (x * y).sum(),
                                                  "cupy": cupy.dot, "jax": jnp.dot}, operands=2)
        yield Case("argmax", "float", str(n), (n,), {"torch": torch.argmax, "cupy": cupy.argmax, "jax": jnp.argmax})
        yield Case("variance", "float", str(n), (n,), {"torch": lambda x: torch.var(x, correction=0),
                                                       "cupy": cupy.var, "jax": jnp.var})
        yield Case("any", "bool", str(n), (n,), {"torch": torch.any, "cupy": cupy.any, "jax": jnp.any})
    shapes = ((3000000, 32), (10000, 10000), (32, 3000000), (1000, 1000), (8, 12500000), (12500000, 8), (10000000, 3),
              (1001, 9999))
    for m, n in shapes:
        yield from matrix("sum", "float", m, n)
    yield from matrix("sum", "bf16->float", 10000, 10000)
    yield from matrix("sum", "int8->int32", 10000, 10000)
    yield from matrix("max", "float", 10000, 10000)
    pictures = (64, 128, 56, 56)
    size = "x".join(map(str, pictures))
    yield Case("sum axis 1", "float", size, pictures, folds("sum", "float", 1))
    yield Case("sum axes 023", "float", size, pictures, folds("sum", "float", (0, 2, 3)))


def matrix(name, kind, m, n):
    yield Case(f"{name} rows", kind, f"{m}x{n}", (m, n), folds(name, kind, 1))
    yield Case(f"{name} columns", kind, f"{m}x{n}", (m, n), folds(name, kind, 0))


def measure_jax(call, sets):
    """Microseconds per call, by the wall clock."""
    def batch(launches):
        started = time.perf_counter()
        for i in range(launches):
            last = call(*sets[i % len(sets)])
        last.block_until_ready()
        return time.perf_counter() - started

    batch(2)
    few = max(2, min(100, int(3e-3 / batch(2) * 2)))
    return statistics.median(1e6 * (batch(3 * few) - batch(few)) / (2 * few) for _ in range(7))


def measure_case(case):
    row = {}
    sets = case.make()
    row["torch_us"] = attempt(f"torch, {case.key()}", lambda: measure(case.functions["torch"], sets))
    if case.dtype != torch.bfloat16:
        arrays = [[cupy.asarray(operand) for operand in operands] for operands in sets]
        row["cupy_us"] = attempt(f"CuPy, {case.key()}", lambda: measure(case.functions["cupy"], arrays))
    if case.bytes >= FEWEST_BYTES_FOR_JAX:
        def with_jax():
            return measure_jax(jax.jit(case.functions["jax"]),
                               [[jax.dlpack.from_dlpack(operand) for operand in operands] for operands in sets])
        row["jax_us"] = attempt(f"JAX, {case.key()}", with_jax)
    return row


def measure_compiled(case):
    torch._dynamo.reset()
    compiled = torch.compile(case.functions.get("torch_compile", case.functions["torch"]), dynamic=False)
    sets = case.make()
    return {"torch_compile_us": attempt(f"torch.compile, {case.key()}", lambda: measure(compiled, sets))}


def release():
    cupy.get_default_memory_pool().free_all_blocks()
    torch.cuda.empty_cache()


def measure_foldwise(program, only):
    """What bench_reduce wrote: rows by case, type and size, and the best read rate in bytes per microsecond."""
    if not program:
        return {}, None
    with tempfile.TemporaryDirectory() as folder:
        file = program
        if not program.endswith(".json"):
            file = os.path.join(folder, "foldwise.json")
            subprocess.run([program, f"--json={file}", f"--only={only}"], stdout=subprocess.DEVNULL)
        report = json.load(open(file))
    rate = max((row["bytes"] / row["queued_us"] for row in report["rows"] if row["case"] == "read"), default=None)
    return {(row["case"], row["type"], row["size"]): row for row in report["rows"] if "foldwise_us" in row}, rate


def main():
    options = dict(argument[2:].split("=", 1) for argument in sys.argv[1:])
    only = options.get("only", "")
    rows, rate = measure_foldwise(options.get("foldwise"), only)
    rows = {key: row for key, row in rows.items() if only in " ".join(key)}
    end = time.monotonic() + float(options.get("seconds", 200))
    torch.set_grad_enabled(False)
    wanted = [case for case in cases() if only in " ".join(case.key())]

    def add(case, more):
        rows.setdefault(case.key(), dict(zip(("case", "type", "size"), case.key()))).update(more)
        release()

    for case in wanted:
        if time.monotonic() < end:
            add(case, measure_case(case))
    for case in sorted(wanted, key=lambda case: case.bytes < 2e7):
        if time.monotonic() < end:
            add(case, measure_compiled(case))
    print_table(rows.values(), rate, PEERS, "read")
    if "json" in options:
        with open(options["json"], "w") as file:
            json.dump({"torch": torch.__version__, "cupy": cupy.__version__, "jax": jax.__version__,
                       "read_bytes_per_us": rate, "rows": list(rows.values())}, file, indent=1)


if __name__ == "__main__":
    main()
