"""Workloads that fold: shapes and axes, around the kinds of fold_kinds.py."""
import math

import numpy

import probabilities as p
from element_types import TYPES
from elementwise import cpp_element, draw_shape, fill_of, laid_out, spec_text
from fold import Fold
from fold_cpu import render_cpu
from fold_kinds import FLOATS_ONLY, KINDS, ONE_AXIS, SIGNED_ONLY
from workload import Operand, Workload, cpp_view


def draw_fold(draw, seed, number, size):
    kind = draw.weighted(p.FOLDS)
    weights = {name: weight for name, weight in p.FOLD_ELEMENTS.items()
               if (kind not in FLOATS_ONLY or TYPES[name].unit) and (kind not in SIGNED_ONLY or name != "uint8")}
    type_name = draw.weighted(weights)
    count = {"mapped_sum": draw.weighted({1: 35, 2: 50, 3: 15}), "weighted_mean": 2}.get(kind, 1)
    types = [type_name] + [type_name if kind != "mapped_sum" or draw.chance(0.7) else draw.weighted(p.FOLD_ELEMENTS)
                           for _ in range(count - 1)]
    elements = max(4.0, size / sum(TYPES[one].bytes for one in types))
    shape, dims = draw_axes(draw, elements, kind)
    operands = [Operand(f"x{at}", one, shape, fill=fill_of(draw, one)) for at, one in enumerate(types)]
    for one in operands:
        if TYPES[one.type].unit:
            one.fill = ("uniform", *draw.pick(((-1.0, 1.0), (0.0, 1.0), (-2.0, 2.0))))
        elif one.type == "uint8":
            one.fill = ("uniform", 0, 255)
        elif one.type != "int8":
            one.fill = ("uniform", -1000, 1000)
    layouts = [draw.weighted(p.FOLD_LAYOUTS) for _ in operands]
    for one, layout in zip(operands, layouts):
        laid_out(draw, one, layout)
    folded = range(len(shape)) if dims is None else dims
    fold = Fold(draw, operands, dims, len(shape), math.prod(shape[axis] for axis in folded))
    KINDS[kind](fold)
    return render(seed, number, kind, fold, shape, layouts)


def draw_axes(draw, elements, kind):
    """The shape, and the folded axes: None for all of them."""
    if draw.chance(p.WHOLE):
        return draw_shape(draw, elements, draw.weighted({1: 70, 2: 20, 3: 10})), None
    rank = draw.weighted(p.FOLD_AXES)
    if rank == 1:
        return (int(elements),), None  # there is no other axis
    row = min(draw.log_uniform(*p.ROWS), elements / 2)
    folded_count = 1 if kind in ONE_AXIS else draw.between(1, rank - 1)
    folded = tuple(sorted(draw.shuffled(range(rank))[:folded_count]))
    kept = [axis for axis in range(rank) if axis not in folded]
    shape = [0] * rank
    for axis, extent in zip(folded, draw_shape(draw, row, len(folded))):
        shape[axis] = extent
    rest = max(2.0, elements / math.prod(shape[axis] for axis in folded))
    for axis, extent in zip(kept, draw_shape(draw, rest, len(kept))):
        shape[axis] = extent
    return tuple(shape), folded


def render(seed, number, kind, fold, shape, layouts):
    name = f"case{number:03d}"
    kept = () if fold.dims is None else tuple(shape[axis] for axis in range(len(shape)) if axis not in fold.dims)
    out = Operand("out0", fold.result, kept or (1,), "out", members=fold.members, struct="numbers" * bool(fold.members))
    axes = "all" if fold.dims is None else "axis " + ", ".join(map(str, fold.dims))
    kinds = ", ".join(one.type for one in fold.operands)
    result = f"{out.type}[{out.members}]" if out.members else out.type
    description = f"{fold.what}, {axes} of {'x'.join(map(str, shape))}, ({kinds}) -> {result}" + (
        "; slice" if "slice" in layouts else "")
    structs = list(fold.structs)
    if fold.members:
        structs.append(f"struct numbers {{ {TYPES[fold.result].cpp} {', '.join('abcde'[:fold.members])}; }};")
    spec = spec_text(name, description, [*structs, f"auto work = foldwise::reduce<{fold.signature}>(",
                                         ",\n".join(f"    {part}" for part in fold.parts) + ");"])
    operands = [*fold.operands, out]
    views = ", ".join(cpp_view(at, one, f"{name}::numbers" if one.struct else cpp_element(one))
                      for at, one in enumerate(operands))
    option = "" if fold.dims is None else f", foldwise::axis({', '.join(map(str, fold.dims))})"
    given = ", ".join(one.name for one in fold.operands)
    torch_source = "\n".join([f"def work({given}):", *(f"    {line}" for line in fold.torch), ""])
    missing, cupy_source = {}, ""
    if fold.no_cupy or any(not TYPES[one.type].cupy for one in operands):
        missing["cupy"] = fold.no_cupy or "has no bfloat16"
    else:
        cupy_source = "\n".join(["def make(cupy):", f"    {fold.cupy_kernel}" if fold.cupy_kernel else "",
                                 f"    def work({given}):", *(f"        {line}" for line in fold.cupy),
                                 "    return work", ""]).replace(", )", ")")
    numpy_source, numba_source, none_on_cpu = render_cpu(kind, fold, shape, out)
    inner = "all" if fold.dims is None else ("one axis" if len(fold.dims) == 1 else "several axes")
    where = "" if fold.dims is None else ", last" if fold.dims[-1] == len(shape) - 1 else ", not last"
    features = {f"fold {kind}", f"fold {inner}{where}", *(f"fold of {one.type}" for one in fold.operands),
                f"fold axes {len(shape)}", *(f"fold layout {one}" for one in layouts)}
    return Workload(seed, number, "fold", kind, fold.type, description, operands, spec,
                    f"{name}::work({views}{option}, at.executor());", torch_source, FoldReference(fold, kept),
                    cupy_source=cupy_source, numpy_source=numpy_source, numba_source=numba_source,
                    missing=missing | none_on_cpu, features=features)


class FoldReference:
    """What some of the results are."""
    by_place = False

    def __init__(self, fold, kept):
        self.fold, self.kept = fold, kept

    def __call__(self, rows, unit16):
        """Rows are arrays of (results, elements) by operand; gives a value and a bound for each number of a result."""
        return self.fold.reference(rows, unit16)

    def seen(self, rows, got):
        """What is compared: of a place, the element that is there."""
        if not self.fold.is_place:
            return got
        values = rows["x0"]
        inside = (got >= 0) & (got < values.shape[1])
        found = values[numpy.arange(len(got)), numpy.where(inside, got, 0)].astype(float)
        return numpy.where(inside, found, numpy.nan)
