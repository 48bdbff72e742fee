"""What folds compute: each kind as the parts of a reduction, in PyTorch, in CuPy and as a reference.

Each kind is a function of a `Fold`, which is filled in. References get rows: arrays of (results, elements) by operand.
"""
import math

import numpy

from element_types import COMPUTE_CPP, COMPUTE_STORED, TYPES
from expression import (CUPY_TYPES, cpp_argument, cpp_lines, cupy_load, evaluate, name_nodes, spec_load, torch_argument,
                        torch_lines)
from fold import combine, mapped, summed
from grammar import Builder, load_nodes
from probabilities import MIXES


def sum_of(fold):
    fold.result, fold.what = fold.accumulated, "sum"
    fold.signature = f"{fold.acc}({fold.cpp})"
    fold.parts = [combine("return a + b;"), "foldwise::identity(0)"]
    fold.torch = [f"return x0.sum({fold.dim(dtype=fold.torch_acc)})"]
    fold.cupy = [f"return cupy.sum(x0, {fold.axis(dtype=fold.cupy_acc)})"]
    fold.reference = lambda rows, u: [summed(fold, rows["x0"], numpy.zeros(rows["x0"].shape), u)]


def product(fold):
    fold.result, fold.what = fold.accumulated, "product"
    root = 1 / math.sqrt(fold.count)
    fold.operands[0].fill = ("uniform", 1 - root / 2, 1 + root / 2)
    fold.signature = f"{fold.acc}({fold.cpp})"
    fold.parts = [combine("return a * b;"), "foldwise::identity(1)"]
    text = f"x0.to({fold.torch_acc})" if fold.acc != fold.cpp else "x0"
    chain = "".join(f".prod({one})" for one in sorted(fold.dims, reverse=True)) if fold.dims else ".prod()"
    fold.torch = [f"return {text}{chain}"]
    fold.cupy = [f"return cupy.prod(x0, {fold.axis(dtype=fold.cupy_acc)})"]

    def reference(rows, u):
        value = rows["x0"].prod(1)
        return [(value, (fold.depth() + 0.05 * fold.count) * fold.unit(u) * numpy.abs(value))]
    fold.reference = reference


def extremum(fold, name):
    fold.result, fold.what = fold.type, name
    sign, torch_name = ("<", "amin") if name == "minimum" else (">", "amax")
    fold.signature = fold.cpp
    fold.parts = [combine(f"return a {sign} b ? a : b;"), f"foldwise::{'highest' if sign == '<' else 'lowest'}"]
    fold.torch = [f"return x0.{torch_name}({fold.dim()})"]
    fold.cupy = [f"return cupy.{torch_name}(x0, {fold.axis()})"]
    fold.reference = lambda rows, u: [(getattr(rows["x0"], torch_name[1:])(1), numpy.zeros(len(rows["x0"])))]


