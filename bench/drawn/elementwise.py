"""Elementwise workloads: drawn, and written in every language."""
import math

import numpy

import probabilities as p
from element_types import COMPUTE_STORED, TYPES
from elementwise_cpu import render_cpu
from expression import (cpp_argument, cpp_lines, cupy_load, evaluate, name_nodes, spec_load, stored, torch_argument,
                        torch_lines, walk)
from grammar import Builder, load_nodes, narrow_enough, scalar_node
from workload import Operand, Workload, cpp_view, row_major

PROBES = 64
RANGES = {"f": ((-2.0, 2.0), (0.5, 2.0), (-1.0, 1.0), (0.0, 10.0)), "int8": ((-128, 127),), "uint8": ((0, 255),),
          "int32": ((-1000, 1000), (0, 30000)), "int64": ((-100000, 100000), (0, 1000000)), "bool": ((0, 1),)}


def fill_of(draw, type_name):
    return ("uniform", *draw.pick(RANGES.get(type_name, RANGES["f"])))


def draw_shape(draw, elements, axes):
    """Extents whose product is about `elements`; the last axis is not the shortest way of having many rows only."""
    if axes == 1:
        return (max(2, int(elements)),)
    cuts = sorted(draw.uniform(0, 1) for _ in range(axes - 1))
    parts = [b - a for a, b in zip((0, *cuts), (*cuts, 1))]
    extents = [max(2, int(elements**part)) for part in parts]
    extents[-1] = max(2, int(elements / math.prod(extents[:-1])))
    return tuple(extents)


def laid_out(draw, operand, layout):
    """Gives an operand of the full shape another layout."""
    shape = operand.shape
    if layout == "row":
        operand.shape = (*(1 for _ in shape[:-1]), shape[-1])
    elif layout == "column":
        operand.shape = (*shape[:-1], 1)
    operand.strides, operand.count = row_major(operand.shape), math.prod(operand.shape)
    if layout == "transposed":
        order = draw.shuffled(range(len(shape)))
        if order == sorted(order):
            order = order[::-1]
        lengths = row_major([shape[axis] for axis in order])
        strides = [0] * len(shape)
        for place, axis in enumerate(order):
            strides[axis] = lengths[place]
        operand.strides = tuple(strides)
    elif layout == "slice":
        axis, step = draw.below(len(shape)), draw.pick((1, 1, 2, 3))
        before, behind = draw.between(0, 3), draw.between(1, 8)
        base = list(shape)
        base[axis] = shape[axis] * step + before + behind
        strides = row_major(base)
        operand.offset = before * strides[axis]
        operand.strides = tuple(stride * (step if at == axis else 1) for at, stride in enumerate(strides))
        operand.count = math.prod(base)
    return operand


def draw_elementwise(draw, seed, number, size):
    first = draw.weighted(p.ELEMENTS)
    mix = draw.weighted({name: weight for name, (weight, _) in p.MIXES.items()})
    axes = draw.weighted(p.SHAPES)
    count = draw.weighted(p.INPUTS)
    kinds = [first] + [first if draw.chance(p.SAME_TYPE) else draw.weighted(p.ELEMENTS) for _ in range(count - 1)]
    layouts = ["full"] + [draw.weighted(p.LAYOUTS) for _ in range(count - 1)]
    if axes == 1:
        layouts = ["full" if one in ("row", "column", "transposed") else one for one in layouts]
    if axes > 1 or draw.chance(0.15):  # the first may be sliced or transposed, too
        layouts[0] = draw.weighted({"full": 80, "transposed": 8 * (axes > 1), "slice": 12})
    operands = []
    for at, kind in enumerate(kinds):
        members = 0
        if kind == "struct":
            same = next((one for one in operands if one.members), None)
            members = same.members if same else draw.weighted(p.STRUCT_NUMBERS)
            kind = same.type if same else draw.weighted(p.STRUCT_BASES)
        fill = ("uniform", -2.0, 2.0) if kind == "cfloat" else fill_of(draw, kind)
        struct = "numbers" * bool(members)
        operands.append(Operand(f"x{at}", kind, (1,) * axes, fill=fill, members=members, struct=struct))
    scalars = []
    for at in range(draw.weighted(p.SCALARS)):
        kind = "double" if "double" in kinds else "float"
        scalars.append(Operand(f"s{at}", kind, (), value=draw.constant(0.25, 2.0)))
    has_16_bits = any(kind in ("half", "bfloat16") for kind in kinds)
    loads = [node for operand in operands for node in load_nodes(operand)]
    builder = Builder(draw, loads, [scalar_node(one) for one in scalars], mix, has_16_bits)
    # Joining what would be unused takes an operation for each value but one.
    builder.build(max(1, round(draw.log_uniform(*p.OPERATIONS)) - (len(loads) - 1)))
    outputs, results = draw_outputs(draw, builder, operands)
    nodes = name_nodes(results)
    scalars = [one for one in scalars if any(node.operand is one for node in nodes)]
    for node in results:  # an output that needs broadcast operands alone is of their shape in Python
        used = [at for at, one in enumerate(operands) if any(part.operand is one for part in walk([node]))]
        if all(layouts[at] in ("row", "column") for at in used):
            layouts[used[0]] = "full"

    per_element = sum(one.element_bytes for one, layout in zip(operands, layouts) if layout not in ("row", "column"))
    per_element += sum(one.element_bytes for one in outputs)
    shape = draw_shape(draw, size / per_element, axes)
    for operand, layout in zip(operands, layouts):
        operand.shape = shape
        laid_out(draw, operand, layout)
    for operand in outputs:
        operand.shape, operand.strides, operand.count = shape, row_major(shape), math.prod(shape)
    return render(seed, number, mix, layouts, operands, scalars, outputs, results, nodes, builder)


