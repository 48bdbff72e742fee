"""Prints the body of one kernel: kernel.py FILE.ptx SYMBOL wide|any|flat|tiled|transposed|strided, or of tasks: plain|views."""
import re
import sys

path, symbol, access = sys.argv[1:]
instance = {"wide": "accessE0", "any": "accessE1", "flat": "accessE2", "tiled": "accessE3",
            "transposed": "accessE4", "strided": "accessE5",
            "plain": "view_layoutE0", "views": "view_layoutE1"}[access]
with open(path) as file:
    bodies = re.findall(r"^\.visible \.entry (\S+)\(.*?^\{(.*?)^\}", file.read(), re.M | re.S)
found = [body for name, body in bodies if re.search(rf"\d{symbol}I\w*{instance}", name)]
if len(found) != 1:
    sys.exit(f"{path}: {len(found)} kernels are called {symbol} <{access}>, among {[name for name, _ in bodies]}")
print(found[0])