def mapped_sum(fold):
    draw = fold.draw
    mix = draw.weighted({name: weight for name, (weight, _) in MIXES.items()})
    has_16 = any(one.type in ("half", "bfloat16") for one in fold.operands)
    builder = Builder(draw, [node for one in fold.operands for node in load_nodes(one)], [], mix, has_16)
    node = builder.build(draw.between(1, 6)).results(1)[0]
    compute = {"i32": "i64", "bool": "i64"}.get(node.compute, node.compute)
    if node.compute == "i64" and max(map(abs, node.interval)) * fold.count > 2**62:
        node = builder.converted(node, "f64")
        compute = "f64"
    nodes = name_nodes([node])
    fold.given = {"node": node, "nodes": nodes, "compute": compute}
    fold.result = COMPUTE_STORED[compute]
    fold.what = f"sum of {mix} of {sum(1 for one in nodes if one.name)} operations"
    acc, text = COMPUTE_CPP[compute], cpp_argument(node, spec_load)
    fold.signature = f"{acc}({', '.join(TYPES[one.type].cpp for one in fold.operands)})"
    parameters = ", ".join(f"{TYPES[one.type].cpp} {one.name}" for one in fold.operands)
    fold.parts = [mapped(fold, parameters, acc, [*cpp_lines(nodes, spec_load), f"return {text};"]),
                  combine("return a + b;"), "foldwise::identity(0)"]
    stored = TYPES[COMPUTE_STORED[compute]]
    fold.torch = [*torch_lines(nodes), f"return {torch_argument(node)}.sum({fold.dim(dtype='torch.' + stored.torch)})"]
    given = ", ".join(f"{TYPES[one.type].cupy} {one.name}" for one in fold.operands)
    names = {"float16": "float16", "float32": "float", "float64": "double", "int8": "signed char",
             "uint8": "unsigned char", "int32": "int", "int64": "long long"}
    typed = ", ".join(f"{names.get(TYPES[one.type].cupy, '')} {one.name}" for one in fold.operands)
    result = CUPY_TYPES[compute]
    lines = [*cpp_lines(nodes, cupy_load, is_cupy=True), f"return {cpp_argument(node, cupy_load)};"]
    preamble = f"__device__ {result} drawn_map({typed}) {{ {' '.join(lines)} }}"
    call = f"drawn_map({', '.join(one.name for one in fold.operands)})"
    fold.cupy_kernel = (f"kernel = cupy.ReductionKernel({given!r}, '{stored.cupy} out', {call!r}, 'a + b', 'out = a', "
                        f"'0', 'drawn', reduce_type={result!r}, preamble={preamble!r})")
    fold.cupy = [f"return kernel({', '.join(one.name for one in fold.operands)}, {fold.axis()})"]

    def reference(rows, u):
        value, error = evaluate(nodes, lambda one: rows[one.operand.name], u)[id(node)]
        value = value.astype(numpy.int64) if value.dtype == bool else value
        value, error = numpy.broadcast_arrays(value, error)
        total, bound = value.sum(1), numpy.where(numpy.isinf(error), 0, error).sum(1)
        # What rounding decides is at most as far off as values are apart.
        unsure = numpy.isinf(error).sum(1) * (node.interval[1] - node.interval[0] + 1 if node.interval else 1)
        unit = max(stored.unit, u if compute == "f32" else 0)
        return [(total, bound + unsure + fold.depth() * unit * numpy.abs(value).sum(1))]
    fold.reference = reference


def count_of(fold):
    low, high = fold.operands[0].fill[1:3]
    is_whole = TYPES[fold.type].unit == 0
    limit = fold.draw.uniform(low, high)
    limit = int(limit) if is_whole else round(limit * 8) / 8  # a number that every type has
    other = int((limit + high) / 2) + 1 if is_whole else limit + 0.25
    text, literal = ("x0", str) if is_whole else (fold.value, lambda v: f"{v!r}" + "f" * (fold.acc == "float"))
    is_range = fold.draw.chance(0.4)
    fold.given = {"limit": limit, "other": other, "is_range": is_range}
    cpp = f"{text} > {literal(limit)}" + f" && {text} < {literal(other)}" * is_range
    fold.result, fold.what = "int64", "count of a range" if is_range else "count"
    fold.signature = f"std::int64_t({fold.cpp})"
    fold.parts = [mapped(fold, f"{fold.cpp} x0", "std::int64_t", [f"return {cpp} ? 1 : 0;"]), combine("return a + b;"),
                  "foldwise::identity(0)"]
    condition = f"(x0 > {limit})" + f" & (x0 < {other})" * is_range
    fold.torch = [f"return torch.count_nonzero({condition}{', ' * bool(fold.dims)}{fold.dim()})"]
    fold.cupy = [f"return cupy.count_nonzero({condition}, {fold.axis()})"]

    def reference(rows, u):
        x = rows["x0"]
        found = (x > limit) & (x < other) if is_range else x > limit
        return [(found.sum(1), numpy.zeros(len(x)))]
    fold.reference = reference


