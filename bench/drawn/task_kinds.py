"""What tasks do: each kind with its operands, its lambda's body, PyTorch's and CuPy's way, and a reference."""
import math

import numpy

import probabilities as p
from element_types import TYPES
from elementwise import draw_shape
from stencils import stencil
from task import Task, after_store, as_float, back, computed, draw_element, element_operand, size_of, unit_of
from workload import Operand

PAIRS = 1e9  # PyTorch holds a value for each pair of what is compared with each other: no more of them

# ---- Gathers and scatters -------------------------------------------------------------------------------------------

def index_operand(draw, count, limit, types=("int32", "int64")):
    return Operand("place", draw.pick(types), (count,), fill=("uniform", 0, limit - 1))


def gather(draw, size):
    kind = draw_element(draw)
    has_factor = kind in ("float", "double") and draw.chance(0.5)
    n = max(4, int(size / (4 + size_of(kind) * (2 + has_factor))))
    m = max(2, int(n * draw.log_uniform(1 / 64, 2)))
    source, at = element_operand(draw, kind, "x", (m,)), index_operand(draw, n, m)
    factor = [Operand("y", kind, (n,), fill=("uniform", 0.5, 1.5))] if has_factor else []
    out = Operand("out", source.type, (n,), "out", members=source.members, struct=source.struct)
    body = ["out(at) = x(place(at)) * y(at);" if has_factor else "out(at) = x(place(at));"]
    torch = ["return x[place] * y" if has_factor else "return x[place]"]

    def reference(access, unit16):
        places = access.sample((n,))
        value = access.fetch("x", (access.fetch("place", places),))
        if has_factor:
            value = value * access.fetch("y", places)
        return [(places, value, TYPES[source.type].unit * numpy.abs(value) if has_factor else numpy.zeros(value.shape))]
    what = f"gather of {n} from {m}" + " times a factor" * has_factor
    return Task(what, (n,), [source, at, *factor, out], body, torch, reference, cupy=torch,
                given={"has_factor": has_factor}, moved=n * (at.element_bytes + out.element_bytes * (2 + has_factor)))


def table_shape(draw, size, kind):
    columns = max(2, int(draw.log_uniform(2, min(1024, max(4, size / size_of(kind) / 8)))))
    return max(4, int(size / (2 * size_of(kind) * columns + 6))), columns  # and the index, of 4 or 8 bytes


def gather_rows(draw, size):
    kind = draw_element(draw)
    n, columns = table_shape(draw, size, kind)
    m = max(2, int(n * draw.log_uniform(1 / 64, 2)))
    source, at = element_operand(draw, kind, "x", (m, columns)), index_operand(draw, n, m)
    out = Operand("out", source.type, (n, columns), "out", members=source.members, struct=source.struct)

    def reference(access, unit16):
        places = access.sample((n, columns))
        value = access.fetch("x", (access.fetch("place", places[:1]), places[1]))
        return [(places, value, numpy.zeros(value.shape))]
    return Task(f"gather of {n} rows of {columns} from {m}", (n, columns), [source, at, out],
                ["out(at[0], at[1]) = x(place(at[0]), at[1]);"], ["return x[place]"], reference,
                cupy=["return x[place]"], moved=n * at.element_bytes + 2 * out.bytes)


def scatter(draw, size):
    kind = draw_element(draw)
    n = max(4, int(size / (4 + 2 * size_of(kind))))
    source = element_operand(draw, kind, "x", (n,))
    at = Operand("place", draw.pick(("int32", "int64")), (n,), fill=("permutation",))
    out = Operand("out", source.type, (n,), "out", members=source.members, struct=source.struct)

    def reference(access, unit16):
        places = access.sample((n,))
        value = access.fetch("x", places)
        return [((access.fetch("place", places),), value, numpy.zeros(value.shape))]
    return Task(f"scatter of {n}", (n,), [source, at, out], ["out(place(at)) = x(at);"],
                ["out = torch.empty_like(x)", "out[place] = x", "return out"], reference,
                cupy=["out = cupy.empty_like(x)", "out[place] = x", "return out"])


def scatter_rows(draw, size):
    kind = draw_element(draw)
    n, columns = table_shape(draw, size, kind)
    source = element_operand(draw, kind, "x", (n, columns))
    at = Operand("place", draw.pick(("int32", "int64")), (n,), fill=("permutation",))
    out = Operand("out", source.type, (n, columns), "out", members=source.members, struct=source.struct)

    def reference(access, unit16):
        places = access.sample((n, columns))
        value = access.fetch("x", places)
        return [((access.fetch("place", places[:1]), places[1]), value, numpy.zeros(value.shape))]
    return Task(f"scatter of {n} rows of {columns}", (n, columns), [source, at, out],
                ["out(place(at[0]), at[1]) = x(at[0], at[1]);"],
                ["out = torch.empty_like(x)", "out[place] = x", "return out"], reference,
                cupy=["out = cupy.empty_like(x)", "out[place] = x", "return out"])


