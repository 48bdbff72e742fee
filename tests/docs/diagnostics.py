#!/usr/bin/env python3
"""Checks the code in docs/diagnostics.md: what a comment says is reported is reported, and nothing else.

usage: diagnostics.py GENERATOR INCLUDE_FOLDER PAGE PRECOMPILED_HEADER

A block consists of declarations, in groups with empty lines between them. Each declaration becomes a spec together with
the earlier ones of its group, but for those that have a message or its own name. If its lines have a comment such as
`// FW007`, the generator has to report FW007 and nothing else; if not, it has to accept the spec without a warning.
What a reader does not need to see is in comments before a block:

    <!-- test: setup CODE -->   declarations before it
    <!-- test: then CODE -->    declarations after it, such as a kernel that calls it
    <!-- test: in CODE -->      declarations with a `...`, in whose place each line of the block stands
    <!-- test: alone WHY -->    its specs are files of their own
    <!-- test: skip REASON -->  it is not tested
"""
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDES = "".join(f"#include <{name}>\n" for name in (
    "foldwise/spec.hpp", "algorithm", "array", "atomic", "cmath", "cstdint", "cstdio", "cstdlib", "functional",
    "iostream", "span", "tuple", "vector"))
COMMENT = re.compile(r"// (FW\d{3}(?:, FW\d{3})*)\b")


def messages_in(declaration):
    """What its comments say is reported."""
    return {number for numbers in COMMENT.findall(declaration) for number in numbers.split(", ")}


def declarations(text):
    """The declarations of a group: from a line in the first column to where all of its brackets are closed again."""
    found, lines, depth = [], [], 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        lines.append(line)
        code = line.split("//")[0]
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth == 0 and (code.rstrip().endswith((";", "}")) or line.startswith("#")):
            found.append("\n".join(lines))
            lines = []
    if lines:
        sys.exit(f"a declaration does not end: {lines[0]}")
    return found


def name_of(declaration):
    """What a later declaration of the same would have as well: a variable's name, or a function with its parameters."""
    code = declaration.split("//")[0]
    variable = re.match(r"(?:template <[^>]*> )?auto (\w+) =", code)
    return variable[1] if variable else code.split("{")[0].strip()


def specs_of(block, said):
    """The specs that a block stands for, each with the messages that it has to get."""
    setup, then = said.get("setup", ""), said.get("then", "")
    for group in re.split(r"\n\s*\n", block.strip("\n")):
        if "in" in said:
            for statement in declarations(group):
                yield setup + "\n" + said["in"].replace("...", statement + "\n", 1), messages_in(statement)
            continue
        earlier = []
        for declaration in declarations(group):
            if declaration.startswith("#"):
                earlier.append(declaration)
                continue
            messages = messages_in(declaration)
            before = [other for other in earlier if name_of(other) != name_of(declaration)]
            spec = "\n".join([setup, *before, declaration, then])
            if "foldwise::" in spec:
                yield spec, messages
            if not messages:
                earlier = [*before, declaration]


def blocks_of(page):
    """The line, text and directives of each C++ block."""
    said, text, pattern = {}, page.read_text(), r"<!-- test: (\S+)\s*(.*?)-->|^```(\w*)\n(.*?)^```"
    for found in re.finditer(pattern, text, re.S | re.M):
        if found[1]:
            said[found[1]] = said.get(found[1], "") + found[2]
        else:
            if found[3] == "cpp":
                yield text.count("\n", 0, found.start()) + 2, found[4], said
            said = {}


def messages_of(generator, include, spec, options, more=()):
    """The numbers, or texts without one, of a spec's errors and warnings, by line; and all that is printed. If the
    generator failed without one, there is a text under line 0."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "page.kernels.cpp")
        file.write_text(spec)
        ran = subprocess.run(
            [generator, "--backend=cpu", f"--out-dir={folder}", *options, file, "--", "-std=c++20", "-ferror-limit=0",
             "-Wno-unused", "-Wno-vla-cxx-extension", f"-I{include}", *more], capture_output=True, text=True)
    found = {}
    for line, message in re.findall(r"page\.kernels\.cpp:(\d+):\d+: (?:error|warning): (.*)", ran.stderr):
        number = re.search(r"\[(FW\d{3})", message)
        found.setdefault(int(line), set()).add(number[1] if number else message)
    if ran.returncode != 0 and not found:
        found[0] = {"a failure that is not in the spec"}
    return found, ran.stderr


def main():
    generator, include, page, precompiled = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
    wrong, together, texts, line = [], [], [INCLUDES], INCLUDES.count("\n") + 1

    def judge(place, spec, expected, found, printed):
        if found != expected:
            texts = [", ".join(sorted(numbers)) or "nothing" for numbers in (expected, found)]
            wrong.append(f"{place}: {texts[0]} was to be reported, not {texts[1]}, for\n{spec}\n{printed}")

    count = 0
    for place, block, said in blocks_of(page):
        if "skip" in said:
            continue
        place = f"{page.name}:{place}"
        specs = list(specs_of(block, said))
        if not specs:
            wrong.append(f"{place}: no kernel is in this block")
        for number, (spec, expected) in enumerate(specs):
            count += 1
            if "alone" in said:
                # Headers are precompiled, which some messages depend on: those are looked for without as well.
                for more in (["-include-pch", precompiled], []):
                    found, printed = messages_of(generator, include, INCLUDES + spec, [], more)
                    if set().union(*found.values()) == expected:
                        break
                judge(place, spec, expected, set().union(*found.values()), printed)
                continue
            # In one file, in namespaces of their own: most of the time is Clang's for the headers.
            text = f"namespace block_{len(together)} {{\n{spec}\n}}\n"
            together.append((place, spec, expected, range(line, line + text.count("\n"))))
            texts.append(text)
            line += text.count("\n")
    found, printed = messages_of(generator, include, "".join(texts), ["-Wunbounded-loop"])
    for place, spec, expected, lines in together:
        judge(place, spec, expected, set().union(*(found.get(number, set()) for number in lines)), "")
    unplaced = set(found) - {number for *_, lines in together for number in lines}
    wrong += [f"{page.name}: {found[number]} outside of all blocks" for number in unplaced]
    if wrong:
        wrong.append(printed)
    if count < 100:
        wrong.append(f"{page.name} has only {count} specs that this script can read")
    print("\n".join(wrong) or f"{count} specs get the messages that the page says")
    sys.exit(bool(wrong))


main()
