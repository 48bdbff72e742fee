"""Random helpers of a spec: functions, templates, constants and tables, macros, and the ways that names are found."""
from .declarations import indented, structure
from .expressions import Expressions
from .statements import function_body
from .types import FAMILIES, FLOATS, FLOAT, INT, INT64, UINT, UINT64, array_of, generic
from .values import Function, value

PREFIXES = ("inline ", "static ", "", "static inline ", "[[nodiscard]] inline ", "inline constexpr ", "constexpr ")


def _parameters(spec, count):
    types = [spec.rng.choice(spec.palette) for _ in range(count)]
    names = [spec.rng.choice(("x", "a", "left", "out")) + str(i) for i in range(count)]
    forms = [spec.rng.choice(("{} {}", "{} {}", "const {}& {}", "const {} {}")) for _ in range(count)]
    return types, names, [form.format(t.name, n) for form, t, n in zip(forms, types, names)]


def _body(spec, names, types, result, prefix="", statements=None):
    """Lines of a function's block. A constexpr function is one expression of what is constexpr."""
    variables = [value(n, t) for n, t in zip(names, types)] + spec.constants
    if "constexpr" in prefix:
        scope = Expressions(spec, variables, [], constant=True)
        return [f"return {scope.of(result, 2).text};"]
    statements = spec.rng.randint(0, 3) if statements is None else statements
    return function_body(spec, variables, spec.functions, result, statements)


def _literal_types(spec):
    return [t for t in spec.palette if t.kind in ("int", "float", "bool", "enum")]


def free_function(spec):
    spec.uses("function.free")
    prefix = spec.rng.choice(PREFIXES)
    types, names, parameters = _parameters(spec, spec.rng.randint(1, 3))
    result = spec.rng.choice(spec.palette)
    if "constexpr" in prefix:
        spec.uses("function.constexpr")
    name = spec.fresh(spec.rng.choice(("helper", "load", "store", "min", "clamp", "lane", "pack", "twice", "step")))
    body = _body(spec, names, types, result, prefix)
    declared = spec.rng.choice((f"{result.name} {name}({{}})", f"auto {name}({{}}) -> {result.name}",
                                f"auto {name}({{}})"))
    if declared.startswith("auto"):
        spec.uses("function.auto")
    spec.add(prefix + declared.format(", ".join(parameters)) + " {", *indented(body), "}")
    call = name + "(" + ", ".join(f"{{{i}}}" for i in range(len(types))) + ")"
    spec.functions.append(Function(call, tuple(types), result, "function.free"))


def declared_first(spec):
    spec.uses("function.declared_first")
    types, names, parameters = _parameters(spec, spec.rng.randint(1, 2))
    result, name = spec.rng.choice(spec.palette), spec.fresh("later")
    linkage = spec.rng.choice(("inline ", "static ", ""))
    head = f"{linkage}{result.name} {name}({', '.join(parameters)})"
    spec.add(head + ";")
    definition = [head + " {",
                  *indented(_body(spec, names, types, result)), "}", ""]
    if spec.rng.random() < 0.5:
        spec.uses("function.defined_after_kernel")
        spec.late += definition
    else:
        spec.text += definition
    call = name + "(" + ", ".join(f"{{{i}}}" for i in range(len(types))) + ")"
    spec.functions.append(Function(call, tuple(types), result, "function.declared_first"))


def overloads(spec):
    spec.uses("function.overloads")
    name = spec.fresh("over")
    for type_ in spec.rng.sample(spec.palette, min(len(spec.palette), 3)):
        spec.add(f"inline {type_.name} {name}({type_.name} x) {{", *indented(_body(spec, ["x"], [type_], type_)), "}")
        spec.functions.append(Function(f"{name}({{0}})", (type_,), type_, "function.overloads"))


def default_arguments(spec):
    spec.uses("function.default_arguments")
    name, type_ = spec.fresh("with_default"), spec.rng.choice(spec.plain_numbers())
    default = Expressions(spec, [], []).literal(type_).text
    body = _body(spec, ["x", "by"], [type_, type_], type_)
    spec.add(f"inline {type_.name} {name}({type_.name} x, {type_.name} by = {default}) {{", *indented(body), "}")
    spec.functions.append(Function(f"{name}({{0}})", (type_,), type_, "function.default_arguments"))
    spec.functions.append(Function(f"{name}({{0}}, {{1}})", (type_, type_), type_, "function.default_arguments"))


