"""Random kernels that are given arrays and not single elements: stencils, functions of rows, blocks of items."""
from .declarations import indented
from .expressions import Expressions
from .kernels import OPERAND_NAMES, Signature, declare, operands, result_of, written
from .statements import function_body
from .types import INT64, UINT, UINT64
from .values import Expr, value

EDGES = ("wrap", "nearest", "mirror", "symmetric", "constant", "skip")


def _computed(spec, name, variables, result, statements=3):
    """Lines that define a lambda of this name, which computes a result from what is in scope."""
    body = function_body(spec, variables + spec.constants, spec.functions, result, spec.rng.randint(0, statements),
                         depth=3)
    return [f"const auto {name} = [&]() -> {result.name} {{", *indented(body), "};"]


def _number(spec, variables, bound):
    """Text of a number from 0 to one less than `bound`, which depends on what is in scope."""
    return f"static_cast<int>({Expressions(spec, variables, spec.functions).of(UINT, 2).text} % {bound}u)"


# ---- Stencils --------------------------------------------------------------------------------------------------------

def stencil(spec):
    """What is around an element of one or two arrays, of any type, beside values and elements of other arrays."""
    rng = spec.rng
    axes, edge = rng.randint(1, 3), rng.choice(EDGES)
    spec.uses(f"stencil.axes_{axes}")
    spec.uses(f"stencil.{edge}")
    beyond, around = edge, [rng.choice(spec.palette) for _ in range(rng.choice((1, 1, 2)))]
    if edge == "constant":
        around = [rng.choice(spec.plain_numbers())] * len(around)
        beyond = f"constant({around[0].literal_of(rng.randint(0, 9))})"
    beside, names = operands(spec, rng.choice((0, 0, 1, 2)))
    arrays = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in around]
    is_said = rng.random() < 0.3
    reach = [[-rng.randint(0, 2), rng.randint(0, 2)] for _ in range(axes)]
    if is_said:
        spec.uses("stencil.radius")
        reach = [[-far, far] for far in (rng.randint(0, 2) for _ in range(axes))]

    variables, lines = [value(n, t) for n, t in zip(names, beside)], []
    # Every offset is read, so that the window is as wide as the harness is told.
    corners = [[low for low, _ in reach], [high for _, high in reach]]
    for number, (type_, name) in enumerate(zip(around, arrays)):
        offsets = corners if number == 0 else []
        for offset in offsets + [[rng.randint(*along) for along in reach] for _ in range(rng.randint(1, 3))]:
            lines.append(_near(spec, name, offset, variables, type_))
    if is_said:
        offset = [f"{_number(spec, variables, high - low + 1)} - {-low}" for low, high in reach]
        lines.append(_near(spec, arrays[0], offset, variables, around[0]))
    result, outputs = result_of(spec)
    body = function_body(spec, variables * 2 + spec.constants, spec.functions, result, rng.randint(0, 3), depth=3)

    forms = [rng.choice(("foldwise::around<const {}, {}> {}", "const foldwise::around<const {}, {}>& {}")) for _ in around]
    parameters = [form.format(t.name, axes, n) for form, t, n in zip(forms, around, arrays)] + written(spec, beside, names)
    call = [f"[]({', '.join(parameters)}) {{" if rng.random() < 0.5 else
            f"[]({', '.join(parameters)}) -> {result.name} {{", *indented(lines + body), "},"]
    if is_said:
        call.append(f"foldwise::radius({', '.join(str(high) for _, high in reach)}),")
    kernel = declare(spec, [*call, f"foldwise::edge::{beyond}"], pattern="stencil")
    given = ("around",) * len(around) + tuple(rng.choice(("element", "value")) for _ in beside)
    spec.kernels.append(Signature(kernel, tuple(around + beside), outputs, result.kind == "tuple", axes, "stencil",
                                  given=given, reach=tuple(map(tuple, reach)) if edge == "skip" else ()))


def _near(spec, array, offset, variables, type_):
    """The line that reads what is at an offset, which variables then have."""
    near, text = spec.fresh("near"), ", ".join(map(str, offset))
    subscript = f"({text})"
    if spec.rng.random() < 0.2:
        spec.uses("stencil.index")
        subscript = f"[foldwise::index<{len(offset)}>({text})]"
    variables.append(value(near, type_))
    return f"[[maybe_unused]] const {type_.name} {near} = {array}{subscript};"