def norm(fold):
    order = fold.draw.pick(("1", "2", "2", "inf"))
    fold.result, fold.what, fold.given = fold.accumulated, f"norm of order {order}", {"order": order}
    of = f"std::abs({fold.value})" if order != "2" else f"{fold.value} * {fold.value}"
    fold.signature = f"{fold.acc}({fold.cpp})"
    fold.parts = [mapped(fold, f"{fold.cpp} x0", fold.acc, [f"return {of};"]),
                  combine("return a < b ? b : a;" if order == "inf" else "return a + b;"), "foldwise::identity(0)"]
    if order == "2":
        fold.parts.append(f"foldwise::finish([]({fold.acc} a) {{ return std::sqrt(a); }})")
    number = "float('inf')" if order == "inf" else order
    dims = {} if fold.dims is None else {"dim": fold.dims}
    named = ", ".join(f"{name}={value}" for name, value in {**dims, "dtype": fold.torch_acc}.items())
    fold.torch = [f"return torch.linalg.vector_norm(x0, {number}, {named})"]
    body, end = {"1": ("abs(float_(x0))", "a + b"), "2": ("float_(x0) * float_(x0)", "a + b"),
                 "inf": ("abs(float_(x0))", "max(a, b)")}[order], "out = sqrt(a)" if order == "2" else "out = a"
    kind = CUPY_TYPES[TYPES[fold.accumulated].compute]
    fold.cupy_kernel = (f"kernel = cupy.ReductionKernel('{TYPES[fold.type].cupy} x0', "
                        f"'{TYPES[fold.accumulated].cupy} out', {body[0].replace('float_', kind)!r}, {body[1]!r}, "
                        f"{end!r}, '0', 'drawn', reduce_type={kind!r})")
    fold.cupy = [f"return kernel(x0, {fold.axis()})"]

    def reference(rows, u):
        x = numpy.abs(rows["x0"])
        value = {"1": x.sum(1), "2": numpy.sqrt((x * x).sum(1)), "inf": x.max(1)}[order]
        return [(value, fold.depth() * fold.unit(u) * value)]
    fold.reference = reference


def place(fold):
    is_least = fold.draw.chance(0.5)
    fold.given = {"is_least": is_least}
    sign, name = ("<", "argmin") if is_least else (">", "argmax")
    fold.result, fold.what, fold.is_place = "int64", "place of the " + ("minimum" if is_least else "maximum"), True
    index, number = ("foldwise::index<1> at", "at") if fold.dims is None else (
        f"foldwise::index<{fold.rank}> at", f"at[{fold.dims[0]}]")
    fold.structs = [f"struct best {{ {fold.cpp} value; std::int64_t place; }};"]
    fold.signature = f"std::int64_t({fold.cpp})"
    fold.parts = [
        mapped(fold, f"{index}, {fold.cpp} x0", "best", [f"return {{x0, {number}}};"]),
        combine(f"return b.value {sign} a.value || (b.value == a.value && b.place < a.place) ? b : a;"),
        "foldwise::no_identity", "foldwise::commutative", "foldwise::finish([](best a) { return a.place; })"]
    fold.torch = [f"return x0.{name}({fold.dim()})"]
    fold.cupy = [f"return cupy.{name}(x0{'' if fold.dims is None else f', axis={fold.dims[0]}'})"]

    def reference(rows, u):
        value = rows["x0"].min(1) if is_least else rows["x0"].max(1)
        return [(value, numpy.zeros(len(value)))]
    fold.reference = reference


def mean_variance(fold):
    acc = fold.acc
    fold.result, fold.what = fold.accumulated, "mean and variance"
    fold.members = 2 if fold.draw.chance(0.6) else 0
    end = "numbers{a.mean, a.squares / static_cast<%s>(a.n)}" % acc if fold.members else \
        f"a.squares / static_cast<{acc}>(a.n)"
    fold.what = "mean and variance" if fold.members else "variance"
    fold.structs = [f"struct moments {{ std::int32_t n; {acc} mean, squares; }};"]
    fold.signature = f"{'numbers' if fold.members else acc}({fold.cpp})"
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0", "moments", [f"return {{1, {fold.value}, 0}};"]),
        "foldwise::combine([](moments a, moments b) { const std::int32_t n = a.n + b.n; "
        f"const {acc} d = b.mean - a.mean, part = static_cast<{acc}>(b.n) / static_cast<{acc}>(n); "
        f"return moments{{n, a.mean + d * part, a.squares + b.squares + d * d * static_cast<{acc}>(a.n) * part}}; }})",
        "foldwise::no_identity", "foldwise::commutative", f"foldwise::finish([](moments a) {{ return {end}; }})"]
    dims = [] if fold.dims is None else [f"dim={fold.dims}"]
    axis = fold.axis(dtype=fold.cupy_acc)
    fold.torch = [f"variance, mean = torch.var_mean({', '.join(['x0', *dims, 'correction=0'])})",
                  "return mean, variance"]
    fold.cupy = [f"return cupy.mean(x0, {axis}), cupy.var(x0, {axis})"]
    if not fold.members:
        fold.torch = [f"return torch.var({', '.join(['x0', *dims, 'correction=0'])})"]
        fold.cupy = [f"return cupy.var(x0, {axis})"]

    def reference(rows, u):
        x = rows["x0"].astype(float)
        mean, variance = x.mean(1), x.var(1)
        unit, size = fold.unit(u) * fold.depth(), numpy.abs(x).mean(1)
        pairs = [(mean, unit * size), (variance, unit * (variance + size * numpy.sqrt(variance)) + unit**2 * size**2)]
        return pairs if fold.members else pairs[1:]
    fold.reference = reference


