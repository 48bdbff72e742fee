"""Writes the stub of a built module: python stubs.py MODULE.so STUB.pyi. It needs neither NumPy nor a GPU."""

import importlib.machinery
import importlib.util
import pathlib
import sys

SCALARS = {"bool": "np.bool_", "bfloat16": "Any", "record": "np.void", "object": "Any"}
HEAD = '''\
# The types of the module {module}, which Foldwise has written. Do not edit.
# mypy: disable-error-code="overload-overlap, misc"
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt


class _ArrayOfLibrary(Protocol):
    """An array of PyTorch, CuPy, JAX or another library."""

    def __dlpack__(self, *arguments: Any, **keywords: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...


_Array = TypeVar("_Array", bound=_ArrayOfLibrary)
_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order = Literal["K", "A", "C", "F"]
'''
OPTIONS = {
    "axis": "int | Sequence[int] | None",
    "axes": "list[Any] | None",
    "by_key": "npt.ArrayLike | _ArrayOfLibrary | None",
    "casting": "_Casting",
    "dtype": "Any",
    "exclusive": "bool",
    "initial": "Any",
    "keepdims": "bool",
    "order": "_Order",
    "out": "Any",
    "reverse": "bool",
    "segments": "npt.ArrayLike | _ArrayOfLibrary | None",
    "shape": "int | Sequence[int] | None",
    "steps": "int",
    "stream": "Any",
    "subok": "bool",
    "where": "Any",
}
# What Python calls the numbers that an operand of each kind takes.
NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def scalar(type):
    return SCALARS.get(type, "np." + type)


def array(type):
    name = scalar(type)
    return f"npt.NDArray[{name}]"


def numbers(type):
    return NUMBERS.get(type[0] if type != "bfloat16" else "f", "np.void")


