"""What folds compute, in NumPy and as loops for Numba. `fold.given` has what a kind has drawn."""
from element_types import COMPUTE_STORED, TYPES
from numba_loops import Pass, fold as fold_loops
from python_expression import NO_ERF, argument, numba_lines, numpy_lines, numpy_load, uses_erf

WIDENED = ("mapped_sum", "norm", "mean_variance", "logsumexp", "weighted_mean", "moments", "variation")


def sums(kind, terms, finish=None, **named):
    """A pass that adds up values of statements."""
    names = [f"s{at}" for at in range(len(terms))]
    return Pass({name: (kind, 0) for name in names}, [f"{{{name}}} += {term}" for name, term in zip(names, terms)],
                [f"{name} += o{name[1:]}" for name in names], finish or [f"{{{name}}}" for name in names], **named)


def least(kind, start, terms_and_signs, finish=None, **named):
    """A pass that finds extrema: (value, sign) of each."""
    picks = [(f"s{at}", {"<": "min", ">": "max"}[sign], term) for at, (term, sign) in enumerate(terms_and_signs)]
    names = [name for name, _, _ in picks]
    return Pass({name: (kind, value) for name, value in zip(names, start)},
                [f"{{{name}}} = {pick}({{{name}}}, {term})" for name, pick, term in picks],
                [f"{name} = {pick}({name}, o{name[1:]})" for name, pick, _ in picks],
                finish or [f"{{{name}}}" for name in names], **named)


def extreme(type_name, sign):
    """What an extremum begins with."""
    kind = TYPES[type_name].numpy
    if TYPES[type_name].unit:
        return "numpy.inf" if sign == "<" else "-numpy.inf"
    bits = 8 * TYPES[type_name].bytes
    low, high = (0, 2**bits - 1) if kind == "uint8" else (-2**(bits - 1), 2**(bits - 1) - 1)
    return str(high if sign == "<" else low)


def passes_of(kind, fold):
    """Of Numba's loops."""
    own, acc = TYPES[fold.type].numpy, TYPES[fold.accumulated].numpy
    x = "{x0}" if own == acc else f"numpy.{acc}({{x0}})"
    given = fold.given
    if kind == "sum":
        return [sums(acc, [x])]
    if kind == "product":
        return [Pass({"s0": (acc, 1)}, [f"{{s0}} *= {x}"], ["s0 *= o0"], ["{s0}"])]
    if kind in ("minimum", "maximum"):
        sign = "<" if kind == "minimum" else ">"
        return [least(own, [extreme(fold.type, sign)], [("{x0}", sign)])]
    if kind == "minmax":
        return [least(own, [extreme(fold.type, one) for one in "<>"], [("{x0}", one) for one in "<>"])]
    if kind == "mapped_sum":
        lines = numba_lines(given["nodes"], lambda one: "HERE")
        text = argument(given["node"], lambda node: node_text(node))
        lines = [replaced(line, fold) for line in lines]
        stored = TYPES[COMPUTE_STORED[given["compute"]]].numpy
        found = sums(stored, [f"numpy.{stored}({text})" if given["node"].compute != given["compute"] else text])
        found.step = [*lines, *found.step]
        return [found]
    if kind == "count":
        condition = f"{x} > numpy.{acc}({given['limit']})"
        if given["is_range"]:
            condition += f" and {x} < numpy.{acc}({given['other']})"
        return [sums("int64", [f"1 if {condition} else 0"])]
    if kind == "norm":
        if given["order"] == "inf":
            return [least(acc, ["0"], [(f"abs({x})", ">")])]
        term = f"abs({x})" if given["order"] == "1" else f"{x} * {x}"
        return [sums(acc, [term], ["math.sqrt({s0})"] if given["order"] == "2" else None)]
    if kind == "place":
        sign = "<" if given["is_least"] else ">"
        step = [f"if {{x0}} {sign} {{s0}}:", "    {s0} = {x0}", "    {s1} = {at}"]
        return [Pass({"s0": (own, extreme(fold.type, sign)), "s1": ("int64", 0)}, step,
                     [f"if o0 {sign} s0:", "    s0 = o0", "    s1 = o1"], ["{s1}"])]
    if kind == "mean_variance":
        d = f"({x} - {{p0}}) * ({x} - {{p0}})"
        finish = ["{p0}"] * bool(fold.members) + [f"{{s0}} / numpy.{acc}({fold.count})"]
        return [sums(acc, [x], [f"{{s0}} / numpy.{acc}({fold.count})"]), sums(acc, [d], finish)]
    if kind == "logsumexp":
        return [least(acc, ["-numpy.inf"], [(x, ">")]), sums(acc, [f"math.exp({x} - {{p0}})"],
                                                             ["{p0} + math.log({s0})"])]
    if kind == "weighted_mean":
        w = x.replace("x0", "x1")
        return [sums(acc, [w, f"{x} * {w}"], ["{s1} / {s0}"])]
    if kind == "moments":
        found = sums(acc, ["x"] + [f"x{power}" for power in range(2, fold.members + 1)])
        powers = [f"x{power} = x{power - 1 if power > 2 else ''} * x" for power in range(2, fold.members + 1)]
        found.step = [f"x = {x}", *powers, *found.step]
        return [found]
    if kind == "changes":
        return [sums("int64", ["1 if ({x0} < 0) != ({before} < 0) else 0"], has_before=True)]
    if kind == "variation":
        return [sums(acc, [f"abs({x} - {x.replace('x0', 'before')})"], has_before=True)]
    assert kind == "first"
    step = [f"if not {{s1}} and {x} > numpy.{acc}({given['limit']}):", "    {s0} = {x0}", "    {s1} = True"]
    return [Pass({"s0": (own, 0), "s1": ("bool_", "False")}, step, ["if not s1 and o1:", "    s0 = o0", "    s1 = o1"],
                 ["{s0}"], until="s1")]


