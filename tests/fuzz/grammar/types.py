"""The C++ types that random specs are made of."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """A C++ type. `kind` is one of bool, int, float, half, complex, enum, struct, array.

    A `generic` type is a template's parameter: its name stands for every type of a family, and what is computed with it
    keeps to values that are defined for all of them.
    """
    name: str
    kind: str
    bits: int = 0
    signed: bool = False
    rank: int = 0  # of integer conversion
    generic: bool = False
    element: "Type" = None  # of an array, or a complex number's part
    size: int = 0  # of an array
    members: tuple = ()  # of a struct: (name, Type)
    enumerators: tuple = ()
    alignment: int = 1  # at least

    @property
    def low(self):
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self):
        return (1 << self.bits - (1 if self.signed else 0)) - 1

    @property
    def is_number(self):
        return self.kind in ("int", "float")

    def literal(self, value):
        """Text of a number of this type, as a constant expression of exactly this type."""
        if self.kind == "float":
            if self.generic:
                return f"{self.name}({value!r})"
            return f"{value!r}f" if self.bits == 32 else repr(value)
        if self.generic or self.rank < INT.rank:
            return f"{self.name}({value})"
        if value == self.low and self.signed:  # its positive twin does not fit
            return f"({self.literal(value + 1)} - 1)"
        suffix = {INT.name: "", UINT.name: "u", INT64.name: "l", UINT64.name: "ul", LONG_LONG.name: "ll"}[self.name]
        return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"

    def literal_of(self, number):
        return self.literal(float(number) if self.kind == "float" else number)


def integer(name, bits, signed, rank):
    return Type(name, "int", bits, signed, rank)


BOOL = Type("bool", "bool", 8)
INT8 = integer("std::int8_t", 8, True, 1)
UINT8 = integer("std::uint8_t", 8, False, 1)
INT16 = integer("std::int16_t", 16, True, 2)
UINT16 = integer("std::uint16_t", 16, False, 2)
INT = integer("std::int32_t", 32, True, 3)
UINT = integer("std::uint32_t", 32, False, 3)
INT64 = integer("std::int64_t", 64, True, 4)
UINT64 = integer("std::uint64_t", 64, False, 4)
CHAR = integer("char", 8, True, 1)
CHAR16 = integer("char16_t", 16, False, 2)
LONG_LONG = integer("long long", 64, True, 5)
FLOAT = Type("float", "float", 32)
DOUBLE = Type("double", "float", 64)
HALF = Type("foldwise::half", "half", 16)
BFLOAT16 = Type("foldwise::bfloat16", "half", 16)

INTEGERS = (INT8, UINT8, INT16, UINT16, INT, UINT, INT64, UINT64, CHAR, CHAR16, LONG_LONG)
FLOATS = (FLOAT, DOUBLE)
NUMBERS = INTEGERS + FLOATS


def complex_of(part):
    return Type(f"std::complex<{part.name}>", "complex", element=part)


def array_of(element, size):
    return Type(f"std::array<{element.name}, {size}>", "array", element=element, size=size)


COMPLEXES = (complex_of(FLOAT), complex_of(DOUBLE))

# What a generic lambda or template may be given: the members of a family; generic() is the type that stands for them.
# A generic signed integer keeps to 16 bits and a generic float to what both can do, so that all members are defined.
FAMILIES = {
    "signed": (INT16, INT, INT64, LONG_LONG),
    "unsigned": (UINT8, UINT, UINT64),
    "float": FLOATS,
}


def generic(family, name):
    if family == "float":
        return Type(name, "float", 32, generic=True)
    return Type(name, "int", 16 if family == "signed" else 64, family == "signed", generic=True)


def family_of(type_):
    for family, members in FAMILIES.items():
        if type_ in members:
            return family
    return None


def promoted(type_):
    """Integral promotion; the type of what arithmetic computes in."""
    if type_.kind in ("bool", "enum") or type_.rank < INT.rank:
        return INT
    return type_


def common(a, b):
    """The usual arithmetic conversions of two number types."""
    if a.kind == "float" or b.kind == "float":
        floats = [t for t in (a, b) if t.kind == "float"]
        return max(floats, key=lambda t: t.bits)
    a, b = promoted(a), promoted(b)
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return Type("unsigned long long", "int", 64, False, LONG_LONG.rank)  # long long and std::uint64_t
