"""Whether mypy finds what is wrong in user.py, and nothing else. MYPYPATH has functions.pyi: python3 check_types.py"""

import pathlib
import re
import subprocess
import sys

program = pathlib.Path(__file__).with_name("user.py")
wanted = {number for number, line in enumerate(program.read_text().splitlines(), 1) if "# error:" in line}
run = subprocess.run(
    [sys.executable, "-m", "mypy", "--strict", "--cache-dir=.mypy", str(program)], capture_output=True, text=True
)
found = {int(number) for number in re.findall(r"user\.py:(\d+): error", run.stdout)}
elsewhere = [line for line in run.stdout.splitlines() if ": error" in line and "user.py:" not in line]
assert wanted and found == wanted and not elsewhere, f"errors in lines {found}, not {wanted}\n{run.stdout}{run.stderr}"
print("types: passed")
