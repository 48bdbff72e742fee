"""Expressions in Python, for the CPU: of whole arrays for NumPy, and of single numbers for Numba.

Constants have types of their own, and each result of integers is made the type that C++ computes in: neither NumPy nor
Numba would otherwise compute in 32 bits where the others do.
"""
import re

from operations import COMPARISONS, OPERATIONS

COMPUTE_NUMPY = {"f32": "numpy.float32", "f64": "numpy.float64", "i32": "numpy.int32", "i64": "numpy.int64",
                 "bool": "numpy.bool_", "c64": "numpy.complex64"}
NAMES = {"min": "minimum", "max": "maximum", "atan": "arctan"}  # what NumPy calls otherwise
NO_ERF = "has no erf"
SPECIAL_NUMPY = {"relu": "numpy.maximum({0}, 0)", "leaky": "numpy.where({0} > 0, {0}, {0} * {eighth})",
                 "conj": "numpy.conj({0})", "real": "{0}.real"}
SPECIAL_NUMBA = {"relu": "{0} if {0} > 0 else {zero}", "leaky": "{0} if {0} > 0 else {0} * {eighth}",
                 "sigmoid": "{one} / ({one} + math.exp(-{0}))", "conj": "{0}.conjugate()", "real": "{0}.real",
                 "floor": "numpy.floor({0})"}
WHOLE = {name: OPERATIONS[name].torch for name in ("third", "mix")}  # written alike in Python


def constant(value, compute):
    return f"{COMPUTE_NUMPY[compute]}({value!r})"


def argument(node, loads):
    if node.operation == "constant":
        return constant(node.value, node.compute)
    if node.operation == "scalar":
        return constant(node.operand.value, node.compute)
    return loads(node) if node.operation == "load" else node.name


def operation_text(node, arguments, special, function):
    kind = node.operation
    text = special.get(kind) or WHOLE.get(kind) or re.sub(r"std::(\w+)", lambda found: function(found[1]),
                                                          OPERATIONS[kind].cpp)
    compute = node.arguments[0].compute
    return text.format(*arguments, eighth=constant(0.125, compute), zero=constant(0, compute), one=constant(1, compute))


def numpy_text(node, loads):
    arguments = [argument(one, loads) for one in node.arguments]
    kind = node.operation
    if kind in OPERATIONS:
        return operation_text(node, arguments, SPECIAL_NUMPY, lambda name: f"numpy.{NAMES.get(name, name)}")
    if kind in COMPARISONS:
        return f"{arguments[0]} {kind} {arguments[1]}"
    if kind == "select":
        return f"numpy.where({', '.join(arguments)})"
    if kind == "cast":
        return f"{arguments[0]}.astype({COMPUTE_NUMPY[node.compute]})"
    return {"both": "{0} & {1}", "either": "{0} | {1}", "negate": "~{0}"}[kind].format(*arguments)


def numba_text(node, loads):
    arguments = [argument(one, loads) for one in node.arguments]
    kind = node.operation
    if kind in OPERATIONS:
        plain = {"abs": "abs", "min": "min", "max": "max"}
        text = operation_text(node, arguments, SPECIAL_NUMBA, lambda name: plain.get(name, f"math.{name}"))
        return f"{COMPUTE_NUMPY[node.compute]}({text})" if node.domain == "i" else text
    if kind in COMPARISONS:
        return f"{arguments[0]} {kind} {arguments[1]}"
    if kind == "select":
        return f"{arguments[1]} if {arguments[0]} else {arguments[2]}"
    if kind == "cast":
        return f"{COMPUTE_NUMPY[node.compute]}({arguments[0]})"
    return {"both": "{0} and {1}", "either": "{0} or {1}", "negate": "not {0}"}[kind].format(*arguments)


def narrow_operands(nodes):
    """Arrays that are computed with in a wider type, by name: the type."""
    return {one.operand.name: {"half": "numpy.float32"}.get(one.operand.type, "numpy.int32") for one in nodes
            if one.operation == "load" and one.operand.type in ("half", "int8", "uint8")}


def numpy_load(node):
    operand = node.operand
    if operand.members:
        return f"{operand.name}[..., {node.member}]"
    return f"{operand.name}_wide" if operand.type in ("half", "int8", "uint8") else operand.name


def numpy_lines(nodes):
    """One statement a node, on whole arrays; half is computed with in float, which its hardware is faster at."""
    return [*(f"{name}_wide = {name}.astype({kind})" for name, kind in narrow_operands(nodes).items()),
            *(f"{node.name} = {numpy_text(node, numpy_load)}" for node in nodes if node.name)]


def numba_loads(place):
    """What reads an element; `place(operand)` is its index in Python."""
    def load(node):
        operand = node.operand
        member = f", {node.member}" if operand.members else ""
        text = f"{operand.name}[{place(operand)}{member}]"
        return f"numpy.int32({text})" if operand.type in ("int8", "uint8") else text
    return load


def numba_lines(nodes, place):
    """One statement a node, of the numbers at a place."""
    load = numba_loads(place)
    return [f"{node.name} = {numba_text(node, load)}" for node in nodes if node.name]


def uses_erf(nodes):
    return any(node.operation == "erf" for node in nodes)
