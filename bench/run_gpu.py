#!/usr/bin/env python3
"""Runs every benchmark that lies beside this script, one after the other, and merges what they write into one file.

A part that fails or takes too long loses only what it had not written, and results.json is there after each part. What
torch.compile compiles is compiled before anything of Python's is timed, by many processes.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from results_file import begin, output_of, read_lines, write

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 720  # for all
# In this order, and what each may take: what is most asked for comes first. Python's parts share the time that is left, by
# these figures, so that what one does not need is there for the next.
PROGRAMS = {"bench_vectorize": 50, "bench_reduce": 60, "bench_host": 40, "bench_babelstream": 20, "bench_layouts": 40,
            "bench_forall": 40, "bench_cooperation": 25, "bench_scan": 25, "bench_segments": 20, "bench_scatter": 25,
            "bench_random": 20, "bench_cub_transform": 40, "bench_cub_math": 40, "bench_cub_reduce": 40,
            "bench_forall_checked": 20}
LIMIT = 40  # of other programs
COMPILE_LIMIT = 80
SCRIPTS = {"peers_vectorize": 80, "peers_reduce": 130, "peers_host": 65, "peers_layouts": 60, "peers_forall": 40,
           "peers_cooperation": 60, "peers_scan": 25, "peers_segments": 25, "peers_scatter": 30, "peers_random": 20}
SECONDS_OF_A_CASE = 8  # at most, so that who begins none later ends in time
COMPILING = {"peers_reduce": 6, "peers_vectorize": 3, "peers_layouts": 3, "peers_forall": 2,
             "peers_cooperation": 5, "peers_scan": 3, "peers_segments": 2, "peers_scatter": 3, "peers_random": 2}  # processes


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-results"), help="folder of results.json")
    parser.add_argument("--quick", action="store_true", help="workloads of a few megabytes, and few batches")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help='a part of "suite case type size"')
    parser.add_argument("--impl", default="", metavar="NAME",
                        help="only implementations of the programs whose names begin so, and none of the scripts'")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"for all, {SECONDS} unless told")
    parser.add_argument("--part", action="append", default=[], metavar="NAME", help="only this program or script")
    return parser.parse_args()


def find_parts(names):
    def of(files, order):
        found = sorted(one for one in files if not names or one.stem in names)
        return sorted(found, key=lambda one: list(order).index(one.stem) if one.stem in order else len(order))

    programs = (one for one in HERE.glob("bench_*") if os.access(one, os.X_OK))
    scripts = (one for one in HERE.glob("peers_*.py") if one.stem != "peers_common")
    return of(programs, PROGRAMS), of(scripts, SCRIPTS)


def gpu():
    lines = output_of("nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,power.limit",
                      "--format=csv,noheader").splitlines()
    names = ("gpu", "gpu_driver", "gpu_memory", "gpu_clock", "gpu_power")
    return dict(zip(names, (text.strip() for text in lines[0].split(",")))) if lines else {}


class Run:
    def __init__(self, options):
        self.options, self.started = options, time.monotonic()
        self.folder = options.out
        self.folder.mkdir(parents=True, exist_ok=True)
        self.info = begin("gpu") | {"quick": options.quick} | gpu()
        self.parts, self.records = [], []

    def left(self):
        return self.options.seconds - (time.monotonic() - self.started)

    def common_arguments(self):
        return [*(f"--only={text}" for text in self.options.only), *(["--quick"] if self.options.quick else [])]

    def arguments_of_programs(self):
        return [f"--impl={self.options.impl}"] if self.options.impl else []

    def share(self, scripts):
        """Of the time that is left, that of the first of them."""
        seconds = [SCRIPTS.get(one.stem, LIMIT) for one in scripts]
        return self.left() * seconds[0] / sum(seconds)

    def run(self, part, limit):
        name, file = part.stem, self.folder / f"{part.stem}.jsonl"
        file.unlink(missing_ok=True)
        limit = min(limit, self.left())
        if limit < 5:
            return self.finish(name, 0, "no time was left")
        command = [str(part), f"--json={file}", *self.common_arguments()]
        if part.suffix == ".py":
            command = [sys.executable, *command, f"--seconds={limit - SECONDS_OF_A_CASE:.0f}"]
        else:
            command += self.arguments_of_programs()
        begun = time.monotonic()
        status = wait([start(command, self.folder / f"{name}.txt")], limit)[0]
        self.records += read_lines(file)
        self.finish(name, time.monotonic() - begun, status)

    def compile(self, parts):
        """Fills torch.compile's cache."""
        begun, processes = time.monotonic(), []
        for part in parts:
            count = COMPILING.get(part.stem, 0)
            for i in range(count):
                command = [sys.executable, str(part), f"--compile={i}/{count}", *self.common_arguments()]
                processes.append(start(command, self.folder / f"compile_{part.stem}_{i}.txt"))
        if processes:
            statuses = wait(processes, min(COMPILE_LIMIT, self.left()))
            self.finish("compile", time.monotonic() - begun, next((one for one in statuses if one != "ok"), "ok"))

    def finish(self, name, seconds, status):
        self.parts.append({"part": name, "seconds": round(seconds, 1), "status": status})
        cells = self.write()
        print(f"{time.monotonic() - self.started:6.1f} s  {name}: {seconds:.1f} s, {status}; {cells} cells in all",
              flush=True)

    def write(self):
        result = self.info | {"packages": {}, "parts": self.parts}
        cells, copy_rates = [], []
        for record in self.records:
            if "impl" in record:
                cells.append(record)
            elif "packages" in record:
                result["packages"] |= record["packages"]
            else:
                result |= record
                copy_rates.append(record["copy_bytes_per_us"])
        if copy_rates:
            result["copy_bytes_per_us"] = max(copy_rates)
        result["seconds"] = round(time.monotonic() - self.started, 1)
        write(self.folder / "results.json", result, cells)
        return len(cells)


def start(command, log):
    return subprocess.Popen(command, stdout=open(log, "w"), stderr=subprocess.STDOUT, start_new_session=True)


def wait(processes, seconds):
    """How each of them ended; whoever has not by then is stopped."""
    end = time.monotonic() + seconds
    statuses = []
    for process in processes:
        try:
            code = process.wait(max(0, end - time.monotonic()))
            statuses.append("ok" if code == 0 else f"failed with {code}")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            statuses.append("stopped, as it took too long")
    return statuses


def main():
    options = parse_options()
    programs, scripts = find_parts(options.part)
    if options.impl:
        scripts = []
    if not (programs or scripts):
        sys.exit(f"there is nothing to run in {HERE}; ./dev bench gpu gathers it")
    run = Run(options)
    cache = tempfile.mkdtemp()
    os.environ |= {"TORCHINDUCTOR_CACHE_DIR": cache, "FOLDWISE_EXECUTOR": "cuda"}
    libraries = HERE.parent / "lib"
    os.environ["LD_LIBRARY_PATH"] = f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    try:
        for program in programs:
            run.run(program, PROGRAMS.get(program.stem, LIMIT))
        run.compile(scripts)
        for i, script in enumerate(scripts):
            run.run(script, run.share(scripts[i:]))
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    print(f"{run.folder / 'results.json'}: {run.left():.0f} of {options.seconds:.0f} s were left")
    if any(part["status"] != "ok" for part in run.parts):
        sys.exit(1)


if __name__ == "__main__":
    main()
