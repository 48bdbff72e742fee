# tests/ptx/header_macros.py: reads the macros of a compilation (-E -dM) from its input, and fails with those that the
# generator's table (HeaderMacros.inc) does not have, or has as the other kind.
import re
import sys

OBJECTS, FUNCTIONS = (set(names.split()) for names in re.findall(r'R"\((.*?)\)"', open(sys.argv[1]).read(), re.S))

found = re.findall(r"^#define ([A-Za-z]\w*)(\(?)", sys.stdin.read(), re.M)
if not found:
    sys.exit("no macros in the input")
missing = [name + parenthesis for name, parenthesis in found if name not in (FUNCTIONS if parenthesis else OBJECTS)]
if missing:
    sys.exit(f"not in {sys.argv[1]}: {' '.join(missing)}")
