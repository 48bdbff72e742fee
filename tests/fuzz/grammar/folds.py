"""Random reductions, scans and scattered folds. What is combined are integers, in ways that give the same bits however elements are grouped."""
from .declarations import indented
from .kernels import Signature, declare, operands, written
from .statements import function_body
from .types import INT, INT64, INTEGERS, UINT, UINT64, Type
from .values import Expr, value


def fold(spec):
    """A map with a random body, one of several ways to combine, and now and then a random last step."""
    rng = spec.rng
    pattern = rng.choice(("reduce", "scan", "scatter"))
    spec.uses(f"fold.{pattern}")
    combine = rng.choice((_sum, _bits, _extreme, _in_order))
    accumulator, combined, identity = combine(spec)
    if pattern == "scatter":
        identity = identity.replace("no_identity", "highest")  # what std::min leaves unchanged
    types, names = operands(spec, rng.randint(1, 3))
    variables, parameters = [], []
    has_position = rng.random() < 0.3
    if has_position:
        spec.uses("fold.index")
        at = spec.fresh("at")
        parameters.append(f"foldwise::index<1> {at}")
        variables.append(Expr(f"static_cast<{INT64.name}>({at})", INT64, 0, 4095))
    parameters += written(spec, types, names)
    variables += [value(n, t) for n, t in zip(names, types)] * 2 + spec.constants
    body = function_body(spec, variables, spec.functions, accumulator, rng.randint(0, 3), depth=3)
    if pattern == "scatter":
        body, types = _placed(spec, parameters, accumulator, body), types + [INT]
    else:
        parameters = f"({', '.join(parameters)}) -> {accumulator.name}"
        body = [f"foldwise::map([]{parameters} {{", *indented(body), "})"]
    parts = [body, [f"foldwise::combine({combined})"] if rng.random() < 0.5 else [combined], [identity]]
    result = accumulator
    if pattern != "scatter" and rng.random() < 0.4:
        spec.uses("fold.finish")
        # A number of floating point would be what integers are accumulated in, which rounds.
        rounds = ("float", "half") if accumulator.kind == "int" else ()
        result = rng.choice([t for t in spec.palette if t.kind not in rounds] or [accumulator])
        folded = spec.fresh("folded")
        body = function_body(spec, [value(folded, accumulator)] * 2 + spec.constants, spec.functions, result,
                             rng.randint(0, 2), depth=3)
        parts.append([f"foldwise::finish([]({accumulator.name} {folded}) -> {result.name} {{", *indented(body), "})"])
    if combine is not _in_order and rng.random() < 0.2:
        spec.uses("fold.commutative")
        parts.append(["foldwise::commutative"])
    rng.shuffle(parts)
    lines = []
    for part in parts:
        lines += [*part[:-1], part[-1] + ","]
    lines[-1] = lines[-1][:-1]
    kernel = declare(spec, lines, f"<{result.name}({', '.join(t.name for t in types)})>", pattern=pattern)
    spec.kernels.append(Signature(kernel, tuple(types), (result,), False, 0, pattern, has_position=has_position))


def _placed(spec, parameters, accumulator, body):
    """A map that says for values of `body` where they go: to one place or several, of which some are outside."""
    rng, value, place = spec.rng, spec.fresh("share"), spec.fresh("place")
    spec.add(f"inline {accumulator.name} {value}({', '.join(parameters)}) {{", *indented(body), "}")
    arguments = ", ".join(parameter.split()[-1] for parameter in parameters)
    places = [f"foldwise::at({place} % {rng.choice((3, 40, 97))}, {value}({arguments}))" for _ in range(rng.randint(1, 3))]
    if len(places) > 1:
        spec.uses("fold.places")
    placed = places[0] if len(places) == 1 else f"std::array{{{', '.join(places)}}}"
    return [f"foldwise::map([]({', '.join(parameters + [f'{INT.name} {place}'])}) {{", f"    return {placed};", "})"]


def _lambda(spec, type_, expression):
    a, b = spec.fresh("a"), spec.fresh("b")
    form = spec.rng.choice((f"{type_.name} {{}}", f"const {type_.name}& {{}}"))
    return f"[]({form.format(a)}, {form.format(b)}) {{ return {expression.format(a=a, b=b)}; }}"


def _sum(spec):
    spec.uses("fold.sum")
    type_ = spec.rng.choice((UINT, UINT64))
    operator, zero = spec.rng.choice((("+", 0), ("*", 1)))
    return type_, _lambda(spec, type_, f"{{a}} {operator} {{b}}"), f"foldwise::identity({type_.literal(zero)})"


def _bits(spec):
    spec.uses("fold.bits")
    type_ = spec.rng.choice((UINT, UINT64, INT64))
    operator, zero = spec.rng.choice((("&", -1), ("|", 0), ("^", 0)))
    return (type_, _lambda(spec, type_, f"{{a}} {operator} {{b}}"),
            f"foldwise::identity(static_cast<{type_.name}>({zero}))")


def _extreme(spec):
    spec.uses("fold.extreme")
    type_ = spec.rng.choice(INTEGERS)
    expression, identity = spec.rng.choice((
        ("{a} < {b} ? {b} : {a}", "lowest"), ("std::max({a}, {b})", "lowest"), ("{b} < {a} ? {b} : {a}", "highest"),
        ("std::min({a}, {b})", "highest"), ("std::min({a}, {b})", "no_identity")))
    return type_, _lambda(spec, type_, expression), f"foldwise::{identity}"


def _in_order(spec):
    """x -> a * x + b, modulo 2^32 or 2^64, one after the other: associative, and no two commute."""
    spec.uses("fold.in_order")
    part, name = spec.rng.choice((UINT, UINT64)), spec.fresh("affine")
    type_ = Type(name, "struct", members=(("a", part), ("b", part)))
    spec.add(f"struct {name} {{", f"    {part.name} a, b;", "};")
    spec.structs.append(type_)
    expression = f"{name}{{{{{{a}}.a * {{b}}.a, {{b}}.a * {{a}}.b + {{b}}.b}}}}"
    return type_, _lambda(spec, type_, expression), f"foldwise::identity({name}{{1, 0}})"
