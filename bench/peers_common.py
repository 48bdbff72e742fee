"""How peers_*.py measure, and how they write it down: as timing.hpp and results.hpp do, whose schema this is.

What takes a stream is timed with events on it, queued behind a delay; JAX, which has streams of its own, by the wall
clock: what a long batch takes more than a short one. Operands go round, so that they do not stay in the cache; medians
of batches. A peer that fails has a cell that says why, and the others go on.
"""
import argparse
import dataclasses
import functools
import gc
import importlib
import importlib.metadata
import json
import math
import os
import statistics
import sys
import time
import typing

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # of each process; run_gpu.py compiles in many
for warning in ("LOW_OCCUPANCY_WARNINGS", "WARN_ON_IMPLICIT_COPY"):  # of what is measured on purpose
    os.environ.setdefault(f"NUMBA_CUDA_{warning}", "0")
import torch  # noqa: E402

torch.set_grad_enabled(False)

CACHE_BYTES = 60 << 20
CLOCK_HZ = 1.98e9  # at most: what torch.cuda._sleep counts
QUICK_BYTES, FEWEST_BYTES_FOR_JAX = (1e6, 2e7), 4e6
TYPES = {"float": "float32", "double": "float64", "bfloat16": "bfloat16", "int8": "int8", "uint8": "uint8",
         "int32": "int32", "bool": "bool"}
BYTES = {"float": 4, "double": 8, "bfloat16": 2, "int8": 1, "uint8": 1, "int32": 4, "bool": 1}
OVER = "the time was over"
IMPLS = ("pytorch", "torch.compile", "cupy", "curand", "numba", "jax")


class NotMeasured(Exception):
    """Why a peer has no time."""


@functools.cache
def load(name):
    """The package, when a peer first needs it."""
    if name == "numba":
        import numpy
        if not hasattr(numpy, "row_stack"):
            numpy.row_stack = numpy.vstack  # NumPy 2.0 has dropped it, and Numba asks for it
    module = importlib.import_module(name)
    if name == "jax":
        module.config.update("jax_enable_x64", True)
    return module


@dataclasses.dataclass(frozen=True)
class Workload:
    suite: str
    case: str
    type: str
    n: int
    bytes: float
    shape: str = ""

    def id(self):
        return f"{self.suite} {self.case} {self.type} {self.shape or self.n}"


@dataclasses.dataclass(frozen=True)
class Operand:
    """Numbers of [low, high), 1 to 2 or all integers if not said; `offset` elements behind a boundary. Or `values()`,
    a tensor."""
    shape: tuple
    type: str
    low: float | None = None
    high: float | None = None
    offset: int = 0
    values: typing.Callable | None = None

    @property
    def count(self):
        return math.prod(self.shape)

    @property
    def bytes(self):
        return self.count * BYTES[self.type]


@dataclasses.dataclass(frozen=True)
class Case:
    """`functions`, by impl: "pytorch" and "jax" have a function of the operands, which torch.compile has, too, unless it
    has its own; all others have what makes one, and Numba's takes the outputs, too. `reasons`: why an impl has none.
    `check(call, *operands)`: whether the tensor that call() gives is right."""
    work: Workload
    operands: tuple
    outputs: tuple
    functions: dict
    reasons: dict = dataclasses.field(default_factory=dict)
    check: typing.Callable | None = None

    @property
    def bytes(self):
        return sum(one.bytes for one in (*self.operands, *self.outputs))

    @property
    def impls(self):
        """Those that have a function, or a reason for having none."""
        sources = {"torch.compile": "pytorch"}
        return [impl for impl in IMPLS if sources.get(impl, impl) in self.functions or impl in self.reasons]


