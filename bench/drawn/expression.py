"""Expressions: a graph of operations over what is loaded, with a rendering in each language.

A graph is a list of nodes in the order of their statements. `cpp_lines`, `cupy_lines` and `torch_lines` write one
statement a node; `evaluate` gives the reference's values and the bounds of their errors.
"""
import dataclasses

import numpy

from element_types import COMPUTE_CPP, COMPUTE_UNIT, TYPES
from operations import COMPARISONS, INFINITE, OPERATIONS
from workload import cpp_literal

TORCH_CASTS = {"f32": "float", "f64": "double", "i32": "int", "i64": "long"}
CUPY_TYPES = {"f32": "float", "f64": "double", "i32": "int", "i64": "long long", "bool": "bool",
              "c64": "complex<float>"}


@dataclasses.dataclass(eq=False)
class Node:
    """`operation` is one of OPERATIONS, a comparison, or load, constant, scalar, cast, select, both, either, negate."""
    operation: str
    arguments: tuple
    compute: str
    interval: tuple
    name: str = ""
    operand: object = None  # of a load or a scalar
    member: int = 0         # of a load from a struct
    value: object = None    # of a constant

    @property
    def domain(self):
        return {"f32": "f", "f64": "f", "i32": "i", "i64": "i", "bool": "b", "c64": "c"}[self.compute]


def walk(outputs):
    """The nodes that outputs need, arguments first."""
    seen, order = set(), []

    def visit(node):
        if id(node) in seen:
            return
        seen.add(id(node))
        for argument in node.arguments:
            visit(argument)
        order.append(node)
    for output in outputs:
        visit(output)
    return order


def name_nodes(outputs):
    """Gives each statement a name; what needs no statement has its own text."""
    count = 0
    nodes = walk(outputs)
    for node in nodes:
        if node.operation not in ("load", "constant", "scalar"):
            node.name = f"t{count}"
            count += 1
    return nodes


# ---- C++, and CuPy's ------------------------------------------------------------------------------------------------

def cpp_argument(node, loads):
    if node.operation == "constant":
        return cpp_literal(node.value, node.compute)
    if node.operation == "scalar":
        return node.operand.name
    if node.operation == "load":
        return loads(node)
    return node.name


def cpp_text(node, loads, is_cupy=False):
    arguments = [cpp_argument(one, loads) for one in node.arguments]
    if is_cupy:
        arguments = [one.replace("std::", "") for one in arguments]
    kind = node.operation
    if kind in OPERATIONS:
        operation = OPERATIONS[kind]
        if kind == "relu":
            return f"{arguments[0]} > 0 ? {arguments[0]} : {cpp_literal(0, node.compute)}"
        text = (operation.cupy or operation.cpp.replace("std::", "")) if is_cupy else operation.cpp
        return text.format(*arguments)
    if kind in COMPARISONS:
        return f"{arguments[0]} {kind} {arguments[1]}"
    if kind == "select":
        return f"{arguments[0]} ? {arguments[1]} : {arguments[2]}"
    if kind == "cast":
        names = CUPY_TYPES if is_cupy else COMPUTE_CPP
        return f"static_cast<{names[node.compute]}>({arguments[0]})"
    return {"both": "{0} && {1}", "either": "{0} || {1}", "negate": "!{0}"}[kind].format(*arguments)


def cpp_lines(nodes, loads, is_cupy=False):
    names = CUPY_TYPES if is_cupy else COMPUTE_CPP
    return [f"const {names[node.compute]} {node.name} = {cpp_text(node, loads, is_cupy)};"
            for node in nodes if node.name]


def spec_load(node):
    """How a lambda reads a parameter: numbers of 16 bits and below as what arithmetic makes of them."""
    operand = node.operand
    if operand.members:
        return f"{operand.name}.{'abcd'[node.member]}"
    if operand.type in ("half", "bfloat16"):
        return f"static_cast<float>({operand.name})"
    return f"std::int32_t{{{operand.name}}}" if operand.type in ("int8", "uint8") else operand.name


def cupy_load(node):
    operand = node.operand
    name = f"{operand.name}_{node.member}" if operand.members else operand.name
    if operand.type == "half":
        return f"float({name})"
    return f"int({name})" if operand.type in ("int8", "uint8") else name


# ---- PyTorch --------------------------------------------------------------------------------------------------------

def torch_argument(node):
    if node.operation == "constant":
        return str(bool(node.value)) if node.compute == "bool" else repr(node.value)
    if node.operation == "scalar":
        return node.operand.name
    if node.operation == "load":
        operand = node.operand
        if operand.members:
            return f"{operand.name}[..., {node.member}]"
        return f"{operand.name}_int" if operand.type in ("int8", "uint8") else operand.name
    return node.name


