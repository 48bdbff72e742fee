#!/usr/bin/env python3
"""Builds and measures the drawn workloads that lie beside this script, with a GPU or on the CPU, for which they were
generated; writes results.json.

usage: run.py [--out FOLDER] [--seconds N] [--only NUMBER]... [--compilers N] [--cores N] [--caches FOLDER]
              [--build-seconds N] [--compile-seconds N]

First everything is built by ninja, and torch.compile, CuPy and Numba compile in many processes; then workloads are
measured one after the other. A workload that ends the process is recorded, and the others go on. Ends with 1 where
Foldwise gave a wrong result or no result.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from report_cells import OWN, count, is_own, rows_of, with_setting  # noqa: E402
from results_file import begin, read_lines, write  # noqa: E402
from run_gpu import gpu, wait  # noqa: E402

BUILD_LIMIT, COMPILE_LIMIT = 300, 180
CASES = HERE / "cases"
CRASHES = 20  # after which no more is measured


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-results"), help="folder of results")
    parser.add_argument("--seconds", type=float, default=560, help="for all of it")
    parser.add_argument("--only", type=int, action="append", default=[], metavar="NUMBER")
    parser.add_argument("--compilers", type=int, default=min(16, os.cpu_count()), help="processes of torch.compile")
    parser.add_argument("--build-seconds", type=float, default=BUILD_LIMIT, help="for building Foldwise's libraries")
    parser.add_argument("--compile-seconds", type=float, default=COMPILE_LIMIT, help="for what peers compile ahead")
    parser.add_argument("--cores", type=int, metavar="N",
                        help="on the CPU: let the process that measures use only N of them")
    parser.add_argument("--caches", type=pathlib.Path, help="folder that keeps what peers have compiled")
    return parser.parse_args()


def start(command, log, cores=None):
    """What several processes say goes into one file."""
    return subprocess.Popen(command, stdout=open(log, "a"), stderr=subprocess.STDOUT, start_new_session=True,
                            preexec_fn=cores and (lambda: os.sched_setaffinity(0, cores)))


class Run:
    def __init__(self, options):
        self.options, self.started = options, time.monotonic()
        options.out.mkdir(parents=True, exist_ok=True)
        self.drawn = json.loads((CASES / "workloads.json").read_text())
        self.is_cpu = self.drawn["backends"] == "cpu"
        self.suite = "drawn-cpu" if self.is_cpu else "drawn"
        self.info = begin(self.suite) | ({} if self.is_cpu else gpu())
        self.info |= {name: self.drawn[name] for name in ("seed", "count", "most_bytes")}
        self.cells = options.out / f"{self.suite}_{self.drawn['seed']}.jsonl"
        for file in (self.cells, *(options.out / f"{name}.txt" for name in ("build", "compile", "measure"))):
            file.unlink(missing_ok=True)
        self.parts = []

    def left(self):
        return self.options.seconds - (time.monotonic() - self.started)

    def finish(self, part, begun, status):
        self.parts.append({"part": part, "seconds": round(time.monotonic() - begun, 1), "status": status})
        print(f"{time.monotonic() - self.started:6.1f} s  {part}: {status}", flush=True)

    def build(self):
        begun = time.monotonic()
        sys.path.insert(0, str(HERE))
        import build
        (build.write_for_cpu if self.is_cpu else build.write)(CASES)
        ninja = [shutil.which("ninja")] if shutil.which("ninja") else [sys.executable, "-m", "ninja"]
        command = [*ninja, "-C", str(CASES), "-k", "0"]
        status = wait([start(command, self.options.out / "build.txt")], min(self.options.build_seconds, self.left()))[0]
        if not self.is_cpu:
            folder = build.find_cudart(build.find_nvcc()).parent
            os.environ["LD_LIBRARY_PATH"] = f"{os.environ.get('LD_LIBRARY_PATH', '')}:{folder}".lstrip(":")
        self.finish("build", begun, status)

    def measuring(self, *arguments):
        only = [f"--only={number}" for number in self.options.only]
        script = HERE / ("measure_cpu.py" if self.is_cpu else "measure.py")
        return [sys.executable, str(script), str(CASES), f"--json={self.cells}", *only, *arguments]

    def compile(self):
        begun, count = time.monotonic(), self.options.compilers
        processes = [start(self.measuring(f"--compile={i}/{count}"), self.options.out / "compile.txt")
                     for i in range(count)]
        statuses = wait(processes, min(self.options.compile_seconds, self.left()))
        self.finish("compile", begun, next((one for one in statuses if one != "ok"), "ok"))

    def measure(self):
        begun, status = time.monotonic(), "no time was left"
        cores = sorted(os.sched_getaffinity(0))[-self.options.cores:] if self.options.cores else None
        for _ in range(CRASHES):
            if self.left() < 15:
                break
            process = start(self.measuring(f"--seconds={self.left() - 20:.0f}"), self.options.out / "measure.txt", cores)
            status = wait([process], self.left() - 5)[0]
            self.write()
            if status == "ok" or not self.record_crash(status):
                break
        self.finish("measure", begun, status)

    def record_crash(self, status):
        """What was measured as the process ended has a cell that says so; whether there was anything."""
        records = read_lines(self.cells)
        if not records or "begin" not in records[-1]:
            return bool(records)  # it said itself why it ended
        last = records[-1]
        sys.path.insert(0, str(HERE))
        from workloads import draw_workload
        attempt = list(self.drawn["attempts"].values())[last["number"]]
        work = draw_workload(self.drawn["seed"], last["number"], self.drawn["most_bytes"], attempt)
        cell = {"suite": self.suite, "case": f"{work.seed}.{work.number} {work.kind}", "type": work.type, "n": 0,
                "shape": work.shape, "bytes": work.bytes, "impl": last["begin"], "seed": work.seed,
                "number": work.number, "family": work.family, "kind": work.kind, "description": work.description,
                "why": f"ended the process: {status}"}
        with open(self.cells, "a") as file:
            file.write(json.dumps(cell) + "\n")
        return True

    def write(self):
        records = read_lines(self.cells)
        cells = [record for record in records if "impl" in record]
        heads = [record for record in records if "packages" in record]
        result = self.info | (heads[-1] if heads else {}) | {"parts": self.parts}
        result["seconds"] = round(time.monotonic() - self.started, 1)
        write(self.options.out / "results.json", result, cells)
        return cells


def main():
    options = parse_options()
    run = Run(options)
    cache = str(options.caches.resolve()) if options.caches else tempfile.mkdtemp()
    os.environ |= {"TORCHINDUCTOR_CACHE_DIR": cache, "NUMBA_CACHE_DIR": cache,
                   "FOLDWISE_EXECUTOR": "cpu" if run.is_cpu else "cuda"}
    if run.is_cpu:  # or the system would clear the pages of every large result anew, of peers that allocate theirs
        os.environ |= {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
    try:
        run.build()
        run.compile()
        run.measure()
    finally:
        if not options.caches:
            shutil.rmtree(cache, ignore_errors=True)
    cells = run.write()
    own = [cell for cell in cells if is_own(cell["impl"])]
    failed = [cell for cell in own if "us" not in cell and cell["why"] != "the time was over"]
    for cell in failed:
        print(f"workload {cell['number']} of seed {cell['seed']}, {cell['description']}: {cell['why']}")
    for cell in cells:
        if cell["impl"] != "copy" and not is_own(cell["impl"]) and cell.get("why", "").startswith("WRONG"):
            print(f"  {cell['impl']} of workload {cell['number']}: {cell['why']}")
    summary(cells)
    measured = sum(cell["impl"] == OWN and "us" in cell for cell in own)
    print(f"{options.out / 'results.json'}: {measured} of {run.drawn['count']} workloads measured, "
          f"{len(failed)} failed; {run.left():.0f} s were left")
    sys.exit(bool(failed) or not own or any(part["status"] != "ok" for part in run.parts if part["part"] == "measure"))


def summary(cells):
    """Won, tied and lost, to see at once how it went; ./dev report has it all."""
    rows = rows_of([dict(cell) for cell in cells])
    for setting in dict.fromkeys(cell["impl"] for cell in cells if is_own(cell["impl"])):
        counted = count([with_setting(row, setting) for row in rows])
        print(f"{setting}: " + ", ".join(f"{number} {name}" for name, number in counted.items()))


if __name__ == "__main__":
    main()
