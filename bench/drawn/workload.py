"""A workload: the operands and the computation of one draw, and the source that each implementation runs for it."""
import dataclasses
import math

from element_types import TYPES


@dataclasses.dataclass
class Operand:
    """An argument of a workload's kernel: an array or, if `value` is set, a scalar.

    The array is a view of `shape`, with `strides` and `offset` in elements, in an allocation of `count` elements.
    An array of structs is stored as an array of their members, numbers of one type, with one more axis, which is
    contiguous and last. `members` is their number per struct, or 0 for other arrays; `shape`, `strides`, `offset` and
    `count` are counted in structs. `role` is "in", "out", or "update" for an array that tasks add to. `fill` says what
    an input holds: ("uniform", low, high) for random numbers, whole ones from low to high for integers, or
    ("permutation",) for a permutation of the numbers below `count`.
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
    value: object = None  # the scalar; None for an array
    struct: str = ""      # the struct's name in the spec's namespace, if elements are structs

    def __post_init__(self):
        if self.strides is None:
            self.strides = row_major(self.shape)
        self.count = self.count or max(1, math.prod(self.shape))

    @property
    def is_scalar(self):
        return self.value is not None

    @property
    def element_bytes(self):
        """The size of an element, which may be a struct."""
        return TYPES[self.type].bytes * max(1, self.members)

    @property
    def bytes(self):
        """The size of the elements in the view, in bytes; 0 for a scalar."""
        return 0 if self.is_scalar else math.prod(self.shape) * self.element_bytes

    @property
    def allocated(self):
        """The size of the allocation, in bytes, with elements that the view leaves out; 0 for a scalar."""
        return 0 if self.is_scalar else self.count * self.element_bytes

    @property
    def torch_shape(self):
        """The shape of the tensor, whose last axis is that of a struct's members, if elements are structs."""
        return (*self.shape, self.members) if self.members else self.shape

    @property
    def torch_strides(self):
        """The strides of the tensor, in numbers."""
        return (*(stride * self.members for stride in self.strides), 1) if self.members else self.strides


@dataclasses.dataclass
class Workload:
    """One drawn computation, with the source that computes it in each of the libraries that are compared.

    `torch_source` defines a function `work` that takes the inputs, with scalars and updated arrays among them, and
    returns the output, or a tuple of outputs. `compile_source` is the source for torch.compile where that differs, and
    `cupy_source` defines `make(cupy)`, which returns such a function. `numpy_source` defines a function `work` that
    takes NumPy arrays, and `numba_source` defines `make(numba, is_parallel)`, which returns a function of all operands,
    with outputs among them. `missing` says for each implementation that has no source why.
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
    moved: float = 0        # the bytes that are read and written, if they are not the sum of the operands' sizes
    attempt: int = 0        # the number of draws that were rejected before this one

    @property
    def name(self):
        return f"case{self.number:03d}"

    @property
    def inputs(self):
        """The operands that are read, with updated arrays among them."""
        return [one for one in self.operands if one.role != "out"]

    @property
    def outputs(self):
        """The operands that are written, with updated arrays among them."""
        return [one for one in self.operands if one.role != "in"]

    @property
    def bytes(self):
        """The bytes that the computation reads and writes at least; measured times are compared with these."""
        return self.moved or sum(one.bytes for one in self.operands)

    @property
    def shape(self):
        """The shape of the largest operand, as text for tables: "1000x20"."""
        largest = max(self.operands, key=lambda one: (one.bytes, one.role == "in"))
        return "x".join(map(str, largest.shape)) or "1"


def row_major(shape):
    """Returns the strides, in elements, of a contiguous array in row-major order."""
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def cpp_view(index, operand, type_text):
    """Returns the C++ expression that a call passes for an operand: a view of array number `index`, or the scalar."""
    if operand.is_scalar:
        return cpp_literal(operand.value, TYPES[operand.type].compute)
    const = "const " if operand.role == "in" else ""
    shape, strides = (", ".join(map(str, one)) for one in (operand.shape, operand.strides))
    return f"at.view<{const}{type_text}>({index}, {operand.offset}, {{{shape}}}, {{{strides}}})"


def cpp_literal(value, compute):
    """Returns the C++ expression of a number in the type that element_types.py names `compute`."""
    if compute == "bool":
        return "true" if value else "false"
    if compute == "c64":
        return f"std::complex<float>({cpp_literal(value, 'f32')}, 0.0f)"
    if compute in ("i32", "i64"):
        return f"std::int64_t{{{value}}}" if compute == "i64" else str(value)
    return repr(float(value)) + ("f" if compute == "f32" else "")
