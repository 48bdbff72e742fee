"""Runs array-api-tests with functions of kernels, and writes README.md: python3 report.py TESTS [EXAMPLES [--check]]

TESTS is a checkout of github.com/data-apis/array-api-tests with its submodule; EXAMPLES, the number of examples of each
test, is 100 unless told. With --check nothing is written. It fails if a test fails for a reason that is not in the list
below.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import foldwise_namespace

FOLDER = pathlib.Path(__file__).parent
FILES = [
    "test_operators_and_elementwise_functions",
    "test_statistical_functions",
    "test_utility_functions",
    "test_special_cases",
    "test_signatures",
]
# Why a test does not apply: by its name and what it said, the first that fits.
REASONS = [
    (
        "test_(sum|prod|cumulative_sum)",
        r"does not take \(u?int\d+, dtype=u?int\d+\)",
        "`dtype=` of integers that lack values of the array's: elements are never cast so unasked",
    ),
]


def run(tests, name, examples):
    """The outcome of each test of a file, by its name: what it said if it failed, None if it was skipped, else ""."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.xml"
        environment = {
            **os.environ,
            "ARRAY_API_TESTS_MODULE": "foldwise_namespace",
            "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")]),
        }
        command = ["-m", "pytest", "-q", "-p", "selection", "-p", "no:cacheprovider", "--tb=line"]
        command += ["--disable-deadline"]
        command += ["--max-examples", examples, "--derandomize", f"--junitxml={results}", f"array_api_tests/{name}.py"]
        done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, cwd=tests)
        if not results.exists():
            raise SystemExit(done.stdout + done.stderr)
        outcomes = {}
        for case in xml.etree.ElementTree.parse(results).iter("testcase"):
            failed = [one for one in case if one.tag in ("failure", "error")]
            skipped = any(one.tag == "skipped" for one in case)
            outcomes[case.get("name")] = failed[0].get("message") if failed else None if skipped else ""
        return outcomes


def reason_of(test, message):
    for name, text, reason in REASONS:
        if re.search(name, test) and re.search(text, message):
            return reason
    return None


def main():
    tests, examples = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else "100"
    rows, failed, unexplained = [], collections.defaultdict(collections.Counter), []
    for name in FILES:
        outcomes = run(tests, name, examples)
        count = collections.Counter(
            "passed" if said == "" else "skipped" if said is None else "failed" for said in outcomes.values()
        )
        for test, said in outcomes.items():
            if said:
                reason = reason_of(test, said)
                if reason is None:
                    unexplained.append(f"{name}::{test}: {said[:300]}")
                failed[reason or "**not explained**"][f"{name}::{test.split('[')[0]}"] += 1
        rows.append(f"| `{name}.py` | {count['passed']} | {count['failed']} | {count['skipped']} |")
        print(name, dict(count), flush=True)
    print(*unexplained, sep="\n")
    if "--check" in sys.argv:
        return bool(unexplained)
    elementwise = ", ".join(f"`{one}`" for one in foldwise_namespace.ELEMENTWISE)
    folds = ", ".join(f"`{one}`" for one in foldwise_namespace.FOLDS)
    lines = [
        "# The tests of the array API standard, run against functions of kernels",
        "",
        "`report.py` writes this page. It runs `array-api-tests`, the suite for libraries of the standard, with",
        "functions of [`standard.kernels.cpp`](standard.kernels.cpp) in NumPy's namespace",
        "([`foldwise_namespace.py`](foldwise_namespace.py)); [`selection.py`](selection.py) leaves those tests that",
        "call them. Nothing of the suite is copied here.",
        "",
        f"Elementwise: {elementwise}. They are the module's functions as they are.",
        "",
        f"Folds: {folds}. The namespace adds what is the standard's own: sums and products of narrow integers have 64",
        "bits, `all` and `any` take every type, `cumulative_sum` may begin with zero.",
        "",
        f"NumPy {foldwise_namespace.__version__}, version {foldwise_namespace.__array_api_version__} of the standard, "
        f"{examples} examples for each test:",
        "",
        "| file | pass | do not apply | skipped by the suite |",
        "|---|---|---|---|",
        *rows,
        "",
    ]
    if failed:
        lines += ["Those that do not apply, and why:", "", "| why | tests |", "|---|---|"]
        for reason, counts in sorted(failed.items()):
            names = ", ".join(f"`{one}`" + (f" ({n})" if n > 1 else "") for one, n in sorted(counts.items()))
            lines.append(f"| {reason} | {names} |")
        lines.append("")
    lines += [
        "What is not tested, since a module of kernels does not have it: arrays and their operators, which are",
        "NumPy's, PyTorch's or another library's; and functions that make, join, sort, search or index arrays.",
        "",
        "`run.sh PYTHON TESTS` builds the module and compares with the reasons above; `run.sh PYTHON TESTS report`",
        "writes this page. PYTHON has NumPy, pytest, hypothesis and ndindex; TESTS is a checkout of the suite with its",
        "submodule.",
    ]
    (FOLDER / "README.md").write_text("\n".join(lines) + "\n")
    return bool(unexplained)


if __name__ == "__main__":
    sys.exit(main())
