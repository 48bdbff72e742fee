"""Random function bodies: statements that end in a return."""
from .expressions import Expressions
from .types import BOOL, FLOATS, INT, NUMBERS, UINT, UINT64, array_of
from .values import Expr, Function, value


class Body:
    """The statements of one function, and the names that are in scope after each."""

    def __init__(self, scope, result, depth, is_method):
        self.scope, self.result, self.depth = scope, result, depth
        self.spec, self.rng = scope.spec, scope.rng
        self.captures = ("&", "=, this") if is_method else ("&", "=")  # compilers warn of members captured by [=]
        self.lines = []
        self.mutable = []

    def uses(self, feature):
        self.spec.uses(feature)

    def fresh(self, stem):
        return self.spec.fresh(stem)

    def expression(self, type_, scope=None):
        return (scope or self.scope).of(type_, self.depth).text

    def any_type(self):
        types = list(self.spec.palette)
        if self.scope.generic:
            types += [self.scope.generic] * len(types)
        return self.rng.choice(types)

    def any_number(self):
        if self.scope.generic and self.rng.random() < 0.7:
            return self.scope.generic
        return self.rng.choice(self.spec.plain_numbers())

    # ---- The whole ---------------------------------------------------------------------------------------------------

    def write(self, count):
        """Lines of `count` statements and a return, not indented."""
        statements = (self.constant, self.constant, self.changed, self.changed, self.loop, self.while_loop, self.switch,
                      self.binding, self.lambda_, self.generic_lambda, self.lambda_in_lambda, self.early_return,
                      self.local_array, self.local_struct, self.condition, self.condition_with_initializer,
                      self.range_for, self.if_constexpr, self.swap, self.reference, self.optional, self.tuple,
                      self.algorithm, self.constexpr_local, self.do_loop, self.conditional_text, self.using_enum,
                      self.comma, self.bit_cast)
        for _ in range(count):
            self.rng.choice(statements)()
        self.lines.append(f"return {self.expression(self.result)};")
        return self.lines

    def declare(self, name, type_, mutable=False):
        self.scope.variables.append(value(name, type_))
        if mutable:
            self.mutable.append((name, type_))

    def some_mutable(self):
        """A variable that can be assigned to, declared now if there is none."""
        if not self.mutable or self.rng.random() < 0.3:
            type_, name = self.any_number(), self.fresh("v")
            self.lines.append(f"{type_.name} {name} = {self.expression(type_)};")
            self.declare(name, type_, mutable=True)
        return self.rng.choice(self.mutable)

    def assignment(self, scope):
        """Text of a statement that changes a variable."""
        name, type_ = self.some_mutable()
        unsigned = type_ in (UINT, UINT64)
        if type_.kind == "float" and self.rng.random() < 0.4:
            self.uses("statement.compound_assignment")
            return f"{name} {self.rng.choice('+-*/')}= {self.expression(type_, scope)};"
        if unsigned and self.rng.random() < 0.5:
            self.uses("statement.compound_assignment")
            if self.rng.random() < 0.3:
                return f"{name} {self.rng.choice(('<<', '>>'))}= {self.rng.randrange(type_.bits)};"
            return f"{name} {self.rng.choice('+-*&|^')}= {self.expression(type_, scope)};"
        if unsigned and self.rng.random() < 0.3:
            self.uses("statement.increment")
            return self.rng.choice((f"++{name};", f"{name}++;", f"--{name};"))
        self.uses("statement.assignment")
        return f"{name} = {self.expression(type_, scope)};"

    # ---- Declarations ------------------------------------------------------------------------------------------------

    def constant(self):
        type_, name = self.any_type(), self.fresh("c")
        written = self.rng.choice((f"const {type_.name}", "const auto", type_.name, "const auto&", "auto&&"))
        self.uses("declaration.auto" if "auto" in written else "declaration.typed")
        self.lines.append(f"{written} {name} = {self.expression(type_)};")
        self.declare(name, type_)

    def changed(self):
        self.some_mutable()
        self.lines.append(self.assignment(self.scope))

    def constexpr_local(self):
        self.uses("declaration.constexpr")
        type_, name = self.rng.choice(self.spec.plain_integers()), self.fresh("fixed")
        static = self.rng.choice(("", "", "static "))
        self.lines.append(f"{static}constexpr {type_.name} {name} = {self.scope.literal(type_).text};")
        self.declare(name, type_)

    def reference(self):
        self.uses("declaration.reference")
        name, type_ = self.some_mutable()
        alias = self.fresh("r")
        if self.rng.random() < 0.4:
            self.uses("declaration.pointer")
            self.lines.append(f"{type_.name}* {alias} = &{name};")
            alias = f"(*{alias})"
        else:
            self.lines.append(f"auto& {alias} = {name};")
        self.lines.append(f"{alias} = {self.expression(type_)};")
        self.declare(alias, type_, mutable=True)

    def local_array(self):
        self.uses("declaration.c_array")
        type_, name, size = self.any_number(), self.fresh("cells"), self.rng.randint(2, 5)
        values = ", ".join(self.expression(type_) for _ in range(size))
        self.lines.append(f"{type_.name} {name}[{size}] = {{{values}}};")
        index = f"{self.expression(UINT)} % {size}u"
        self.lines.append(f"{name}[{index}] = {self.expression(type_)};")
        for at in range(size):
            self.declare(f"{name}[{at}]", type_, mutable=True)

    def local_struct(self):
        self.uses("declaration.local_struct")
        type_, name, made = self.any_number(), self.fresh("Local"), self.fresh("local")
        inner = Expressions(self.spec, [value("held", type_), value("given", type_)], [], self.scope.generic)
        self.lines += [f"struct {name} {{",
                       f"    {type_.name} held;",
                       f"    {type_.name} with({type_.name} given) const {{ return {inner.of(type_, 2).text}; }}",
                       "};",
                       f"const {name} {made}{{{self.expression(type_)}}};"]
        self.scope.functions.append(Function(f"{made}.with({{0}})", (type_,), type_, "declaration.local_struct"))

    def binding(self):
        self.uses("declaration.structured_binding")
        first, second = self.any_type(), self.any_type()
        a, b = self.fresh("p"), self.fresh("q")
        made = self.rng.choice(("std::pair<{}, {}>({}, {})", "std::tuple<{}, {}>({}, {})",
                                "std::pair<{}, {}>{{{}, {}}}"))
        text = made.format(first.name, second.name, self.expression(first), self.expression(second))
        self.lines.append(f"{self.rng.choice(('const auto', 'auto', 'auto&&'))} [{a}, {b}] = {text};")
        self.declare(a, first)
        self.declare(b, second)

    def using_enum(self):
        if not self.spec.palette_enums:
            return self.constant()
        self.uses("enum.using_enum")
        type_, name = self.rng.choice(self.spec.palette_enums), self.fresh("state")
        self.lines.append(f"{type_.name} {name} = {type_.name}::{type_.enumerators[0]};")
        self.lines.append("{")
        self.lines.append(f"    using enum {type_.name};")
        self.lines.append(f"    if ({self.expression(BOOL)}) {name} = {self.rng.choice(type_.enumerators)};")
        self.lines.append("}")
        return self.declare(name, type_)

    # ---- Control flow ------------------------------------------------------------------------------------------------

    def condition(self):
        self.uses("statement.if")
        self.some_mutable()
        self.lines.append(f"if ({self.expression(BOOL)}) {{")
        self.lines.append("    " + self.assignment_to_known(self.scope))
        if self.rng.random() < 0.6:
            self.lines.append(f"}} else if ({self.expression(BOOL)}) {{" if self.rng.random() < 0.4 else "} else {")
            self.lines.append("    " + self.assignment_to_known(self.scope))
        self.lines.append("}")

    def assignment_to_known(self, scope):
        """As assignment(), without a new declaration."""
        name, type_ = self.rng.choice(self.mutable)
        self.uses("statement.assignment")
        return f"{name} = {self.expression(type_, scope)};"

    def condition_with_initializer(self):
        self.uses("statement.if_with_initializer")
        self.some_mutable()
        type_, name = self.any_number(), self.fresh("t")
        self.lines.append(f"if (const auto {name} = {self.expression(type_)}; {name} > {type_.literal_of(1)}) {{")
        self.lines.append("    " + self.assignment_to_known(self.scope.inner([value(name, type_)])))
        self.lines.append("}")

    def loop(self):
        self.uses("statement.for")
        self.some_mutable()
        i, steps = self.fresh("i"), self.rng.randint(1, 6)
        inner = self.scope.inner([Expr(i, INT, 0, steps - 1)])
        if self.rng.random() < 0.3:
            self.uses("statement.pragma")
            self.lines.append("#pragma unroll")
        self.lines.append(f"for ({INT.name} {i} = 0; {i} < {steps}; ++{i}) {{")
        if self.rng.random() < 0.3:
            self.uses("statement.break_or_continue")
            self.lines.append(f"    if ({self.expression(BOOL, inner)}) {self.rng.choice(('break', 'continue'))};")
        self.lines.append("    " + self.assignment_to_known(inner))
        self.lines.append("}")

    def while_loop(self):
        self.uses("statement.while")
        self.some_mutable()
        rest = self.fresh("rest")
        self.lines.append(f"{INT.name} {rest} = {self.rng.randint(1, 6)};")
        self.lines.append(f"while ({rest} > 0 && {self.expression(BOOL)}) {{")
        self.lines.append(f"    {self.rng.choice(('--{}', '{} -= 1', '{}--')).format(rest)};")
        self.lines.append("    " + self.assignment_to_known(self.scope))
        self.lines.append("}")

    def do_loop(self):
        self.uses("statement.do")
        self.some_mutable()
        rest = self.fresh("rest")
        self.lines.append(f"{INT.name} {rest} = {self.rng.randint(1, 5)};")
        self.lines.append("do {")
        self.lines.append("    " + self.assignment_to_known(self.scope))
        self.lines.append(f"}} while (--{rest} > 0);")

    def range_for(self):
        self.uses("statement.range_for")
        self.some_mutable()
        type_, name, table = self.any_number(), self.fresh("each"), self.fresh("cells")
        made = array_of(type_, self.rng.randint(1, 4))
        self.lines.append(f"const {made.name} {table} = {self.expression(made)};")
        self.lines.append(f"for (const {self.rng.choice(('auto', 'auto&', type_.name))} {name} : {table})")
        self.lines.append("    " + self.assignment_to_known(self.scope.inner([value(name, type_)])))

    def switch(self):
        self.uses("statement.switch")
        self.some_mutable()
        if self.spec.palette_enums and self.rng.random() < 0.5:
            self.uses("enum.switch")
            type_ = self.rng.choice(self.spec.palette_enums)
            on, cases = self.expression(type_), [f"{type_.name}::{e}" for e in type_.enumerators[:2]]
        else:
            on, cases = f"{self.expression(UINT)} % 4u", ["0", "3"]
        end = self.rng.choice(("break;", "[[fallthrough]];"))
        self.lines += [f"switch ({on}) {{",
                       f"case {cases[0]}: {self.assignment_to_known(self.scope)} {end}",
                       f"case {cases[1]}: {self.assignment_to_known(self.scope)} break;",
                       f"default: {self.assignment_to_known(self.scope)}",
                       "}"]

    def early_return(self):
        self.uses("statement.early_return")
        self.lines.append(f"if ({self.expression(BOOL)}) return {self.expression(self.result)};")

    def if_constexpr(self):
        self.uses("statement.if_constexpr")
        type_ = self.any_number()
        tests = [f"sizeof({type_.name}) > 4", f"std::is_floating_point_v<{type_.name}>",
                 f"std::is_same_v<{type_.name}, float>", f"std::numeric_limits<{type_.name}>::is_signed"]
        if type_.generic:
            tests.append(f"requires({type_.name} w) {{ w << 1; }}")
        test = self.rng.choice(tests)
        self.some_mutable()
        self.lines.append(f"if constexpr ({test}) {{")
        self.lines.append("    " + self.assignment_to_known(self.scope))
        self.lines.append("} else {")
        self.lines.append("    " + self.assignment_to_known(self.scope))
        self.lines.append("}")

    def conditional_text(self):
        self.uses("preprocessor.conditional")
        self.some_mutable()
        self.lines += [f"#if {self.rng.choice(('defined(__cplusplus)', '__cplusplus < 2', '0'))}",
                       self.assignment_to_known(self.scope), "#else", self.assignment_to_known(self.scope), "#endif"]

    def comma(self):
        self.uses("operator.comma")
        self.lines.append(f"{self.assignment_to_known_or_new()[:-1]}, {self.assignment_to_known(self.scope)}")

    def assignment_to_known_or_new(self):
        self.some_mutable()
        return self.assignment_to_known(self.scope)

    # ---- Lambdas -----------------------------------------------------------------------------------------------------

    def lambda_(self):
        self.uses("lambda.plain")
        name, given, type_ = self.fresh("f"), self.fresh("g"), self.any_type()
        inner = self.scope.inner([value(given, type_)])
        result = self.any_type()
        capture = self.rng.choice(self.captures)
        tail = f" -> {result.name}" if self.rng.random() < 0.5 else ""
        self.lines.append(f"const auto {name} = [{capture}]({type_.name} {given}){tail} {{ "
                          f"return {self.expression(result, inner)}; }};")
        self.scope.functions.append(Function(f"{name}({{0}})", (type_,), result, "lambda.plain"))

    def generic_lambda(self):
        """Any numbers may be given, so the body does what all of them can do: it compares and picks."""
        self.uses("lambda.generic")
        name = self.fresh("f")
        parameters = self.rng.choice(("auto p, auto q", "const auto& p, auto&& q"))
        body = self.rng.choice(("return p < q ? p : q;",
                                "return static_cast<std::decay_t<decltype(p)>>(p > q ? p : q);"))
        if self.rng.random() < 0.5:
            parameters, body = "W p, W q", "return p < q ? q : p;"
            self.lines.append(f"const auto {name} = []<class W>({parameters}) {{ {body} }};")
        else:
            self.lines.append(f"const auto {name} = []({parameters}) -> std::decay_t<decltype(p)> {{ {body} }};")
        for _ in range(2):
            type_ = self.any_number()
            self.scope.functions.append(Function(f"{name}({{0}}, {{1}})", (type_, type_), type_, "lambda.generic"))

    def lambda_in_lambda(self):
        self.uses("lambda.in_lambda")
        name, given, inside, kept = (self.fresh(stem) for stem in ("f", "g", "h", "k"))
        type_, result = self.any_number(), self.any_number()
        outer = self.scope.inner([value(given, type_), value(kept, type_)])
        inner = outer.inner([value(inside, result)])
        first = self.expression(type_, self.scope.inner([value(given, type_)]))
        argument = self.expression(result)
        self.lines += [f"const auto {name} = [&]({type_.name} {given}) {{",
                       f"    return [&, {kept} = {first}]({result.name} {inside}) {{",
                       f"        return {self.expression(result, inner)};",
                       f"    }}({argument});",
                       "};"]
        self.scope.functions.append(Function(f"{name}({{0}})", (type_,), result, "lambda.in_lambda"))

    # ---- The standard library ----------------------------------------------------------------------------------------

    def swap(self):
        self.uses("std.utility")
        name, type_ = self.some_mutable()
        other = self.fresh("v")
        self.lines.append(f"{type_.name} {other} = {self.expression(type_)};")
        if self.rng.random() < 0.5:
            self.lines.append(f"std::swap({name}, {other});")
        else:
            self.lines.append(f"{name} = std::exchange({other}, {self.expression(type_)});")
        self.declare(other, type_, mutable=True)

    def optional(self):
        self.uses("std.optional")
        type_, name = self.any_number(), self.fresh("maybe")
        self.lines.append(f"std::optional<{type_.name}> {name};")
        self.lines.append(f"if ({self.expression(BOOL)}) {name} = {self.expression(type_)};")
        self.declare(f"{name}.value_or({type_.literal_of(1)})", type_)

    def tuple(self):
        self.uses("std.tuple")
        first, second, name = self.any_type(), self.any_type(), self.fresh("both")
        self.lines.append(f"const std::tuple<{first.name}, {second.name}> {name}({self.expression(first)}, "
                          f"{self.expression(second)});")
        self.declare(f"std::get<0>({name})", first)
        self.declare(f"std::get<1>({name})", second)

    def algorithm(self):
        self.uses("std.algorithm_on_array")
        type_, name = self.rng.choice([t for t in NUMBERS if t not in FLOATS]), self.fresh("cells")
        made = array_of(type_, self.rng.randint(2, 5))
        self.lines.append(f"{made.name} {name} = {self.expression(made)};")
        self.lines.append(self.rng.choice((f"std::sort({name}.begin(), {name}.end());",
                                           f"std::reverse({name}.begin(), {name}.end());",
                                           f"std::rotate({name}.begin(), {name}.begin() + 1, {name}.end());",
                                           f"{name}.fill({self.expression(type_)});")))
        self.declare(name, made)

    def bit_cast(self):
        self.uses("std.bit_cast")
        from_, to = self.rng.choice((("float", UINT), ("double", UINT64)))
        source = next(t for t in FLOATS if t.name == from_)
        number, name = self.fresh("c"), self.fresh("bits")
        self.lines.append(f"const {from_} {number} = {self.expression(source)};")
        # A NaN's bits are anybody's.
        self.lines.append(f"const auto {name} = {number} == {number} ? std::bit_cast<{to.name}>({number}) : 0u;")
        self.declare(f"static_cast<{to.name}>({name})", to)


def function_body(spec, parameters, functions, result, statements, depth=2, generic=None, is_method=False):
    """The lines of a body over these parameters, some of which are data members if it is a method's."""
    scope = Expressions(spec, parameters, functions, generic)
    return Body(scope, result, depth, is_method).write(statements)
