#!/usr/bin/env python3
"""Turns the code blocks of documentation pages into programs and CMake projects, which the tests here build and run.

usage: blocks.py LANGUAGES OUT_FOLDER PAGE...     where LANGUAGES are CXX, or CXX;CUDA

Each page with C++ becomes a folder with its specs, a main.cpp that runs its other blocks in order, each in a function of
its own, and a CMakeLists.txt that uses both. A block is part of a spec if it declares kernels. One that begins with
"// NAME.kernels.cpp" is the beginning of that file; others belong to the last such file of the page, or to
stats.kernels.cpp, and are in the namespace `stats` unless they open one themselves. CMake blocks become one project,
cmake/, with a folder for each. What a reader does not need to see is in comments before a block:

    <!-- test: setup CODE -->      statements before it; for a spec, declarations
    <!-- test: then CODE -->       statements after it, such as CHECK(out[0] == 1);
    <!-- test: declare CODE -->    declarations before it, at namespace scope
    <!-- test: spec CODE -->       kernels that the page does not show
    <!-- test: functions -->       it consists of declarations, not of statements
    <!-- test: compile REASON -->  it is compiled, but not run
    <!-- test: cuda -->            it needs nvcc: it is compiled where there is one, but not run
    <!-- test: host -->            it includes a spec itself, in place of the generated header
    <!-- test: skip REASON -->     it is not tested
    <!-- test: output CODE -->, call CODE, needs MODULE, and setup and then before Python: printed.py says what they are
    <!-- test: skip-page REASON -->  no block of this page is tested by this script

Every C++ and CMake block is tested, or says why it is not. printed.py tests other blocks.
"""
import pathlib
import re
import sys

CODE = {"cpp", "cmake"}
OTHER = {"", "python", "sh", "text", "toml"}
WITH_TEXT = {"setup", "then", "declare", "spec", "output", "call", "needs"}
OF_OTHERS = {"output", "call", "needs", "setup", "then"}
WITH_REASON = {"skip", "skip-page", "compile"}
ALONE = {"functions", "cuda", "host"}
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"].*$\n?", re.MULTILINE)
KERNEL = re.compile(r"\bfoldwise::(vectorize|reduce|scan|scatter|forall|blocks|guvectorize|stencil)\b")


class Block:
    def __init__(self, page, line, language, text, said):
        self.page, self.line, self.language, self.text, self.said = page, line, language, text, said
        self.place = f"{page.name}:{line}"
        self.is_spec = language == "cpp" and bool(KERNEL.search(text)) and "host" not in said

    def has(self, directive):
        return directive in self.said

    def get(self, directive):
        return "\n".join(self.said.get(directive, []))


def fail(place, message):
    sys.exit(f"{place}: {message}")


def read_directive(place, comment, said):
    word, text = (comment.split(None, 1) + ["", ""])[:2]
    text = text.strip()
    if word not in WITH_TEXT | WITH_REASON | ALONE:
        fail(place, f"there is no directive '{word}'")
    if (word in ALONE) == bool(text):
        needs = "code" if word in WITH_TEXT else "a reason"
        fail(place, f"'{word}' " + ("takes no text" if text else f"needs {needs}"))
    said.setdefault(word, []).append(text)


def read_page(page):
    """The code blocks of a page; none if the page is skipped."""
    blocks, said = [], {}
    lines = page.read_text().split("\n")
    number = 0
    while number < len(lines):
        line, start = lines[number], number + 1
        place = f"{page.name}:{start}"
        number += 1
        if line.startswith("<!-- test:"):
            comment = line
            while "-->" not in comment:
                if number == len(lines):
                    fail(place, "the comment does not end")
                comment += "\n" + lines[number]
                number += 1
            read_directive(place, comment[len("<!-- test:"):comment.index("-->")], said)
            if "skip-page" in said:
                return []
        elif line.lstrip().startswith("```"):
            language = line.strip().strip("`")
            if language not in CODE | OTHER:
                fail(place, f"a block of '{language}': it is cpp, cmake or one of {', '.join(sorted(OTHER - {''}))}")
            if language in CODE and line.startswith(" "):
                fail(place, "an indented block is not found by the tests")
            text = []
            while number < len(lines) and not lines[number].lstrip().startswith("```"):
                text.append(lines[number])
                number += 1
            if number == len(lines):
                fail(place, "the block does not end")
            number += 1
            if language in CODE:
                blocks.append(Block(page, start + 1, language, "\n".join(text) + "\n", said))
            elif set(said) - OF_OTHERS:
                fail(place, "directives before a block that is no code")
            said = {}
        elif said and line.strip():
            fail(place, "text between a directive and its block")
    if said:
        fail(f"{page.name}:{number}", "a directive without a block")
    return blocks


def lift_includes(text, includes):
    """The text without its #include lines, which are appended to `includes`."""
    for line in INCLUDE.findall(text):
        line = re.sub(r"\s*//.*", "", line).strip()
        if line not in includes:
            includes.append(line)
    return INCLUDE.sub("\n", text)


def in_namespace(text):
    if re.search(r"^namespace ", text, re.MULTILINE):
        return text
    return f"namespace stats {{\n{text}\n}}  // namespace stats\n"


