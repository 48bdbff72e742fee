#!/usr/bin/env python3
"""The cases of bench_layouts with PyTorch, torch.compile and CuPy, and one table of all.

usage: peers_layouts.py [--foldwise=PROGRAM] [--json=FILE] [--only=TEXT]

PROGRAM is bench_layouts; it runs first, and its times and CUB's stand in the table beside the others'. Times are what
the GPU takes: launches are queued behind a delay, batches lie between CUDA events, operands go round so that they do
not stay in the cache; medians of batches. There are no numbers where a peer has no such type.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TORCHINDUCTOR_FX_GRAPH_CACHE", "0")
import cupy  # noqa: E402
import torch  # noqa: E402

CACHE_BYTES = 60 << 20
TYPES = {"float": torch.float32, "int8": torch.int8, "bf16": torch.bfloat16}
PEERS = ("cub_us", "torch_us", "torch_compile_us", "cupy_us")


def broadcast(x, s, t):
    return x * s + t


def add_transposed(x, y):
    return x + y.T


def every_second(x):
    return x[:, ::2] + 0


def to_nhwc(x):
    return x.permute(0, 2, 3, 1).clone(memory_format=torch.contiguous_format)


def to_nchw(x):
    return x.permute(0, 3, 1, 2).clone(memory_format=torch.contiguous_format)


def polar(x, y):
    return torch.sqrt(x * x + y * y), torch.atan2(y, x)


def add(x, y):
    return x + y


def cupy_of(function):
    """The same on CuPy arrays, as its users write it."""
    return {
        broadcast: lambda x, s, t: x * s + t,
        add_transposed: lambda x, y: x + y.T,
        every_second: lambda x: cupy.ascontiguousarray(x[:, ::2]),
        to_nhwc: lambda x: cupy.ascontiguousarray(x.transpose(0, 2, 3, 1)),
        to_nchw: lambda x: cupy.ascontiguousarray(x.transpose(0, 3, 1, 2)),
        polar: lambda x, y: (cupy.sqrt(x * x + y * y), cupy.arctan2(y, x)),
        add: lambda x, y: x + y,
    }[function]


class Case:
    def __init__(self, name, function, kind, size, shapes, offset=0):
        self.name, self.function, self.kind, self.size, self.shapes, self.offset = name, function, kind, size, shapes, offset
        self.dtype = TYPES[kind]

    def make(self):
        """Sets of operands, as many as leave the cache behind."""
        bytes_of_set = 2 * sum(torch.Size(shape).numel() for shape in self.shapes) * self.dtype.itemsize
        sets = min(64, 2 + 3 * CACHE_BYTES // bytes_of_set)
        return [[self.operand(shape, self.offset if i == 0 else 0) for i, shape in enumerate(self.shapes)]
                for _ in range(sets)]

    def operand(self, shape, offset):
        n = torch.Size(shape).numel() + offset
        flat = torch.rand(n, device="cuda") + 1 if self.dtype.is_floating_point else torch.randint(0, 100, (n,), device="cuda")
        return flat.to(self.dtype)[offset:].view(shape)


def cases():
    for m, n in ((32, 32), (1000, 1000), (10000, 10000), (9999, 10001)):
        yield Case("broadcast", broadcast, "float", f"{m}x{n}", [(m, n), (n,), (m, 1)])
    for n in (1000, 8192):
        yield Case("x+yT", add_transposed, "float", f"{n}x{n}", [(n, n), (n, n)])
    for m, n in ((1000, 1000), (10000, 20000)):
        yield Case("x[:,::2]", every_second, "float", f"{m}x{n}", [(m, n)])
    for kind, n, c, side in (("float", 32, 64, 56), ("float", 64, 256, 80), ("float", 256, 3, 384),
                             ("bf16", 128, 256, 80), ("int8", 128, 256, 80)):
        size = f"{n}x{c}x{side}x{side}"
        yield Case("nchw->nhwc", to_nhwc, kind, size, [(n, c, side, side)])
        yield Case("nhwc->nchw", to_nchw, kind, size, [(n, side, side, c)])
    for n in (1000000, 100000000):
        yield Case("polar", polar, "float", str(n), [(n,), (n,)])
        for kind in ("float", "int8", "bf16"):
            yield Case("x+y", add, kind, str(n), [(n,), (n,)])
            yield Case("x[1:]+y", add, kind, str(n), [(n,), (n,)], offset=1)


def measure(call, sets):
    """Microseconds per call on the GPU."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for operands in sets[:3]:
        call(*operands)
    torch.cuda.synchronize()
    started = time.perf_counter()
    for operands in sets[:3]:
        call(*operands)
    host = (time.perf_counter() - started) / min(3, len(sets))
    torch.cuda.synchronize()
    begin.record()
    call(*sets[0])
    end.record()
    torch.cuda.synchronize()
    launches = max(6, min(100, int(3000 / max(1.0, 1000 * begin.elapsed_time(end)))))
    results, number = [], 0
    written = [None] * len(sets)  # or the allocator would give every call the same output, which stays in the cache
    for batch in range(9):
        torch.cuda._sleep(int((host * launches * 1.5 + 5e-5) * 1.98e9))  # in cycles, longer than it takes to enqueue
        begin.record()
        for _ in range(launches):
            written[number % len(sets)] = call(*sets[number % len(sets)])
            number += 1
        end.record()
        torch.cuda.synchronize()
        if batch > 1:
            results.append(1000 * begin.elapsed_time(end) / launches)
    return statistics.median(results)


