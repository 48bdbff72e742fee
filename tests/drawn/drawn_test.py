"""tests/drawn/drawn_test.py: bench/drawn draws the same from the same seed, draws all that it can, and means the same
in its specs as in its references: what the CPU backend computes of small workloads is what NumPy computes.

usage: drawn_test.py TOOLS.json, which names the generator, the compiler, the runtime's headers and libraries
"""
import collections
import concurrent.futures
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TOOLS = json.loads(pathlib.Path(sys.argv.pop(1)).read_text())
DRAWN = pathlib.Path(__file__).resolve().parents[2] / "bench" / "drawn"
sys.path.insert(0, str(DRAWN))
import probabilities  # noqa: E402
from workloads import draw_workload  # noqa: E402

SEED, MANY = 1, 300
SMALL, MOST_BYTES = int(os.environ.get("FOLDWISE_DRAWN_COUNT", 40)), 2e4
OPTIONS = ["-std=c++20", "-fPIC", "-w", "-fopenmp", "-fno-math-errno", "-ffp-contract=off", f"-I{TOOLS['include']}",
           f"-I{DRAWN}"]


def all_drawn():
    return [draw_workload(SEED, number) for number in range(MANY)]


class Drawing(unittest.TestCase):
    def test_a_seed_draws_the_same_again(self):
        def texts(seed):
            return [(one.spec, one.call, one.torch_source, one.compile_source, one.cupy_source, one.numpy_source,
                     one.numba_source, one.bytes)
                    for one in (draw_workload(seed, number) for number in range(40))]
        self.assertEqual(texts(7), texts(7))
        self.assertNotEqual(texts(7), texts(8))

    def test_a_seed_draws_the_same_for_ever(self):
        """On every machine, and with every version of Python."""
        self.assertEqual([draw_workload(7, number).description for number in range(3)], [
            'elementwise branching, 10 operations, (double, float and scalars) -> (int32); slice',
            'product, axis 0, 1 of 19017x13x2, (bfloat16) -> float',
            'scatter of 8225443 rows of 4, 8225443x4 tasks, (float, int32, float)'])

    def test_everything_is_drawn(self):
        counts = collections.Counter(feature for one in all_drawn() for feature in one.features)
        wanted = [f"elementwise {one}" for one in probabilities.MIXES]
        wanted += [f"layout {one}" for one in probabilities.LAYOUTS]
        wanted += [f"type {one}" for one in probabilities.ELEMENTS if one != "struct"]
        wanted += [f"inputs {one}" for one in probabilities.INPUTS]
        wanted += [f"outputs {one}" for one in probabilities.OUTPUTS]
        wanted += [f"fold {one}" for one in probabilities.FOLDS]
        wanted += [f"fold of {one}" for one in probabilities.FOLD_ELEMENTS]
        wanted += [f"fold axes {one}" for one in probabilities.FOLD_AXES]
        wanted += [f"task {one}" for one in probabilities.TASKS]
        wanted += [f"stencil {one}-D" for one in (1, 2, 3)] + ["stencil radius 1", "stencil radius 2"]
        wanted += ["struct", "scalar", "fold all", "fold one axis, last", "fold one axis, not last", "stencil box",
                   "fold several axes, last", "fold several axes, not last", "atomic weighted", "atomic counts"]
        self.assertEqual([one for one in wanted if not counts[one]], [])

    def test_sizes_are_as_stated(self):
        sizes = [one.bytes for one in all_drawn()]
        low, high = probabilities.BYTES
        for begin in (1e3, 1e4, 1e5, 1e6, 1e7, 1e8):  # log-uniform: a sixth each
            share = sum(begin <= size < 10 * begin for size in sizes) / MANY
            self.assertTrue(0.08 < share < 0.26, (begin, share))
        self.assertTrue(all(low / 20 <= size <= 1.25 * high for size in sizes), (min(sizes), max(sizes)))
        self.assertTrue(all(sum(operand.allocated for operand in one.operands) < 8e9 for one in all_drawn()))

    def test_all_of_python_compiles(self):
        for work in all_drawn():
            for source in (work.torch_source, work.compile_source, work.cupy_source, work.numpy_source,
                           work.numba_source):
                compile(source, work.name, "exec")
            for peer in ("cupy", "numpy", "numba"):
                self.assertTrue(bool(getattr(work, f"{peer}_source")) != bool(work.missing.get(peer)), work.name)


class Generating(unittest.TestCase):
    def test_each_workload_has_files_of_its_own(self):
        """As benchmarks build them."""
        from generate import generate_all
        with tempfile.TemporaryDirectory(prefix="foldwise-drawn-") as folder:
            works, refused = generate_all(SEED, 1, TOOLS["foldwise"], TOOLS["include"], folder, "cpu", MOST_BYTES)
            self.assertEqual(refused, {})
            for work in works:
                for kind in ("call", "kernels.cpu"):
                    subprocess.run([TOOLS["compiler"], *OPTIONS, "-fsyntax-only", f"{folder}/{work.name}.{kind}.cpp"],
                                   check=True)


