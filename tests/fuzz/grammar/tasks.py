"""Random forall kernels. Each task computes what it writes from the elements at its own index, from sums of elements up to
there, and from values."""
from .declarations import indented
from .kernels import OPERAND_NAMES, Signature, declare, operands
from .statements import function_body
from .types import INT64, UINT, UINT64
from .values import Expr, value


def tasks(spec):
    """A lambda over an index, views and values, with its types written out or, in part, as `auto`."""
    rng = spec.rng
    axes = rng.randint(1, 3)
    spec.uses(f"tasks.index_{axes}")
    types, names = operands(spec, rng.randint(0, 3))
    by_value = [rng.random() < 0.3 for _ in types]
    if any(by_value):
        spec.uses("tasks.value")
    outputs = tuple(rng.choice(spec.palette) for _ in range(rng.choice((1, 1, 1, 2))))
    written = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in outputs]
    at = spec.fresh("at")

    variables, parameters = [], [f"{rng.choice(('foldwise::index<{}>', 'const foldwise::index<{}>&')).format(axes)} {at}"]
    for type_, name, is_value in zip(types, names, by_value):
        variables.append(value(name if is_value else f"{name}{_subscript(spec, at, axes)}", type_))
        parameters.append(f"{type_.name if is_value else f'foldwise::view<const {type_.name}, {axes}>'} {name}")
    parameters += [f"foldwise::view<{type_.name}, {axes}> {name}" for type_, name in zip(outputs, written)]
    places = [Expr(f"{at}[{axis}]", INT64, 0, 4095) for axis in range(axes)]
    if INT64 not in spec.palette:
        spec.palette.append(INT64)  # so that the place is read

    body = []
    if rng.random() < 0.3:
        spec.uses("tasks.early_return")
        body.append(f"if ({at}[0] >= {written[0]}.extent(0)) return;")
    if has_loop := bool(names) and not all(by_value) and rng.random() < 0.4:
        spec.uses("tasks.loop")
        loop, sum_ = _loop(spec, at, axes, [(t, n, v) for t, n, v in zip(types, names, by_value)])
        body += loop
        variables += [sum_] * 3
    for type_, name in zip(outputs, written):
        if has_loop and (expression := _expression(spec, places + variables + spec.constants, type_)):
            body.append(f"{name}{_subscript(spec, at, axes)} = {expression};")
            continue
        compute = spec.fresh("compute")
        lines = function_body(spec, places + variables * 2 + spec.constants, spec.functions, type_, rng.randint(0, 3),
                              depth=3)
        body += [f"const auto {compute} = [&]() -> {type_.name} {{", *indented(lines), "};",
                 f"{name}{_subscript(spec, at, axes)} = {compute}();"]

    signatures = ""
    if rng.random() < 0.3:
        spec.uses("tasks.generic")
        signatures = f"<void({', '.join(p.rsplit(' ', 1)[0] for p in parameters[1:])})>"
        parameters[1:] = [f"auto {p.rsplit(' ', 1)[1]}" for p in parameters[1:]]
    call = [f"[]({', '.join(parameters)}) {{", *indented(body), "}"]
    kernel = declare(spec, call, signatures, pattern="forall")
    spec.kernels.append(Signature(kernel, tuple(types), outputs, False, axes, "forall",
                                  given=tuple("value" if of else "array" for of in by_value)))


def _expression(spec, variables, type_):
    """An expression of a type, or nothing if it took statements."""
    lines = function_body(spec, variables, spec.functions, type_, 0, depth=3)
    is_one = len(lines) == 1 and lines[0].startswith("return ")
    return lines[0].removeprefix("return ").removesuffix(";") if is_one else None


def _loop(spec, at, axes, operands_):
    """A loop along an axis up to the task's own place: its lines, and the sum that they make."""
    rng = spec.rng
    sum_, k, summed, axis = spec.fresh("sum"), spec.fresh("k"), rng.choice((UINT, UINT64)), rng.randrange(axes)
    along = [f"{at}[{i}]" for i in range(axes)]
    along[axis] = k
    elements = [value(n if by_value else f"{n}({', '.join(rng.choice((along, along, [f'{at}[{i}]' for i in range(axes)])))})", t)
                for t, n, by_value in operands_ for _ in range(2)]
    counter = rng.choice(("std::int64_t", "long long", "int", "auto"))
    begin = f"{at}[{axis}] - {at}[{axis}] % 7" if rng.random() < 0.3 else "std::int64_t{0}" if counter == "auto" else "0"
    if counter == "int":
        begin = f"static_cast<int>({begin})"
    lines = []
    if rng.random() < 0.4:
        term = spec.fresh("term")
        lines += [f"const auto {term} = {_expression(spec, elements, summed) or elements[0].text};",
                  f"{sum_} = {sum_} * 31 + static_cast<{summed.name}>({term});"]
    else:
        lines.append(f"{sum_} {rng.choice(('+=', '^=', '-=', '='))} "
                     f"static_cast<{summed.name}>({_expression(spec, elements, summed) or elements[0].text});")
    head = f"for ({counter} {k} = {begin}; {k} {rng.choice(('<', '<='))} {at}[{axis}]; {rng.choice((f'++{k}', f'{k}++'))})"
    return ([f"{summed.name} {sum_} = {rng.randint(0, 9)};", f"{head} {{", *indented(lines), "}"],
            value(sum_, summed))


def _subscript(spec, at, axes):
    if spec.rng.random() < 0.5:
        return f"[{at}]"
    spec.uses("tasks.coordinates")
    return f"({', '.join(f'{at}[{axis}]' for axis in range(axes))})"
