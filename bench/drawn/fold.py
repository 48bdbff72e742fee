"""What the kinds of folds have in common."""
import dataclasses
import math

import numpy

from element_types import TYPES

ACCUMULATED = {"half": "float", "bfloat16": "float", "float": "float", "double": "double"}  # integers: in int64


@dataclasses.dataclass
class Fold:
    """`dims` is None where everything is folded, else the axes; `count` is how many elements make one result."""
    draw: object
    operands: list
    dims: tuple
    rank: int
    count: int
    result: str = ""       # type of the result, or of its numbers
    members: int = 0       # how many numbers, where it is a struct
    what: str = ""         # for the description
    structs: list = dataclasses.field(default_factory=list)
    signature: str = ""
    parts: list = dataclasses.field(default_factory=list)
    torch: list = dataclasses.field(default_factory=list)   # statements; the last returns
    cupy: list = dataclasses.field(default_factory=list)    # statements of the function that make gives
    cupy_kernel: str = ""  # statement of make
    no_cupy: str = ""
    reference: object = None
    is_place: bool = False
    given: dict = dataclasses.field(default_factory=dict)  # what its kind has drawn

    @property
    def type(self):
        return self.operands[0].type

    @property
    def cpp(self):
        return TYPES[self.type].cpp

    @property
    def accumulated(self):
        return ACCUMULATED.get(self.type, "int64")

    @property
    def acc(self):
        return TYPES[self.accumulated].cpp

    @property
    def value(self):
        """An element in C++, as what it is accumulated in."""
        return "x0" if self.cpp == self.acc else f"static_cast<{self.acc}>(x0)"

    def dim(self, **named):
        """Arguments of a function of PyTorch's or CuPy's."""
        first = [] if self.dims is None else [str(self.dims if len(self.dims) > 1 else self.dims[0])]
        return ", ".join(first + [f"{name}={value}" for name, value in named.items()])

    def axis(self, **named):
        first = [] if self.dims is None else [f"axis={self.dims}"]
        return ", ".join(first + [f"{name}={value}" for name, value in named.items()])

    @property
    def torch_acc(self):
        return f"torch.{TYPES[self.accumulated].torch}"

    @property
    def cupy_acc(self):
        return f"cupy.{TYPES[self.accumulated].cupy}"

    def depth(self):
        """How often a term may be rounded on its way: pairwise folds, and chains of the length of a thread's share."""
        return 32 + 8 * math.log2(self.count + 1) + math.sqrt(self.count)

    def unit(self, unit16):
        return max(TYPES[self.accumulated].unit, unit16)


def combine(text):
    return f"foldwise::combine([](auto a, auto b) {{ {text} }})"


def mapped(fold, parameters, result, lines):
    body = " ".join(lines)
    return f"foldwise::map([]({parameters}) -> {result} {{ {body} }})"


def summed(fold, values, error, unit16):
    """Sums along rows, and their bounds."""
    unit = fold.unit(unit16)
    return values.sum(1), error.sum(1) + fold.depth() * unit * numpy.abs(values).sum(1)
