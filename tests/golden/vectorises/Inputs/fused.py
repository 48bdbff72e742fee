"""Prints which kernels of an emitted file have fused multiply-add instructions, and which have vectors of 512 bits:
fused.py FILE COMPILER [OPTION...]. Functions that are not inlined count for the file."""
import pathlib
import re
import subprocess
import sys
import tempfile

path, compiler, *options = sys.argv[1:]
quiet = [] if "clang" in compiler else ["-fno-tree-slp-vectorize"]
with tempfile.TemporaryDirectory() as folder:
    built = pathlib.Path(folder) / "kernels.o"
    subprocess.run([compiler, "-std=c++20", "-O3", "-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math",
                    "-ffp-contract=off", "-w", *quiet, *options, "-c", path, "-o", built], check=True)
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", built], check=True, stdout=subprocess.PIPE,
                          text=True).stdout

kernels = "hamilton|turn|spread_all|spread|picked|interleaved|scalars|one_element|dot|fused"
fuses, wide, seen = set(), set(), set()
function = "the file"
for line in text.splitlines():
    if match := re.match(r"[0-9a-f]+ <(.*)>:$", line):
        found = re.search(rf"\d(?:run_|fold_columns_|fold_|join_)?({kernels})(?:_|E)", match[1])  # mangled
        function = found[1] if found else "the file"
        seen.add(function)
    elif re.search(r"\tvfn?m(add|sub)", line):
        fuses.add(function)
    elif "%zmm" in line:
        wide.add(function)
print("looked at", len(seen - {"the file"}), "kernels")
for name in sorted(fuses):
    print(f"{name}: fuses")
for name in sorted(wide):
    print(f"{name} has vectors of 512 bits")
