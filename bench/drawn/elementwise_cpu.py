"""Elementwise work in NumPy and as loops for Numba."""
from element_types import TYPES
from numba_loops import elementwise
from python_expression import NO_ERF, argument, numba_lines, numba_loads, numpy_lines, numpy_load, uses_erf


def numpy_stored(node, operand):
    text = argument(node, numpy_load)
    kind = TYPES[operand.type]
    if kind.compute == node.compute and kind.compute not in ("f32", "i32") or operand.type in ("float", "int32"):
        return text
    return f"{text}.astype(numpy.{kind.numpy})"


def render_cpu(operands, scalars, outputs, results, nodes):
    """(NumPy's source, Numba's source, why either has none)."""
    everything = [*operands, *scalars, *outputs]
    types, missing = {one.type for one in everything}, {}
    if "bfloat16" in types:
        missing = {"numpy": "has no bfloat16", "numba": "has no bfloat16"}
    if uses_erf(nodes):
        missing.setdefault("numpy", NO_ERF)
    if "half" in types:
        missing.setdefault("numba", "has no half")
    return ("" if "numpy" in missing else render_numpy(operands, scalars, outputs, results, nodes),
            "" if "numba" in missing else render_numba(operands, scalars, outputs, results, nodes), missing)


def render_numpy(operands, scalars, outputs, results, nodes):
    given = ", ".join(one.name for one in (*operands, *scalars))
    if outputs[0].members:
        values = "numpy.stack((" + ", ".join(numpy_stored(one, outputs[0]) for one in results) + "), -1)"
    else:
        values = ", ".join(numpy_stored(node, one) for node, one in zip(results, outputs))
    lines = [*numpy_lines(nodes), f"return {values}"]
    return "\n".join([f"def work({given}):", *(f"    {line}" for line in lines), ""])


def render_numba(operands, scalars, outputs, results, nodes):
    stored = [outputs[0]] * len(results) if outputs[0].members else outputs

    def body(place):
        lines = numba_lines(nodes, place)
        load = numba_loads(place)
        for at, (node, one) in enumerate(zip(results, stored)):
            member = f", {at}" if one.members else ""
            lines.append(f"{one.name}[{place(one)}{member}] = {argument(node, load)}")
        return lines
    given = [one.name for one in (*operands, *scalars, *outputs)]
    return elementwise(outputs[0].shape, [*operands, *outputs], given, body)
