# tests/errors/lint.py: every message of the frontend is tested and explained; Clang's headers stay in frontend/, and
# patterns in files of their own.
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
wrong = []

table = (source / "generator/frontend/Diagnostics.def").read_text()
warnings = re.findall(r'^FOLDWISE_WARNING\((\w+), (\d+), "([a-z-]+)", (?:On|Off), "', table, re.M)
rows = re.findall(r'^FOLDWISE_DIAGNOSTIC\((\w+), (\d+), (\w+), "', table, re.M)
rows += [(name, number, "Warning") for name, number, _ in warnings]
ids = [f"FW{int(number):03}" for _, number, level, _ in [(n, i, l, None) for n, i, l in rows] if level != "Note"]
if not ids or not warnings:
    wrong.append("Diagnostics.def has no rows that this script can read")
if len(set(number for _, number, _ in rows)) != len(rows):
    wrong.append("Diagnostics.def uses an ID twice")

page = (source / "docs/diagnostics.md").read_text()
sections = re.findall(r'^## <a id="(fw\d{3})"></a>(FW\d{3}): ', page, re.M)
for anchor, identifier in sections:
    if anchor != identifier.lower():
        wrong.append(f"docs/diagnostics.md: anchor {anchor} of {identifier}")
explained = [identifier for _, identifier in sections]
wrong += [f"docs/diagnostics.md has {after} behind {before}: sections are in the order of their numbers"
          for before, after in zip(explained, explained[1:]) if after <= before]
wrong += [f"docs/diagnostics.md has no section for {i}" for i in ids if i not in explained]
wrong += [f"docs/diagnostics.md explains {i}, which does not exist" for i in explained if i not in ids]

reasons = re.findall(r"struct (\w+)\s*: mistake",
                     (source / "runtime/include/foldwise/detail/wrong_call.hpp").read_text())
calls = page.partition('<a id="calls">')[2]
beginnings = re.findall(r"`(\w+?)_?(?:\.\.\.)?`", "".join(re.findall(r"^\| ([^|]*) \|", calls, re.M)))
wrong += [f"docs/diagnostics.md does not explain the mistake {name} in a call" for name in reasons
          if not any(name.startswith(beginning) for beginning in beginnings)]
wrong += [f"docs/diagnostics.md explains the mistake {beginning} in a call, which does not exist"
          for beginning in beginnings if not any(name.startswith(beginning) for name in reasons)]
if not reasons or not beginnings:
    wrong.append("wrong_call.hpp or its table has no rows that this script can read")

specs = "".join(spec.read_text(errors="replace") for spec in (source / "tests/errors").glob("*.kernels.cpp"))
tested = set(re.findall(r"// expected-\w+@?\S* .*?\[(FW\d{3})(?:, -W[a-z-]+)?\]", specs))
tested |= set(re.findall(r"\\\[(FW\d{3})\\\]", (source / "tests/errors/deep.py").read_text()))
wrong += [f"tests/errors has no spec that expects {i}" for i in ids if i not in tested]
wrong += [f"tests/errors expects {i}, which does not exist" for i in tested if i not in ids]

for _, number, option in warnings:
    section = page.partition(f"FW{int(number):03}: ")[2].partition("\n## ")[0]
    if f"`-W{option}`" not in section:
        wrong.append(f"docs/diagnostics.md does not name -W{option} in the section of FW{int(number):03}")

code = "".join(file.read_text() for file in (source / "generator").rglob("*.cpp"))
wrong += [f"no code reports {name}" for name, _, _ in rows if f"Message::{name}" not in code]

for file in sorted((source / "generator").rglob("*")):
    if file.suffix in (".cpp", ".hpp", ".def") and file.parent.name != "frontend":
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if re.search(r'[<"]clang/|clang::', line):
                wrong.append(f"{file.relative_to(source)}:{number}: Clang outside generator/frontend/")

patterns = re.findall(r"^FOLDWISE_PATTERN\((\w+), \w+, ", (source / "generator/model/Patterns.def").read_text(), re.M)
if not patterns:
    wrong.append("Patterns.def has no rows that this script can read")
for name in patterns:
    for file in sorted((source / "generator").rglob("*.?pp")):
        if name in file.stem:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if not line.startswith("#include") and re.search(rf"\b(Pattern::{name}|{name}(Spec|Signature))\b", line):
                wrong.append(f"{file.relative_to(source)}:{number}: {name} belongs in files of its own")

print("\n".join(wrong) or "nothing is wrong")
sys.exit(bool(wrong))
