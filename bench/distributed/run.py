#!/usr/bin/env python3
"""Foldwise over several ranks beside torch.distributed, CuPy and JAX, in one run: weak and strong scaling, latencies.

    run.py --program bench_scaling [--ranks 1,2] [--elements 1e9] [--strong-elements 2e9] [--out FOLDER]

On GPUs if the machine has any, unless --cpu is given. Peers are those of the Python that runs this. What cannot be run
is listed with its reason, and the rest goes on. Writes distributed.json and distributed.md into the folder.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = ("rel_diff", "dot", "variance", "rows", "columns", "scan", "histogram", "stencil")


def gpu_names():
    if not shutil.which("nvidia-smi"):
        return []
    listed = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    return listed.stdout.strip().splitlines() if listed.returncode == 0 else []


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "a CPU"


def commands_of(given, on_gpus, ranks):
    """The implementations: names and commands, to which options of a run are appended."""
    mpirun = ["mpirun", *(["--oversubscribe"] if not on_gpus else []), "-np", str(ranks), given.program]
    where = [] if on_gpus else ["--cpu"]
    peer = [*where, "--ranks", str(ranks)]
    own = [("foldwise (gpus)", [given.program, "gpus", str(ranks)]), ("foldwise (nccl)", [*mpirun, "nccl"])]
    if not on_gpus:
        own = [("foldwise (threads)", [given.program, "threads", str(ranks)]), ("foldwise (mpi)", [*mpirun, "mpi"])]
    peers = [("torch.distributed", [sys.executable, str(HERE / "peers_torch.py"), *peer]),
             ("JAX sharding", [sys.executable, str(HERE / "peers_jax.py"), *peer])]
    if on_gpus:
        peers.insert(1, ("CuPy NCCL", [sys.executable, str(HERE / "peers_cupy.py"), *peer]))
    return own + [one for one in peers if not given.only_own]


def environment(on_gpus, ranks):
    own = dict(os.environ)
    own.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if not on_gpus:  # ranks share the cores
        own.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // ranks)))
        own["FOLDWISE_EXECUTOR"] = "cpu"
    return own


def cells_of(name, ranks, output):
    """The cells of a program's lines; lines that are none are others' messages."""
    cells = []
    for line in output.splitlines():
        fields = line.split("\t")
        if len(fields) == 7 and fields[2] in ("weak", "strong"):
            cells.append({"workload": fields[0], "implementation": name, "kind": fields[2], "ranks": ranks,
                          "elements": int(fields[4]), "ms": float(fields[5]), "GB/s": float(fields[6])})
        elif len(fields) == 5 and fields[2] == "latency":
            cells.append({"workload": fields[0], "implementation": name, "kind": "latency", "ranks": ranks,
                          "us": float(fields[4].split()[0])})
    return cells


def measure(given, on_gpus):
    cells, failures = [], []
    calls = ["--calls", str(given.calls)]
    runs = [("weak", ["--elements", str(given.elements)]),
            ("strong", ["--elements", str(given.strong_elements), "--strong"]), ("latency", ["--latency"])]
    for ranks in given.ranks:
        for name, command in commands_of(given, on_gpus, ranks):
            for kind, options in runs:
                print(f"{name}, ranks: {ranks}, {kind}", file=sys.stderr, flush=True)
                try:
                    done = subprocess.run([*command, *options, *calls], capture_output=True, text=True,
                                          timeout=given.timeout, env=environment(on_gpus, ranks))
                    found = cells_of(name, ranks, done.stdout)
                    why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
                    is_whole = done.returncode == 0 and found
                except (OSError, subprocess.TimeoutExpired) as error:
                    found, why, is_whole = [], str(error)[:300], False
                cells += found
                if not is_whole:
                    failures.append({"implementation": name, "ranks": ranks, "kind": kind, "why": why[:300]})
                    break  # the other runs would fail alike
    return cells, failures


def table_of(cells, kind, ranks):
    """A row for each workload and implementation: milliseconds, and how that scales from the first number of ranks."""
    times = {(one["workload"], one["implementation"], one["ranks"]): one["ms"] for one in cells if one["kind"] == kind}
    implementations = list(dict.fromkeys(one["implementation"] for one in cells if one["kind"] == kind))
    lines = ["| workload | implementation | " + " | ".join(f"{n} ranks" if n > 1 else "1 rank" for n in ranks) + " |",
             "|---|---|" + "---|" * len(ranks)]
    for workload in WORKLOADS:
        for name in implementations:
            first = times.get((workload, name, ranks[0]))
            columns = []
            for n in ranks:
                took = times.get((workload, name, n))
                if took is None:
                    columns.append("–")
                elif n == ranks[0] or not first:
                    columns.append(f"{took:.4g} ms")
                else:
                    # Weak: the share of what as many ranks without messages would do. Strong: how many times as fast.
                    scaled = f"{100 * first / took:.0f}%" if kind == "weak" else f"{first / took:.2f}x"
                    columns.append(f"{took:.4g} ms, {scaled}")
            if any(one != "–" for one in columns):
                lines.append(f"| {workload} | {name} | " + " | ".join(columns) + " |")
    return lines


def latency_table(cells, ranks):
    small = [one for one in cells if one["kind"] == "latency"]
    rows = dict.fromkeys((one["implementation"], one["workload"]) for one in small)
    lines = ["| implementation | call | " + " | ".join(f"{n} ranks" if n > 1 else "1 rank" for n in ranks) + " |",
             "|---|---|" + "---|" * len(ranks)]
    for name, workload in rows:
        times = {one["ranks"]: one["us"] for one in small if (one["implementation"], one["workload"]) == (name, workload)}
        lines.append(f"| {name} | {workload} | " +
                     " | ".join(f"{times[n]:.2f} µs" if n in times else "–" for n in ranks) + " |")
    return lines


def page_of(machine, given, cells, failures):
    text = [f"# Scaling on {machine}", "", f"{datetime.date.today()}; medians of {given.calls} calls.", ""]
    text += [f"## Weak: {given.elements:.3g} elements of each rank", "", *table_of(cells, "weak", given.ranks), ""]
    text += [f"## Strong: {given.strong_elements:.3g} elements altogether", "", *table_of(cells, "strong", given.ranks),
             ""]
    text += ["## Latency", "", *latency_table(cells, given.ranks), ""]
    if failures:
        text += ["## Not measured", "",
                 *(f"- {one['implementation']}, ranks: {one['ranks']}, {one['kind']}: {one['why']}" for one in failures),
                 ""]
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(HERE / "bench_scaling"))
    parser.add_argument("--ranks", help="numbers of ranks: 1,2; unless told, up to the machine's GPUs, or 1,2,3")
    parser.add_argument("--elements", type=float, help="of each rank: 1e9 unless told, on the CPU 1e6")
    parser.add_argument("--strong-elements", type=float, help="altogether: twice as many unless told")
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=600, help="seconds for each program")
    parser.add_argument("--cpu", action="store_true", help="on the CPU, though there are GPUs")
    parser.add_argument("--only-own", action="store_true", help="no peers")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-results"))
    given = parser.parse_args()
    gpus = [] if given.cpu else gpu_names()
    default_ranks = [n for n in (1, 2, 4, 8) if n <= len(gpus)] if gpus else [1, 2, 3]
    given.ranks = [int(n) for n in given.ranks.split(",")] if given.ranks else default_ranks
    if gpus and max(given.ranks) > len(gpus):
        parser.error(f"{max(given.ranks)} ranks need as many GPUs, and the machine has {len(gpus)}")
    given.elements = given.elements or (1e9 if gpus else 1e6)
    given.strong_elements = given.strong_elements or 2 * given.elements
    machine = f"{len(gpus)} x {gpus[0]}" if gpus else f"{os.cpu_count()} cores of {cpu_name()}"

    cells, failures = measure(given, bool(gpus))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "distributed.json").write_text(
        json.dumps({"machine": machine, "date": datetime.date.today().isoformat(), "cells": cells,
                    "not measured": failures}, indent=1) + "\n")
    page = page_of(machine, given, cells, failures)
    (given.out / "distributed.md").write_text(page)
    print(page)
    sys.exit(0 if any(one["implementation"].startswith("foldwise") for one in cells) else 1)


if __name__ == "__main__":
    main()