class Computing(unittest.TestCase):
    def test_specs_compute_what_references_do(self):
        from checking import Access, expected, wrong
        from numpy_arrays import NumpyArrays
        with tempfile.TemporaryDirectory(prefix="foldwise-drawn-") as folder:
            library, works = build(pathlib.Path(folder))
            for work in works:
                with self.subTest(f"workload {work.number} of seed {work.seed}: {work.description}"):
                    arrays = NumpyArrays(work)
                    call = getattr(library, f"drawn_{work.name}")
                    call.restype = ctypes.c_char_p
                    pointers = arrays.pointers()
                    message = call((ctypes.c_void_p * len(pointers))(*pointers), 0, None)
                    self.assertIsNone(message)
                    outputs = [one.name for one in work.outputs]
                    reference = expected(work, Access(work, arrays), 0.0)
                    found = wrong(work, reference, lambda i, at: arrays.gather(outputs[i], at), is_peer=False)
                    self.assertIsNone(found)


class Plain:
    """Numba's loops as Python runs them: for tests of what they compute, where there is no Numba."""
    prange = range

    @staticmethod
    def njit(**options):
        return lambda function: function

    @staticmethod
    def get_num_threads():
        return 3


class Peers(unittest.TestCase):
    """NumPy's functions and Numba's loops compute what the references do."""

    def check(self, most_bytes, count, numba):
        from checking import Access, expected, unit_of_16_bits, wrong
        from numpy_arrays import NumpyArrays
        from numpy_results import results_of
        for number in range(count):
            work = draw_workload(SEED, number, most_bytes)
            arrays = NumpyArrays(work)
            reference = expected(work, Access(work, arrays), unit_of_16_bits(work))

            def check(gather):
                self.assertIsNone(wrong(work, reference, gather, is_peer=True))
            names = {"numpy": __import__("numpy")}
            if work.numpy_source:
                with self.subTest(f"NumPy, workload {number} of seed {SEED}: {work.description}"):
                    exec(compile(work.numpy_source, work.name, "exec"), names)
                    given = [one.value if one.is_scalar else arrays.views[one.name] for one in work.inputs]
                    results = results_of(work, names["work"](*given))
                    check(lambda i, at: results[i][tuple(at)])
            if work.numba_source:
                with self.subTest(f"Numba, workload {number} of seed {SEED}: {work.description}"):
                    for one in work.operands:
                        if one.role == "update":
                            arrays.flat[one.name][:] = 0
                    exec(compile(work.numba_source, work.name, "exec"), names)
                    given = [one.value if one.is_scalar else arrays.views[one.name] for one in work.operands]
                    try:
                        names["make"](numba, False)(*given)
                    except OverflowError:
                        self.skipTest("numbers of Python do not wrap around")
                    check(lambda i, at: arrays.gather(work.outputs[i].name, at))

    def test_small_ones(self):
        self.check(2e3, MANY, Plain)

    def test_folds_in_parts(self):
        self.check(3e5, SMALL, Plain)


def build(folder):
    """One library of all small workloads, built for the CPU. Their specs are one file, whose headers are read once."""
    works = [draw_workload(SEED, number, MOST_BYTES) for number in range(SMALL)]
    spec = folder / "all.kernels.cpp"
    spec.write_text("".join(work.spec for work in works))
    subprocess.run([TOOLS["foldwise"], "-w", "--backend=cpu", f"--out-dir={folder}", str(spec), "--", "-std=c++20",
                    f"-I{TOOLS['include']}", "-w"], check=True)
    calls = "".join(f"DRAWN_CALL({work.name}) {{\n    {work.call}\n}}\n" for work in works)
    (folder / "calls.cpp").write_text(f'#include "all.kernels.launch.cpp"\n\n#include "call.hpp"\n\n{calls}')

    def compiled(name, level):
        source, compiled_file = str(folder / name), str(folder / name) + ".o"
        subprocess.run([TOOLS["compiler"], *OPTIONS, level, f"-I{folder}", "-c", source, "-o", compiled_file],
                       check=True)
        return compiled_file

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, ["all.kernels.cpu.cpp", "calls.cpp"], ["-O1", "-O0"]))
    program = folder / "libdrawn.so"
    subprocess.run([TOOLS["compiler"], "-shared", "-fopenmp", "-o", str(program), *objects, *TOOLS["libraries"]],
                   check=True)
    return ctypes.CDLL(str(program)), works


if __name__ == "__main__":
    unittest.main()
