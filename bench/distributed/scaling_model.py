#!/usr/bin/env python3
"""What a model says of calls over many GPUs: how long they take, and what share of a machine's memory bandwidth they use.

The formulas are those of docs/performance/scaling.md. Every figure can be replaced by one that has been measured:

    scaling_model.py                                        the tables of the page
    scaling_model.py --memory 3350 --link nvlink=450:3      GB/s of a GPU's memory; GB/s and microseconds of a link
    scaling_model.py --fit FILE                             latency and bandwidth of the lines that `scaling --messages` wrote
    scaling_model.py --check FILE                           what run.py measured (distributed.json) beside the model
"""
import argparse
import json
import math

# Links, of a GPU, in one direction: bytes per second and seconds.
LINKS = {
    # NVIDIA H100 datasheet: NVLink 900 GB/s in both directions together, that is 450 GB/s each way and GPU.
    "nvlink": (450e9, 3e-6),
    # NVIDIA DGX H100 datasheet: 8 ConnectX-7 of 400 Gb/s for 8 GPUs, that is 50 GB/s each way and GPU.
    "infiniband": (50e9, 5e-6),
}
MEMORY = 3.35e12  # NVIDIA H100 SXM datasheet
ACHIEVED = 0.90  # the share of it that elementwise calls reach on one GPU: docs/performance/gpu.md
LINK_ACHIEVED = 0.80  # the share of a link's bandwidth that large messages reach
LAUNCH = 8e-6  # a call on a GPU that is waited for
COMBINE = 0.1e-6  # one accumulator, on the CPU
NODE = 8  # GPUs that NVLink joins


class Machine:
    """GPUs in nodes of NODE, joined by NVLink within a node and by InfiniBand between nodes."""

    def __init__(self, gpus, memory=MEMORY, links=None):
        self.gpus = gpus
        self.memory = memory * ACHIEVED
        self.links = links or LINKS
        self.link = "nvlink" if gpus <= NODE else "infiniband"

    def bandwidth(self):
        return self.links[self.link][0] * LINK_ACHIEVED

    def latency(self):
        return self.links[self.link][1]

    def gather(self, each):
        """All have what every one has, `each` bytes: a tree of messages, and what a GPU receives."""
        if self.gpus == 1:
            return 0.0
        return math.ceil(math.log2(self.gpus)) * self.latency() + (self.gpus - 1) * each / self.bandwidth()

    def exchange(self, sent):
        """Each sends one part to each other, `sent` bytes together."""
        if self.gpus == 1:
            return 0.0
        return self.latency() + sent * (self.gpus - 1) / self.gpus / self.bandwidth()

    # ---- Calls: bytes of memory of each GPU, and what is sent ----

    def elementwise(self, elements, read_and_written=24):
        return LAUNCH + elements / self.gpus * read_and_written / self.memory

    def fold(self, elements, read=8, accumulator=32):
        combined = self.gpus * COMBINE if self.gpus > 1 else 0
        return LAUNCH + elements / self.gpus * read / self.memory + self.gather(accumulator) + combined

    def columns(self, rows, columns, size=8):
        """Sums of columns: each GPU combines a part of them, and all gather the results."""
        local = rows / self.gpus * columns * size / self.memory
        return LAUNCH + local + self.exchange(columns * size) + self.gather(columns * size / self.gpus)

    def scan(self, elements, size=8):
        """One GPU reads and writes once; several read once more before, for what their rows come to."""
        passes = 2 if self.gpus == 1 else 3
        return LAUNCH * (passes - 1) + elements / self.gpus * size * passes / self.memory + self.gather(size)

    def stencil(self, side, size=8, overlap=True):
        """Five points of a square of side * side: a row goes to each neighbour while the interior is computed."""
        local = side * side / self.gpus * 2 * size / self.memory
        halo = self.latency() + side * size / self.bandwidth() if self.gpus > 1 else 0
        return LAUNCH * (2 if self.gpus > 1 else 1) + (max(local, halo) if overlap else local + halo)


def table(memory, links):
    sizes = [1, 2, 8, 64, 1024]
    print("| call | elements per GPU | 1 GPU | " + " | ".join(f"{n:,} GPUs" for n in sizes[1:]) + " |")
    print("|---|---|" + "---|" * len(sizes))
    for each in (1e6, 1e8, 1e9):
        for name, call in CALLS:
            one = call(Machine(1, memory, links), each)
            cells = []
            for gpus in sizes:
                took = call(Machine(gpus, memory, links), each * gpus)
                cells.append(f"{took * 1e3:.3g} ms, {one / took:.0%}")
            print(f"| {name} | {each:.0e} | " + " | ".join(cells) + " |")
    print()
    print("Strong scaling: how many times faster than on one GPU.")
    print()
    print("| call | elements altogether | " + " | ".join(f"{n:,} GPUs" for n in sizes[1:]) + " |")
    print("|---|---|" + "---|" * (len(sizes) - 1))
    for total in (1e8, 1e9, 1e10):
        for name, call in CALLS:
            one = call(Machine(1, memory, links), total)
            cells = [f"{one / call(Machine(gpus, memory, links), total):.3g}" for gpus in sizes[1:]]
            print(f"| {name} | {total:.0e} | " + " | ".join(cells) + " |")


