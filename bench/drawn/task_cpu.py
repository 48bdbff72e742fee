"""Tasks as loops for Numba, by kind. `task.given` has what a kind has drawn."""
from element_types import TYPES
from numba_loops import function, maker, nest

PRIVATE = 4  # tasks for each target, from which on a copy of the targets for each part of the tasks pays


def full(one):
    return (*one.shape, one.members) if one.members else one.shape


def names_of(shape):
    return [f"i{at}" for at in range(len(shape))]


def plain(task, shape, body):
    """One statement or more at each place of a shape."""
    given = [one.name for one in task.operands]
    names = names_of(shape)
    loop = function("loop", given, nest(shape, names, body(names)))
    return maker(loop, given, [f"loop({', '.join(given)})"])


def copied(task, target, source):
    """Moves elements; `target` and `source` give places from the names of coordinates."""
    shape = full(task.operands[-1] if target is None else task.operands[0])

    def body(names):
        to, of = (", ".join(one(names) if one else names) for one in (target, source))
        factor = " * y[i0]" if task.given.get("has_factor") else ""
        return [f"out[{to}] = x[{of}]{factor}"]
    return plain(task, shape, body)


def by_place(names):
    return [f"place[{names[0]}]", *names[1:]]


def permuted(task):
    order = task.given["order"]
    return lambda names: [names[order.index(axis)] for axis in range(len(order))] + names[len(order):]


def atomic(task):
    """Numba has no atomic additions on CPUs: a copy of the targets for each part of the tasks, or one thread."""
    keys, bins = task.operands[0], task.operands[-1]
    n, targets = keys.shape[0], bins.shape[0]
    added = "w[i]" if len(task.operands) == 3 else "1"
    given = [one.name for one in task.operands]
    kind = TYPES[bins.type].numpy
    if n < PRIVATE * targets:
        lines = [f"for i in range({n}):", f"    bins[key[i]] += {added}"]
    else:
        lines = [f"parts = min(numba.get_num_threads(), {max(1, n // (PRIVATE * targets))})",
                 f"length = ({n} + parts - 1) // parts", f"own = numpy.zeros((parts, {targets}), numpy.{kind})",
                 "for part in numba.prange(parts):",
                 f"    for i in range(part * length, min({n}, (part + 1) * length)):",
                 f"        own[part, key[i]] += {added}", f"for i in numba.prange({targets}):",
                 "    for part in range(parts):", "        bins[i] += own[part, i]"]
    return maker(function("loop", given, lines), given, [f"loop({', '.join(given)})", "return bins"])


def stencil(task):
    x, radius = task.operands[0], task.given["radius"]
    rank, kind = len(x.shape), TYPES[x.type].numpy
    names = names_of(x.shape)

    def place(offset):
        return ", ".join(f"{name} + {step}" if step else name for name, step in zip(names, offset))
    terms = " + ".join(f"numpy.{kind}({weight!r}) * x[{place(offset)}]"
                       for weight, offset in zip(task.given["weights"], task.given["offsets"]))
    lines = []
    for axis in range(rank):
        before = ":, " * axis
        lines += [f"out[{before}:{radius}] = x[{before}:{radius}]", f"out[{before}-{radius}:] = x[{before}-{radius}:]"]
    lines += nest(x.shape, names, [f"out[{', '.join(names)}] = {terms}"], margin=radius)
    return maker(function("loop", ["x", "out"], lines), ["x", "out"], ["loop(x, out)"])


def neighbours(task):
    x, y = task.operands[:2]
    kind, many = TYPES[x.type].numpy, y.shape[0]
    is_sum = task.given["is_sum"]
    step = "found += math.exp(-(d * d))" if is_sum else "found = min(found, abs(d))"
    return plain(task, x.shape, lambda names: [
        f"found = numpy.{kind}({0 if is_sum else 1e4})", f"for k in range({many}):", "    d = x[i0] - y[k]",
        f"    {step}", "out[i0] = found"])


def polynomial(task):
    x, c = task.operands[:2]
    return plain(task, x.shape, lambda names: [
        f"found = numpy.{TYPES[x.type].numpy}(0)", f"for k in range({c.shape[0]}):", "    found = found * x[i0] + c[k]",
        "out[i0] = found"])


def filtered(task):
    w, out = task.operands[1:]
    return plain(task, out.shape, lambda names: [
        f"found = numpy.{TYPES[out.type].numpy}(0)", f"for k in range({w.shape[0]}):", "    found += w[k] * x[i0 + k]",
        "out[i0] = found"])


def triangle(task):
    x, n = task.operands[0], task.operands[0].shape[0]
    kind = TYPES[x.type].numpy
    if len(x.shape) == 2:
        return plain(task, (n,), lambda names: [
            f"found = numpy.{kind}(0)", "for k in range(i0 + 1):", "    found += x[i0, k] * y[k]", "out[i0] = found"])
    return plain(task, (n,), lambda names: [
        "for k in range(i0 + 1):", "    out[i0, k] = x[i0] * y[k]", f"for k in range(i0 + 1, {n}):",
        "    out[i0, k] = 0"])


LOOPS = {"stencil": stencil, "gather": lambda task: copied(task, None, by_place),
         "gather_rows": lambda task: copied(task, None, by_place),
         "scatter": lambda task: copied(task, by_place, None),
         "scatter_rows": lambda task: copied(task, by_place, None),
         "permutation": lambda task: copied(task, None, permuted(task)), "atomic_few": atomic, "atomic_many": atomic,
         "neighbours": neighbours, "polynomial": polynomial, "filter": filtered, "triangle": triangle}


def render_cpu(kind, task, given):
    """(NumPy's source, Numba's source, why either has none)."""
    missing = {}
    lines = task.numpy or [line.replace("cupy.", "numpy.") for line in task.cupy or ()]
    if not lines:
        missing["numpy"] = "has no such function"
    if any(one.type == "half" for one in task.operands):
        missing["numba"] = "has no half"
    numpy_source = "\n".join([f"def work({given}):", *(f"    {line}" for line in lines), ""]) if lines else ""
    return numpy_source, "" if missing.get("numba") else LOOPS[kind](task), missing
