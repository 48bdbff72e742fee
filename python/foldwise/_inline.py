"""foldwise.inline: from a spec in a string to a module, which is built once and then found in the cache."""

import importlib
import json
import keyword
import os
import pathlib
import re
import types
import typing

from . import _build, _cache, _toolchain, inlined

_BACKENDS = ("cpu", "cuda", "simulator")


def inline(
    spec: str,
    *,
    name: str = "spec",
    backends: "typing.Iterable[str] | None" = None,
    gradients: "typing.Mapping[str, str] | None" = None,
    options: "typing.Iterable[str]" = (),
    compiler_options: "typing.Iterable[str]" = (),
    cuda_options: "typing.Iterable[str]" = (),
    include_folders: "typing.Iterable[str | os.PathLike]" = (),
    checked: bool = False,
    vector_math: bool = False,
    contract: "bool | None" = None,
    fast_math: bool = False,
    reproducible: bool = False,
    verbose: bool = False,
) -> types.ModuleType:
    """Builds a module whose functions are the kernels of a spec, and imports it.

    `spec` is the text of a spec file: `#include <foldwise/spec.hpp>` and what follows. `name` is what messages call it,
    and how the module's name in `foldwise.inlined` begins. `backends` are of "cpu", "cuda" and "simulator"; without
    them, "cpu", and "cuda" where there are a GPU and nvcc. `gradients` names for functions those that compute their
    gradients. `options` are the generator's, such as "-Werror", `compiler_options` those of the C++ compiler, and
    `cuda_options` those of nvcc; headers are also looked for in `include_folders`. The others are keywords of the CMake
    function `foldwise_add_python_module`. With `verbose` all that CMake and compilers say is printed.

    A module is built the first time, which takes seconds, and later found by everything that decides what is built: the
    spec, the headers that it includes, these arguments, Foldwise, Python, the compilers and their variables, and the
    GPUs. It is kept in the folder FOLDWISE_CACHE_DIR, or else in `foldwise` in the user's cache folder. Processes and
    threads may do so at once, and only one of them builds.

    Raises BuildError, whose text is the generator's or the compiler's, at the lines of `spec`.
    """
    _check(spec, name)
    chosen = _names("backends", backends, _BACKENDS) if backends is not None else _toolchain.default_backends()
    texts = {
        "OPTIONS": _texts("options", options),
        "CUDA_OPTIONS": _texts("cuda_options", cuda_options),
        "GRADIENTS": tuple(f"{function}={gradient}" for function, gradient in (gradients or {}).items()),
        "CONTRACT": () if contract is None else ("ON" if contract else "OFF",),
    }
    switches = {"CHECKED": checked, "VECTOR_MATH": vector_math, "FAST_MATH": fast_math, "REPRODUCIBLE": reproducible}
    keywords = [word for word, is_on in switches.items() if is_on]
    for word, values in texts.items():
        keywords += [word, *values] if values else []
    compiler_options = _texts("compiler_options", compiler_options)
    include_folders = tuple(os.path.abspath(folder) for folder in include_folders)

    tools = _toolchain.describe(chosen, any("native" in option for option in compiler_options))
    key = _cache.key([tools, spec, name, keywords, compiler_options, include_folders])
    modules = _cache.folder() / "modules"
    if str(modules) not in inlined.__path__:  # the variable has been set after the import
        inlined.__path__.append(str(modules))
    entry = modules / f"{key}.json"
    known = _read(entry)
    if known is None or not _is_current(known):
        tree = _cache.folder() / "build" / _cache.key(tools)
        with _cache.locked(tree.with_name(f"{tree.name}.lock")):
            known = _read(entry)
            if known is None or not _is_current(known):
                # A module that has been loaded is never replaced: the next one has another name.
                generation = known["generation"] + 1 if known else 1
                module = f"{name}_{key}" + (f"_{generation}" if generation > 1 else "")
                request = _build.Request(
                    spec=modules / f"{module}.kernels.cpp", called=f"{name}.kernels.cpp", module=module,
                    backends=chosen, keywords=tuple(keywords), compiler_options=compiler_options,
                    include_folders=include_folders, is_verbose=verbose,
                )  # fmt: skip
                known = _build_into(entry, tree, request, spec, generation)
        importlib.invalidate_caches()
    return importlib.import_module(f"foldwise.inlined.{known['module']}")


def _build_into(entry: pathlib.Path, tree: pathlib.Path, request: _build.Request, text: str, generation: int) -> dict:
    _cache.make_folder(entry.parent)
    _cache.write(request.spec, text)  # where it stays: debuggers show it
    try:
        built = _build.build(tree, request)
    except BaseException:
        request.spec.unlink(missing_ok=True)
        raise
    os.replace(built.file, entry.parent / built.file.name)
    if built.stub:
        os.replace(built.stub, entry.parent / built.stub.name)
    known = {
        "module": request.module,
        "generation": generation,
        "file": built.file.name,
        "inputs": [_toolchain.stamp(path) for path in built.inputs],
    }
    _cache.write(entry, json.dumps(known))
    _build.say_warnings(tree, request)
    return known


def _read(entry: pathlib.Path) -> "dict | None":
    try:
        known = json.loads(entry.read_text())
    except FileNotFoundError:
        return None
    return known if (entry.parent / known["file"]).is_file() else None


def _is_current(known: dict) -> bool:
    return all(_toolchain.stamp(path) == [path, size, time] for path, size, time in known["inputs"])


def _check(spec: object, name: object) -> None:
    if not isinstance(spec, str):
        raise TypeError(f"spec has to be a str, the text of a spec, not {type(spec).__name__}")
    if not isinstance(name, str):
        raise TypeError(f"name has to be a str, not {type(name).__name__}")
    if keyword.iskeyword(name):
        raise ValueError(f"name '{name}' is a Python keyword")
    if not re.fullmatch(r"[A-Za-z][A-Za-z_0-9]*", name):
        raise ValueError(f"name '{name}' cannot be the beginning of a module's name: it has letters, digits and '_'")


def _texts(parameter: str, values: "typing.Iterable[str]") -> "tuple[str, ...]":
    if isinstance(values, str):
        raise TypeError(f"{parameter} has to be a list of str, not one str")
    values = tuple(values)
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{parameter} has to be a list of str, and has a {type(value).__name__}")
    return values


def _names(parameter: str, values: "typing.Iterable[str]", known: "tuple[str, ...]") -> "tuple[str, ...]":
    values = _texts(parameter, values)
    for value in values:
        if value not in known:
            raise ValueError(f"{parameter} has '{value}', and can have {', '.join(known)}")
    if not values:
        raise ValueError(f"{parameter} is empty; it can have {', '.join(known)}")
    return tuple(backend for backend in ("cuda", "cpu", "simulator") if backend in values)