CALLS = [
    ("elementwise", lambda machine, n: machine.elementwise(n)),
    ("fold", lambda machine, n: machine.fold(n)),
    ("columns", lambda machine, n: machine.columns(n / 1e5, 1e5)),
    ("scan", lambda machine, n: machine.scan(n)),
    ("stencil", lambda machine, n: machine.stencil(math.sqrt(n))),
]


# What bench_scaling calls, as calls above: its matrices have 10^5 columns.
WORKLOADS = {
    "rel_diff": lambda machine, n: machine.elementwise(n),
    "dot": lambda machine, n: machine.fold(n, read=16, accumulator=8),
    "variance": lambda machine, n: machine.fold(n, read=8, accumulator=24),
    "scan": lambda machine, n: machine.scan(n),
    "rows": lambda machine, n: machine.elementwise(n, read_and_written=8),
    "histogram": lambda machine, n: machine.fold(n, read=4, accumulator=8 * 4096),
    "columns": lambda machine, n: machine.columns(n / 1e5, 1e5),
    "stencil": lambda machine, n: machine.stencil(math.sqrt(n)),
}


def rate_of_one(says, measured, elements):
    """The memory rate, in bytes per second, with which the model says of one GPU what was measured there: bisection."""
    slow, fast = 1e9, 1e14
    for _ in range(100):
        middle = math.sqrt(slow * fast)
        slow, fast = (slow, middle) if says(Machine(1, middle), elements) < measured else (middle, fast)
    return slow


def check(path, memory, links):
    """A table of what was measured on several GPUs, what the model says of it, and its error: with the given rate of the
    memory, and with the rate that the same call had on one GPU with as many elements, so that the error is that of what
    is said of scaling, whatever bounds the call on one GPU."""
    cells = [one for one in json.load(open(path))["cells"]
             if one["implementation"].startswith("foldwise") and one["workload"] in WORKLOADS]
    alone = {(one["kind"], one["workload"], one["implementation"]): one for one in cells if one["ranks"] == 1}
    print("| call | group | elements | GPUs | measured | model | error | from one GPU's rate | error |")
    print("|---|---|---|---|---|---|---|---|---|")
    for one in sorted(cells, key=lambda one: (one["kind"] == "strong", list(WORKLOADS).index(one["workload"]),
                                              one["implementation"], one["ranks"])):
        if one["ranks"] == 1:
            continue
        call, first = WORKLOADS[one["workload"]], alone[one["kind"], one["workload"], one["implementation"]]
        own = rate_of_one(call, first["ms"] * 1e-3, first["elements"])
        said = [call(Machine(one["ranks"], rate, links), one["elements"]) * 1e3 for rate in (memory, own)]
        group = one["implementation"].split("(")[-1].rstrip(")")
        print(f"| {one['workload']} | {group} | {one['elements']:.0e} | {one['ranks']} | {one['ms']:.3g} ms | "
              + " | ".join(f"{ms:.3g} ms | {ms / one['ms'] - 1:+.0%}" for ms in said) + " |")


def fit(path):
    """Least squares of relative errors for time = latency + bytes / bandwidth, over the lines of one name and group."""
    groups = {}
    for line in open(path):
        parts = line.rstrip("\n").split("\t")
        if len(parts) < 6 or not parts[4].endswith(" us") or float(parts[4][:-3]) <= 0:
            continue
        groups.setdefault(tuple(parts[:3]), []).append((float(parts[3]), float(parts[4][:-3]) * 1e-6))
    print("| messages | group | ranks | latency, us | GB/s | greatest error |")
    print("|---|---|---|---|---|---|")
    for (name, group, ranks), points in sorted(groups.items()):
        if len(points) < 3:
            continue
        # Weights 1 / time^2, so that short and long messages count alike.
        w = [1 / t**2 for _, t in points]
        s = sum(w)
        sx = sum(wi * b for wi, (b, _) in zip(w, points))
        sy = sum(wi * t for wi, (_, t) in zip(w, points))
        sxx = sum(wi * b * b for wi, (b, _) in zip(w, points))
        sxy = sum(wi * b * t for wi, (b, t) in zip(w, points))
        slope = (s * sxy - sx * sy) / (s * sxx - sx * sx)
        latency = (sy - slope * sx) / s
        worst = max(abs(latency + slope * b - t) / t for b, t in points)
        print(f"| {name} | {group} | {ranks} | {latency * 1e6:.2f} | {1e-9 / slope:.2f} | {worst:.0%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", type=float, help="GB/s of a GPU's memory")
    parser.add_argument("--link", action="append", default=[], metavar="NAME=GB/s:us")
    parser.add_argument("--fit", metavar="FILE")
    parser.add_argument("--check", metavar="FILE")
    options = parser.parse_args()
    if options.fit:
        return fit(options.fit)
    links = dict(LINKS)
    for one in options.link:
        name, figures = one.split("=")
        bandwidth, latency = figures.split(":")
        links[name] = (float(bandwidth) * 1e9, float(latency) * 1e-6)
    memory = options.memory * 1e9 if options.memory else MEMORY
    if options.check:
        return check(options.check, memory, links)
    table(memory, links)


if __name__ == "__main__":
    main()
