"""Loops for Numba: what one writes by hand for a shape that one knows, on all cores.

Axes that lie behind one another in memory become one. The outermost loop is parallel where it has iterations enough;
otherwise all axes but the last are one loop, and the last is cut into pieces.
"""
import dataclasses
import math

ITERATIONS = 64   # from here on the outermost loop alone is enough for all cores
PIECE = 8192      # elements of the last axis, where it is cut
STRIP = 256       # columns that are folded together
FEWEST = 16384    # elements that are worth another part of a fold
ANY_ORDER = '{"reassoc", "nsz", "nnan"}'  # folds may have any order, as in bench/cpu


@dataclasses.dataclass
class Merged:
    """Axes of several arrays after merging: `shape` of the loops, `groups` of the axes that each comes from."""
    shape: tuple
    groups: list

    def reshaped(self, operand):
        """The arrays' new shape in Python; None where it stays."""
        shape = tuple(math.prod(operand.shape[axis] for axis in group) for group in self.groups)
        shape += (operand.members,) * bool(operand.members)
        return None if shape == tuple(operand.torch_shape) else shape

    def place(self, operand, names):
        """Its index in loops over `names`; 0 along what is broadcast."""
        return ", ".join("0" if math.prod(operand.shape[axis] for axis in group) == 1 else name
                         for group, name in zip(self.groups, names))


def merge(shape, operands, kinds=None):
    """Joins neighbouring axes, of the same kind each, that lie behind one another in all operands."""
    kinds = kinds or [0] * len(shape)

    def joins(axis):
        def follows(one):
            extents = one.shape[axis - 1:axis + 1]
            if tuple(extents) != tuple(shape[axis - 1:axis + 1]):
                return tuple(extents) == (1, 1)
            return one.strides[axis - 1] == one.strides[axis] * one.shape[axis]
        return kinds[axis - 1] == kinds[axis] and all(map(follows, operands))
    groups = [[0]]
    for axis in range(1, len(shape)):
        if joins(axis):
            groups[-1].append(axis)
        else:
            groups.append([axis])
    return Merged(tuple(math.prod(shape[axis] for axis in group) for group in groups), groups)


def indented(lines, depth=1):
    return ["    " * depth + line for line in lines]


