#!/usr/bin/env python3
"""Random specs against the generator: what it makes of each has to equal the spec's own host execution.

  fuzz.py features [--seed S] [--count N]                 which parts of the grammar appear, and how often
  fuzz.py --tools FILE run [--seed S] [--count N]         generate, compile, run and compare that many specs
  fuzz.py --tools FILE run --only N --keep FOLDER         one of them, whose files stay in FOLDER
  fuzz.py --tools FILE nvcc [--seed S] [--count N]        compile the emitted .cu files with nvcc
  fuzz.py --tools FILE mutants --seconds N [--seed S]     run the generator on mutated specs of other tests

FILE is the build's tests/fuzz/tools.json. The same seed gives the same specs everywhere; `--seed commit` is a number
made of the commit that is checked out, and 1 where there is none. With --seconds N, `run` and `nvcc` test as many specs
as they can in that time.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
from grammar import batch  # noqa: E402
from grammar.features import FEATURES  # noqa: E402
from grammar.spec import Spec  # noqa: E402

# Of the host's floating-point results only those of one instruction each are the same everywhere. What functions and
# complex quotients of constants are, GCC would compute itself, better rounded than the C library does: -frounding-math
# keeps it from that.
HOST_OPTIONS = ["-std=c++20", "-w", "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off",
                "-frounding-math"]
# What nvcc says of random arithmetic is set aside: divisions by zero and signs (39, 68, 186, 221, 222,
# 514), code that is not reached (111, 128) and variables that nothing reads (177, 550). All other warnings are errors.
NVCC_OPTIONS = ["-std=c++20", "--expt-relaxed-constexpr", "-lineinfo", "-arch=sm_90", "-Werror=all-warnings",
                "-diag-suppress=39,68,111,128,177,186,221,222,514,550", "-Xcompiler=-w", "-c"]
# The share of specs on which nvcc itself may crash, as 13.0.88 does on spec 3 of seed 1476649473.
CRASHES = 0.01
ENOUGH = 10  # failing specs, after which no more are looked for: then something is wrong with all of them


class Failed(Exception):
    """A tool said no, or a result differed. Its text is for people."""


class Crashed(Failed):
    """nvcc crashed, or a program that it runs, which is a defect of its own: nothing is said of the emitted code."""


class Tools:
    def __init__(self, path):
        with open(path) as file:
            tools = json.load(file)
        self.path = os.path.abspath(path)
        self.foldwise, self.compiler, self.nvcc = tools["foldwise"], tools["compiler"], tools["nvcc"]
        self.include, self.libraries = tools["include"], tools["libraries"]
        self.mutants, self.clang = tools["mutants"], tools["clang"]

    def generate(self, spec, folder, backends):
        run([self.foldwise, f"--backend={backends}", f"--out-dir={folder}", spec, "--", "-std=c++20",
             f"-I{self.include}", "-w"])

    def compile(self, source, to, level, *includes):
        folders = [f"-I{folder}" for folder in (self.include, *includes)]
        run([self.compiler, *HOST_OPTIONS, level, *folders, "-c", source, "-o", to])


def run(command, timeout=300, *, may_crash=False):
    """Runs a command to its end. `may_crash`: a crash of it or of what it runs is not a failure like others."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end within {timeout} s: {shlex.join(command)}") from None
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        is_crash = may_crash and (done.returncode < 0 or done.returncode == 128 + signal.SIGSEGV)
        raise (Crashed if is_crash else Failed)("\n".join([f"{how}: {shlex.join(command)}", *lines[:25]]))


def check_on_host(tools, seed, numbers, folder, harness, level):
    """One program of these specs: generated, compiled and run."""
    batch.write([Spec(seed, n) for n in numbers], folder, seed)
    generated = os.path.join(folder, "generated")
    tools.generate(os.path.join(folder, "batch.kernels.cpp"), generated, "cpu,simulator")
    objects = [harness]
    for source in ("host.cpp", "generated/batch.kernels.cpu.cpp", "generated/batch.kernels.simulator.cpp", "main.cpp"):
        objects.append(os.path.join(folder, os.path.basename(source) + ".o"))
        tools.compile(os.path.join(folder, source), objects[-1], level, HERE, generated)
    program = os.path.join(folder, "check")
    run([tools.compiler, "-o", program, *objects, *tools.libraries])
    run(["env", "OMP_NUM_THREADS=1", program], timeout=60)


def check_with_nvcc(tools, seed, numbers, folder, _harness, _level):
    batch.write([Spec(seed, n) for n in numbers], folder, seed)
    tools.generate(os.path.join(folder, "batch.kernels.cpp"), folder, "cuda")
    run([tools.nvcc, *NVCC_OPTIONS, f"-I{tools.include}", "-o", os.path.join(folder, "batch.o"),
         os.path.join(folder, "batch.kernels.cu")], may_crash=True)