def torch_text(node):
    arguments = [torch_argument(one) for one in node.arguments]
    kind = node.operation
    if kind in OPERATIONS:
        return OPERATIONS[kind].torch.format(*arguments)
    if kind in COMPARISONS:
        return f"{arguments[0]} {kind} {arguments[1]}"
    if kind == "select":
        return f"torch.where({arguments[0]}, {arguments[1]}, {arguments[2]})"
    if kind == "cast":
        return f"{arguments[0]}.{TORCH_CASTS[node.compute]}()"
    return {"both": "{0} & {1}", "either": "{0} | {1}", "negate": "~{0}"}[kind].format(*arguments)


def torch_lines(nodes):
    narrow = dict.fromkeys(node.operand.name for node in nodes
                           if node.operation == "load" and node.operand.type in ("int8", "uint8"))
    return [*(f"{name}_int = {name}.int()" for name in narrow),
            *(f"{node.name} = {torch_text(node)}" for node in nodes if node.name)]


# ---- The reference --------------------------------------------------------------------------------------------------

def evaluate(nodes, load, unit16=0.0):
    """Values and errors by node's id. `load(node)` gives an array of exact numbers of an operand; `unit16` is the
    roundoff of arithmetic in float where an implementation computes in 16 bits, else 0."""
    found = {}
    with numpy.errstate(all="ignore"):
        for node in nodes:
            found[id(node)] = evaluate_node(node, found, load, unit16)
    return found


def evaluate_node(node, found, load, unit16):
    kind = node.operation
    unit = max(COMPUTE_UNIT[node.compute], unit16 if node.compute == "f32" else 0.0)
    if kind == "load":
        value = load(node)
        return value, numpy.zeros(value.shape)
    if kind in ("constant", "scalar"):
        value = node.value if kind == "constant" else node.operand.value
        # A decimal is rounded once to what is computed in.
        return numpy.asarray(value), numpy.asarray(unit * abs(value) if node.domain in "fc" else 0.0)
    values, errors = zip(*(found[id(one)] for one in node.arguments))
    if kind in OPERATIONS:
        operation = OPERATIONS[kind]
        value = operation.value(*values)
        shape = numpy.shape(value)
        error = operation.error(value, *values, *errors, unit) if operation.error else numpy.zeros(shape)
        return value, numpy.broadcast_to(numpy.where(numpy.isnan(error), INFINITE, error), shape)
    if kind in COMPARISONS:
        value = COMPARISONS[kind](*values)
        close = numpy.abs(numpy.subtract(*(one.astype(float) for one in values))) <= errors[0] + errors[1]
        uncertain = close & (errors[0] + errors[1] > 0)
        return value, numpy.where(uncertain, INFINITE, 0.0)
    if kind == "select":
        error = numpy.where(values[0], errors[1], errors[2])
        same = values[1] == values[2]
        return (numpy.where(values[0], values[1], values[2]),
                numpy.where(numpy.isinf(errors[0]) & ~same, INFINITE, error))
    if kind == "cast":
        return cast(values[0], errors[0], node, unit)
    value = {"both": numpy.logical_and, "either": numpy.logical_or, "negate": numpy.logical_not}[kind](*values)
    return value, numpy.broadcast_to(sum(errors), value.shape)


def cast(value, error, node, unit):
    source = node.arguments[0].domain
    if node.domain == "i":
        if source != "f":
            return value.astype(numpy.int64), numpy.where(error > 0, INFINITE, 0.0)
        whole = numpy.round(value)  # but 0, on both sides of which it is 0
        near = (numpy.abs(value - whole) <= error) & (error > 0) & ((whole != 0) | (error >= 1))
        finite = numpy.where(numpy.isfinite(value), value, 0)
        return numpy.trunc(finite).astype(numpy.int64), numpy.where(near, INFINITE, 0.0)
    value = value.astype(float)
    return value, numpy.where(numpy.isinf(error), error, error + unit * numpy.abs(value))


def stored(value, error, compute, type_name):
    """What an output of that type holds, and how far off it may be."""
    kind = TYPES[type_name]
    if type_name == "bool":
        return value.astype(bool), error
    if kind.unit == 0:
        bits = 8 * kind.bytes
        if bits < 64:
            value = value.astype(numpy.int64) & ((1 << bits) - 1)
            if type_name != "uint8":
                value = numpy.where(value >= 1 << (bits - 1), value - (1 << bits), value)
        return value, error
    least = {"half": 2.0**-25, "bfloat16": 1e-40, "float": 1e-45, "cfloat": 1e-45}.get(type_name, 0.0)
    return value, error + kind.unit * (numpy.abs(value) + numpy.where(numpy.isinf(error), 0, error)) + least
