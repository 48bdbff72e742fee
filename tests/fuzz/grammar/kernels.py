"""Random vectorize kernels: the forms that a variable and its lambda can take."""
import pathlib
import re
from typing import NamedTuple

from .declarations import indented
from .statements import function_body
from .types import BFLOAT16, FAMILIES, FLOAT, HALF, INT, INT64, Type, generic
from .values import Expr, value


class Signature(NamedTuple):
    """What the harness needs for one of a kernel's functions."""
    kernel: str  # as the spec's namespace names it
    inputs: tuple
    outputs: tuple
    is_tuple: bool
    axes: int  # of its index parameter; 0 without one
    pattern: str = "vectorize"
    given: tuple = ()  # of kernels that take more than elements: what each input is, as batch.py has it
    reach: tuple = ()  # of a stencil that skips edges: along each axis, the offsets of its window
    makes_rows: bool = True  # a guvectorize kernel: whether its outputs are rows, or one value for each
    has_position: bool = False  # a fold: whether its map takes an element's position


# Names that emitted code has uses of its own for.
KERNEL_NAMES = ("kernel", "launch", "shape", "range", "array", "index", "half", "sum", "value", "call", "run",
                "operands", "executor", "cpu", "simulator", "pack", "uint4", "memory", "fail", "backend")


def _words_of_templates():
    """What emitted code may mean by a name itself: every identifier that a template writes."""
    folder = pathlib.Path(__file__).resolve().parents[3] / "templates"
    words = set()
    for template in folder.glob("*.mustache"):
        text = re.sub(r"<%.*?%>|//.*", " ", template.read_text())
        words.update(re.findall(r"(?<![\w#\"])[A-Za-z_]\w*", text))
    # Keywords, what a spec itself needs, and names that belong to the compiler.
    return sorted(w for w in words - CPP_KEYWORDS - {"foldwise", "std", "index"} if not re.match("__|FOLDWISE", w))


CPP_KEYWORDS = frozenset("""
alignas alignof auto bool break case catch char class concept const constexpr const_cast continue decltype default define delete do
double else endif enum explicit extern false float for friend if ifdef inline int line long mutable namespace new
noexcept nullptr once operator pragma private protected public requires return short signed sizeof static static_assert static_cast struct switch
template this throw true try type typename union unsigned using virtual void volatile while
""".split())
OPERAND_NAMES = ("x", "y", "i", "x_pack", "out_pack", "input", *_words_of_templates())


def _tuple(types, name="std::tuple"):
    return Type(f"{name}<{', '.join(t.name for t in types)}>", "tuple",
                members=tuple((str(i), t) for i, t in enumerate(types)))


def result_of(spec):
    """What a lambda returns: one type, or several outputs."""
    if spec.rng.random() < 0.25:
        count = spec.rng.randint(1, 3)
        types = [spec.rng.choice(spec.palette) for _ in range(count)]
        if count == 2 and spec.rng.random() < 0.5:
            spec.uses("kernel.pair")
            return _tuple(types, "std::pair"), tuple(types)
        spec.uses("kernel.tuple")
        return _tuple(types), tuple(types)
    type_ = spec.rng.choice(spec.palette)
    return type_, (type_,)


def declare(spec, call, signatures="", pattern="vectorize"):
    """Adds the variable; `call` is what the pattern is given, most often a lambda. Returns its name."""
    rng, name = spec.rng, spec.fresh(spec.rng.choice(KERNEL_NAMES))
    form = rng.choice(("auto", "auto", "const auto", "inline auto", "static auto", "constexpr auto",
                       "[[maybe_unused]] auto"))
    spec.uses("kernel.variable_form" if form != "auto" else "kernel.auto")
    lines = []
    if rng.random() < 0.2:
        spec.uses("kernel.comment")
        lines += ["/// What it computes, at random:", "///  with a { brace and a \\ backslash."]
    lines += [f"{form} {name} = foldwise::{pattern}{signatures}(", *indented(call)]
    lines[-1] += ");"
    space = rng.randrange(8)
    if space == 0:
        spec.uses("kernel.nested_namespace")
        inner = spec.fresh("inner")
        spec.add(f"namespace {inner} {{", *lines, "}")
        return f"{inner}::{name}"
    if space == 1:
        spec.uses("kernel.unnamed_namespace")
        lines = ["namespace {", *lines, "}"]
    spec.add(*lines)
    return name


def operands(spec, count):
    types = [spec.rng.choice(spec.palette) for _ in range(count)]
    return types, [spec.fresh(spec.rng.choice(OPERAND_NAMES)) for _ in range(count)]


def written(spec, types, names):
    forms = [spec.rng.choice(("{} {}", "{} {}", "const {}& {}", "const {} {}")) for _ in types]
    return [form.format(t.name, n) for form, t, n in zip(forms, types, names)]