def through_reference(spec):
    spec.uses("function.reference_parameter")
    inner, outer, type_ = spec.fresh("change"), spec.fresh("changed"), spec.rng.choice(spec.palette)
    scope = Expressions(spec, [value("x", type_), value("given", type_)], spec.functions)
    spec.add(f"inline void {inner}({type_.name}& x, const {type_.name}& given) {{ x = {scope.of(type_, 2).text}; }}")
    spec.add(f"inline {type_.name} {outer}({type_.name} x) {{", f"    {inner}(x, x);", "    return x;", "}")
    spec.functions.append(Function(f"{outer}({{0}})", (type_,), type_, "function.reference_parameter"))


def consteval_function(spec):
    spec.uses("function.consteval")
    name = spec.fresh("at_compile_time")
    spec.add(f"consteval {INT.name} {name}({INT.name} n) {{ return n * 3 + 1; }}")
    spec.functions.append(Function(f"{name}({spec.rng.randrange(50)})", (), INT, "function.consteval"))


# ---- Templates -------------------------------------------------------------------------------------------------------

def _register(spec, family, text, count, feature):
    for type_ in FAMILIES[family] + (generic(family, "T"),):
        spec.functions.append(Function(text.replace("@", type_.name), (type_,) * count, type_, feature))


def function_template(spec):
    spec.uses("template.function")
    family, name = spec.rng.choice(sorted(FAMILIES)), spec.fresh("generic")
    type_ = generic(family, "T")
    body = function_body(spec, [value("a", type_), value("b", type_)], spec.functions, type_, spec.rng.randint(0, 3),
                         generic=type_)
    head = "template <class T>"
    if spec.rng.random() < 0.3:
        spec.uses("template.concept")
        concept = spec.fresh("Usable")
        spec.add(f"template <class T> concept {concept} = sizeof(T) <= 8 && requires(T x) {{ x + x; }};")
        head = spec.rng.choice((f"template <{concept} T>", f"template <class T> requires {concept}<T>"))
    second = spec.rng.choice(("T", "const T&"))
    spec.add(f"{head} {spec.rng.choice(('', 'inline '))}T {name}(T a, {second} b) {{", *indented(body), "}")
    if second == "T" and spec.rng.random() < 0.25:
        spec.uses("template.specialization")
        special = spec.rng.choice(FAMILIES[family])
        spec.add(f"template <> inline {special.name} {name}<{special.name}>({special.name} a, {special.name}) {{",
                 "    return a;", "}")
    explicit = spec.rng.random() < 0.4
    _register(spec, family, f"{name}{'<@>' if explicit else ''}({{0}}, {{1}})", 2, "template.function")


def value_template(spec):
    spec.uses("template.value")
    name = spec.fresh("power")
    spec.add(f"template <int N, class T> T {name}(T x) {{",
             "    if constexpr (N == 0) return T(1);",
             f"    else return static_cast<T>(x * {name}<N - 1>(x));", "}")
    power = spec.rng.randrange(5)
    for type_ in (UINT, UINT64) + FLOATS:
        spec.functions.append(Function(f"{name}<{power}>({{0}})", (type_,), type_, "template.value"))


def parameter_pack(spec):
    spec.uses("template.pack")
    name = spec.fresh("total")
    fold = spec.rng.choice(("(parts + ...)", "(... + parts)", "(parts * ... * 1)"))
    spec.add(f"template <class... Parts> auto {name}(Parts... parts) {{ return {fold}; }}")
    for type_ in (UINT, UINT64) + FLOATS:
        spec.functions.append(Function(f"{name}({{0}}, {{1}}, {{2}})", (type_,) * 3, type_, "template.pack"))


def class_template(spec):
    spec.uses("template.class")
    name, family = spec.fresh("Box"), spec.rng.choice(sorted(FAMILIES))
    type_ = generic(family, "T")
    scope = Expressions(spec, [value("held", type_), value("given", type_)], [], type_)
    spec.add("template <class T> struct " + name + " {", "    T held;",
             f"    T with(T given) const {{ return {scope.of(type_, 2).text}; }}", "};")
    text = f"{name}<@>{{{{{{0}}}}}}.with({{1}})"
    if spec.rng.random() < 0.5:
        spec.uses("template.deduction_guide")
        boxed = spec.fresh("boxed")  # GCC 12 takes `(int)(Box{1}.with(2))` for a declaration
        spec.add(f"template <class T> {name}(T) -> {name}<T>;",
                 f"template <class T> T {boxed}(T x, T y) {{ return {name}{{x}}.with(y); }}")
        text = f"{boxed}({{0}}, {{1}})"
    _register(spec, family, text, 2, "template.class")