def attempt(what, call):
    try:
        return call()
    except Exception as error:  # a peer that cannot do a case has no number there
        print(f"{what}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", file=sys.stderr)
        return None


def measure_foldwise(program, only):
    """The rows of bench_layouts by case, type and size, and the copy rate in bytes per microsecond."""
    if not program:
        return {}, None
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([program, f"--json={file.name}", f"--only={only}"], check=True, stdout=subprocess.DEVNULL)
        report = json.load(open(file.name))
    return {(row["case"], row["type"], row["size"]): row for row in report["rows"]}, report["copy_bytes_per_us"]


def measure_case(case):
    row = {"case": case.name, "type": case.kind, "size": case.size}
    sets = case.make()
    row["torch_us"] = attempt(case.name, lambda: measure(case.function, sets))
    torch._dynamo.reset()
    compiled = torch.compile(case.function, dynamic=False)
    row["torch_compile_us"] = attempt(case.name, lambda: measure(compiled, sets))
    if case.kind != "bf16":
        arrays = [[cupy.asarray(operand) for operand in operands] for operands in sets]
        row["cupy_us"] = attempt(case.name, lambda: measure(cupy_of(case.function), arrays))
    return row


def print_table(rows, rate, peers=PEERS, of="copy"):
    columns = ("foldwise_us", *peers)
    print(f"{'case':12} {'type':11} {'size':15} " + " ".join(f"{name[:-3]:>13}" for name in columns) + f"   of {of}")
    for row in rows:
        times = " ".join(f"{row[name]:13.2f}" if row.get(name) else f"{'':13}" for name in columns)
        best = min((name for name in peers if row.get(name)), key=row.get, default=None)
        ratio = f"{row['bytes'] / row['foldwise_us'] / rate:10.3f}" if rate and row.get("foldwise_us") else ""
        beside = f"  {row['foldwise_us'] / row[best]:.2f} of {best[:-3]}" if best and row.get("foldwise_us") else ""
        print(f"{row['case']:12} {row['type']:11} {row['size']:15} {times}{ratio}{beside}")


def main():
    options = dict(argument[2:].split("=", 1) for argument in sys.argv[1:])
    only = options.get("only", "")
    rows, rate = measure_foldwise(options.get("foldwise"), only)
    torch.set_grad_enabled(False)
    for case in cases():
        if only in case.name:
            row = measure_case(case)
            rows[row["case"], row["type"], row["size"]] = rows.get((row["case"], row["type"], row["size"]), {}) | row
            cupy.get_default_memory_pool().free_all_blocks()
            torch.cuda.empty_cache()
    print_table(rows.values(), rate)
    if "json" in options:
        with open(options["json"], "w") as file:
            json.dump({"torch": torch.__version__, "cupy": cupy.__version__, "copy_bytes_per_us": rate,
                       "rows": list(rows.values())}, file, indent=1)


if __name__ == "__main__":
    main()
