"""The types of elements, as every language here calls them."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class ElementType:
    name: str
    cpp: str      # in a spec
    torch: str    # torch.NAME
    numpy: str    # which holds the bits; see host_values
    cupy: str     # in CuPy's signatures; empty where CuPy has no such type
    bytes: int
    compute: str  # what arithmetic on it computes in: f32, f64, i32, i64, bool, c64
    unit: float   # roundoff of storing a number in it; 0 where every number that is stored is exact


TYPES = {one.name: one for one in (
    ElementType("float", "float", "float32", "float32", "float32", 4, "f32", 2.0**-24),
    ElementType("double", "double", "float64", "float64", "float64", 8, "f64", 2.0**-53),
    ElementType("half", "foldwise::half", "float16", "float16", "float16", 2, "f32", 2.0**-11),
    ElementType("bfloat16", "foldwise::bfloat16", "bfloat16", "uint16", "", 2, "f32", 2.0**-8),
    ElementType("int8", "std::int8_t", "int8", "int8", "int8", 1, "i32", 0),
    ElementType("uint8", "std::uint8_t", "uint8", "uint8", "uint8", 1, "i32", 0),
    ElementType("int32", "std::int32_t", "int32", "int32", "int32", 4, "i32", 0),
    ElementType("int64", "std::int64_t", "int64", "int64", "int64", 8, "i64", 0),
    ElementType("bool", "bool", "bool", "bool", "bool", 1, "bool", 0),
    ElementType("cfloat", "std::complex<float>", "complex64", "complex64", "complex64", 8, "c64", 2.0**-24),
)}

# What is computed in: the C++ type, the element type that holds it, and its roundoff.
COMPUTE_CPP = {"f32": "float", "f64": "double", "i32": "std::int32_t", "i64": "std::int64_t", "bool": "bool",
               "c64": "std::complex<float>"}
COMPUTE_STORED = {"f32": "float", "f64": "double", "i32": "int32", "i64": "int64", "bool": "bool", "c64": "cfloat"}
COMPUTE_UNIT = {"f32": 2.0**-24, "f64": 2.0**-53, "i32": 0.0, "i64": 0.0, "bool": 0.0, "c64": 2.0**-24}
LARGEST = {"int8": 127, "uint8": 255, "int32": 2**31 - 1, "int64": 2**63 - 1}


def host_values(array, type_name):
    """The numbers of an array of NumPy's that may hold bits: float64, complex128, int64 or bool."""
    import numpy
    if type_name == "bfloat16":
        bits = numpy.ascontiguousarray(array).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).astype(numpy.float64)
    if type_name == "bool":
        return array.astype(bool)
    if type_name == "cfloat":
        return array.astype(numpy.complex128)
    return array.astype(numpy.float64 if TYPES[type_name].unit else numpy.int64)


def stored_values(values, type_name):
    """An array of NumPy's in which the numbers lie as the type has them."""
    import numpy
    if type_name == "bfloat16":
        bits = numpy.ascontiguousarray(values.astype(numpy.float32)).view(numpy.uint32).astype(numpy.uint64)
        return ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    return values.astype(TYPES[type_name].numpy)