class Program:
    """What the C++ blocks of one page become."""

    def __init__(self, page):
        self.page = page
        self.specs = {}  # name: [includes, text]
        self.current = "stats.kernels.cpp"
        self.includes, self.main, self.calls = [], [], []
        self.cuda_includes, self.cuda = [], []
        self.host_files = {}

    def add_spec(self, text, shown=True):
        named = re.match(r"// (\S+\.kernels\.cpp)\b", text) if shown else None
        if named:
            self.current = named[1]
        includes, parts = self.specs.setdefault(self.current, [["#include <foldwise/spec.hpp>"], []])
        text = lift_includes(text, includes)
        parts.append(text if named else in_namespace(text))

    def function(self, block, includes):
        name = f"{block.page.stem.replace('-', '_')}_{block.line}"
        where = f'#line {block.line} "{block.page.name}"\n'
        declared, then = lift_includes(block.get("declare"), includes), block.get("then")
        setup, text = lift_includes(block.get("setup"), includes), lift_includes(block.text, includes)
        if block.has("functions"):
            text = f"{setup}\n{where}{text}\n{'void' if block.has('host') else 'static void'} {name}() {{ {then} }}\n"
        else:
            text = f"void {name}() {{\n{setup}\n{where}{text}\n{then}\n}}\n"
        return name, f"{declared}\n{text}"

    def add(self, block):
        if block.has("spec"):
            self.add_spec(block.get("spec"), shown=False)
        if block.is_spec:
            if block.has("setup"):
                self.add_spec(block.get("setup"), shown=False)
            return self.add_spec(block.text)
        if block.has("cuda"):
            self.cuda.append(self.function(block, self.cuda_includes)[1])
        elif block.has("host"):
            includes = ['#include "doc.hpp"']
            name, text = self.function(block, includes)
            self.host_files[f"{name}.cpp"] = "\n".join(includes) + "\n\n" + text
            self.main.append(f"void {name}();\n")
            self.calls.append(name)
        else:
            name, text = self.function(block, self.includes)
            self.main.append(text)
            if not block.has("compile"):
                self.calls.append(name)

    def files(self):
        headers = [f'#include "{name.removesuffix(".cpp")}.hpp"' for name in self.specs]
        files = {}
        for name, (includes, parts) in self.specs.items():
            files[name] = "\n".join(includes) + "\n\n" + "\n".join(parts)
        top = '#include "doc.hpp"\n' + "\n".join(headers) + "\n"
        top_includes = [i for i in self.includes if i not in headers]
        calls = "".join(f"    run({name});\n" for name in self.calls)
        files["main.cpp"] = (top + "\n".join(top_includes) + "\n\n" + "\n".join(self.main) +
                             f"\nint main() {{\n{calls}    return doc_failures != 0;\n}}\n")
        if self.cuda:
            includes = [i for i in self.cuda_includes if i not in headers]
            files["cuda.cu"] = top + "\n".join(includes) + "\n\n" + "\n".join(self.cuda)
        files.update(self.host_files)
        target = "docs_" + self.page.stem.lower().replace("-", "_")
        sources = " ".join(["main.cpp", *self.host_files])
        kernels = " ".join(self.specs)
        files["CMakeLists.txt"] = (f"foldwise_add_page(TARGET {target} SOURCES {sources} KERNELS {kernels} "
                                   f"CUDA {'cuda.cu' if self.cuda else ''})\n")
        return files


def cmake_folder(block, languages):
    """A folder's files for a block, whose targets are renamed: all blocks are parts of one project."""
    text, number = block.text, block.line
    if "CUDA" not in languages:
        text = text.replace("LANGUAGES CXX CUDA", "LANGUAGES CXX").replace("BACKENDS cuda ", "BACKENDS ")
        text = re.sub(r"\s\w+\.cu\b", "", text)
    if not re.search(r"^\s*add_(executable|library)\(", text, re.MULTILINE) and "foldwise_add_kernels" in text:
        text = "add_executable(app main.cpp)\n" + text
    for target in dict.fromkeys(re.findall(r"^\s*add_(?:executable|library)\((\w+)", text, re.MULTILINE)):
        suffix = f"{block.page.stem.lower()}_{number}"
        text = re.sub(rf"(?<![\w./-]){target}(?=_kernels|Targets|\b(?![.:]))", f"{target}_{suffix}", text)
    files = {"CMakeLists.txt": text}
    for name in re.findall(r"(?<![\w*])[\w/]+\.(?:cpp|cu)\b|(?<![\w*])[\w/]+\.kernels\.cpp\b", text):
        files[name] = "#include <foldwise/spec.hpp>\n" if ".kernels." in name else "int main() {}\n"
    return files


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:  # what is as it was is not built again
            path.write_text(text)


def main():
    languages = sys.argv[1].split(";")
    out, pages = pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
    programs, cmake_folders = [], []
    for page in pages:
        program = Program(page)
        for block in read_page(page):
            if block.has("skip"):
                continue
            if block.language == "cmake":
                folder = f"{page.stem.lower()}_{block.line}"
                write(out / "cmake" / folder, cmake_folder(block, languages))
                cmake_folders.append(folder)
            else:
                program.add(block)
        if program.main:
            name = page.stem.lower()
            write(out / name, program.files())
            programs.append(name)
        elif program.specs:
            fail(page.name, "its kernels are called nowhere")
    if not programs or not cmake_folders:
        fail(out, "there are no blocks")
    write(out, {"pages.cmake": "set(pages_with_programs " + " ".join(programs) + ")\n"})
    write(out / "cmake", {"CMakeLists.txt":
        f"cmake_minimum_required(VERSION 3.25)\nproject(blocks LANGUAGES {' '.join(languages)})\n"
        "find_package(Foldwise CONFIG REQUIRED)\n" +
        "".join(f"add_subdirectory({folder})\n" for folder in cmake_folders)})


main()
