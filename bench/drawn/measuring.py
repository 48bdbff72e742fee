"""What measuring on a GPU and on the CPU have in common: workloads, their functions, checks and the file of cells."""
import argparse
import importlib
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import numpy  # noqa: E402
import torch  # noqa: E402

from checking import Access, expected, unit_of_16_bits, wrong  # noqa: E402
from generate import digest, write  # noqa: E402
from peers_common import NotMeasured, load  # noqa: E402
from workloads import draw_workload  # noqa: E402

OVER = "the time was over"


class Wrong(Exception):
    """A result is not what it should be."""


def parse_options(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--json", required=True)
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no further workload begins")
    parser.add_argument("--only", type=int, action="append", help="the number of a workload")
    parser.add_argument("--compile", metavar="I/N")
    return parser.parse_args()


def drawn_workloads(folder):
    """Those of workloads.json, drawn again; the specs that were generated from have to be the same."""
    info = json.loads((folder / "workloads.json").read_text())
    works = [draw_workload(info["seed"], number, info["most_bytes"], attempt)
             for number, attempt in enumerate(info["attempts"].values())]
    for work in works:
        if digest(work) != info["digests"][work.name]:
            sys.exit(f"{work.name} of seed {work.seed} is drawn otherwise here: {sys.version}")
    return works, info["refused"]


def function_of(work, impl):
    if why := work.missing.get(impl.removesuffix(" serial")):
        raise NotMeasured(why)
    names = {"torch": torch, "numpy": numpy}
    if impl == "cupy":
        exec(compile(work.cupy_source, f"{work.name} cupy", "exec"), names)
        return names["make"](load("cupy"))
    name = f"drawn_{work.seed}_{work.name}_" + impl.replace(".", "_").replace(" ", "_")
    file = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"{name}.py"
    if impl.startswith("numba"):  # whose cache goes by the file's time, and imports the module
        write(file, work.numba_source)
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))
        return importlib.import_module(name).make(load("numba"), impl == "numba")
    source = {"torch.compile": work.compile_source, "numpy": work.numpy_source}.get(impl) or work.torch_source
    write(file, source)  # torch.compile reads the source of what it compiles
    exec(compile(source, str(file), "exec"), names)
    return names["work"]


class Checker:
    """The reference of a workload, computed once for each precision."""

    def __init__(self, work, arrays):
        self.work, self.arrays, self.known = work, arrays, {}

    def wrong(self, gather_output, is_peer):
        unit16 = unit_of_16_bits(self.work) if is_peer else 0.0
        if unit16 not in self.known:
            self.known[unit16] = expected(self.work, Access(self.work, self.arrays), unit16)
        return wrong(self.work, self.known[unit16], gather_output, is_peer)


def elements(work):
    largest = max(work.operands, key=lambda one: one.bytes)
    return largest.bytes // largest.element_bytes


def cell_of(suite, work, impl):
    return {"suite": suite, "case": f"{work.seed}.{work.number} {work.kind}", "type": work.type, "n": elements(work),
            "shape": work.shape, "bytes": work.bytes, "impl": impl, "seed": work.seed, "number": work.number,
            "family": work.family, "kind": work.kind, "description": work.description}


class File:
    """Where cells go, behind those that are there."""

    def __init__(self, path):
        path = pathlib.Path(path)
        self.done = set()
        for line in path.read_text().splitlines() if path.exists() else ():
            record = json.loads(line)
            if "impl" in record:
                self.done.add((record["number"], record["impl"]))
        self.file = open(path, "a")

    def write(self, record):
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()