def node_text(node):
    text = f"{{{node.operand.name}}}"
    return f"numpy.int32({text})" if node.operand.type in ("int8", "uint8") else text


def replaced(line, fold):
    for one in fold.operands:
        line = line.replace(f"{one.name}[HERE]", f"{{{one.name}}}")
    return line


def numpy_of(kind, fold):
    """Statements of a function of NumPy's; the last returns."""
    wide = [f"{one.name} = {one.name}.astype(numpy.float32)" for one in fold.operands
            if one.type == "half" and kind in WIDENED and kind != "mapped_sum"]
    if kind == "mapped_sum":
        node = fold.given["node"]
        stored = TYPES[COMPUTE_STORED[fold.given["compute"]]].numpy
        return [*numpy_lines(fold.given["nodes"]),
                f"return numpy.sum({argument(node, numpy_load)}, {fold.axis(dtype=f'numpy.{stored}')})"]
    if kind == "norm":
        axis = f"axis={fold.dims}" if fold.dims else ""
        if fold.given["order"] == "2" and not fold.dims:
            return [*wide, "x = x0.reshape(-1)", "return numpy.sqrt(numpy.dot(x, x))"]
        text = {"1": "numpy.sum(numpy.abs(x0), {})", "2": "numpy.sqrt(numpy.sum(x0 * x0, {}))",
                "inf": "numpy.max(numpy.abs(x0), {})"}[fold.given["order"]]
        return [*wide, "return " + text.format(axis)]
    return [*wide, *(line.replace("cupy.", "numpy.") for line in fold.cupy)]


def render_cpu(kind, fold, shape, output):
    """(NumPy's source, Numba's source, why either has none)."""
    missing, types = {}, {one.type for one in fold.operands}
    given = ", ".join(one.name for one in fold.operands)
    if "bfloat16" in types:
        missing["numpy"] = "has no bfloat16"
    elif kind == "mapped_sum" and uses_erf(fold.given["nodes"]):
        missing["numpy"] = NO_ERF
    if types & {"bfloat16", "half"}:
        missing["numba"] = "has no half" if "half" in types else "has no bfloat16"
    numpy_source = "" if "numpy" in missing else "\n".join(
        [f"def work({given}):", *(f"    {line}" for line in numpy_of(kind, fold)), ""]).replace(", )", ")")
    numba_source = ""
    if "numba" not in missing:
        numba_source = fold_loops(shape, fold.dims, fold.operands, output, passes_of(kind, fold))
    return numpy_source, numba_source, missing