class Function:
    def __init__(self, name, function):
        self.name, self.documentation, self.about = name, function.__doc__, function._description
        self.pattern = self.about["pattern"]
        self.operands = 1 if self.pattern in ("forall", "blocks") else 0  # a shape comes first

    def parameters(self, types, changed={}):
        """The parameters of a call whose operands have these types."""
        texts = []
        required, positional = self.about["required"], self.about["positional"]
        for i, parameter in enumerate(self.about["parameters"]):
            name, default = parameter["name"], parameter["default"]
            if i == positional:
                texts.append("*")
            if i < self.operands:
                type = OPTIONS["shape"].replace(" | None", "")
            elif i < required:
                type = types[i - self.operands]
            else:
                is_one_axis = name == "axis" and self.pattern in ("scan", "guvectorize")
                option = changed.get(name) or ("int | None" if is_one_axis else OPTIONS.get(name))
                option = option if parameter["is_option"] else None
                type = option or ("Any" if i < positional else "int | None")
            texts.append(f"{name}: {type}" + (f" = {default}" if default else ""))
            rest = self.about["parameters"][i + 1 :]
            if parameter["is_positional_only"] and not (rest and rest[0]["is_positional_only"]):
                texts.append("/")
        return texts

    def results(self, signature, make):
        types = [make(output["type"]) for output in signature["outputs"]]
        return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"

    def overloads(self):
        """The types of the operands, those of options that matter, and the result of each call."""
        signatures = self.about["signatures"]
        if self.pattern in ("forall", "blocks"):
            for signature in signatures:
                types = []
                for one in signature["inputs"]:
                    exact = array(one["type"])
                    types.append(
                        f"{exact} | _ArrayOfLibrary"
                        if one["axes"]
                        else f"{numbers(one['type'])} | {scalar(one['type'])}"
                    )
                yield types, {}, "None"
            return
        elementwise = self.pattern == "vectorize"
        for signature in signatures:
            inputs = signature["inputs"]
            if elementwise and inputs and not any(one["axes"] for one in inputs):
                yield [scalar(one["type"]) for one in inputs], {"out": "None", "shape": "None"}, self.results(
                    signature, scalar
                )
        for signature in signatures:
            types = []
            for one in signature["inputs"]:
                whole = one["axes"] or one["core"]
                weak = "" if whole else f" | {numbers(one['type'])} | {scalar(one['type'])}"
                types.append(array(one["type"]) + weak)
            if self.pattern == "reduce":
                changed = {"axis": "None", "keepdims": "Literal[False]", "out": "None", "segments": "None"}
                yield types, changed, self.results(signature, scalar)
            yield types, {}, self.results(signature, array)
        count = len(signatures[0]["inputs"])
        if count:
            outputs = len(signatures[0]["outputs"])
            result = "_Array" if outputs == 1 else f"tuple[{', '.join(['_Array'] * outputs)}]"
            anything = "Any" if outputs == 1 else f"tuple[{', '.join(['Any'] * outputs)}]"
            yield ["npt.NDArray[Any] | np.generic | complex"] * count, {}, anything
            yield ["_Array"] + ["_Array | complex"] * (count - 1), {}, result
            yield ["npt.ArrayLike | _ArrayOfLibrary"] * count, {}, anything

    def definitions(self, name, is_method, indent):
        all = list(self.overloads())
        seen, kept = set(), []
        for types, changed, result in all:
            parameters = self.parameters(types, changed)
            if is_method:
                is_taken = any(one["name"] == "self" for one in self.about["parameters"])
                parameters.insert(0, "_self" if is_taken else "self")
            if tuple(parameters) not in seen:
                seen.add(tuple(parameters))
                kept.append((parameters, result))
        lines = []
        for number, (parameters, result) in enumerate(kept):
            if len(kept) > 1:
                lines.append(indent + "@overload")
            end = f") -> {result}:" + ("" if number == 0 else " ...")
            line = f"{indent}def {name}({', '.join(parameters)}{end}"
            if len(line) > 120:
                within = ",\n" + indent + "    "
                line = f"{indent}def {name}(\n{indent}    {within.join(parameters)},\n{indent}{end}"
            lines.append(line)
            if number == 0:
                lines += self.docstring(indent + "    ")
        return lines

    def docstring(self, indent):
        text = self.documentation.rstrip("\n").replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        lines = ['"""' + text.split("\n")[0], *text.split("\n")[1:], '"""']
        return [(indent + line).rstrip() for line in lines]

    def text(self):
        if self.pattern not in ("vectorize", "guvectorize", "reduce"):
            return self.definitions(self.name, False, "")
        lines = [f"class _{self.name}:"] + self.definitions("__call__", True, "    ")
        attributes = {
            "__name__": "str",
            "__qualname__": "str",
            "types": "list[str]",
            "dtypes": "list[tuple[np.dtype[Any], ...]]",
        }
        if self.pattern != "reduce":
            attributes |= {
                "nin": "int",
                "nout": "int",
                "nargs": "int",
                "ntypes": "int",
                "signature": "str | None",
                "identity": "Any",
            }
        lines += [f"    {name}: {type}" for name, type in attributes.items()]
        if self.pattern == "reduce":
            lines += [
                "    def partial(self, *arguments: Any, axis: int | Sequence[int] | None = None, "
                "keepdims: bool = False, "
                "initial: Any = None, out: Any = None, **options: Any) -> Any: ...",
                "    def from_partials(self, partials: Any, axis: int | Sequence[int] | None = None, *, "
                "keepdims: bool = False, "
                "initial: Any = None, out: Any = None, stream: Any = None) -> Any: ...",
            ]
        if self.about["is_ufunc"]:
            for name in "reduce", "accumulate", "outer", "at", "reduceat":
                result = "None" if name == "at" else "Any"
                lines.append(f"    def {name}(self, *arguments: Any, **options: Any) -> {result}: ...")
        return lines + ["", "", f"{self.name}: _{self.name}", *self.docstring("")]


def stub(module):
    lines = HEAD.format(module=module.__name__).splitlines()
    for name in dir(module):
        function = getattr(module, name)
        if getattr(function, "_description", None):
            lines += ["", "", *Function(name, function).text()]
    return "\n".join(lines) + "\n"


def load(path):
    """The module in a file, which may be built for a package, before it has any functions, and what fills it."""
    name = path.name.split(".")[0]
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(specification)
    return module, lambda: loader.exec_module(module)


def main(path, stub_path):
    try:
        module, fill = load(path)
    except ImportError as error:  # such as one with a sanitizer, or for another machine
        print(f"no stub of {path}, which cannot be imported here: {error}")
        return 0
    try:
        fill()
    except ImportError as error:  # whatever imports it
        print(f"{path.name}: error: {error}", file=sys.stderr)
        return 1
    stub_path.write_text(stub(module), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