def draw_outputs(draw, builder, operands):
    """The outputs, and the values that they hold: several in a struct."""
    struct = next((one for one in operands if one.members), None)
    count = draw.weighted(p.OUTPUTS)
    if struct and draw.chance(0.6):
        results = builder.results(struct.members)
        results = [builder.as_type(one, struct.type) for one in results]
        return [Operand("out0", struct.type, (), "out", members=struct.members, struct="numbers")], results
    outputs, results = [], []
    for at, node in enumerate(builder.results(count)):
        kind = COMPUTE_STORED[node.compute]
        same = next((one.type for one in operands if not one.members and TYPES[one.type].compute == node.compute), None)
        kind = same if same and narrow_enough(node, same) else kind
        if draw.chance(p.OTHER_OUTPUT):
            other = draw.weighted({name: weight for name, weight in p.ELEMENTS.items()
                                   if name not in ("struct", "cfloat")})
            kind = other if narrow_enough(node, other) else kind
        results.append(builder.as_type(node, kind))
        outputs.append(Operand(f"out{at}", kind, (), "out"))
    return outputs, results


def cpp_element(operand):
    return operand.struct or TYPES[operand.type].cpp


def struct_lines(operands):
    """The definition of the struct, if there is one."""
    one = next((one for one in operands if one.struct), None)
    names = ", ".join("abcd"[:one.members]) if one else ""
    return [f"struct numbers {{ {TYPES[one.type].cpp} {names}; }};"] if one else []


def spec_text(name, description, lines):
    head = ["// " + description, "#include <foldwise/spec.hpp>", "", "#include <algorithm>", "#include <atomic>",
            "#include <cmath>", "#include <complex>", "#include <cstdint>", "#include <cstdlib>", "#include <tuple>",
            "", f"namespace {name} {{"]
    return "\n".join([*head, *lines, f"}}  // namespace {name}", ""])


def as_stored(node, operand, loads=spec_load):
    text = cpp_argument(node, loads)
    kind = TYPES[operand.type]
    if kind.cpp == {"f32": "float", "f64": "double", "i32": "std::int32_t", "i64": "std::int64_t", "bool": "bool",
                    "c64": "std::complex<float>"}[node.compute]:
        return text
    return f"static_cast<{kind.cpp}>({text})"


def is_view_of_input(node):
    """Whether PyTorch gives a view of an input without reading any of it."""
    return node.operation == "load" or (node.operation == "real" and is_view_of_input(node.arguments[0]))


def torch_stored(node, operand):
    text = torch_argument(node)
    if node.operation == "conj":
        return f"{text}.resolve_conj()"  # PyTorch only notes that someone should
    if operand.type == "bool" and node.compute == "bool":
        return text
    return f"{text}.to(torch.{TYPES[operand.type].torch}{', copy=True' * is_view_of_input(node)})"


