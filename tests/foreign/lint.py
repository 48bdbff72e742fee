# tests/foreign/lint.py: docs/independent-code.md gives each function the verdict that the tests here show.
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
here = source / "tests/foreign"
# A function in an expression: a library's own, not std::abs or a class that is an argument of it.
call = re.compile(r"\b((?:glm|boost|Eigen)::[\w:]+|stb_\w+)(?:<\w+>)?\(")

shown = {}
table = (here / "functions.def").read_text()
for row in re.findall(r"^WORKS\(.*?\)$", table, re.M | re.S):
    shown[call.search(row)[1]] = "works as it is"
for spec in sorted((here / "refused").glob("*.kernels.cpp")):
    shown[re.findall(call, spec.read_text())[-1]] = "refused"

page = (source / "docs/independent-code.md").read_text()
rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| ([^|]+) \|", page, re.M)
said = {re.sub(r"<\w+>$", "", name): verdict for name, verdict in rows}

wrong = [f"docs/independent-code.md: {n}: '{said.get(n)}', the tests show '{v}'" for n, v in shown.items()
         if said.get(n) != v]
wrong += [f"docs/independent-code.md: {n} is not tested" for n in said if n not in shown]
if len(said) != len(rows):
    wrong.append("docs/independent-code.md has two rows for one function")
print("\n".join(wrong) or "nothing is wrong")
sys.exit(bool(wrong))
