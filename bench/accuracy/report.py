#!/usr/bin/env python3
"""Writes the table of docs/numerics.md from what the program `accuracy` has measured.

usage: report.py [RESULTS.tsv...]     without any: those in docs/numerics/
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "numerics.md"
MARKS = "<!-- accuracy:begin -->", "<!-- accuracy:end -->"
# Title, backend and variants of each column. VECTOR_MATH and FAST_MATH call the same vector functions.
COLUMNS = (("CPU", "cpu", ("plain",)), ("CPU, `VECTOR_MATH` or `FAST_MATH`", "cpu", ("vector", "fast")),
           ("GPU", "cuda", ("plain",)), ("GPU, `FAST_MATH`", "cuda", ("fast",)))
TITLES = {"divide": "`x / y`"}


def load(files):
    """Errors by (backend, variant, type, function), everywhere and in the ordinary range; and what was measured."""
    errors, runs = {}, {}
    for file in files:
        lines = pathlib.Path(file).read_text().splitlines()
        backend, library, exponent = lines[0].removeprefix("# ").split("\t")
        runs[backend] = library, int(exponent)
        for line in lines:
            if line.startswith("#"):
                continue
            function, variant, kind, everywhere, _, _, ordinary, _, _ = line.split("\t")
            errors[backend, variant, kind, function] = float(everywhere), float(ordinary)
    return errors, runs


def ordinary_ranges():
    """The last arguments of each row of functions.def."""
    text = (pathlib.Path(__file__).parent / "functions.def").read_text()
    rows = re.findall(r"^(UNARY|BINARY)\((\w+), .*?((?:, -?[\d.e-]+){2,4})\)$", text, re.M)
    ranges = {}
    for _, name, numbers in rows:
        n = numbers.removeprefix(", ").split(", ")
        ranges[name] = ", ".join(f"{n[i]} … {n[i + 1]}" for i in range(0, len(n), 2))
    return ranges


def number(error):
    if error == float("inf"):
        return "∞"
    if error <= 0.5:
        return "0.5" if error > 0 else "0"
    if error < 99.5:
        return f"{error + 0.005:.2f}"  # rounded up: bounds stay bounds
    return f"{error:.1e}" if error >= 1e5 else f"{error:.0f}"


def cell(errors, backend, variants, kind, function):
    found = [errors[key] for variant in variants if (key := (backend, variant, kind, function)) in errors]
    if not found:
        return ""
    ordinary = number(max(each[1] for each in found))
    everywhere = number(max(max(each) for each in found))
    return ordinary if everywhere == ordinary else f"{ordinary} ({everywhere})"


def table(errors, runs):
    functions = list(dict.fromkeys(key[3] for key in errors))
    ranges = ordinary_ranges()
    columns = [column for column in COLUMNS if column[1] in runs]
    text = []
    for backend, (library, exponent) in sorted(runs.items()):
        floats = "all floats" if backend == "cuda" else f"2^{exponent} floats of all magnitudes"
        text.append(f"{backend.upper()}: {library}; functions of one float: {floats}; otherwise 2^{exponent} arguments of "
                    f"all magnitudes, and as many of the ordinary range.\n")
    for kind in ("float", "double"):
        text.append(f"\n### {kind}\n")
        text.append("| function | ordinary range | " + " | ".join(title for title, _, _ in columns) + " |")
        text.append("|---|---|" + "---|" * len(columns))
        for function in functions:
            cells = [cell(errors, backend, variants, kind, function) for _, backend, variants in columns]
            title = TITLES.get(function, f"`{function}`")
            text.append(f"| {title} | {ranges[function]} | " + " | ".join(cells) + " |")
    return "\n".join(text) + "\n"


def main():
    files = sys.argv[1:] or sorted((ROOT / "docs" / "numerics").glob("*.tsv"))
    if not files:
        sys.exit(__doc__)
    before, begin, rest = PAGE.read_text().partition(MARKS[0] + "\n")
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        sys.exit(f"{PAGE} has no lines {MARKS[0]} and {MARKS[1]}")
    PAGE.write_text(before + begin + table(*load(files)) + end + after)
    print(PAGE)


if __name__ == "__main__":
    main()
