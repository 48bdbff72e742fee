"""Prints each function of an emitted .cpu.cpp and whether the compiler reports its loop as vector code:
report.py FILE COMPILER [OPTION...]. Compilers name a line of the function's, the loop's own or one of its body."""
import pathlib
import re
import subprocess
import sys

path, compiler, *options = sys.argv[1:]
report = "-Rpass=loop-vectorize" if "clang" in compiler else "-fopt-info-vec-optimized"
run = subprocess.run([compiler, "-std=c++20", "-O3", "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math",
                      "-ffp-contract=off", *options, report, "-c", path, "-o", "/dev/null"],
                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
if run.returncode != 0:
    sys.exit(run.stdout)
name = re.escape(pathlib.Path(path).name)
vectorised = {int(line) for line in re.findall(rf"{name}:(\d+):\d+:.*(?:loop vectorized|vectorized loop)", run.stdout)}

function, begin = None, 0
for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
    if match := re.match(r"FOLDWISE_CPU_KERNEL(?:_WITHOUT_FMA)? void (?:run_)?(\w+)\(", line):
        function, begin = match[1], number
    elif function and line == "}":
        print(function, "vectorised" if vectorised & set(range(begin, number)) else "not vectorised")
        function = None