def permutation(draw, size):
    kind, rank = draw_element(draw), draw.weighted({2: 45, 3: 35, 4: 20})
    shape = draw_shape(draw, size / 2 / size_of(kind), rank)
    order = draw.shuffled(range(rank))
    while order == sorted(order):
        order = draw.shuffled(range(rank))
    source = element_operand(draw, kind, "x", shape)
    out_shape = tuple(shape[axis] for axis in order)
    out = Operand("out", source.type, out_shape, "out", members=source.members, struct=source.struct)
    of = ", ".join(f"at[{order.index(axis)}]" for axis in range(rank))
    full = [*order, rank] if source.members else order

    def reference(access, unit16):
        places = access.sample(out_shape)
        value = access.fetch("x", tuple(places[order.index(axis)] for axis in range(rank)))
        return [(places, value, numpy.zeros(value.shape))]
    own = ", ".join(f"at[{axis}]" for axis in range(rank))
    return Task(f"permutation of axes {tuple(order)} of {'x'.join(map(str, shape))}", out_shape, [source, out],
                [f"out({own}) = x({of});"], [f"return x.permute({tuple(full)}).contiguous()"], reference,
                cupy=[f"return cupy.ascontiguousarray(x.transpose({tuple(full)}))"], given={"order": order})


# ---- Atomic updates -------------------------------------------------------------------------------------------------

def atomic(draw, size, is_few):
    weights = draw.pick(("", "", "float", "double", "int32"))
    targets = draw.between(2, 256) if is_few else int(draw.log_uniform(1e4, 1e7))
    key = "uint8" if is_few and draw.chance(0.5) else "int32"
    bins_type = weights or draw.pick(("int32", "int64"))
    per_task = TYPES[key].bytes + (TYPES[weights].bytes if weights else 0)
    n = max(4, int(size / per_task))
    targets = min(targets, 4 * n)
    keys = Operand("key", key, (n,), fill=("uniform", 0, targets - 1))
    given = [Operand("w", weights, (n,), fill=("uniform", -10, 10) if weights == "int32" else ("uniform", -1.0, 1.0))] \
        if weights else []
    bins = Operand("bins", bins_type, (targets,), "update")
    one = "w(at)" if weights else {"int32": "1", "int64": "std::int64_t{1}"}[bins_type]
    body = [f"std::atomic_ref(bins(key(at))).fetch_add({one}, std::memory_order_relaxed);"]
    index = "key.int()" if key == "uint8" else "key"
    if weights:
        torch, compiled = [f"return bins.index_add_(0, {index}, w)"], None
        cupy = ["cupy.add.at(bins, key, w)", "return bins"]
    else:
        torch = [f"return bins.add_(torch.bincount(key, minlength={targets}))"]
        compiled = ["ones = torch.ones(key.shape, dtype=bins.dtype, device=bins.device)",
                    f"return bins.index_add_(0, {index}, ones)"]
        cupy = [f"bins += cupy.bincount(key, minlength={targets}).astype(bins.dtype)", "return bins"]
    missing = {}
    if weights and bins_type == "int64":
        missing["cupy"] = "adds no int64 atomically"

    def reference(access, unit16):
        where = access.whole("key").astype(numpy.int64)
        added = access.whole("w") if weights else None
        many = numpy.bincount(where, minlength=targets)
        total = many if added is None else numpy.bincount(where, added.astype(float), minlength=targets)
        size = 0 if added is None else numpy.bincount(where, numpy.abs(added.astype(float)), minlength=targets)
        unit = TYPES[bins_type].unit
        return [((numpy.arange(targets),), total, unit * (64 + 8 * numpy.sqrt(many)) * size)]
    what = f"atomic {'sums of ' + weights if weights else 'counts in ' + bins_type} at {targets} targets"
    return Task(what, (n,), [keys, *given, bins], body, torch, reference, compiled, cupy=None if missing else cupy,
                missing=missing, features={"atomic weighted" if weights else "atomic counts"})


# ---- Loops over a second array, triangles ---------------------------------------------------------------------------

