"""Random types of a spec's own: enumerations and structs with what is declared in them."""
from .expressions import Expressions
from .statements import function_body
from .types import BOOL, FLOAT, INT, INT16, UINT8, UINT16, Type, array_of
from .values import Function, value


def indented(lines):
    # A preprocessor directive may stand anywhere in its line, so it is indented like the rest.
    return ["    " + line for line in lines]


def enumeration(spec):
    """An enumeration whose enumerators count from zero."""
    spec.uses("enum.declared")
    name = spec.fresh(spec.rng.choice(("Mode", "State", "Kind")))
    base = spec.rng.choice((UINT8, INT16, INT, UINT16))
    names = tuple(spec.fresh(stem) for stem in ("idle", "ready", "done", "lost")[:spec.rng.randint(2, 4)])
    spec.add(f"enum class {name} : {base.name} {{ {', '.join(names)} }};")
    type_ = Type(name, "enum", base.bits, base.signed, enumerators=names)
    spec.enums.append(type_)
    return type_


def structure(spec, namespace=""):
    """An aggregate: members, and with some luck methods, operators and static members."""
    rng = spec.rng
    spec.uses("struct.declared")
    name = spec.fresh(rng.choice(("Point", "Cell", "Record", "Item")))
    choices = [t for t in spec.palette if t.kind in ("int", "float", "half", "bool", "enum", "array")]
    members = []
    for i in range(rng.randint(1, 4)):
        member = rng.choice(choices)
        if rng.random() < 0.15:
            spec.uses("struct.array_member")
            member = array_of(rng.choice(spec.plain_numbers()), rng.randint(1, 3))
        members.append((f"m{i}", member))
    if spec.structs and rng.random() < 0.3:
        spec.uses("struct.nested")
        members.append(("inside", spec.structs[-1]))
    alignment, aligned = "", max(member.alignment for _, member in members)
    if rng.random() < 0.15:
        spec.uses("struct.alignas")
        aligned = rng.choice((8, 16, 32)) if members[-1][0] != "inside" else 32
        alignment = f"alignas({aligned}) "
    type_ = Type(namespace + name, "struct", members=tuple(members), alignment=aligned)
    lines = [f"struct {alignment}{name} {{"]
    lines += [f"    {member.name} {m};" for m, member in members]
    if rng.random() < 0.3:
        spec.uses("struct.static_member")
        number = rng.choice(spec.plain_integers())
        lines.append(f"    static constexpr {number.name} limit = {number.literal(3)};")
        # As a value: a reference to a static member is refused (FW043).
        spec.constants.append(value(f"static_cast<{number.name}>({type_.name}::limit)", number))
    own = [value(m, member) for m, member in members]
    lines += indented(_methods(spec, type_, own))
    lines.append("};")
    if namespace:
        spec.add(f"namespace {namespace[:-2]} {{", *lines, *_free_operator(spec, name, type_), "}")
    else:
        spec.add(*lines, *_free_operator(spec, name, type_))
    spec.structs.append(type_)
    return type_


def _methods(spec, type_, own):
    """Member functions and operators."""
    rng, lines = spec.rng, []
    result = rng.choice(spec.plain_numbers())
    if rng.random() < 0.6:
        spec.uses("struct.method")
        method, given = spec.fresh("measure"), rng.choice(spec.plain_numbers())
        body = function_body(spec, own + [value("given", given)], [], result, rng.randint(0, 1),
                             is_method=True)
        lines += [f"{result.name} {method}({given.name} given) const {{", *indented(body), "}"]
        spec.functions.append(Function(f"({{0}}).{method}({{1}})", (type_, given), result, "struct.method"))
    if rng.random() < 0.4:
        spec.uses("struct.operator")
        short = type_.name.split("::")[-1]
        parts = ", ".join(_joined(spec, m, member) for m, member in type_.members)
        form = rng.choice(("constexpr {0} operator+(const {0}& other) const {{ return {{{1}}}; }}",
                           "friend constexpr {0} operator+(const {0}& self, {0} other) {{ return {{{2}}}; }}"))
        friend = ", ".join("self." + m for m, _ in type_.members[:-1]) + (", " if len(type_.members) > 1 else "")
        lines.append(form.format(short, parts, friend + "other." + type_.members[-1][0]))
        spec.functions.append(Function("({0} + {1})", (type_, type_), type_, "struct.operator"))
    if rng.random() < 0.3:
        spec.uses("struct.comparison")
        lines.append(f"bool operator==(const {type_.name.split('::')[-1]}&) const = default;")
        if all(member.kind not in ("array", "struct") for _, member in type_.members):
            spec.functions.append(Function("({0} == {1})", (type_, type_), BOOL, "struct.comparison"))
    if rng.random() < 0.25:
        spec.uses("struct.static_method")
        method = spec.fresh("made")
        inner = Expressions(spec, [value("given", result)], [])
        lines.append(f"static {result.name} {method}({result.name} given) {{ return {inner.of(result, 2).text}; }}")
        spec.functions.append(Function(f"{type_.name}::{method}({{0}})", (result,), result, "struct.static_method"))
    if rng.random() < 0.2:
        spec.uses("struct.conversion")
        inner = Expressions(spec, own, [])
        lines.append(f"explicit operator {result.name}() const {{ return {inner.of(result, 1).text}; }}")
        spec.functions.append(Function(f"static_cast<{result.name}>({{0}})", (type_,), result, "struct.conversion"))
    return lines


def _joined(spec, name, member):
    """A member of a sum of two structs."""
    if member.kind == "float":
        return f"{name} {spec.rng.choice('+-*')} other.{name}"
    return spec.rng.choice((name, "other." + name))


def _free_operator(spec, name, type_):
    if spec.rng.random() > 0.3:
        return []
    spec.uses("struct.free_operator")
    inner = Expressions(spec, [value("a", type_), value("b", FLOAT)], [])
    first = type_.members[0][1]
    text = ", ".join([inner.of(first, 2).text] + ["a." + m for m, _ in type_.members[1:]])
    spec.functions.append(Function("({0} * {1})", (type_, FLOAT), type_, "struct.free_operator"))
    return [f"inline {name} operator*(const {name}& a, float b) {{ return {name}{{{text}}}; }}"]
