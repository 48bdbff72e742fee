"""What the kinds of tasks have in common.

A reference is given an `access` (see checking.py) and says of every output what it holds at some places:
(coordinates, values, bounds).
"""
import dataclasses

import numpy

import probabilities as p
from element_types import TYPES
from elementwise import fill_of
from workload import Operand

LETTERS, CUPY_LETTERS = "ijkl", "rstu"  # of coordinates; CuPy has an i of its own


@dataclasses.dataclass
class Task:
    what: str
    tasks: tuple
    operands: list
    body: list
    torch: list
    reference: object
    compiled: list = None
    cupy: list = None
    cupy_kernel: str = ""
    numpy: list = None  # where CuPy's, with NumPy's name, are no function of NumPy's
    given: dict = dataclasses.field(default_factory=dict)  # what its kind has drawn
    missing: dict = dataclasses.field(default_factory=dict)
    features: set = dataclasses.field(default_factory=set)
    moved: float = 0  # bytes, where not everything in the operands is looked at


def number(value, type_name):
    return f"{value!r}" + "f" * (type_name != "double")


def as_float(text, type_name):
    return f"static_cast<float>({text})" if type_name == "half" else text


def back(text, type_name):
    return f"static_cast<foldwise::half>({text})" if type_name == "half" else text


def computed(type_name):
    return "double" if type_name == "double" else "float"


def unit_of(type_name, unit16=0.0):
    return max(TYPES[computed(type_name)].unit, unit16 if type_name == "half" else 0.0)


def after_store(value, error, type_name):
    least = 2.0**-24 if type_name == "half" else 1e-44
    return value, error + TYPES[type_name].unit * (numpy.abs(value) + error) + least


def coordinates(rank):
    return "const std::int64_t " + ", ".join(f"{LETTERS[at]} = at[{at}]" for at in range(rank)) + ";"


def element_operand(draw, kind, name, shape, role="in"):
    """An array of a type of TASK_ELEMENTS, which may be a struct."""
    if kind.startswith("struct"):
        return Operand(name, "float", shape, role, ("uniform", -1.0, 1.0), members=int(kind[-1]), struct="numbers")
    return Operand(name, kind, shape, role, fill_of(draw, kind))


def draw_element(draw):
    kind = draw.weighted(p.TASK_ELEMENTS)
    return f"struct{draw.weighted(p.STRUCT_NUMBERS)}" if kind == "struct" else kind


def size_of(kind):
    return 4 * int(kind[-1]) if kind.startswith("struct") else TYPES[kind].bytes