def neighbours(draw, size):
    kind = draw.weighted(p.TASK_FLOATS)
    many = int(draw.log_uniform(8, 256))
    n = max(4, int(min(size / 2 / TYPES[kind].bytes, PAIRS / many)))
    is_sum = draw.chance(0.5)
    x = Operand("x", kind, (n,), fill=("uniform", -2.0, 2.0))
    y = Operand("y", kind, (many,), fill=("uniform", -2.0, 2.0))
    out, value = Operand("out", kind, (n,), "out"), computed(kind)
    step = "found += std::exp(-(d * d));" if is_sum else "found = std::min(found, std::abs(d));"
    start = ("0" if is_sum else "1e4") + ("f" if value == "float" and not is_sum else "")
    body = [f"const {value} own = x(at);", f"{value} found = {start};",
            "for (std::int64_t k = 0; k < y.extent(0); ++k) {",
            f"    const {value} d = own - {as_float('y(k)', kind)};", f"    {step}", "}",
            f"out(at) = {back('found', kind)};"]
    if kind == "half":
        body[0] = "const float own = static_cast<float>(x(at));"
    torch = ["d = x[:, None] - y", "return (-(d * d)).exp().sum(1)" if is_sum else "return d.abs().amin(1)"]
    cupy_body = (f"{value} found = {start}; for (int k = 0; k < many; ++k) {{ const {value} d = {value}(x) - "
                 f"{value}(y[k]); {step.replace('std::', '').replace('abs', 'fabs')} }} out = found;")
    kernel = (f"kernel = cupy.ElementwiseKernel('{TYPES[kind].cupy} x, raw {TYPES[kind].cupy} y, int32 many', "
              f"'{TYPES[kind].cupy} out', {cupy_body!r}, 'drawn')")

    def reference(access, unit16):
        at, unit = access.sample((n,)), unit_of(kind, unit16)
        d = access.fetch("x", at)[:, None] - access.whole("y")
        if is_sum:
            found = numpy.exp(-d * d).sum(1)
            error = unit * ((many + 16) * found + (8 * d * d * numpy.exp(-d * d)).sum(1))
        else:
            found, error = numpy.abs(d).min(1), unit * 4.0 * numpy.ones(len(d))
        return [(at, *after_store(found, error, kind))]
    what = ("sums of Gaussians" if is_sum else "distance to the nearest") + f" of {many} points"
    return Task(what, (n,), [x, y, out], body, torch, reference, cupy=[f"return kernel(x, y, {many})"],
                cupy_kernel=kernel, given={"is_sum": is_sum},
                numpy=[torch[0], "return numpy.exp(-(d * d)).sum(1)" if is_sum else "return numpy.abs(d).min(1)"])


def polynomial(draw, size):
    kind, degree = draw.weighted(p.TASK_FLOATS), draw.between(4, 32)
    n = max(4, int(size / 2 / TYPES[kind].bytes))
    x = Operand("x", kind, (n,), fill=("uniform", -1.0, 1.0))
    c = Operand("c", kind, (degree,), fill=("uniform", -1.0, 1.0))
    out, value = Operand("out", kind, (n,), "out"), computed(kind)
    body = [f"const {value} own = {as_float('x(at)', kind)};", f"{value} found = 0;",
            "for (std::int64_t k = 0; k < c.extent(0); ++k)", f"    found = found * own + {as_float('c(k)', kind)};",
            f"out(at) = {back('found', kind)};"]
    torch = ["found = torch.zeros_like(x)", f"for k in range({degree}):", "    found = found * x + c[k]",
             "return found"]
    cupy_body = (f"{value} found = 0; for (int k = 0; k < {degree}; ++k) found = found * {value}(x) + {value}(c[k]); "
                 "out = found;")
    kernel = (f"kernel = cupy.ElementwiseKernel('{TYPES[kind].cupy} x, raw {TYPES[kind].cupy} c', "
              f"'{TYPES[kind].cupy} out', {cupy_body!r}, 'drawn')")

    def reference(access, unit16):
        at, unit = access.sample((n,)), unit_of(kind, unit16)
        own, found, error = access.fetch("x", at), 0.0, 0.0
        for one in access.whole("c"):
            error = error * numpy.abs(own) + 2 * unit * (numpy.abs(found * own) + abs(one))
            found = found * own + one
        return [(at, *after_store(found, error, kind))]
    return Task(f"polynomial of {degree} coefficients", (n,), [x, c, out], body, torch, reference,
                cupy=["return kernel(x, c)"], cupy_kernel=kernel,
                numpy=[torch[0].replace("torch.", "numpy."), *torch[1:]])


