#!/usr/bin/env python3
"""Draws workloads, writes their specs and calls, and has the generator emit their kernels.

usage: generate.py --seed S --count N --foldwise TOOL --include FOLDER --out FOLDER [--backends cuda] [--most-bytes B]

Into FOLDER come caseNNN.kernels.cpp, what is emitted of each, caseNNN.call.cpp, and workloads.json, which says what was
drawn: elsewhere the same seed has to give the same specs. A spec that the generator refuses is recorded there, too.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from workloads import draw_workload  # noqa: E402

SPECS_OF_A_RUN = 8  # of the generator's


def digest(work):
    return hashlib.sha256((work.spec + work.call).encode()).hexdigest()[:16]


def call_text(work):
    return (f'// The launcher and the call of {work.name}.\n#include "{work.name}.kernels.launch.cpp"\n\n'
            f'#include "call.hpp"\n\nDRAWN_CALL({work.name}) {{\n    {work.call}\n}}\n')


def write(file, text):
    """Where it is new, so that builds do not begin again."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def generate(tool, include, folder, backends, works):
    """What the generator said of each that it refused, by name."""
    def command(several):
        return [tool, "-w", f"--backend={backends}", f"--out-dir={folder}",
                *(str(folder / f"{one.name}.kernels.cpp") for one in several), "--", "-std=c++20", f"-I{include}", "-w"]

    def run(several):
        done = subprocess.run(command(several), capture_output=True, text=True)
        if done.returncode == 0:
            return {}
        if len(several) == 1:
            return {several[0].name: (done.stdout + done.stderr).strip()}
        found = {}
        for one in several:
            found |= run([one])
        return found

    parts = [works[i:i + SPECS_OF_A_RUN] for i in range(0, len(works), SPECS_OF_A_RUN)]
    refused = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(run, parts):
            refused |= found
    return refused


def generate_all(seed, count, tool, include, folder, backends="cuda", most_bytes=None):
    """The workloads, and what was refused."""
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    works = [draw_workload(seed, number, most_bytes) for number in range(count)]
    for work in works:
        write(folder / f"{work.name}.kernels.cpp", work.spec)
        write(folder / f"{work.name}.call.cpp", call_text(work))
    refused = generate(tool, include, folder, backends, works)
    drawn = {"seed": seed, "count": count, "backends": backends, "most_bytes": most_bytes, "refused": refused,
             "attempts": {work.name: work.attempt for work in works},
             "digests": {work.name: digest(work) for work in works}}
    write(folder / "workloads.json", json.dumps(drawn, indent=1) + "\n")
    return works, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--foldwise", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--backends", default="cuda")
    parser.add_argument("--most-bytes", type=float)
    options = parser.parse_args()
    _, refused = generate_all(options.seed, options.count, options.foldwise, options.include, options.out,
                              options.backends, options.most_bytes)
    for name, text in refused.items():
        print(f"{name} is refused:\n{text}", file=sys.stderr)
    print(f"{options.count} workloads of seed {options.seed} in {options.out}, {len(refused)} refused")


if __name__ == "__main__":
    main()