def _lambda(spec, parameters, result, body, template=""):
    tail = ""
    if result is not None and spec.rng.random() < 0.35:
        spec.uses("kernel.result_type")
        tail = f" -> {result.name}"
    specifier = spec.rng.choice(("", "", "", " noexcept"))
    return [f"[]{template}({', '.join(parameters)}){specifier}{tail} {{", *indented(body), "}"]


def _named(spec, form, held, text):
    """What `[](...) { ... }` becomes when a kernel is given a name, an object or captures; `held` is a constant in it."""
    spec.uses(f"kernel.{form}")
    signature, rest = text[0][2:], text[1:]
    if form == "capture":
        return [f"[{held.text} = {held.init}]{signature}", *rest]
    if form == "object":
        name, close = spec.fresh("callable"), signature.rindex(")", 0, _end_of_parameters(signature))
        operation = f"auto operator(){signature[:close + 1]} const{signature[close + 1:]}"
        spec.add(f"struct {name} {{", f"    {held.type} {held.text};", *indented([operation, *rest]), "};")
        return [f"{name}{{{held.init}}}"]
    name = spec.fresh("named")
    if form == "lambda_variable":
        spec.add(f"constexpr auto {name} = []{signature}", *rest[:-1], rest[-1] + ";")
        return [name]
    spec.add(f"inline auto {name}{signature}", *rest)
    return [spec.rng.choice((name, "&" + name))]


def _end_of_parameters(signature):
    """Behind the parenthesis that closes the first one."""
    depth = 0
    for i, c in enumerate(signature):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i + 1
    raise ValueError(signature)


class Held(NamedTuple):
    """A constant of a capture or a data member."""
    text: str
    type: str
    init: str


def typed(spec):
    """A lambda with its types written out, or what stands for one."""
    spec.uses("kernel.typed")
    types, names = operands(spec, spec.rng.randint(1, 4))
    result, outputs = result_of(spec)
    form = spec.rng.choice(("lambda",) * 4 + ("function_name", "object", "lambda_variable", "capture"))
    held, values = None, [value(n, t) for n, t in zip(names, types)]
    if form in ("object", "capture"):
        type_, init = spec.rng.choice(((INT, "3"), (FLOAT, "2.5f")))
        held = Held(spec.fresh("held"), type_.name, init)
        values.append(value(held.text, type_))
    body = function_body(spec, values + spec.constants, spec.functions, result, spec.rng.randint(0, 5), depth=3,
                         is_method=form == "object")
    text = _lambda(spec, written(spec, types, names), result, body)
    kernel = declare(spec, text if form == "lambda" else _named(spec, form, held, text))
    spec.kernels.append(Signature(kernel, tuple(types), outputs, result.kind == "tuple", 0))


def generic_lambda(spec):
    """A generic lambda and a signature for each type of a family."""
    spec.uses("kernel.generic")
    rng = spec.rng
    family = rng.choice(sorted(FAMILIES))
    members = rng.sample(FAMILIES[family], rng.randint(1, 2))
    type_ = generic(family, "T")
    count = rng.randint(1, 3)
    names = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in range(count)]
    fixed = [rng.choice(spec.palette)] if rng.random() < 0.3 else []
    fixed_names = [spec.fresh(rng.choice(OPERAND_NAMES)) for _ in fixed]
    form = rng.choice(("auto", "const_auto", "template", "typename"))
    spec.uses("kernel.generic_" + form)
    template, first = "", []
    if form in ("auto", "const_auto"):
        parameters = [("auto " if form == "auto" else "const auto& ") + n for n in names]
        first = [f"using T = std::remove_cvref_t<decltype({names[0]})>;"]
    else:
        template = "<class T>" if form == "template" else "<typename T>"
        parameters = [f"T {n}" for n in names]
    parameters += written(spec, fixed, fixed_names)
    result = type_ if rng.random() < 0.7 else rng.choice(spec.palette)
    variables = [value(n, type_) for n in names] + [value(n, t) for n, t in zip(fixed_names, fixed)]
    body = first + function_body(spec, variables + spec.constants, spec.functions, result, rng.randint(0, 4), depth=3,
                                 generic=type_)
    signatures, inputs = [], []
    for member in members:
        inputs.append(tuple([member] * count + fixed))
        returned = member if result is type_ else result
        signatures.append(f"{returned.name}({', '.join(t.name for t in inputs[-1])})")
    call = _lambda(spec, parameters, None, body, template)
    kernel = declare(spec, call, f"<{', '.join(signatures)}>")
    for member, types in zip(members, inputs):
        spec.kernels.append(Signature(kernel, types, (member if result is type_ else result,), False, 0))