# ---- Functions of rows -----------------------------------------------------------------------------------------------

def guvectorize(spec):
    """Rows, and values beside them, from which rows or values are made."""
    rng = spec.rng
    types, names = operands(spec, rng.randint(1, 3))
    given = tuple(["row"] + [rng.choice(("row", "row", "value")) for _ in types[1:]])
    makes_rows = rng.random() < 0.6
    spec.uses("guvectorize.row" if makes_rows else "guvectorize.value")
    outputs = tuple(rng.choice(spec.palette) for _ in range(rng.choice((1, 1, 2))))
    made = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in outputs]
    parameters = [f"foldwise::view<const {t.name}, 1> {n}" if of == "row" else
                  rng.choice(("{} {}", "const {}& {}")).format(t.name, n) for t, n, of in zip(types, names, given)]
    parameters += [f"foldwise::view<{t.name}, 1> {n}" if makes_rows else f"{t.name}& {n}"
                   for t, n in zip(outputs, made)]
    length, at = f"{names[0]}.extent(0)", spec.fresh("at")

    def elements(places):
        return [value(n if of == "value" else f"{n}[{rng.choice(places)}]", t)
                for t, n, of in zip(types, names, given) for _ in range(2)]

    body = []
    if makes_rows:
        variables = elements((at, at, "0", f"{length} - 1", f"{length} - 1 - {at}")) + [Expr(at, INT64, 0, 4095)]
        for type_, name in zip(outputs, made):
            compute = spec.fresh("compute")
            inner = _computed(spec, compute, variables, type_) + [f"{name}[{at}] = {compute}();"]
            body += [f"for (std::int64_t {at} = 0; {at} < {length}; ++{at}) {{", *indented(inner), "}"]
    else:
        sum_, summed = spec.fresh("sum"), rng.choice((UINT, UINT64))
        body += [f"{summed.name} {sum_} = 0;", f"for (std::int64_t {at} = 0; {at} < {length}; ++{at}) {{"]
        compute = spec.fresh("compute")
        body += indented(_computed(spec, compute, elements((at, at, "0", f"{length} - 1")), summed, 1) +
                         [f"{sum_} {rng.choice(('+=', '^=', '='))} {compute}();"]) + ["}"]
        for type_, name in zip(outputs, made):
            compute = spec.fresh("compute")
            variables = elements(("0", f"{length} - 1")) + [value(sum_, summed)] * 2
            body += _computed(spec, compute, variables, type_) + [f"{name} = {compute}();"]
    layout = ",".join("(n)" if of == "row" else "()" for of in given)
    layout += "->" + ",".join(["(n)" if makes_rows else "()"] * len(outputs))
    call = [f'"{layout}",', f"[]({', '.join(parameters)}) {{", *indented(body), "}"]
    kernel = declare(spec, call, pattern="guvectorize")
    spec.kernels.append(Signature(kernel, tuple(types), outputs, False, 2, "guvectorize", given=given,
                                  makes_rows=makes_rows))


# ---- Blocks ----------------------------------------------------------------------------------------------------------

BLOCKS = ((1,), (7,), (32,), (100,), (256,), (300,), (4, 8), (16, 16), (5, 3), (1, 33), (2, 3, 4), (4, 4, 8))


