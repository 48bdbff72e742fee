# tests/report/verdicts.py: what bench/report makes of cells: who is a peer, what is won, tied and lost, how far runs
# agree, and what is saved of a part that was stopped.
import importlib.util
import pathlib
import runpy
import sys
import tempfile
import unittest

BENCH = pathlib.Path(sys.argv.pop(1)) / "bench"
sys.path.insert(0, str(BENCH))
from report_cells import count, disagreements, load, mark_impossible, percentile, rows_of, size_text  # noqa: E402
from report_tables import headline, suite_table, summary  # noqa: E402
from results_file import read_lines, write  # noqa: E402

report = runpy.run_path(str(BENCH / "report"))


def cells(times, n=1000, case="sum", **more):
    """One workload; a text in place of a time says why there is none."""
    return [{"suite": "reduce", "case": case, "type": "float", "n": n, "bytes": 4 * n, "impl": impl, **more,
             **({"why": us} if isinstance(us, str) else {"us": us})} for impl, us in times.items()]


def row(times, **more):
    (only,) = rows_of(cells(times, **more))
    return only


class Verdicts(unittest.TestCase):
    def test_two_per_cent_are_a_tie(self):
        for own, verdict in ((97.9, "won"), (98.1, "tied"), (100, "tied"), (101.9, "tied"), (102.1, "lost")):
            self.assertEqual(row({"foldwise": own, "cub": 100}).verdict(), verdict, own)

    def test_the_fastest_peer_counts(self):
        only = row({"foldwise": 10, "cub": 20, "jax": 9, "pytorch": 30})
        self.assertEqual((only.best_peer(), only.verdict()), ("jax", "lost"))

    def test_a_copy_is_no_peer_and_neither_is_another_setting(self):
        only = row({"foldwise": 10, "copy": 5, "copy in": 5, "foldwise checked": 5, "openmp_fast": 5, "cub": 11})
        self.assertEqual((only.best_peer(), only.verdict()), ("cub", "won"))

    def test_what_has_no_time_is_lost_if_it_is_ours_and_left_out_if_it_is_not(self):
        self.assertEqual(row({"foldwise": "WRONG", "cub": 20}).verdict(), "lost")
        self.assertEqual(row({"foldwise": 10, "cub": 20, "jax": "no memory"}).best_peer(), "cub")

    def test_what_no_memory_can_do_counts_for_nobody(self):
        n = 10**8
        copy_rate = 4 * n / 100.0  # so 100 microseconds are a copy's rate, and 87 possible
        for own, jax, verdict in ((100, 86, "won"), (100, 88, "lost"), (86, 200, None), (88, 200, "won")):
            measured = cells({"foldwise": own, "cub": 120, "jax": jax}, n=n)
            mark_impossible(measured, copy_rate)
            (only,) = rows_of(measured)
            self.assertEqual(only.verdict(), verdict, (own, jax))
            self.assertEqual("86.00?" in suite_table("reduce", [only], copy_rate), 86 in (own, jax))
        for small_or_host in (cells({"jax": 1}, n=10**6), cells({"jax": 1}, n=n, suite="host")):
            mark_impossible(small_or_host, copy_rate)
            self.assertEqual(rows_of(small_or_host)[0].peers(), {"jax": 1})

    def test_nobody_wins_alone(self):
        self.assertIsNone(row({"foldwise": 10, "jax": "no memory"}).verdict())
        self.assertIsNone(row({"cub": 10, "jax": 20}).verdict())

    def test_counts_are_of_workloads(self):
        rows = rows_of(cells({"foldwise": 1, "cub": 2, "jax": 3}) + cells({"foldwise": 1, "cub": 1}, n=10) +
                       cells({"foldwise": 3, "cub": 2}, case="dot") + cells({"cub": 2}, case="max"))
        self.assertEqual(count(rows), {"won": 1, "tied": 1, "lost": 1})

    def test_shapes_and_files_make_rows(self):
        rows = rows_of(cells({"foldwise": 1}, shape="10x100") + cells({"foldwise": 1}, shape="100x10") +
                       cells({"cub": 1}, shape="100x10"))
        self.assertEqual([sorted(one.cells) for one in rows], [["foldwise"], ["cub", "foldwise"]])

    def test_sizes_of_a_case_follow_each_other(self):
        came = [("sum", 10**6), ("dot", 10**6), ("sum", 1000), ("dot", 10**4)]
        rows = rows_of([cell for case, n in came for cell in cells({"cub": 1}, n=n, case=case)])
        self.assertEqual([(row.case, row.n) for row in rows],
                         [("sum", 1000), ("sum", 10**6), ("dot", 10**4), ("dot", 10**6)])

    def test_what_is_lost_is_shown(self):
        rows = rows_of(cells({"foldwise": 20, "cub": 10}) + cells({"foldwise": "WRONG", "cub": 10}, case="dot"))
        page = summary(rows) + suite_table("reduce", rows, 1e6)
        self.assertIn("| reduce | sum | float | 10³ | 20.00 | cub | 10.00 | 2.00 |", page)
        self.assertIn("| reduce | dot | float | 10³ | – | cub | 10.00 | WRONG |", page)
        self.assertEqual(page.count("**lost**"), 2)
        self.assertIn("| reduce | 2 | 0 | 0 | 2 | 0.0 % |", page)
        self.assertIn("- foldwise WRONG: dot float 10³", page)


    def test_all_suites_are_counted_together(self):
        rows = rows_of(cells({"foldwise": 1, "cub": 2}) + cells({"foldwise": 2, "cub": 2}, suite="other") +
                       cells({"foldwise": 3, "cub": 2}, suite="other", n=10))
        self.assertIn("| other | 2 | 0 | 1 | 1 | 50.0 % |\n| **all** | 3 | 1 | 1 | 1 | 66.7 % |", summary(rows))


    def test_the_headline_is_of_the_run(self):
        rows = rows_of(cells({"foldwise": 1, "cub": 2}) + cells({"foldwise": 3, "cub": 2}, case="dot"))
        line = headline({"gpu": "G1", "date": "2026-11-21T19:30", "commit": "abc"}, rows)
        self.assertIn("G1 · 2026-11-21 · abc: 2 workloads", line)
        self.assertIn("1 won, 0 tied within 2 %, 1 lost; 50.0 % won or tied", line)