def curious_base(spec):
    spec.uses("template.curious_base")
    base, derived, type_ = spec.fresh("Doubled"), spec.fresh("Held"), spec.rng.choice((UINT, FLOAT))
    spec.add(f"template <class Derived> struct {base} {{",
             "    auto doubled() const { return 2 * static_cast<const Derived&>(*this).get(); }", "};",
             f"struct {derived} : {base}<{derived}> {{",
             f"    explicit {derived}({type_.name} given) : held(given) {{}}",
             f"    {type_.name} get() const {{ return held; }}", "  private:", f"    {type_.name} held;", "};")
    spec.functions.append(Function(f"{derived}({{0}}).doubled()", (type_,), type_, "template.curious_base"))


def abbreviated_template(spec):
    spec.uses("template.abbreviated")
    name = spec.fresh("picked")
    spec.add(f"inline auto {name}(std::integral auto x, std::integral auto y) {{ return x < y ? y : x; }}",
             f"template <std::floating_point T> T {name}(T x, T y) {{ return x < y ? x : y; }}")
    for type_ in (INT, UINT, INT64) + FLOATS:
        spec.functions.append(Function(f"{name}({{0}}, {{1}})", (type_, type_), type_, "template.abbreviated"))


def alias(spec):
    spec.uses("template.alias")
    name, family, call = spec.fresh("number"), spec.fresh("couple_of"), spec.fresh("of_alias")
    type_ = spec.rng.choice(spec.plain_numbers())
    scope = Expressions(spec, [value("both[0]", type_), value("both[1]", type_)], spec.functions)
    spec.add(f"using {name} = {type_.name};", f"template <class T> using {family} = std::array<T, 2>;",
             f"inline {name} {call}(const {family}<{name}>& both) {{ return {scope.of(type_, 2).text}; }}")
    spec.functions.append(Function(f"{call}({{0}})", (array_of(type_, 2),), type_, "template.alias"))


# ---- Constants -------------------------------------------------------------------------------------------------------

def constant(spec):
    type_, name = spec.rng.choice(_literal_types(spec)), spec.fresh(spec.rng.choice(("scale", "bias", "width", "size")))
    form = spec.rng.choice(("constexpr {0} {1} = {2};", "inline constexpr {0} {1} = {2};",
                            "static constexpr {0} {1}({2});", "constexpr auto {1} = {2};",
                            "constexpr {0} {1} = [] {{ return {2}; }}();"))
    spec.uses("constant.by_lambda" if "[]" in form else "constant.scalar")
    scope = Expressions(spec, [], [], constant=True)
    text = scope.of(type_, spec.rng.randrange(2)).text
    spec.add(form.format(type_.name, name, text))
    spec.constants.append(value(name, type_))


def variable_template(spec):
    spec.uses("constant.variable_template")
    name = spec.fresh("ratio")
    spec.add(f"template <class T> constexpr T {name} = T(2.5);")
    for type_ in spec.plain_numbers():
        spec.constants.append(value(f"{name}<{type_.name}>", type_))


def table(spec):
    type_, name, size = spec.rng.choice(_literal_types(spec)), spec.fresh("table"), spec.rng.randint(2, 6)
    scope = Expressions(spec, [], [], constant=True)
    values = ", ".join(scope.of(type_, 1).text for _ in range(size))
    feature = spec.rng.choice(("constant.c_array", "constant.array"))
    if feature == "constant.c_array":
        spec.add(f"constexpr {type_.name} {name}[] = {{{values}}};")
    else:
        spec.add(f"{spec.rng.choice(('', 'inline '))}constexpr std::array<{type_.name}, {size}> {name} = {{{values}}};")
    spec.uses(feature)
    spec.functions.append(Function(f"{name}[{{0}} % {size}u]", (UINT,), type_, feature))


def literal_operator(spec):
    spec.uses("function.literal_operator")
    suffix = spec.fresh("_k")
    spec.add(f'constexpr {UINT.name} operator""{suffix}(unsigned long long x) {{',
             f"    return static_cast<{UINT.name}>(x * 3);", "}")
    spec.functions.append(Function(f"{spec.rng.randrange(100)}{suffix}", (), UINT, "function.literal_operator"))


# ---- Macros ----------------------------------------------------------------------------------------------------------