def filtered(draw, size):
    kind, taps = draw.weighted(p.TASK_FLOATS), int(draw.log_uniform(3, 64))
    n = max(4, int(size / 2 / TYPES[kind].bytes))
    x = Operand("x", kind, (n + taps - 1,), fill=("uniform", -1.0, 1.0))
    w, out = Operand("w", kind, (taps,), fill=("uniform", -1.0, 1.0)), Operand("out", kind, (n,), "out")
    value = computed(kind)
    body = [f"{value} found = 0;", "for (std::int64_t k = 0; k < w.extent(0); ++k)",
            f"    found += {as_float('w(k)', kind)} * {as_float('x(at[0] + k)', kind)};",
            f"out(at) = {back('found', kind)};"]
    torch = ["return torch.nn.functional.conv1d(x[None, None], w[None, None])[0, 0]"]
    compiled = [f"return sum(w[k] * x[k:{n} + k] for k in range({taps}))"]
    cupy_body = (f"{value} found = 0; for (int k = 0; k < {taps}; ++k) found += {value}(w[k]) * {value}(x[i + k]); "
                 "out = found;")
    kernel = (f"kernel = cupy.ElementwiseKernel('raw {TYPES[kind].cupy} x, raw {TYPES[kind].cupy} w', "
              f"'{TYPES[kind].cupy} out', {cupy_body!r}, 'drawn')")

    def reference(access, unit16):
        at, unit = access.sample((n,)), unit_of(kind, unit16)
        found, error = 0.0, 0.0
        for k, one in enumerate(access.whole("w")):
            term = one * access.fetch("x", (at[0] + k,))
            found, error = found + term, error + numpy.abs(term)
        return [(at, *after_store(found, (taps + 4) * unit * error, kind))]
    return Task(f"filter of {taps} taps", (n,), [x, w, out], body, torch, reference, compiled,
                cupy=[f"return kernel(x, w, size={n})"], cupy_kernel=kernel,
                numpy=["return numpy.correlate(x, w, 'valid')"])


def triangle(draw, size):
    kind = draw.weighted({"float": 70, "double": 30})
    n = max(4, int(math.sqrt(size / TYPES[kind].bytes)))
    y = Operand("y", kind, (n,), fill=("uniform", -1.0, 1.0))
    if draw.chance(0.5):
        a, out = Operand("x", kind, (n, n), fill=("uniform", -1.0, 1.0)), Operand("out", kind, (n,), "out")
        body = [f"{kind} found = 0;", "for (std::int64_t k = 0; k <= at[0]; ++k)", "    found += x(at[0], k) * y(k);",
                "out(at) = found;"]

        def reference(access, unit16):
            at = access.sample((n,), 64)
            rows = access.fetch("x", (numpy.repeat(at[0], n), numpy.tile(numpy.arange(n), len(at[0])))).reshape(-1, n)
            terms = numpy.where(numpy.arange(n) <= at[0][:, None], rows * access.whole("y"), 0)
            return [(at, terms.sum(1), (32 + 4 * math.sqrt(n)) * TYPES[kind].unit * numpy.abs(terms).sum(1))]
        return Task(f"products of a triangle of {n} rows and a vector", (n,), [a, y, out], body,
                    ["return torch.tril(x) @ y"], reference, cupy=["return cupy.tril(x) @ y"],
                    features={"triangle of sums"}, moved=TYPES[kind].bytes * (n * (n + 1) / 2 + 2 * n))
    x, out = Operand("x", kind, (n,), fill=("uniform", -1.0, 1.0)), Operand("out", kind, (n, n), "out")
    body = ["out(at[0], at[1]) = at[1] <= at[0] ? x(at[0]) * y(at[1]) : 0;"]

    def outer_reference(access, unit16):
        at = access.sample((n, n))
        value = numpy.where(at[1] <= at[0], access.fetch("x", at[:1]) * access.fetch("y", at[1:]), 0)
        return [(at, value, TYPES[kind].unit * numpy.abs(value))]
    return Task(f"triangle of products, {n} rows", (n, n), [x, y, out], body, ["return torch.tril(torch.outer(x, y))"],
                outer_reference, cupy=["return cupy.tril(cupy.outer(x, y))"], features={"triangle of products"})


KINDS = {"stencil": stencil, "gather": gather, "gather_rows": gather_rows, "scatter": scatter,
         "scatter_rows": scatter_rows, "permutation": permutation,
         "atomic_few": lambda draw, size: atomic(draw, size, True),
         "atomic_many": lambda draw, size: atomic(draw, size, False), "neighbours": neighbours,
         "polynomial": polynomial, "filter": filtered, "triangle": triangle}