def logsumexp(fold):
    acc = fold.acc
    fold.result, fold.what = fold.accumulated, "log-sum-exp"
    fold.structs = [f"struct part {{ {acc} largest, sum; }};"]
    fold.signature = f"{acc}({fold.cpp})"
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0", "part", [f"return {{{fold.value}, 1}};"]),
        f"foldwise::combine([](part a, part b) {{ const {acc} m = std::max(a.largest, b.largest); "
        "return part{m, a.sum * std::exp(a.largest - m) + b.sum * std::exp(b.largest - m)}; })",
        "foldwise::no_identity", "foldwise::commutative",
        "foldwise::finish([](part a) { return a.largest + std::log(a.sum); })"]
    dims = tuple(range(fold.rank)) if fold.dims is None else fold.dims
    fold.torch = [f"return torch.logsumexp(x0, {dims})"]
    fold.cupy = [f"largest = cupy.amax(x0, {fold.axis(keepdims=True)})",
                 f"total = cupy.sum(cupy.exp(x0 - largest), {fold.axis(dtype=fold.cupy_acc)})",
                 "return cupy.log(total) + largest.reshape(total.shape)"]

    def reference(rows, u):
        x = rows["x0"].astype(float)
        largest = x.max(1)
        value = largest + numpy.log(numpy.exp(x - largest[:, None]).sum(1))
        return [(value, fold.unit(u) * (fold.depth() + 8 * (numpy.abs(x).max(1) + numpy.abs(value))))]
    fold.reference = reference


def minmax(fold):
    fold.result, fold.members, fold.what = fold.type, 2, "minimum and maximum"
    fold.signature = f"numbers({fold.cpp})"
    fold.parts = [mapped(fold, f"{fold.cpp} x0", "numbers", ["return {x0, x0};"]),
                  "foldwise::combine([](numbers a, numbers b) { "
                  "return numbers{b.a < a.a ? b.a : a.a, a.b < b.b ? b.b : a.b}; })",
                  "foldwise::no_identity", "foldwise::commutative"]
    if fold.dims is None or len(fold.dims) == 1:
        fold.torch = [f"return torch.aminmax(x0{'' if fold.dims is None else f', dim={fold.dims[0]}'})"]
    else:
        fold.torch = [f"return x0.amin({fold.dim()}), x0.amax({fold.dim()})"]
    fold.cupy = [f"return cupy.amin(x0, {fold.axis()}), cupy.amax(x0, {fold.axis()})"]
    fold.reference = lambda rows, u: [(rows["x0"].min(1), numpy.zeros(len(rows["x0"]))),
                                      (rows["x0"].max(1), numpy.zeros(len(rows["x0"])))]


def weighted_mean(fold):
    acc = fold.acc
    fold.operands[1].fill = ("uniform", 0.1, 1.0)
    fold.result, fold.what = fold.accumulated, "weighted mean"
    fold.structs = [f"struct sums {{ {acc} weights, weighted; }};"]
    fold.signature = f"{acc}({fold.cpp}, {fold.cpp})"
    cast = (lambda name: name) if fold.cpp == acc else (lambda name: f"static_cast<{acc}>({name})")
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0, {fold.cpp} x1", "sums",
               [f"return {{{cast('x1')}, {cast('x0')} * {cast('x1')}}};"]),
        "foldwise::combine([](sums a, sums b) { return sums{a.weights + b.weights, a.weighted + b.weighted}; })",
        "foldwise::identity(sums{0, 0})", "foldwise::commutative",
        "foldwise::finish([](sums a) { return a.weighted / a.weights; })"]
    dim = fold.dim(dtype=fold.torch_acc)
    fold.torch = [f"return (x0 * x1).sum({dim}) / x1.sum({dim})"]
    axis = fold.axis(dtype=fold.cupy_acc)
    fold.cupy = [f"return cupy.sum(x0 * x1, {axis}) / cupy.sum(x1, {axis})"]

    def reference(rows, u):
        x, w = rows["x0"].astype(float), rows["x1"].astype(float)
        value, size = (x * w).sum(1) / w.sum(1), (numpy.abs(x) * w).sum(1) / w.sum(1)
        return [(value, 2 * fold.depth() * fold.unit(u) * size)]
    fold.reference = reference