def macro_constant(spec):
    spec.uses("macro.constant")
    name, number = spec.macro("WIDTH"), spec.rng.randrange(1, 60)
    spec.add(f"#define {name} {number}")
    spec.constants.append(value(name, INT)._replace(low=number, high=number))


def macro_function(spec):
    spec.uses("macro.function")
    name, type_ = spec.macro("MIX"), spec.rng.choice((FLOAT, UINT))
    spec.add(f"#define {name}(a, b) \\", "    ((a) * 2 + (b))")
    spec.functions.append(Function(f"{name}({{0}}, ({{1}}))", (type_, type_), type_, "macro.function"))


def macro_definition(spec):
    spec.uses("macro.definition")
    name, made, type_ = spec.macro("DEFINE"), spec.fresh("made_by"), spec.rng.choice((FLOAT, UINT))
    spec.add(f"#define {name}(stem, op) \\",
             f"    inline {type_.name} {made}_##stem({type_.name} a, {type_.name} b) {{ return a op b; }}",
             f"{name}(plus, +)", f"{name}(minus, -)")
    for stem in ("plus", "minus"):
        spec.functions.append(Function(f"{made}_{stem}({{0}}, ({{1}}))", (type_, type_), type_, "macro.definition"))


# ---- Names -----------------------------------------------------------------------------------------------------------

def in_namespace(spec):
    space, name, type_ = spec.fresh("tools"), spec.fresh("tool"), spec.rng.choice(spec.palette)
    head = spec.rng.choice(("namespace ", "namespace ", "inline namespace "))
    spec.add(f"{head}{space} {{", f"inline {type_.name} {name}({type_.name} x) {{",
             *indented(_body(spec, ["x"], [type_], type_)), "}", "}")
    way = spec.rng.choice(("qualified", "using_directive", "using_declaration", "alias"))
    if head.startswith("inline"):
        way, call = "inline", name
    elif way == "qualified":
        call = f"{space}::{name}"
    elif way == "using_directive":
        call = name
        spec.add(f"using namespace {space};")
    elif way == "using_declaration":
        call = name
        spec.add(f"using {space}::{name};")
    else:
        short = spec.fresh("t")
        call = f"{short}::{name}"
        spec.add(f"namespace {short} = {space};")
    spec.uses("namespace." + way)
    spec.functions.append(Function(f"{call}({{0}})", (type_,), type_, "namespace." + way))


def in_unnamed_namespace(spec):
    spec.uses("namespace.unnamed")
    name, type_ = spec.fresh("hidden"), spec.rng.choice(spec.palette)
    body = _body(spec, ["x"], [type_], type_)
    spec.add("namespace {", f"{type_.name} {name}({type_.name} x) {{", *indented(body), "}", "}")
    spec.functions.append(Function(f"{name}({{0}})", (type_,), type_, "namespace.unnamed"))


def found_by_argument(spec):
    spec.uses("namespace.argument_dependent")
    space, name, result = spec.fresh("things"), spec.fresh("weight"), spec.rng.choice(spec.plain_numbers())
    type_ = structure(spec, f"{space}::")
    scope = Expressions(spec, [value("thing", type_)], [])
    spec.add(f"namespace {space} {{", f"inline {result.name} {name}(const {type_.name.split('::')[-1]}& thing) {{ "
             f"return {scope.of(result, 2).text}; }}", "}")
    spec.functions.append(Function(f"{name}({{0}})", (type_,), result, "namespace.argument_dependent"))


def library_names(spec):
    spec.uses("namespace.of_std")
    type_, name = spec.rng.choice(FLOATS), spec.fresh("rooted")
    directive = spec.rng.choice(("using std::sqrt;", "using namespace std;"))
    space = spec.fresh("numeric")
    spec.add(f"namespace {space} {{", directive,
             f"inline {type_.name} {name}({type_.name} x) {{ return sqrt(x) + 1; }}", "}")
    spec.functions.append(Function(f"{space}::{name}({{0}})", (type_,), type_, "namespace.of_std"))


HELPERS = (free_function, free_function, free_function, declared_first, overloads, default_arguments, through_reference,
           consteval_function, function_template, function_template, value_template, parameter_pack, class_template,
           curious_base, abbreviated_template, alias, constant, variable_template, table, table, literal_operator,
           macro_constant, macro_function, macro_definition, in_namespace, in_namespace, in_unnamed_namespace,
           found_by_argument, library_names)