def drawn(number, times, bytes=1e6):
    return [cell | {"case": f"7.{number} sum", "seed": 7, "number": number, "family": "fold", "kind": "sum",
                    "description": f"sum number {number}", "bytes": bytes} for cell in cells(times)]


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "the page comes with a picture")
class Drawn(unittest.TestCase):
    def test_the_page_counts_and_shows_the_worst_first(self):
        from report_drawn import mean_ratio, page
        rows = rows_of(drawn(0, {"foldwise": 1, "pytorch": 2, "copy": 0.5}) +
                       drawn(1, {"foldwise": 8, "torch.compile": 4, "copy": 2}) +
                       drawn(2, {"foldwise": "WRONG: out0[1] is 3, not 4", "cupy": 4}) +
                       drawn(3, {"foldwise": "the time was over", "cupy": "the time was over"}))
        self.assertAlmostEqual(mean_ratio(rows), 1)
        text = page([{"seed": 7, "count": 4}], rows, "picture.svg")
        self.assertIn("| **all** | 3 | 1 | 0 | 2 | 33 % | 1.00 |", text)
        worst = text.partition("## The worst")[2]
        self.assertLess(worst.index("sum number 2"), worst.index("sum number 1"))
        self.assertLess(worst.index("sum number 1"), worst.index("sum number 0"))
        self.assertIn("- foldwise, workload 2 of seed 7 (sum number 2): WRONG: out0[1] is 3, not 4", text)
        self.assertNotIn("sum number 3", text)

    def test_large_workloads_are_compared_with_a_copy(self):
        from report_drawn import page
        rows = rows_of(drawn(0, {"foldwise": 100, "pytorch": 200, "copy": 90}, 2e8))
        self.assertIn("1 workloads of 10⁸ bytes and more the median is at 0.90", page([{"seed": 7, "count": 1}], rows, ""))


    def test_the_page_says_where_the_work_was_done(self):
        from report_drawn import page
        rows = rows_of(drawn(0, {"foldwise": 1, "numba": 2}))
        on_cpu = page([{"kind": "drawn-cpu", "seed": 7, "count": 1}], rows, "")
        on_gpu = page([{"kind": "drawn", "seed": 7, "count": 1}], rows, "")
        self.assertIn("# Workloads drawn at random, on the CPU\n", on_cpu)
        self.assertIn("users of\nPyTorch, NumPy and Numba write", on_cpu)
        self.assertIn("# Workloads drawn at random\n", on_gpu)
        self.assertNotIn("Numba", on_gpu)


class Runs(unittest.TestCase):
    def test_large_arrays_are_compared_and_small_ones_are_not(self):
        a = rows_of(cells({"foldwise": 10, "cub": 20, "copy": 1}, n=10**7) + cells({"foldwise": 1, "cub": 2}))
        b = rows_of(cells({"foldwise": 11, "cub": 20, "copy": 2}, n=10**7) + cells({"foldwise": 9, "cub": 2}))
        found = disagreements(a, b)
        self.assertEqual([key[-1] for key in found], ["cub"])
        self.assertAlmostEqual(*found.values(), 0.1)
        self.assertAlmostEqual(*disagreements(b, a).values(), 0.1)

    def test_percentiles(self):
        self.assertEqual([percentile(range(1, 11), p) for p in (10, 50, 95, 100)], [1, 5, 10, 10])

    def test_sizes(self):
        self.assertEqual([size_text(n) for n in (8, 10, 1000, 10**9, 1234567, 1 << 28)],
                         ["8", "10", "10³", "10⁹", "1 234 567", "2²⁸"])

    def test_text_between_marks_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "README.md")
            for old in ("", "old\n"):
                file.write_text(f"a\n<!-- bench:begin -->\n{old}<!-- bench:end -->\nb\n")
                report["replace_between_marks"](file, "new\n")
                self.assertEqual(file.read_text(), "a\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nb\n")
            file.write_text("no marks")
            report["replace_between_marks"](file, "new\n")
            self.assertEqual(file.read_text(), "no marks")

    def test_half_a_line_is_lost_and_no_more(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "part.jsonl")
            file.write_text('{"device": "x"}\n{"impl": "cub", "us": 1}\n{"impl": "ju')
            self.assertEqual(read_lines(file), [{"device": "x"}, {"impl": "cub", "us": 1}])
            self.assertEqual(read_lines(pathlib.Path(folder, "none.jsonl")), [])

    def test_a_file_is_json_with_a_cell_a_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "results.json")
            write(file, {"kind": "gpu", "parts": []}, cells({"cub": 1, "jax": 2}))
            run, rows = load(file)
            self.assertEqual(run, {"kind": "gpu", "parts": []})
            self.assertEqual(rows[0].peers(), {"cub": 1, "jax": 2})
            self.assertEqual(file.read_text().count('\n  {"suite"'), 2)


unittest.main()
