#!/usr/bin/env python3
"""Tests the blocks of documentation pages that blocks.py leaves out: what the generator prints, and Python.

usage: printed.py outputs GENERATOR INCLUDE_FOLDER COMPILER PAGE...
       printed.py python PAGE...        with the module `stats` of python.kernels.cpp and NumPy in Python's path

What a reader does not need to see is in comments before a block:

    <!-- test: output CODE -->   the spec of which the generator prints the block. Its name is in the first line
    <!-- test: call CODE -->     with `output`: a call, of which GCC prints the block without lines of code
    <!-- test: setup CODE -->    statements before a Python block
    <!-- test: then CODE -->     statements after it, such as `assert z[0] == 2`
    <!-- test: needs MODULE -->  a Python block is run where there is this module, which is imported before it

The Python blocks of a page run one after the other, with the same variables. Every other block of a page that is
neither C++ nor CMake is in the list below, which says why it is not tested here.
"""
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

in_package = "is run in a package of its own: tests/package/template.sh builds it"
checked = "is printed by a checked build while it runs: tests/run/checks_test.cpp compares such messages"
of_wheel = "is run by tests/package/wheel.sh, which has a wheel"
OUTSIDE = {  # the page and how a block begins: why it is outside
    ("README.md", "./dev demo"): "builds everything: tests of the project run the steps of ./dev",
    ("README.md", "./dev install"): "is run by tests/package/installed.sh, which has an installed copy",
    ("README.md", "rounding.kernels.cpp:11: index 9"): checked,
    ("cmake.md", "If:\n  PathMatch"): "is for clangd, which tests do not need",
    ("cmake.md", "cmake -S . -B build"): "is what tests/package does with every project",
    ("coming-from.md", "import numpy as np\nfrom numba"): "is Numba's, and needs a GPU",
    ("debugging.md", "rounding.kernels.cpp:11: index 9"): checked,
    ("debugging.md", "$ FOLDWISE_EXECUTOR=simulator gdb"): "is a session of gdb",
    ("debugging.md", "$ cuda-gdb"): "needs a GPU",
    ("debugging.md", "$ compute-sanitizer"): "needs a GPU",
    ("debugging.md", "$ ncu"): "needs a GPU",
    ("python.md", "[build-system]"): in_package,
    ("python.md", "from .kernels import"): in_package,
    ("python.md", "CMAKE_PREFIX_PATH="): in_package,
    ("python.md", "pip install --find-links"): of_wheel,
    ("python.md", "import foldwise, numpy"): "compiles for minutes: tests/package/inline.sh builds such modules",
    ("python.md", "%load_ext foldwise"): "is IPython's: tests/package/inline.sh runs such cells",
}
DIRECTIVES = {"output", "call", "setup", "then", "needs"}


class Block:
    def __init__(self, page, line, language, text, said):
        self.page, self.line, self.language, self.text, self.said = page, line, language, text, said
        self.place = f"{page.name}:{line}"
        self.is_python = language == "python"

    def why_outside(self):
        """The key of the reason, or None."""
        return next((key for key in OUTSIDE if key[0] == self.page.name and self.text.startswith(key[1])), None)


def blocks_of(page):
    """The blocks that are neither C++ nor CMake, with their directives."""
    said, text = {}, page.read_text()
    for found in re.finditer(r"<!-- test: (\S+)\s*(.*?)\s*-->|^( *)```(\w*)\n(.*?)^ *```", text, re.S | re.M):
        if found[1]:
            said.setdefault(found[1], []).append(found[2])
            continue
        if found[4] not in ("cpp", "cmake"):
            yield Block(page, text.count("\n", 0, found.start(5)) + 1, found[4], found[5],
                        {word: "\n".join(all) for word, all in said.items() if word in DIRECTIVES})
        said = {}


def mistake_of_output(block, generator, include, compiler):
    """What is wrong with a block that shows what is printed of a spec or a call; None if it is what is printed."""
    name = re.match(r"([\w.]+\.kernels)\.[ch]pp", block.text)
    if not name:
        return "the block does not begin with a spec's name"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, name[1] + ".cpp")
        file.write_text(block.said["output"] + "\n")
        options = ["-std=c++20", f"-I{include}"]
        ran = subprocess.run([generator, "--backend=cpu", f"--out-dir={folder}", file, "--", *options],
                             capture_output=True, text=True)
        if "call" in block.said:
            call = pathlib.Path(folder, "call.cpp")
            call.write_text(f'#include "{name[1]}.hpp"\n#include <vector>\n{block.said["call"]}\n')
            ran = subprocess.run([compiler, *options, "-fsyntax-only", "-fno-diagnostics-show-caret", call],
                                 capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"})
        printed = ran.stderr.replace(f"{folder}/", "")
    shown, lines = block.text.splitlines(), printed.splitlines()
    has_all = any(lines[i:i + len(shown)] == shown for i in range(len(lines)))
    return None if has_all else f"what is printed is\n{printed}"


def run_outputs(generator, include, compiler, pages):
    wrong, unused, count = [], set(OUTSIDE), 0
    for block in (block for page in pages for block in blocks_of(page)):
        outside = block.why_outside()
        unused.discard(outside)
        if "output" in block.said:
            count += 1
            mistake = mistake_of_output(block, generator, include, compiler)
            if mistake:
                wrong.append(f"{block.place}: {mistake}")
        elif not outside and not block.is_python:
            wrong.append(f"{block.place}: a block that is not tested, and OUTSIDE has no reason")
    wrong += [f"{page}: no block begins with {start!r}" for page, start in unused]
    return wrong, f"{count} blocks are what is printed"


def run_python(pages):
    wrong, count = [], 0
    for page in pages:
        names = {}
        for block in blocks_of(page):
            if not block.is_python or block.why_outside():
                continue
            if module := block.said.get("needs"):
                try:
                    names[module] = importlib.import_module(module)
                except ImportError:
                    print(f"{block.place}: SKIPPED, {module} is not installed")
                    continue
            count += 1
            text = f"{block.said.get('setup', '')}\n{block.text}\n{block.said.get('then', '')}\n"
            try:
                exec(compile(text, block.place, "exec"), names)
            except Exception as error:
                wrong.append(f"{block.place}: {type(error).__name__}: {error}, in\n{text}")
    return wrong, f"{count} Python blocks run"


def main():
    if sys.argv[1] == "outputs":
        wrong, done = run_outputs(*sys.argv[2:5], [pathlib.Path(page) for page in sys.argv[5:]])
    else:
        wrong, done = run_python([pathlib.Path(page) for page in sys.argv[2:]])
    print("\n".join(wrong) or done)
    sys.exit(bool(wrong))


main()
