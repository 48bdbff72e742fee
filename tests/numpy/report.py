"""Runs NumPy's own tests of universal functions against ours, and writes README.md: python3 report.py [--check]

With --check nothing is written: it fails if a test fails for a reason that is not in the list below.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).parent
FILES = ["test_ufunc", "test_umath", "test_mem_overlap"]
PACKAGE = "numpy._core.tests" if int(np.__version__.split(".")[0]) >= 2 else "numpy.core.tests"
ELEMENTS = "elements that kernels do not have: objects, text, dates, long doubles, rationals"
TYPES = "types that the module's function was not given: it lists its own"
LOGICAL = "NumPy knows its logical functions by their names, and has a loop for every type"
# Why a test does not apply: by its name and what it said, the first that fits.
REASONS = [
    ("test_signature_dtype_instances", "No loop", ELEMENTS),
    (
        "",
        r"^(TypeError|AssertionError: Regex).*(object|timedelta|datetime|float128|complex256|\|V|\|S|<U|\bU\d"
        r"|typecode 'r'|rational|longdouble|has elements of)",
        ELEMENTS,
    ),
    (
        r"test_(ufunc_)?at_(inner|no_loop|basic)|test_at_negative|accumulate|reduceat|complex_nans|test_reduce"
        "|test_weird",
        "not supported for the input types|No loop matching|coerced",
        ELEMENTS,
    ),
    (
        "test_sqrt_values|test_power_complex|branch_cuts|avx_based|test_reduce_complex|TestMaximum|TestBitwise"
        "|test_initial_reduction|test_reduce_identity",
        "does not take|dt =|not supported|No loop",
        TYPES,
    ),
    ("TestAttributes", "", TYPES),
    ("test_logical_ufuncs|test_reduce|test_initial|test_identity", "", LOGICAL),
    (
        "test_casting_out_param|out_casterrors|input_casterrors",
        "",
        "a result is never cast unasked to an output that would lose values",
    ),
    (
        "large_integer|huge_integers|unsigned_signed|safety_scalar_special|object_nonbool",
        "",
        "NumPy's comparisons take integers of any size; ours have the types that they list",
    ),
    (
        "overflow|divide_by_zero|divmod_errors|division",
        "",
        "NumPy's integer loops raise floating-point flags where they divide by zero or overflow",
    ),
    (
        "TestBool::test_exceptions",
        "",
        "the module's `negative` has no loop that refuses booleans, which go to int8 safely",
    ),
    (
        "spurious_fpexception",
        "",
        "a list of exceptions that names NumPy's `sqrt` is compared with our function",
    ),
    (
        "::test_ufunc_override|newdoc|ufunc_docstring|test_replace_loop",
        "",
        "the test wants an object of `numpy.ufunc`: `__array_ufunc__` is given the one behind ours",
    ),
    (
        "TestUFuncInspectSignature",
        "",
        "our signatures name outputs, and `casting` is `'safe'` unless it is said",
    ),
    ("test_invalid_args", "", "another text of the same exception"),
]


def run(name):
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.json"
        environment = {
            **os.environ,
            "HARNESS_RESULTS": str(results),
            "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")]),
        }
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "harness",
                "-p",
                "no:cacheprovider",
                "--tb=line",
                "--pyargs",
                f"{PACKAGE}.{name}",
            ],
            env=environment,
            capture_output=True,
            text=True,
            cwd=folder,
        )
        if not results.exists():
            raise SystemExit(done.stdout + done.stderr)
        return json.loads(results.read_text())


def reason_of(test, message):
    for name, text, reason in REASONS:
        if re.search(name, test) and re.search(text, message):
            return reason
    return None


def main():
    rows, failed, unexplained = [], collections.defaultdict(collections.Counter), []
    for name in FILES:
        outcomes = collections.Counter()
        for test, result in run(name).items():
            test = test.split("::", 1)[-1]
            if not result["ours"]:
                outcomes["no call"] += 1
                continue
            outcomes[result["outcome"]] += 1
            if result["outcome"] == "failed":
                reason = reason_of(test, result["message"])
                if reason is None:
                    unexplained.append(f"{name}::{test}: {result['message'][:300]}")
                failed[reason or "**not explained**"][f"{name}::{test.split('[')[0]}"] += 1
        rows.append((name, outcomes))
    for line in unexplained:
        print(line)
    total = sum((outcomes for _, outcomes in rows), collections.Counter())
    print(
        f"NumPy {np.__version__}: {total['passed']} of its tests that call our functions pass, "
        f"{total['failed']} do not apply"
    )
    if "--check" in sys.argv:
        return bool(unexplained)
    lines = [
        "# NumPy's own tests, run against functions of kernels",
        "",
        "`report.py` writes this page. It runs the tests of NumPy's universal functions that are installed, with the",
        "functions of [`ufuncs.kernels.cpp`](ufuncs.kernels.cpp) in the place of NumPy's ([`harness.py`](harness.py)):",
        "`add`, `multiply`, `subtract`, `divide`, `divmod`, `modf`, `negative`, `sqrt`, the logical functions,",
        "comparisons, `bitwise_and`, `maximum`, and `inner1d`, `matrix_multiply`, `cross1d` and `cumsum` as",
        "generalised ones. Nothing of NumPy is copied here. A test that looks at several types or functions does not",
        "apply as a whole if one of them does not.",
        "",
        f"NumPy {np.__version__}:",
        "",
        "| file | call our functions and pass | do not apply | call none of ours |",
        "|---|---|---|---|",
    ]
    for name, outcomes in rows:
        lines.append(f"| `{name}.py` | {outcomes['passed']} | {outcomes['failed']} | {outcomes['no call']} |")
    lines += ["", "Those that do not apply, and why:", "", "| why | tests |", "|---|---|"]
    for reason, tests in sorted(failed.items()):
        listed = ", ".join(f"`{test}`" + (f" ({count})" if count > 1 else "") for test, count in sorted(tests.items()))
        lines.append(f"| {reason} | {listed} |")
    lines += [
        "",
        "[`fuzz.py`](fuzz.py) makes random calls of the same functions and of NumPy's, right and wrong ones, whose",
        "results have to be equal, or exceptions of the same kind. `run.sh PYTHON` builds the module and runs both;",
        "`run.sh PYTHON 10000 SEED` makes so many calls, and `run.sh PYTHON report` writes this page.",
    ]
    (FOLDER / "README.md").write_text("\n".join(lines) + "\n")
    return bool(unexplained)


if __name__ == "__main__":
    raise SystemExit(main())