def moments(fold):
    acc, members = fold.acc, fold.draw.between(2, 5)
    fold.result, fold.members, fold.what = fold.accumulated, members, f"{members} power sums"
    letters = "abcde"[:members]
    powers = ["x"] + [f"p{at} * x" for at in range(1, members)]
    lines = [f"const {acc} x = {fold.value};"] + [
        f"const {acc} p{at + 1} = {text};" for at, text in enumerate(powers[:-1])]
    names = [f"p{at + 1}" for at in range(members - 1)] + [powers[-1]]
    fold.signature = f"numbers({fold.cpp})"
    fold.parts = [mapped(fold, f"{fold.cpp} x0", "numbers", [*lines, f"return {{{', '.join(names)}}};"]),
                  "foldwise::combine([](numbers a, numbers b) { return numbers{" +
                  ", ".join(f"a.{one} + b.{one}" for one in letters) + "}; })",
                  "foldwise::identity(numbers{})", "foldwise::commutative"]
    start = f"x0.to({fold.torch_acc})" if fold.cpp != acc else "x0"
    fold.torch = [f"x = {start}", "p1 = x", *(f"p{at + 1} = p{at} * x" for at in range(1, members)),
                  "return " + ", ".join(f"p{at + 1}.sum({fold.dim()})" for at in range(members))]
    fold.cupy = [line.replace(f"x0.to({fold.torch_acc})", f"x0.astype({fold.cupy_acc})").replace(
        ".sum(" + fold.dim(), ".sum(" + fold.axis()) for line in fold.torch]

    def reference(rows, u):
        x, pairs = rows["x0"], []
        for power in range(1, members + 1):
            values = x**power
            pairs.append(summed(fold, values, power * TYPES[fold.accumulated].unit * numpy.abs(values), u))
        return pairs
    fold.reference = reference


def along(fold, name="x0"):
    """Statements that give `a` and `b`, neighbours along the folded axis or in the flat array; the same in CuPy."""
    if fold.dims is None:
        return [f"flat = {name}.reshape(-1)", "a, b = flat[:-1], flat[1:]"]
    before = ":, " * fold.dims[0]
    return [f"a, b = {name}[{before}:-1], {name}[{before}1:]"]


def changes(fold):
    fold.result, fold.what = "int64", "changes of sign, in order"
    fold.structs = [f"struct run {{ {fold.cpp} first, last; std::int32_t changes; }};"]
    fold.signature = f"std::int64_t({fold.cpp})"
    zero = "0" if TYPES[fold.type].unit == 0 else {"float": "0.0f", "double": "0.0"}[fold.accumulated]
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0", "run", ["return {x0, x0, 0};"]),
        f"foldwise::combine([](run a, run b) {{ return run{{a.first, b.last, a.changes + b.changes + "
        f"((a.last < {zero}) != (b.first < {zero}) ? 1 : 0)}}; }})",
        "foldwise::no_identity", "foldwise::finish([](run a) { return std::int64_t{a.changes}; })"]
    fold.torch = [*along(fold), f"return torch.count_nonzero((a < 0) != (b < 0){', ' * bool(fold.dims)}{fold.dim()})"]
    fold.cupy = [*along(fold), f"return cupy.count_nonzero((a < 0) != (b < 0), {fold.axis()})"]

    def reference(rows, u):
        x = rows["x0"] < 0
        return [((x[:, 1:] != x[:, :-1]).sum(1), numpy.zeros(len(x)))]
    fold.reference = reference


