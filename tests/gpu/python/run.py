"""Tests and measures Python modules on a machine with a GPU: python3 run.py [test...]. Needs what has been gathered
beside it, and PyTorch, CuPy, Numba and JAX; what is not installed is skipped. Each test is a process of its own with a
limit of time, so that one that crashes or hangs ends no other. Tests are named as in the files check_*.py and
measure.py: cost_of_torch, bandwidth_of_cupy, leaks_of_jax. All of them together take at most five minutes."""
import argparse
import concurrent.futures
import faulthandler
import importlib
import os
import re
import signal
import subprocess
import sys
import time
import traceback

from common import here, Skipped

ALL_SECONDS = 285
LIMITS = {"acceptance_of_torch": 120, "acceptance_of_torch_cuda": 120, "leaks_of_jax": 60}  # of others, 45
SKIPPED, FAILED = 77, 1
# Those of a file that is true here are measurements, or watch the memory of the whole GPU, and run alone.
FILES = {"check_arrays": False, "check_acceptance": False, "check_jax": False, "measure": True, "check_leaks": True}


def tests():
    """The files of all tests."""
    return {name: file for file in FILES
            for name in re.findall(r"(?m)^def test_(\w+)", (here / f"{file}.py").read_text())}


def run_here(file, name, limit):
    """Runs a test in this process, which ends with what became of it."""
    faulthandler.enable()
    faulthandler.dump_traceback_later(max(limit - 2, 1))
    try:
        getattr(importlib.import_module(file), "test_" + name)()
    except Skipped as why:
        print(f"    SKIPPED: {why}")
        return SKIPPED
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        return FAILED
    return 0


def run_apart(file, name, deadline):
    """Runs a test in a process of its own; 0, SKIPPED or FAILED."""
    begin = time.monotonic()
    limit = min(LIMITS.get(name, 45), deadline - begin)
    if limit < 3:
        print(f"{name}: FAILED, no time was left for it", flush=True)
        return FAILED
    command = [sys.executable, "-u", here / "run.py", "--here", file, "--limit", str(limit), name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True)
    try:
        said, _ = process.communicate(timeout=limit)
        code = process.returncode
        said_of = {0: "passed", SKIPPED: "SKIPPED"}.get(code, "FAILED")
        if code < 0:
            said_of += f", ended by {signal.Signals(-code).name}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        code, said_of = FAILED, f"FAILED, not done in {limit:.0f} s"
    print(f"{name} {time.monotonic() - begin:.1f} s: {said_of}\n{said}".rstrip(), flush=True)
    return code if code in (0, SKIPPED) else FAILED


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", metavar="test", help="all, unless some are named")
    parser.add_argument("--here", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        return run_here(arguments.here, arguments.tests[0], arguments.limit)
    known = tests()
    for name in arguments.tests:
        if name not in known:
            parser.error(f"no test {name}; there are {', '.join(known)}")
    chosen = arguments.tests or list(known)
    deadline = time.monotonic() + ALL_SECONDS
    with concurrent.futures.ThreadPoolExecutor(min(6, os.cpu_count() or 1)) as pool:
        together = [name for name in chosen if not FILES[known[name]]]
        running = {name: pool.submit(run_apart, known[name], name, deadline) for name in together}
    became = {name: one.result() for name, one in running.items()}
    for name in chosen:
        if name not in became:
            became[name] = run_apart(known[name], name, deadline)
    for name in chosen:
        if became[name]:
            print("FAILED:" if became[name] == FAILED else "SKIPPED:", name)
    failed, skipped = (list(became.values()).count(code) for code in (FAILED, SKIPPED))
    print(f"{len(chosen) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
