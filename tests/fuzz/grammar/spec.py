"""One random spec: a namespace with the types, constants and functions that its kernels use, and the kernels."""
import random

from . import declarations, folds, functions, items, kernels, tasks
from .features import FEATURES
from .types import BFLOAT16, BOOL, COMPLEXES, FLOATS, HALF, INTEGERS, array_of

# A fold compiles ten times as long as any other kernel.
KERNELS = kernels.KERNELS * 3 + (tasks.tasks,) * 9 + (folds.fold,) * 2 + items.KERNELS


class Spec:
    """A spec that grows while it is made: the grammar's modules add text to it and note the features that they use."""

    def __init__(self, seed, number):
        self.rng = random.Random(f"{seed}/{number}")
        self.number = number
        self.namespace = f"fuzz_{number}"
        self.features = set()
        self.text = []  # the lines of all declarations, without the namespace around them
        self.late = []  # the lines of definitions that come after the kernels
        self.functions = []  # the functions that expressions can call
        self.constants = []  # the constants that expressions can use
        self.structs, self.enums = [], []  # those that are declared, as (name in the namespace, Type), for the harness
        self.kernels = []
        self._names = set()
        self._to_integer = False
        self._choose_types()
        for _ in range(self.rng.randint(1, 5)):
            self.rng.choice(functions.HELPERS)(self)
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            self.rng.choice(KERNELS)(self)
        self.text += self.late

    def uses(self, feature):
        """Notes that the spec uses a feature of features.py."""
        assert feature in FEATURES, feature
        self.features.add(feature)

    def add(self, *lines):
        """Adds a declaration, given as lines, to the spec's namespace."""
        self.text += [*lines, ""]

    # ---- Names -------------------------------------------------------------------------------------------------------

    def fresh(self, stem):
        """Returns a name that the spec does not use yet: `stem`, or else `stem` with a number."""
        name, count = stem, 0
        while name in self._names:
            count += 1
            name = f"{stem}{count}"
        self._names.add(name)
        return name

    def macro(self, stem):
        """Returns a name for a macro, which differs from those of other specs because macros have no namespace."""
        return f"{self.fresh(stem)}_{self.number}"

    def to_integer(self):
        """Returns the name of a template that casts a float to an integer where that is defined, and gives 0 elsewhere.

        Its casts never result in 0: GCC 12 with -fno-trapping-math makes float(int(-0.5f)) a negative zero.
        """
        if not self._to_integer:
            self._to_integer = True
            self._names.add("to_integer")
            self.text[:0] = ["template <class Integer, class Float> constexpr Integer to_integer(Float x) {",
                             "    if (!(x > Float(-120) && x < Float(120))) return Integer(0);",
                             "    return static_cast<Integer>(x < 0 ? x - 1 : x + 1);",
                             "}", ""]
        return "to_integer"

    # ---- Types -------------------------------------------------------------------------------------------------------

    def _choose_types(self):
        """Fills the palette: the types that the spec's parameters, variables and results have."""
        rng = self.rng
        self.palette = rng.sample(INTEGERS, rng.randint(1, 3)) + rng.sample(FLOATS, rng.randint(0, 2))
        if rng.random() < 0.3:
            self.palette.append(BOOL)
        if rng.random() < 0.25:
            self.palette.append(rng.choice((HALF, BFLOAT16)))
        if rng.random() < 0.2:
            self.palette.append(rng.choice(COMPLEXES))
        if rng.random() < 0.35:
            self.palette.append(declarations.enumeration(self))
        if rng.random() < 0.25:
            self.palette.append(array_of(rng.choice(self.plain_numbers()), rng.randint(1, 4)))
        if rng.random() < 0.5:
            self.palette.append(declarations.structure(self))
        for type_ in self.palette:
            of_the_library = type_.kind in ("bool", "int", "float", "half", "complex")
            self.uses("type." + (type_.name if of_the_library else type_.kind))

    def plain_integers(self):
        """Returns the palette's integer types, other than bool."""
        return [t for t in self.palette if t.kind == "int"]

    def plain_numbers(self):
        """Returns the palette's integers, float and double: the types that C++'s arithmetic conversions cover."""
        return [t for t in self.palette if t.is_number]

    def of_kind(self, kind):
        """Returns the palette's types of a kind, as types.Type lists them."""
        return [t for t in self.palette if t.kind == kind]

    @property
    def palette_floats(self):
        return self.of_kind("float")

    @property
    def palette_enums(self):
        return self.of_kind("enum")

    @property
    def palette_complexes(self):
        return self.of_kind("complex")

    # ---- Text --------------------------------------------------------------------------------------------------------

    def source(self):
        """Returns the spec's text within its namespace."""
        return "\n".join([f"namespace {self.namespace} {{", "", *self.text, f"}}  // namespace {self.namespace}", ""])