def variation(fold):
    acc = fold.acc
    fold.result, fold.what = fold.accumulated, "sum of absolute differences of neighbours, in order"
    fold.structs = [f"struct path {{ {acc} first, last, length; }};"]
    fold.signature = f"{acc}({fold.cpp})"
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0", "path", [f"return {{{fold.value}, {fold.value}, 0}};"]),
        "foldwise::combine([](path a, path b) { "
        "return path{a.first, b.last, a.length + b.length + std::abs(b.first - a.last)}; })",
        "foldwise::no_identity", "foldwise::finish([](path a) { return a.length; })"]
    cast = f"x0.to({fold.torch_acc})" if fold.cpp != acc else "x0"
    fold.torch = [*along(fold, cast), f"return (b - a).abs().sum({fold.dim()})"]
    fold.cupy = [*along(fold, cast.replace(".to(torch.", ".astype(cupy.")),
                 f"return cupy.abs(b - a).sum({fold.axis()})"]

    def reference(rows, u):
        steps = numpy.abs(numpy.diff(rows["x0"], axis=1))
        return [summed(fold, steps, TYPES[fold.accumulated].unit * steps, u)]
    fold.reference = reference


def first(fold):
    low, high = fold.operands[0].fill[1:3]
    share = min(0.5, 8 / fold.count)
    limit = high - share * (high - low)
    limit = int(limit) if TYPES[fold.type].unit == 0 else math.floor(limit * 128) / 128
    fold.given = {"limit": limit}
    fold.result, fold.what = fold.type, "first element above a limit, in order"
    number = str(limit) if TYPES[fold.type].unit == 0 else f"{limit!r}" + "f" * (fold.acc == "float")
    fold.structs = [f"struct candidate {{ {fold.cpp} value; bool is_found; }};"]
    fold.signature = f"{fold.cpp}({fold.cpp})"
    fold.parts = [
        mapped(fold, f"{fold.cpp} x0", "candidate", [f"return {{x0, {fold.value} > {number}}};"]),
        "foldwise::combine([](candidate a, candidate b) { return a.is_found ? a : b; })",
        "foldwise::no_identity",
        f"foldwise::finish([](candidate a) {{ return a.is_found ? a.value : static_cast<{fold.cpp}>(0); }})"]
    if fold.dims is None:
        fold.torch = ["flat = x0.reshape(-1)", f"above = flat > {limit}", "at = above.to(torch.uint8).argmax()",
                      "return torch.where(above[at], flat[at], 0)"]
        fold.cupy = ["flat = x0.reshape(-1)", f"above = flat > {limit}", "at = cupy.argmax(above)",
                     "return cupy.where(above[at], flat[at], x0.dtype.type(0))"]
    else:
        dim = fold.dims[0]
        fold.torch = [f"above = x0 > {limit}", f"at = above.to(torch.uint8).argmax({dim}, keepdim=True)",
                      f"return torch.where(above.gather({dim}, at), x0.gather({dim}, at), 0).squeeze({dim})"]
        fold.cupy = [f"above = x0 > {limit}", f"at = cupy.expand_dims(cupy.argmax(above, axis={dim}), {dim})",
                     f"found = cupy.take_along_axis(above, at, {dim})",
                     f"value = cupy.take_along_axis(x0, at, {dim})",
                     f"return cupy.where(found, value, x0.dtype.type(0)).squeeze({dim})"]

    def reference(rows, u):
        x = rows["x0"]
        above = x > limit
        at = above.argmax(1)
        value = numpy.where(above.any(1), x[numpy.arange(len(x)), at], 0)
        return [(value, numpy.zeros(len(x)))]
    fold.reference = reference


KINDS = {"sum": sum_of, "product": product, "minimum": lambda fold: extremum(fold, "minimum"),
         "maximum": lambda fold: extremum(fold, "maximum"), "mapped_sum": mapped_sum, "count": count_of, "norm": norm,
         "place": place, "mean_variance": mean_variance, "logsumexp": logsumexp, "minmax": minmax,
         "weighted_mean": weighted_mean, "moments": moments, "changes": changes, "first": first,
         "variation": variation}
FLOATS_ONLY = ("product", "norm", "mean_variance", "logsumexp", "weighted_mean", "moments", "variation")
SIGNED_ONLY = ("changes",)
ONE_AXIS = ("place", "changes", "first", "variation")  # along one axis, or of the flat array