def blocks(spec):
    """Items that hand on what they have computed in shared memory, and make sums and scans of their own variables."""
    rng = spec.rng
    extents = rng.choice(BLOCKS)
    axes = len(extents)
    spec.uses(f"blocks.axes_{axes}")
    types, names = operands(spec, rng.randint(0, 2))
    given = tuple(rng.choice(("array", "array", "value")) for _ in types)
    outputs = tuple(rng.choice(spec.palette) for _ in range(rng.choice((1, 1, 2))))
    made = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in outputs]
    block, item, tile, mine = (spec.fresh(stem) for stem in ("b", "t", "tile", "mine"))
    # Shared memory is aligned to 16 bytes.
    held = rng.choice([type_ for type_ in spec.palette if type_.alignment <= 16])
    index, own = f"foldwise::index<{axes}>", rng.choice((UINT, UINT64))
    parameters = [f"foldwise::block<{axes}> {block}"]
    parameters += [f"foldwise::view<const {t.name}, {axes}> {n}" if of == "array" else f"{t.name} {n}"
                   for t, n, of in zip(types, names, given)]
    parameters += [f"foldwise::view<{t.name}, {axes}> {n}" for t, n in zip(outputs, made)]
    is_inside = f"{made[0]}.has({block}.at({item}))"
    places = [Expr(f"{item}[{axis}]", INT64, 0, 255) for axis in range(axes)]

    def phase(lines):
        return [f"{block}.each([&]({index} {item}) {{", *indented(lines), "});"]

    def computed(variables, type_, assign):
        compute = spec.fresh("compute")
        return _computed(spec, compute, variables, type_, 2) + [assign.format(f"{compute}()")]

    elements = [value(n if of == "value" else f"{n}[{block}.at({item})]", t) for t, n, of in zip(types, names, given)]
    size = ", ".join(map(str, extents))
    element = spec.fresh("Element")
    body = [f"using {element} = {held.name};", f"auto {tile} = {block}.shared<{element}, {size}>();",
            f"auto {mine} = {block}.own({own.literal(rng.randint(0, 9))});"]
    first = computed(elements * 2 + places, held, f"{tile}[{item}] = {{}};")
    body += phase([f"{tile}[{item}] = {element}{{}};", f"if ({is_inside}) {{", *indented(first), "}"])
    shifted = ", ".join(f"({item}[{axis}] + {rng.randrange(extent)}) % {extent}" for axis, extent in enumerate(extents))
    neighbour = value(f"{tile}({shifted})", held)
    body += phase(computed([neighbour] * 2 + places, own, f"{mine}[{item}] += {{}};"))
    # Lambdas take copies, and own variables are none's to copy.
    of_item = spec.fresh("of_item")
    everyone, seen = [], [f"const {own.name} {of_item} = {mine}[{item}];"]
    if rng.random() < 0.5:
        spec.uses("blocks.fold")
        total = spec.fresh("total")
        body.append(f"const {own.name} {total} = {block}.fold({mine}, {_operator(spec, own)});")
        everyone.append(value(total, own))
    if rng.random() < 0.4:
        spec.uses("blocks.scan")
        upto, operator = spec.fresh("upto"), _operator(spec, own)
        call = rng.choice((f"inclusive_scan({mine}, {operator})", f"exclusive_scan({mine}, {own.literal(1)}, {operator})"))
        body.append(f"auto {upto} = {block}.{call};")
        ended = spec.fresh("ended")
        seen.append(f"const {own.name} {ended} = {upto}[{item}];")
        everyone.append(value(ended, own))
    if rng.random() < 0.3:
        spec.uses("blocks.loop")
        round_, other, copied = spec.fresh("round"), spec.fresh("other"), spec.fresh("copied")
        body.append(f"auto {other} = {block}.own({element}{{}});")
        inner = phase([f"{other}[{item}] = {neighbour.text};"])
        inner += phase([f"const {element} {copied} = {other}[{item}];",
                        *computed([value(copied, held)] * 2 + places, held, f"{tile}[{item}] = {{}};")])
        body += [f"for (int {round_} = 0; {round_} < {rng.randint(0, 3)}; ++{round_}) {{", *indented(inner), "}"]
    last = [*seen]
    for type_, name in zip(outputs, made):
        last += computed(elements + everyone * 2 + [neighbour, value(of_item, own)] + places, type_,
                         f"{name}[{block}.at({item})] = {{}};")
    body += phase([f"if (!{is_inside}) return;", *last] if rng.random() < 0.5 else
                  [f"if ({is_inside}) {{", *indented(last), "}"])
    call = [f"[]({', '.join(parameters)}) {{", *indented(body), "}"]
    kernel = declare(spec, call, f"<{size}>", pattern="blocks")
    spec.kernels.append(Signature(kernel, tuple(types), outputs, False, axes, "blocks", given=given))


def _operator(spec, type_):
    """An associative one; the last does not commute."""
    a, b = spec.fresh("p"), spec.fresh("q")
    body = spec.rng.choice((f"{a} + {b}", f"{a} ^ {b}", f"{a} < {b} ? {b} : {a}", f"{b} != 0 ? {b} : {a}"))
    return f"[]({type_.name} {a}, {type_.name} {b}) {{ return {body}; }}"


KERNELS = (stencil,) * 4 + (guvectorize,) * 3 + (blocks,) * 3
