"""Prints the body of one kernel: kernel.py FILE.ptx SYMBOL INSTANCE, an instance of any pattern by its name."""
import pathlib
import re
import sys

TABLES = pathlib.Path(__file__).resolve().parents[2] / "runtime/include/foldwise/detail"

path, symbol, wanted = sys.argv[1:]
numbers = {}
for pattern, enumeration in (("forall", "view_layout"), ("vectorize", "vectorize_instance"), ("reduce", "reduce_instance"),
                             ("scan", "scan_instance"), ("scatter", "scatter_instance"), ("guvectorize", "item_layout"),
                             ("stencil", "stencil_layout")):
    table = (TABLES / f"{pattern}_instances.def").read_text()
    names = re.findall(rf"^FOLDWISE_{pattern.upper()}_INSTANCE\((\w+)", table, re.M)
    for number, name in enumerate(names):
        numbers.setdefault(name, []).append(f"{enumeration}E{number}E")
instance = "|".join(numbers[wanted])
with open(path) as file:
    bodies = re.findall(r"^\.visible \.entry (\S+)\(.*?^\{(.*?)^\}", file.read(), re.M | re.S)
found = [body for name, body in bodies if re.search(rf"\d{symbol}I\w*({instance})", name)]
if len(found) != 1:
    sys.exit(f"{path}: {len(found)} kernels are called {symbol} <{wanted}>, among {[name for name, _ in bodies]}")
print(found[0])