def render(seed, number, mix, layouts, operands, scalars, outputs, results, nodes, builder):
    name = f"case{number:03d}"
    operations = max(1, sum(1 for node in nodes if node.name and node.operation != "cast"))
    kinds = ", ".join(f"{one.type}[{one.members}]" if one.members else one.type for one in operands)
    kinds += " and scalars" * bool(scalars)
    to = ", ".join(f"{one.type}[{one.members}]" if one.members else one.type for one in outputs)
    special = [layout for layout in layouts if layout != "full"]
    description = f"elementwise {mix}, {operations} operations, ({kinds}) -> ({to})" + (
        f"; {', '.join(special)}" if special else "")
    parameters = ", ".join(f"{cpp_element(one)} {one.name}" for one in (*operands, *scalars))
    struct = outputs[0].members
    if struct:
        result, value = "numbers", "numbers{" + ", ".join(as_stored(one, outputs[0]) for one in results) + "}"
    elif len(outputs) == 1:
        result, value = TYPES[outputs[0].type].cpp, as_stored(results[0], outputs[0])
    else:
        result = f"std::tuple<{', '.join(TYPES[one.type].cpp for one in outputs)}>"
        value = "{" + ", ".join(as_stored(node, one) for node, one in zip(results, outputs)) + "}"
    body = [f"    {line}" for line in cpp_lines(nodes, spec_load)]
    spec = spec_text(name, description, [
        *struct_lines(operands), f"auto work = foldwise::vectorize([]({parameters}) -> {result} {{", *body,
        f"    return {value};", "});"])
    everything = [*operands, *scalars, *outputs]
    views = ", ".join(cpp_view(at, one, f"{name}::numbers" if one.struct else cpp_element(one))
                      for at, one in enumerate(everything))
    given = ", ".join(one.name for one in (*operands, *scalars))
    values = [torch_stored(node, one) for node, one in zip(results, outputs)]
    if struct:
        values = ["torch.stack((" + ", ".join(torch_stored(one, outputs[0]) for one in results) + "), -1)"]
    torch_source = "\n".join([f"def work({given}):", *(f"    {line}" for line in torch_lines(nodes)),
                              f"    return {', '.join(values)}", ""])
    features = {f"elementwise {mix}", *(f"layout {one}" for one in layouts), *(f"type {one.type}" for one in operands),
                *(["struct"] if any(one.members for one in operands) else []), f"inputs {len(operands)}",
                f"outputs {len(outputs)}", *(["scalar"] if scalars else [])}
    missing, cupy_source = {}, ""
    if any(one.type == "bfloat16" for one in everything):
        missing["cupy"] = "has no bfloat16"
    else:
        cupy_source = render_cupy(operands, scalars, outputs, results, nodes)
    numpy_source, numba_source, none_on_cpu = render_cpu(operands, scalars, outputs, results, nodes)
    reference = ElementwiseReference(operands, outputs, results, nodes)
    return Workload(seed, number, "elementwise", mix, operands[0].type + "s" * bool(operands[0].members), description,
                    everything, spec, f"{name}::work({views}, at.executor());", torch_source, reference,
                    cupy_source=cupy_source, numpy_source=numpy_source, numba_source=numba_source,
                    missing=missing | none_on_cpu, features=features)


def cupy_names(operand):
    return [f"{operand.name}_{at}" for at in range(operand.members)] if operand.members else [operand.name]


def render_cupy(operands, scalars, outputs, results, nodes):
    """An ElementwiseKernel; of structs each number is an argument of its own."""
    def signature(several):
        return ", ".join(f"{TYPES[one.type].cupy} {name}" for one in several for name in cupy_names(one))
    names = [name for one in outputs for name in cupy_names(one)]
    body = cpp_lines(nodes, cupy_load, is_cupy=True)
    body += [f"{name} = {cpp_argument(node, cupy_load)};" for name, node in zip(names, results)]
    given = []
    for one in (*operands, *scalars):
        given += [f"{one.name}[..., {at}]" for at in range(one.members)] or [one.name]
    lines = ["def make(cupy):",
             f"    kernel = cupy.ElementwiseKernel({signature((*operands, *scalars))!r}, {signature(outputs)!r}, "
             f"{' '.join(body)!r}, 'drawn')",
             f"    def work({', '.join(one.name for one in (*operands, *scalars))}):"]
    if outputs[0].members:
        numbers = [f"out[..., {at}]" for at in range(outputs[0].members)]
        shapes = ", ".join(f"{one.name}.shape" + "[:-1]" * bool(one.members) for one in operands)
        lines += [f"        out = cupy.empty((*numpy.broadcast_shapes({shapes}), {outputs[0].members}), "
                  f"cupy.{TYPES[outputs[0].type].cupy})",
                  f"        kernel({', '.join(given)}, {', '.join(numbers)})",
                  "        return out"]
    else:
        lines += [f"        return kernel({', '.join(given)})"]
    return "\n".join([*lines, "    return work", ""])


class ElementwiseReference:
    """What outputs hold at some places."""
    by_place = True

    def __init__(self, operands, outputs, results, nodes):
        self.operands, self.outputs, self.results, self.nodes = operands, outputs, results, nodes

    def can_be_checked(self, draw):
        """Whether the bounds are small beside most of the values, at some places."""
        at = {}
        for one in self.operands:
            low, high = one.fill[1:]
            values = numpy.array([draw.uniform(low, high) for _ in range(PROBES * max(1, one.members))])
            if one.type == "cfloat":
                values = values + 1j * values[::-1]
            elif TYPES[one.type].unit == 0:
                values = numpy.rint(values).astype(bool if one.type == "bool" else numpy.int64)
            at[one.name] = values.reshape(PROBES, one.members) if one.members else values
        return all((error <= 0.1 * (numpy.abs(value) + 0.1)).mean() > 0.8 for value, error in self(at, 0.0))

    def __call__(self, at, unit16):
        """`at[name]` has the numbers of an operand at the places, those of a struct along the last axis. Gives a value
        and a bound for each output."""
        def load(node):
            values = at[node.operand.name]
            return values[..., node.member] if node.operand.members else values
        found = evaluate(self.nodes, load, unit16)
        pairs = []
        for index, node in enumerate(self.results):
            output = self.outputs[0] if self.outputs[0].members else self.outputs[index]
            value, error = found[id(node)]
            pairs.append(stored(value, error, node.compute, output.type))
        if not self.outputs[0].members:
            return pairs
        return [tuple(numpy.stack([one[part] for one in pairs], -1) for part in (0, 1))]
