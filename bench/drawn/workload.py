"""One workload: what is drawn, and all its renderings."""
import dataclasses
import math

from element_types import TYPES


@dataclasses.dataclass
class Operand:
    """An array, seen as `shape` with `strides` in an allocation of `count` elements, or a scalar if it has a value.

    A struct is an array of its numbers with one more axis, which is contiguous and last; `members` is how many, else 0.
    `shape`, `strides`, `offset` and `count` are then those of the structs. `role` is "in", "out" or "update": what
    tasks add to. `fill` is what an input holds: ("uniform", low, high), for integers whole numbers of [low, high], or
    ("permutation",) of the numbers below its count.
    """
    name: str
    type: str
    shape: tuple
    role: str = "in"
    fill: tuple = ("uniform", 1.0, 2.0)
    members: int = 0
    strides: tuple = None
    offset: int = 0
    count: int = 0
    value: object = None  # of a scalar
    struct: str = ""      # the struct's name in the spec's namespace

    def __post_init__(self):
        if self.strides is None:
            self.strides = row_major(self.shape)
        self.count = self.count or max(1, math.prod(self.shape))

    @property
    def is_scalar(self):
        return self.value is not None

    @property
    def element_bytes(self):
        return TYPES[self.type].bytes * max(1, self.members)

    @property
    def bytes(self):
        """Those that are looked at."""
        return 0 if self.is_scalar else math.prod(self.shape) * self.element_bytes

    @property
    def allocated(self):
        return 0 if self.is_scalar else self.count * self.element_bytes

    @property
    def torch_shape(self):
        """Of the tensor: with the axis of a struct's members."""
        return (*self.shape, self.members) if self.members else self.shape

    @property
    def torch_strides(self):
        return (*(stride * self.members for stride in self.strides), 1) if self.members else self.strides


@dataclasses.dataclass
class Workload:
    """What one draw became.

    `torch_source` defines a function `work` of the inputs, scalars among them, and of what is updated; it gives the
    output, or a tuple of them. `compile_source` is what torch.compile gets where that is not the same, and
    `cupy_source` defines `make(cupy)`, which gives such a function. `missing` says why an implementation has none.
    `numpy_source` defines a function `work` of arrays of NumPy's, and `numba_source` defines `make(numba,
    is_parallel)`, which gives a function of all operands, outputs among them.
    `reference(values, places)` computes outputs at some places in float64, complex128 or exactly: see checking.py.
    """
    seed: int
    number: int
    family: str
    kind: str
    type: str
    description: str
    operands: list          # inputs, then outputs; of tasks, in the order of the lambda's parameters
    spec: str
    call: str               # the C++ statement that calls the kernel
    torch_source: str
    reference: object
    compile_source: str = ""
    cupy_source: str = ""
    numpy_source: str = ""
    numba_source: str = ""
    missing: dict = dataclasses.field(default_factory=dict)
    features: set = dataclasses.field(default_factory=set)
    moved: float = 0        # bytes, where operands do not say it
    attempt: int = 0        # how many draws were rejected before

    @property
    def name(self):
        return f"case{self.number:03d}"

    @property
    def inputs(self):
        return [one for one in self.operands if one.role != "out"]

    @property
    def outputs(self):
        return [one for one in self.operands if one.role != "in"]

    @property
    def bytes(self):
        return self.moved or sum(one.bytes for one in self.operands)

    @property
    def shape(self):
        """The largest operand's."""
        largest = max(self.operands, key=lambda one: (one.bytes, one.role == "in"))
        return "x".join(map(str, largest.shape)) or "1"


def row_major(shape):
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def cpp_view(index, operand, type_text):
    """The C++ expression of an operand in a call: a view, or the scalar."""
    if operand.is_scalar:
        return cpp_literal(operand.value, TYPES[operand.type].compute)
    const = "const " if operand.role == "in" else ""
    shape, strides = (", ".join(map(str, one)) for one in (operand.shape, operand.strides))
    return f"at.view<{const}{type_text}>({index}, {operand.offset}, {{{shape}}}, {{{strides}}})"


def cpp_literal(value, compute):
    if compute == "bool":
        return "true" if value else "false"
    if compute == "c64":
        return f"std::complex<float>({cpp_literal(value, 'f32')}, 0.0f)"
    if compute in ("i32", "i64"):
        return f"std::int64_t{{{value}}}" if compute == "i64" else str(value)
    return repr(float(value)) + ("f" if compute == "f32" else "")
