# tests/report/scaling.py: what bench/distributed/run.py makes of the lines of programs, and of programs that fail.
import contextlib
import io
import json
import pathlib
import runpy
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1)) / "bench" / "distributed"
sys.path.insert(0, str(FOLDER))
import peers  # noqa: E402

run = runpy.run_path(str(FOLDER / "run.py"))

# A bench_scaling of the test's own: PROGRAM GROUP RANKS options..., and through mpirun none.
PROGRAM = """#!/usr/bin/env python3
import sys
group, ranks = sys.argv[1:3]
if group == "mpi":
    sys.exit("there is no MPI")
if "--latency" in sys.argv:
    print(f"sum of 10^6\\t{group}\\tlatency\\t{ranks}\\t{10 * int(ranks)}.00 us")
else:
    kind = "strong" if "--strong" in sys.argv else "weak"
    took = 8 / int(ranks) if kind == "strong" else 8
    print("a message of another library")
    print(f"dot\\t{group}\\t{kind}\\t{ranks}\\t1000\\t{took}\\t1.00")
"""


class Scaling(unittest.TestCase):
    def test_lines_that_are_none_are_left_out(self):
        cells = run["cells_of"]("foldwise (mpi)", 2, "hello\ndot\tmpi\tweak\t2\t10\t0.5\t3.2\nx\tmpi\tlatency\t2\t1.5 us\n")
        self.assertEqual(cells, [{"workload": "dot", "implementation": "foldwise (mpi)", "kind": "weak", "ranks": 2,
                                  "elements": 10, "ms": 0.5, "GB/s": 3.2},
                                 {"workload": "x", "implementation": "foldwise (mpi)", "kind": "latency", "ranks": 2,
                                  "us": 1.5}])

    def test_tables_show_shares_and_factors(self):
        cells = [{"workload": "dot", "implementation": "a", "kind": kind, "ranks": n, "ms": ms, "elements": 1, "GB/s": 1}
                 for kind, times in (("weak", (4, 5)), ("strong", (4, 2.5))) for n, ms in zip((1, 2), times)]
        self.assertIn("| dot | a | 4 ms | 5 ms, 80% |", run["table_of"](cells, "weak", [1, 2]))
        self.assertIn("| dot | a | 4 ms | 2.5 ms, 1.60x |", run["table_of"](cells, "strong", [1, 2]))
        self.assertIn("| dot | a | 4 ms | – |", run["table_of"](cells[:1], "weak", [1, 2]))

    def test_rows_are_shared_as_arrays_are(self):
        self.assertEqual([peers.share_of(10, rank, 4) for rank in range(4)], [3, 3, 2, 2])
        self.assertEqual(peers.shape_of(1_000_000, 2), (200, 5000))

    def test_what_fails_is_listed_and_the_rest_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(PROGRAM)
            program.chmod(0o755)
            sys.argv = ["run.py", "--program", str(program), "--cpu", "--only-own", "--ranks", "1,2", "--out", folder]
            with contextlib.redirect_stdout(io.StringIO()) as page, contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaises(SystemExit) as ended:
                    run["main"]()
            self.assertEqual(ended.exception.code, 0)
            text = page.getvalue()
            self.assertIn("| dot | foldwise (threads) | 8 ms | 8 ms, 100% |", text)
            self.assertIn("| dot | foldwise (threads) | 8 ms | 4 ms, 2.00x |", text)
            self.assertIn("| foldwise (threads) | sum of 10^6 | 10.00 µs | 20.00 µs |", text)
            self.assertIn("- foldwise (mpi), ranks: 2, weak: ", text)
            found = json.loads((pathlib.Path(folder) / "distributed.json").read_text())
            self.assertEqual(len(found["cells"]), 6)
            self.assertEqual({one["implementation"] for one in found["not measured"]}, {"foldwise (mpi)"})


if __name__ == "__main__":
    unittest.main()