def sixteen_bits(spec):
    """A generic lambda over 16-bit floats and float, which computes in float."""
    spec.uses("kernel.16_bits")
    members = spec.rng.sample((HALF, BFLOAT16, FLOAT), spec.rng.randint(1, 3))
    x, f = spec.fresh("x"), spec.fresh("wide")
    body = [f"const float {f} = {x};"] + function_body(spec, [value(f, FLOAT)] + spec.constants, spec.functions, FLOAT,
                                                       spec.rng.randint(0, 3), depth=3)
    signatures = ", ".join(f"{m.name}({m.name})" for m in members)
    kernel = declare(spec, _lambda(spec, [f"auto {x}"], FLOAT, body), f"<{signatures}>")
    for member in members:
        spec.kernels.append(Signature(kernel, (member,), (member,), False, 0))


def with_index(spec):
    """A lambda whose first parameter is the element's place, with and without operands."""
    axes = spec.rng.randint(1, 3)
    spec.uses(f"kernel.index_{axes}")
    types, names = operands(spec, spec.rng.randint(0, 2))
    at = spec.fresh("at")
    places = [Expr(f"{at}[{axis}]", INT64, 0, 4095) for axis in range(axes)]
    if axes == 1:
        places.append(Expr(f"static_cast<{INT64.name}>({at})", INT64, 0, 4095))
    result, outputs = result_of(spec)
    first = []
    if axes > 1 and spec.rng.random() < 0.4:
        spec.uses("kernel.index_binding")
        bound = [spec.fresh("axis") for _ in range(axes)]
        first = [f"const auto [{', '.join(bound)}] = {at};"]
        places += [Expr(b, INT64, 0, 4095) for b in bound]
    variables = places * 2 + [value(n, t) for n, t in zip(names, types)] + spec.constants
    if INT64 not in spec.palette:
        spec.palette.append(INT64)  # so that the place is read
    body = first + function_body(spec, variables, spec.functions, result, spec.rng.randint(0, 3), depth=3)
    form = spec.rng.choice(("foldwise::index<{}> {}", "const foldwise::index<{}>& {}"))
    parameters = [form.format(axes, at)] + written(spec, types, names)
    kernel = declare(spec, _lambda(spec, parameters, result, body))
    spec.kernels.append(Signature(kernel, tuple(types), outputs, result.kind == "tuple", axes))


def converting(spec):
    """A signature of other types than the lambda's: operands widen, and the result converts."""
    spec.uses("kernel.converting")
    widenings = {"float": "double", "std::int32_t": "std::int64_t", "std::uint8_t": "std::int32_t"}
    by_name = {t.name: t for family in FAMILIES.values() for t in family}
    narrow = [by_name[n] for n in spec.rng.sample(sorted(widenings), 2)]
    wide = [by_name[widenings[t.name]] for t in narrow]
    names = [spec.fresh(spec.rng.choice(OPERAND_NAMES)) for _ in wide]
    returned, result = spec.rng.choice(((INT, by_name["std::int16_t"]), (FLOAT, by_name["double"]),
                                        (INT, by_name["float"])))
    body = function_body(spec, [value(n, t) for n, t in zip(names, wide)], spec.functions, returned,
                         spec.rng.randint(0, 2), depth=3)
    call = _lambda(spec, [f"{t.name} {n}" for t, n in zip(wide, names)], returned, body)
    kernel = declare(spec, call, f"<{result.name}({', '.join(t.name for t in narrow)})>")
    spec.kernels.append(Signature(kernel, tuple(narrow), (result,), False, 0))


def by_macro(spec):
    """Kernels that a macro declares."""
    spec.uses("kernel.by_macro")
    macro, type_ = spec.macro("KERNEL"), spec.rng.choice(FAMILIES["float"])
    spec.add(f"#define {macro}(name, op) \\",
             f"    auto name = foldwise::vectorize([]({type_.name} x, {type_.name} y) {{ return x op y; }})")
    for operator in spec.rng.sample("+-*/", 2):
        name = spec.fresh(spec.rng.choice(KERNEL_NAMES))
        spec.add(f"{macro}({name}, {operator});")
        spec.kernels.append(Signature(name, (type_, type_), (type_,), False, 0))


def without_inputs(spec):
    spec.uses("kernel.without_inputs")
    result = spec.rng.choice(spec.palette)
    body = function_body(spec, spec.constants, spec.functions, result, spec.rng.randint(0, 2))
    call = ["[] {", *indented(body), "}"] if spec.rng.random() < 0.5 else ["[]() {", *indented(body), "}"]
    kernel = declare(spec, call)
    spec.kernels.append(Signature(kernel, (), (result,), False, 0))


KERNELS = ((typed,) * 6 + (generic_lambda,) * 4 + (with_index,) * 2 +
           (sixteen_bits, converting, by_macro, without_inputs))