def failures(check, tools, seed, numbers, work, harness, level):
    """The specs that fail, each with what was raised, found by halving; ENOUGH of them at most."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        try:
            check(tools, seed, numbers, folder, harness, level)
            return []
        except Failed as failed:
            if len(numbers) == 1:
                return [(numbers[0], failed)]
            together = failed
    half = len(numbers) // 2
    found = []
    for part in (numbers[:half], numbers[half:]):
        if len(found) < ENOUGH:
            found += failures(check, tools, seed, part, work, harness, level)
    # Two specs may also disturb each other.
    return found or [(number, type(together)(f"together with others: {together}")) for number in numbers]


def keep_one(arguments, check, tools, harness, name):
    """Checks all specs in one file, and leaves everything in the folder that the user names."""
    os.makedirs(arguments.keep, exist_ok=True)
    try:
        check(tools, arguments.seed, arguments.only or list(range(arguments.count)), arguments.keep, harness,
              arguments.level)
    except Failed as failed:
        print(failed)
        return 1
    print(f"{name}: no failure; its files are in {arguments.keep}")
    return 0


def files_to_check(arguments):
    """The numbers of the specs in each file: all that were asked for, or without end where a time is set."""
    if arguments.seconds and not arguments.only:
        numbers = itertools.count()
    else:
        numbers = iter(arguments.only or range(arguments.count))
    while part := list(itertools.islice(numbers, arguments.per_file)):
        yield part


def check_all(arguments, check, name):
    tools = Tools(arguments.tools)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="foldwise-fuzz-") as work:
        harness = os.path.join(work, "harness.o")
        if check is check_on_host:
            tools.compile(os.path.join(HERE, "harness.cpp"), harness, "-O1")
        if arguments.keep:
            return keep_one(arguments, check, tools, harness, name)

        checked, found, crashed = [], [], []
        parts = enumerate(files_to_check(arguments))
        lock = threading.Lock()

        def work_through():
            while True:
                with lock:  # of the files that are left, one
                    late = arguments.seconds and time.monotonic() - started >= arguments.seconds
                    i, part = (0, None) if late or len(found) >= ENOUGH else next(parts, (0, None))
                    if part is None:
                        return
                    checked.append(part)
                level = "-O2" if arguments.optimise and i % 10 == 0 else arguments.level
                failed = failures(check, tools, arguments.seed, part, work, harness, level)
                with lock:
                    for number, reason in failed:
                        is_crash = isinstance(reason, Crashed)
                        (crashed if is_crash else found).append(number)
                        print(f"\nspec {number} of seed {arguments.seed} {'crashes nvcc' if is_crash else 'fails'}. "
                              "To see it alone:\n"
                              f"  python3 {os.path.abspath(__file__)} --tools {tools.path} {arguments.command} "
                              f"--seed {arguments.seed} --only {number} --keep /tmp/fuzz-{number}\n{reason}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for job in [pool.submit(work_through) for _ in range(arguments.jobs)]:
                job.result()
    specs = [Spec(arguments.seed, n) for part in checked for n in part]
    signatures = sum(len(spec.kernels) for spec in specs)
    print(f"\n{name}: seed {arguments.seed}, {len(specs)} specs with {signatures} signatures in {len(checked)} files, "
          f"{len(found)} failed, {f'{len(crashed)} crashed nvcc, ' if crashed else ''}"
          f"{time.monotonic() - started:.0f} s")
    return 1 if found or len(crashed) > max(1, CRASHES * len(specs)) else 0


def check_mutants(arguments):
    """Mutated specs, with the tests of several parts as the corpus."""
    tools = Tools(arguments.tools)
    print(f"mutants: seed {arguments.seed}", flush=True)
    corpus = [os.path.join(SOURCE, folder) for folder in ("tests/golden", "tests/errors", "examples")]
    return subprocess.run([
        tools.mutants, "--foldwise", tools.foldwise, "--include", tools.include, "--compiler", tools.compiler,
        "--clang", tools.clang, "--keep", os.path.join(os.path.dirname(tools.path), "findings"),
        "--seconds", str(arguments.seconds or 20), "--seed", str(arguments.seed), *corpus]).returncode


def features(arguments):
    """Prints a histogram; no bar may be empty."""
    counts = collections.Counter()
    for number in range(arguments.count):
        counts.update(Spec(arguments.seed, number).features)
    for feature in sorted(FEATURES):
        print(f"{feature:36}{counts[feature]:6} {'#' * -(-60 * counts[feature] // arguments.count)}")
    missing = sorted(FEATURES - counts.keys())
    print(f"{len(FEATURES)} features in {arguments.count} specs of seed {arguments.seed}; "
          f"never: {', '.join(missing) or 'none'}")
    return 1 if missing else 0


def seed_of_commit():
    """A number that moves on with every commit. Sources that are no repository of their own have a fixed one."""
    git = subprocess.run(["git", "-C", SOURCE, "rev-parse", "--show-toplevel", "HEAD"], capture_output=True, text=True)
    lines = git.stdout.splitlines()
    if git.returncode != 0 or os.path.realpath(lines[0]) != os.path.realpath(SOURCE):
        return 1
    return int(lines[1][:8], 16)


def parse_seed(text):
    return seed_of_commit() if text == "commit" else int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", help="the build's tests/fuzz/tools.json")
    parser.add_argument("command", choices=("features", "run", "nvcc", "mutants"))
    parser.add_argument("--seed", type=parse_seed, default=1, help="a number, or 'commit'")
    parser.add_argument("--count", type=int, default=2000, help="how many specs")
    parser.add_argument("--seconds", type=float, help="as many as fit in this time, instead of --count")
    parser.add_argument("--only", type=int, action="append", help="this one instead; may be repeated")
    parser.add_argument("--keep", metavar="FOLDER", help="check all in one file and leave everything here")
    parser.add_argument("--per-file", type=int, default=40, help="specs in one file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--level", default="-O0", help="of the host compiler's optimisation")
    parser.add_argument("--optimise", action="store_true", help="compile every tenth file with -O2")
    arguments = parser.parse_args()
    if arguments.command == "features":
        return features(arguments)
    if not arguments.tools:
        parser.error("--tools is missing")
    if arguments.command == "mutants":
        return check_mutants(arguments)
    if arguments.command == "nvcc":
        return check_all(arguments, check_with_nvcc, "nvcc")
    return check_all(arguments, check_on_host, "host")


if __name__ == "__main__":
    sys.exit(main())