def nest(shape, names, body, margin=0):
    """Loops over a shape, `margin` away from its edges."""
    ranges = [f"{margin}, {extent - margin}" if margin else str(extent) for extent in shape]
    if len(shape) == 1 or shape[0] >= ITERATIONS:
        lines = [f"for {names[0]} in numba.prange({ranges[0]}):"]
        for depth, (name, limits) in enumerate(zip(names[1:], ranges[1:]), 1):
            lines += indented([f"for {name} in range({limits}):"], depth)
        return lines + indented(body, len(shape))
    inner = [extent - 2 * margin for extent in shape]
    pieces = -(-inner[-1] // PIECE)
    length = -(-inner[-1] // pieces)
    lines = [f"for task in numba.prange({math.prod(inner[:-1]) * pieces}):", f"    rest = task // {pieces}"]
    for name, extent in reversed(list(zip(names[1:-1], inner[1:-1]))):
        lines += indented([f"{name} = rest % {extent} + {margin}", f"rest = rest // {extent}"])
    lines += indented([f"{names[0]} = rest + {margin}", f"begin = task % {pieces} * {length}",
                       f"for {names[-1]} in range(begin + {margin}, min(begin + {length}, {inner[-1]}) + {margin}):"])
    return lines + indented(body, 2)


def function(name, arguments, body, fastmath=""):
    """A compiled function, within make(numba, is_parallel)."""
    options = "parallel=is_parallel, cache=True, error_model='numpy'" + (f", fastmath={fastmath}" if fastmath else "")
    return [f"@numba.njit({options})", f"def {name}({', '.join(arguments)}):", *indented(body), ""]


def maker(functions, arguments, body):
    """The source of make(numba, is_parallel), which gives a function of inputs and outputs."""
    return "\n".join(["import math", "import numpy", "", "def make(numba, is_parallel):", *indented(functions),
                      f"    def work({', '.join(arguments)}):", *indented(body, 2), "    return work", ""])


def elementwise(shape, operands, given, body):
    """`body(place)` has the statements of one element; `given` are the names of all arguments that are used."""
    merged = merge(shape, operands)
    names = [f"i{at}" for at in range(len(merged.shape))]
    arrays = [one.name for one in operands]
    lines = function("loop", arrays, nest(merged.shape, names, body(lambda one: merged.place(one, names))))
    calls = []
    for one in operands:
        new = merged.reshaped(one)
        calls.append(f"{one.name}.reshape({new})" if new else one.name)
    return maker(lines, given, [f"loop({', '.join(calls)})"])


# ---- Folds ----------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Pass:
    """A walk through all elements. `start` has an accumulator's first value by its name; `step` updates accumulators
    {s0}, ... from {x0}, ..., the place {at}, the element {before} and what passes before found, {p0}, ...; `join` takes
    o0, ... of the elements behind into s0, .... `finish` are the values that result."""
    start: dict
    step: list
    join: list
    finish: list
    until: str = ""        # an accumulator that ends a row
    has_before: bool = False


def fold_pass(name, one, shape, kinds, operands, results, previous, merged, stored):
    """`kinds` says of each axis whether it is folded; `stored(index, place)` names where a result goes."""
    folded = [axis for axis, is_folded in enumerate(kinds) if is_folded]
    kept = [axis for axis, is_folded in enumerate(kinds) if not is_folded]
    is_columns = bool(kept) and kept[-1] == len(shape) - 1
    names = [f"i{axis}" for axis in range(len(shape))]
    outer = kept[:-1] if is_columns else kept
    columns = shape[-1] if is_columns else 1
    strips = -(-columns // STRIP)
    width = -(-columns // strips)
    tasks = math.prod(shape[axis] for axis in outer) * strips
    count = math.prod(shape[axis] for axis in folded)
    cut = max(folded, key=lambda axis: shape[axis])
    parts = 1 if tasks >= ITERATIONS else max(1, min(shape[cut], ITERATIONS // tasks, count * width // FEWEST))
    length = -(-shape[cut] // parts)
    parts = -(-shape[cut] // length)

    own = {key: f"{key}[j]" if is_columns else key for key in one.start}
    kept_place = ", ".join(names[axis] for axis in kept) or "0"
    at = ""
    for axis in folded:
        at = f"({at}) * {shape[axis]} + {names[axis]}" if at else names[axis]
    words = {**own, **{text: f"{text}[{kept_place}]" for text in previous}, "at": at}
    for operand in operands:
        member = merged.place(operand, names)
        words[operand.name] = f"{operand.name}[{member}]"
        if one.has_before:
            before = [f"{text} - 1" if axis == folded[0] else text for axis, text in enumerate(names)]
            words["before"] = f"{operand.name}[{merged.place(operand, before)}]"
    step = [line.format(**words) for line in one.step]

    lines = []
    if parts > 1:
        space = f"{parts}, {math.prod(shape[axis] for axis in kept) if kept else 1}"
        lines += [f"all_{key} = numpy.empty(({space}), numpy.{kind})" for key, (kind, _) in one.start.items()]
    lines += [f"for task in numba.prange({tasks * parts}):", f"    part = task % {parts}",
              f"    rest = task // {parts}"]
    inside = []
    if is_columns:
        inside += [f"first = rest % {strips} * {width}", f"columns = min({columns} - first, {width})",
                   f"rest = rest // {strips}"]
        inside += [f"{key} = numpy.full(columns, {value}, numpy.{kind})" for key, (kind, value) in one.start.items()]
    else:
        inside += [f"{key} = numpy.{kind}({value})" for key, (kind, value) in one.start.items()]
    for axis in reversed(outer):
        inside += [f"{names[axis]} = rest % {shape[axis]}", f"rest = rest // {shape[axis]}"]
    inside += [f"begin = part * {length}", f"end = min(begin + {length}, {shape[cut]})"]
    depth = 0
    for axis in folded:
        low = ("max(1, begin)" if one.has_before else "begin") if axis == cut else "0"
        inside += indented([f"for {names[axis]} in range({low}, {'end' if axis == cut else shape[axis]}):"], depth)
        depth += 1
    if is_columns:
        inside += indented(["for j in range(columns):", f"    {names[-1]} = first + j"], depth)
        depth += 1
    inside += indented(step, depth)
    if one.until and not is_columns:
        inside += indented([f"if {one.until}:", "    break"], depth)
    flat = "0"
    for axis in kept:
        flat = f"({flat}) * {shape[axis]} + {names[axis]}" if flat != "0" else names[axis]
    if parts > 1:
        end = [f"all_{key}[part, {flat}] = {own[key]}" for key in one.start]
    else:
        end = [f"{stored(index, kept_place)} = {text.format(**words)}" for index, text in enumerate(one.finish)]
    if is_columns:
        end = ["for j in range(columns):", f"    {names[-1]} = first + j", *indented(end)]
    lines += indented(inside + end)
    if parts > 1:
        lines += joined(one, shape, names, kept, parts, flat, stored, kept_place)
    return function(name, [*(operand.name for operand in operands), *previous, *results], lines, ANY_ORDER)


def joined(one, shape, names, kept, parts, flat, stored, kept_place):
    """Takes the parts of each result together, in order."""
    inside = [f"{key} = all_{key}[0, {flat}]" for key in one.start]
    inside += [f"for part in range(1, {parts}):",
               *indented([f"o{key[1:]} = all_{key}[part, {flat}]" for key in one.start] + one.join)]
    words = {key: key for key in one.start}
    inside += [f"{stored(index, kept_place)} = " + text.format(**words, **{f"p{at}": f"p{at}[{kept_place}]"
                                                                           for at in range(2)})
               for index, text in enumerate(one.finish)]
    lines = []
    for depth, axis in enumerate(kept):
        kind = "numba.prange" if depth == 0 and math.prod(shape[at] for at in kept) >= 4096 else "range"
        lines += indented([f"for {names[axis]} in {kind}({shape[axis]}):"], depth)
    return lines + indented(inside, len(kept))


def fold(shape, dims, operands, output, passes):
    """`output` is an Operand, `passes` all but the last find one number for each result."""
    is_folded = [dims is None or axis in dims for axis in range(len(shape))]
    merged = merge(shape, operands, is_folded)
    prepare = {}
    if any(one.has_before for one in passes) and dims is None and len(merged.shape) > 1:
        merged = Merged((math.prod(shape),), [list(range(len(shape)))])  # neighbours in the flat array: a copy of it
        prepare = {one.name: f"numpy.ascontiguousarray({one.name})" for one in operands}
    kinds = [is_folded[group[0]] for group in merged.groups]
    kept = tuple(extent for extent, folded in zip(merged.shape, kinds) if not folded) or (1,)
    functions, body, found = [], [], []
    for one in operands:
        new = merged.reshaped(one)
        if new or one.name in prepare:
            body.append(f"{one.name} = {prepare.get(one.name, one.name)}.reshape({new or tuple(one.shape)})")
    for index, one in enumerate(passes):
        is_last = index == len(passes) - 1
        name = "out" if is_last else f"p{index}"

        def stored(number, place, name=name, is_last=is_last):
            return f"{name}[{place}{f', {number}' if is_last and output.members else ''}]"
        functions += fold_pass(f"pass{index}", one, merged.shape, kinds, operands, [name], found, merged, stored)
        if is_last:
            given = f"out0.reshape({kept + (output.members,) * bool(output.members)})"
        else:
            kind = next(iter(one.start.values()))[0]
            body.append(f"{name} = numpy.empty({kept}, numpy.{kind})")
            given = name
        body.append(f"pass{index}({', '.join([*(operand.name for operand in operands), *found, given])})")
        found = [*found, *([] if is_last else [name])]
    return maker(functions, [*(one.name for one in operands), "out0"], body)
