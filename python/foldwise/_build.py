"""Builds a module from a spec in a build tree of CMake's, which modules with the same compilers share."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

from . import _cache, _toolchain
from ._installation import PACKAGE, cmake_folder

_PROJECT = PACKAGE / "project"


class BuildError(RuntimeError):
    """A spec cannot be built. The text is what the generator or the compiler says, at the lines of the spec."""

    def _render_traceback_(self, *_: object) -> "list[str]":
        # For IPython: the place is in the text, and not in Python's code.
        return str(self).splitlines()


BuildError.__module__ = "foldwise"  # where users have it from


class Request(typing.NamedTuple):
    """What is to be built."""

    spec: pathlib.Path  # the file, which is called <module>.kernels.cpp
    called: str  # the name that messages have for it
    module: str
    backends: "tuple[str, ...]"
    keywords: "tuple[str, ...]"  # of foldwise_add_python_module
    compiler_options: "tuple[str, ...]"
    include_folders: "tuple[str, ...]"
    is_verbose: bool


class Built(typing.NamedTuple):
    file: pathlib.Path
    stub: "pathlib.Path | None"
    inputs: "list[str]"  # all files that the module was made of


def build(tree: pathlib.Path, request: Request) -> Built:
    """The module's file, in the tree, of which nobody else makes use meanwhile."""
    _cache.make_folder(tree)
    for name in ("diagnostics.txt", "dependencies.d"):
        (tree / name).unlink(missing_ok=True)
    (tree / "module.cmake").write_text(_description(request))
    try:
        _run(tree, request, _configure(tree, request))
    except BuildError:
        shutil.rmtree(tree, ignore_errors=True)  # what a later configuration would find there is half done
        raise
    common = tree / "common.txt"  # what CMake calls the archive of what modules have in common, unless it is installed
    if common.is_file() and not os.path.exists(common.read_text()):
        print(
            "foldwise: compiling what all modules have in common, which is done once and takes a minute or more",
            file=sys.stderr, flush=True,
        )  # fmt: skip
    _run(tree, request, [_cmake(), "--build", str(tree), "--target", request.module, "--parallel"])

    outputs = tree / "foldwise/inlined"
    (file,) = outputs.glob(f"{request.module}.*so")
    stub = outputs / f"{request.module}.pyi"
    inputs = _read_dependencies((tree / "dependencies.d").read_text())
    inputs += (tree / "inputs.txt").read_text().splitlines()
    inputs = [path for path in inputs if path != str(request.spec)]
    shutil.rmtree(tree / f"{request.module}_kernels", ignore_errors=True)
    shutil.rmtree(tree / "CMakeFiles" / f"{request.module}.dir", ignore_errors=True)
    return Built(file, stub if stub.is_file() else None, inputs)


def say_warnings(tree: pathlib.Path, request: Request) -> None:
    """What the generator has said of a spec that it could build."""
    text = _readable((tree / "diagnostics.txt").read_text(), request)
    if text and not request.is_verbose:
        print(text, file=sys.stderr)


def _cmake() -> str:
    found = _toolchain.find_tool("cmake")
    if found is None:
        raise BuildError("foldwise.inline needs CMake 3.25 or later, and there is none: pip install cmake ninja")
    return found


def _configure(tree: pathlib.Path, request: Request) -> "list[str]":
    command = [_cmake(), "-S", str(_PROJECT), "-B", str(tree)]
    if not (tree / "CMakeCache.txt").is_file():
        ninja = _toolchain.find_tool("ninja")
        command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"] if ninja else ["-G", "Unix Makefiles"]
        command += [
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DFoldwise_DIR={cmake_folder}",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DCMAKE_CUDA_ARCHITECTURES={_toolchain.cuda_architectures()}",
        ]
        if "cuda" in request.backends and not os.environ.get("CUDACXX") and _toolchain.nvcc():
            command.append(f"-DCMAKE_CUDA_COMPILER={_toolchain.nvcc()}")
    return command


def _description(request: Request) -> str:
    def quoted(values):
        return " ".join(f"[==[{value}]==]" for value in values)

    return (
        f"set(module {request.module})\n"
        f"set(spec {quoted([request.spec])})\n"
        f"set(backends {' '.join(request.backends)})\n"
        f"set(keywords {quoted(request.keywords)})\n"
        f"set(compiler_options {quoted(request.compiler_options)})\n"
        f"set(include_folders {quoted(request.include_folders)})\n"
    )


def _run(tree: pathlib.Path, request: Request, command: "list[str]") -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DESTDIR", "NINJA_STATUS")}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True,
        errors="replace",
    )  # fmt: skip
    lines = []
    with process:
        for line in process.stdout:
            lines.append(line)
            if request.is_verbose:
                print(_readable(line, request), file=sys.stderr)
    if process.returncode == 0:
        return
    diagnostics = tree / "diagnostics.txt"
    said = diagnostics.read_text() if diagnostics.is_file() else ""
    if not re.search(r"\berror: ", said):
        said = "".join(lines)  # what else has failed: CMake, a compiler, the linker
    raise BuildError(_readable(said, request))


def _readable(text: str, request: Request) -> str:
    return text.replace(str(request.spec), request.called).replace(request.spec.name, request.called).rstrip("\n")


def _read_dependencies(rule: str) -> "list[str]":
    """The files behind the colon of a rule of Make's."""
    inputs = re.split(r":(?=\s)", rule, maxsplit=1)[1].replace("\\\n", " ")
    names = re.findall(r"(?:\\.|[^\s\\])+", inputs)
    return [re.sub(r"\\([ #:\\])", r"\1", name).replace("$$", "$") for name in names]