def make_sets(operands, count):
    """That many sets of tensors, those of one operand beside each other in one allocation."""
    columns = []
    for one in operands:
        dtype = getattr(torch, TYPES[one.type])
        stride = -(-(one.count + one.offset) * BYTES[one.type] // 512) * 512 // BYTES[one.type]
        flat = torch.empty(count * stride, dtype=dtype, device="cuda")
        if one.values:
            made = torch.as_tensor(one.values(), device="cuda").reshape(-1)
            for i in range(count):
                flat[i * stride:i * stride + one.count] = made
        elif dtype.is_floating_point:
            flat.uniform_(1 if one.low is None else one.low, 2 if one.high is None else one.high)
        elif one.high is not None:
            flat.random_(one.low or 0, one.high)
        else:
            flat.random_(*{"int8": (-128, 128), "uint8": (0, 256), "bool": (0, 2)}[one.type])
        begins = (i * stride + one.offset for i in range(count))
        columns.append([flat[begin:begin + one.count].view(one.shape) for begin in begins])
    return [tuple(one) for one in zip(*columns)]


def odd_numbers(*shape):
    """Small odd numbers, whose sums are exact in any order."""
    return lambda: torch.randint(0, 8, shape, dtype=torch.int8, device="cuda").mul_(2).sub_(7)


def places(n, bins, how):
    """As distributions.hpp describes them, as floats."""
    def make():
        u = torch.rand(n, dtype=torch.float64, device="cuda")
        if how == "uniform":
            return (u * bins).floor_().clamp_(max=bins - 1)
        if how == "zipf":
            return u.mul_(math.log(bins + 1)).exp_().sub_(1).floor_().clamp_(0, bins - 1)
        return u.zero_()
    return make


def timing(times, host_times):
    """Of microseconds: the median, the distance of the quartiles over it, and the host's median."""
    times = sorted(times)
    middle = statistics.median(times)
    return {"us": middle, "spread": (times[len(times) * 3 // 4] - times[len(times) // 4]) / middle,
            "host_us": statistics.median(host_times)}


def time_on_stream(call, sets, is_quick):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for operands in sets[:2]:
        call(*operands)
    torch.cuda.synchronize()
    begin.record()
    started = time.perf_counter()
    call(*sets[-1])
    host = time.perf_counter() - started
    end.record()
    torch.cuda.synchronize()
    expected = max(1.0, 1000 * begin.elapsed_time(end), 0.5e6 * host)
    is_long, is_very_long = expected > 2000, expected > 20_000  # and varies little
    launches = max(1 if is_very_long else 3 if is_long else 6, min(100, int(3000 / expected)))
    batches = 3 if is_very_long else 5 if is_long or is_quick else 9
    times, host_times, number = [], [], 0
    written = [None] * len(sets)  # or the allocator would give every call the same output, which stays in the cache
    for batch in range(-1, batches):
        torch.cuda._sleep(int((host * launches * 1.5 + 5e-5) * CLOCK_HZ))  # longer than it takes to enqueue
        begin.record()
        started = time.perf_counter()
        for _ in range(launches):
            written[number % len(sets)] = call(*sets[number % len(sets)])
            number += 1
        host = (time.perf_counter() - started) / launches
        end.record()
        torch.cuda.synchronize()
        if batch >= 0:
            times.append(1000 * begin.elapsed_time(end) / launches)
            host_times.append(1e6 * host)
    return timing(times, host_times)


def time_by_wall_clock(call, sets, is_quick):
    def batch(launches):
        started = time.perf_counter()
        for i in range(launches):
            last = call(*sets[i % len(sets)])
        enqueued = time.perf_counter()
        load("jax").block_until_ready(last)
        return 1e6 * (time.perf_counter() - started), 1e6 * (enqueued - started) / launches

    batch(2)
    few = max(2, min(1000, int(2 * 10_000 / batch(2)[0])))  # 10 ms, beside which waking up is little
    batches = [(batch(few), batch(3 * few)) for _ in range(2 if is_quick else 5)]
    differences = sorted((longer[0] - shorter[0]) / (2 * few) for shorter, longer in batches)
    return timing(differences, [shorter[1] for shorter, _ in batches])


def compiled_of(case):
    torch._dynamo.reset()
    config = importlib.import_module("torch._inductor.config")
    if hasattr(config, "autotune_local_cache"):
        config.autotune_local_cache = False  # what was tuned while other processes ran is no choice
    return torch.compile(case.functions.get("torch.compile") or case.functions["pytorch"], dynamic=False)


def check(case, call, operands, tensors):
    """Has the case look at what a call with the first operands gives; `tensors` are the same operands."""
    def result():
        given = call(*operands)
        if type(given).__module__.startswith("jax"):
            given.block_until_ready()
        return given if isinstance(given, torch.Tensor) else torch.from_dlpack(given)

    if case.check and not case.check(result, *tensors):
        raise NotMeasured("WRONG")


def measure_impl(case, impl, sets, is_quick):
    if impl in case.reasons:
        raise NotMeasured(case.reasons[impl])
    if impl in ("pytorch", "torch.compile"):
        call = case.functions[impl] if impl == "pytorch" else compiled_of(case)
        check(case, call, sets[0], sets[0])
        return time_on_stream(call, sets, is_quick)
    if impl in ("cupy", "curand"):
        call = case.functions[impl]()
        arrays = [tuple(map(load("cupy").asarray, one)) for one in sets]
        check(case, call, arrays[0], sets[0])
        return time_on_stream(call, arrays, is_quick)
    if impl == "numba":
        load("numba")
        view = importlib.import_module("numba.cuda").as_cuda_array
        with_outputs = zip(sets, make_sets(case.outputs, len(sets)))
        views = [tuple(map(view, (*one, *outputs))) for one, outputs in with_outputs]
        return time_on_stream(case.functions[impl](), views, is_quick)
    if case.bytes < FEWEST_BYTES_FOR_JAX:
        raise NotMeasured("has streams of its own, and the wall clock shows its host")
    jax = load("jax")
    arrays = [tuple(map(jax.dlpack.from_dlpack, one)) for one in sets]
    call = jax.jit(case.functions[impl])
    check(case, call, arrays[0], sets[0])
    return time_by_wall_clock(call, arrays, is_quick)


def release():
    """Gives back the device memory of what is no longer used."""
    gc.collect()
    if "cupy" in sys.modules:
        sys.modules["cupy"].get_default_memory_pool().free_all_blocks()
    torch.cuda.empty_cache()


def settle():
    """When all packages are there: their million objects are not looked at again after each case."""
    if not gc.get_freeze_count():
        gc.freeze()


class Results:
    """Prints one line for each workload, and writes cells when they are known."""

    def __init__(self, options):
        self.options, self.last, self.started = options, None, time.monotonic()
        self.file = open(options.json, "w") if options.json else None
        wanted = ("torch", "triton", "cupy", "numba", "jax", "numpy")
        packages = {one.metadata["Name"]: one.version for one in importlib.metadata.distributions()
                    if one.metadata["Name"].lower().startswith(wanted)}
        self.write({"packages": packages})

    def write(self, record):
        if self.file:
            self.file.write(json.dumps(record) + "\n")
            self.file.flush()

    def seconds(self):
        return time.monotonic() - self.started

    def want(self, work):
        return ((not self.options.quick or QUICK_BYTES[0] < work.bytes < QUICK_BYTES[1]) and
                (not self.options.only or any(text in work.id() for text in self.options.only)))

    def begin(self, work):
        if work != self.last:
            self.last = work
            print(f"\n{self.seconds():6.1f} s  {work.suite:10} {work.case:14} {work.type:14} {work.shape or work.n:16}",
                  end="")

    def add(self, work, impl, figures):
        self.begin(work)
        print(f"  {impl} {figures['us']:.2f}" if "us" in figures else f"  {impl}: {figures['why']}", end="", flush=True)
        cell = {name: value for name, value in dataclasses.asdict(work).items() if value != ""}
        self.write(cell | {"impl": impl} | figures)

    def attempt(self, work, impl, call):
        """Adds what the call gives, or why it gives nothing."""
        try:
            self.add(work, impl, call())
        except Exception as error:
            lines = str(error).splitlines() or [""]
            why = lines[0] if isinstance(error, NotMeasured) else f"{type(error).__name__}: {lines[0][:200]}"
            self.add(work, impl, {"why": why})


def parse_options(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", help="where cells go")
    parser.add_argument("--only", action="append", metavar="TEXT", help='a part of "suite case type size"')
    parser.add_argument("--quick", action="store_true", help="workloads of a few megabytes, and few batches")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no further case begins")
    parser.add_argument("--compile", metavar="I/N", help="only have torch.compile compile one part of the cases")
    return parser.parse_args()


def compile_part(cases, part):
    """Fills torch.compile's cache; what runs at the same time tells nothing."""
    index, parts = map(int, part.split("/"))
    for case in cases[index::parts]:
        try:
            compiled_of(case)(*make_sets(case.operands, 1)[0])
        except Exception as error:
            print(f"{case.work.id()}: {type(error).__name__}", file=sys.stderr)
        release()


def measure_cases(cases, description):
    """The main function of all that have cases."""
    options = parse_options(description)
    results = Results(options)
    cases = [case for case in cases if results.want(case.work)]
    if options.compile:
        return compile_part([case for case in cases if "pytorch" in case.functions], options.compile)
    for case in cases:
        if results.seconds() > options.seconds:
            for impl in case.impls:
                results.add(case.work, impl, {"why": OVER})
            continue
        sets = make_sets(case.operands, 1 if case.bytes > 1e10 else min(64, 2 + 3 * CACHE_BYTES // case.bytes))
        for impl in case.impls:
            results.attempt(case.work, impl, lambda: measure_impl(case, impl, sets, options.quick))
            release()
        del sets
        release()
        settle()
    print(f"\n{results.seconds():6.1f} s")
