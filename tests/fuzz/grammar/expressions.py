"""Random expressions with defined behaviour.

Each integer expression carries the interval of its values, and what would overflow is computed otherwise: in an
unsigned type, in a wider one, or of smaller operands. Floating-point arithmetic is defined for all values; only the
sign of a NaN is not, so nothing looks at it.
"""
from .library import LibraryCalls
from .types import BOOL, FLOAT, FLOATS, INT, INT64, INTEGERS, UINT, UINT64, Type, common, promoted
from .values import Expr, value

MASKS = (1, 3, 7, 15, 31, 63, 127)


class Expressions(LibraryCalls):
    """Makes expressions of what is in scope: variables, and functions that the spec declares."""

    def __init__(self, spec, variables, functions, generic=None, constant=False):
        self.spec, self.rng = spec, spec.rng
        self.variables, self.functions = list(variables), list(functions)
        self.generic = generic  # the template's parameter that is in scope
        self.constant = constant  # whether only what is constexpr may be called

    def inner(self, variables=()):
        return Expressions(self.spec, self.variables + list(variables), self.functions, self.generic, self.constant)

    def uses(self, feature):
        self.spec.uses(feature)

    # ---- By type -----------------------------------------------------------------------------------------------------

    def of(self, type_, depth):
        """An expression of exactly this type."""
        if depth > 0 and self.rng.random() < 0.25:
            callable_ = self.call(type_, depth)
            if callable_:
                return callable_
        if depth > 0 and self.rng.random() < 0.08:
            return self.conditional(type_, depth)
        return getattr(self, "of_" + type_.kind)(type_, depth)

    def of_bool(self, type_, depth):
        if depth <= 0:
            variable = self.variable(type_)
            return variable if variable and self.rng.random() < 0.6 else self.comparison(0)
        if self.rng.random() < 0.03:
            return Expr(self.rng.choice(("true", "false")), type_, 0, 1)
        choice = self.rng.randrange(6)
        if choice == 0:
            self.uses("operator.not")
            return Expr(f"!{self.of(BOOL, depth - 1).text}", BOOL, 0, 1)
        if choice == 1:
            self.uses("operator.logical")
            operator = self.rng.choice(("&&", "||"))
            return Expr(f"({self.of(BOOL, depth - 1).text} {operator} {self.of(BOOL, depth - 1).text})", BOOL, 0, 1)
        if choice == 2 and self.spec.palette_floats and not self.constant:
            self.uses("std.classification")
            name = self.rng.choice(("isnan", "isinf", "isfinite"))
            number = self.of(self.rng.choice(self.spec.palette_floats), depth - 1)
            return Expr(f"std::{name}({number.text})", BOOL, 0, 1)
        return self.comparison(depth)

    def comparison(self, depth):
        self.uses("operator.comparison")
        type_ = self.generic if self.generic and self.rng.random() < 0.7 else self.rng.choice(self.spec.plain_numbers())
        other = type_ if type_.generic else self.rng.choice(self.spec.plain_numbers())
        operator = self.rng.choice(("<", ">", "<=", ">=", "==", "!="))
        return Expr(f"({self.of(type_, depth - 1).text} {operator} {self.of(other, depth - 1).text})", BOOL, 0, 1)

    def of_int(self, type_, depth):
        if depth <= 0:
            return self.leaf(type_)
        if type_.generic:
            return self.generic_int(type_, depth)
        productions = (self.arithmetic, self.arithmetic, self.shift, self.bitwise, self.leaf_of, self.library_int,
                       self.from_float, self.converted, self.unary, self.size_of, self.enum_value)
        return self.convert(self.rng.choice(productions)(type_, depth), type_)

    def of_float(self, type_, depth):
        if depth <= 0:
            return self.leaf(type_)
        choice = self.rng.randrange(10)
        if choice < 4:
            self.uses("operator.float")
            operator = self.rng.choice("+-*" if self.constant else "+-*/")  # no constant is divided by zero
            other = type_
            if not type_.generic and self.rng.random() < 0.4:
                self.uses("conversion.usual_arithmetic")
                other = self.rng.choice(self.spec.plain_numbers())
            a, b = self.of(type_, depth - 1), self.of(other, depth - 1)
            if self.rng.random() < 0.5:
                a, b = b, a
            return self.convert(Expr(f"({a.text} {operator} {b.text})", common(a.type, b.type)), type_)
        if choice == 4:
            self.uses("operator.negation")
            return Expr(f"(-{self.of(type_, depth - 1).text})", type_)
        if choice in (5, 6):
            return self.library_float(type_, depth)
        if choice == 7:
            self.uses("conversion.int_to_float")
            source = self.of(self.rng.choice(self.spec.plain_integers()), depth - 1)
            return Expr(f"static_cast<{type_.name}>({source.text})", type_)
        if choice == 8 and self.spec.palette_complexes and not self.constant:
            complex_ = self.of(self.rng.choice(self.spec.palette_complexes), depth - 1)
            self.uses("complex.parts")
            part = self.rng.choice(("{}.real()", "{}.imag()", "std::norm({})", "std::real({})"))
            return self.convert(Expr(part.format(complex_.text), complex_.type.element), type_)
        return self.leaf(type_)

    def of_half(self, type_, depth):
        variable = self.variable(type_)
        if variable and self.rng.random() < 0.4:
            return variable
        self.uses("conversion.to_16_bits")
        if variable and depth > 0 and self.rng.random() < 0.5:
            self.uses("operator.16_bits")
            operator = self.rng.choice("+-*")
            return Expr(f"{type_.name}({variable.text} {operator} {self.of(FLOAT, depth - 1).text})", type_)
        return Expr(f"{type_.name}({self.of(FLOAT, depth - 1).text})", type_)

    def of_complex(self, type_, depth):
        variable = self.variable(type_)
        if depth <= 0 or self.rng.random() < 0.2:
            return variable or Expr(f"{type_.name}({type_.element.literal(0.5)}, {type_.element.literal(-2.0)})", type_)
        choice = self.rng.randrange(4)
        if choice == 0:
            self.uses("complex.construction")
            return Expr(f"{type_.name}({self.of(type_.element, depth - 1).text}, "
                        f"{self.of(type_.element, depth - 1).text})", type_)
        if choice == 1:
            self.uses("complex.functions")
            return Expr(f"std::conj({self.of(type_, depth - 1).text})", type_)
        self.uses("complex.arithmetic")
        other = self.of(type_ if choice == 2 else type_.element, depth - 1)
        return Expr(f"({self.of(type_, depth - 1).text} {self.rng.choice('+-*/')} {other.text})", type_)

    def of_enum(self, type_, depth):
        variable = self.variable(type_)
        if variable and self.rng.random() < 0.4:
            return variable
        if depth > 0 and self.rng.random() < 0.4:
            self.uses("enum.from_number")
            number = self.of(UINT, depth - 1)
            return Expr(f"static_cast<{type_.name}>({number.text} % {len(type_.enumerators)}u)", type_)
        self.uses("enum.enumerator")
        return Expr(f"{type_.name}::{self.rng.choice(type_.enumerators)}", type_)

    def of_struct(self, type_, depth):
        variable = self.variable(type_)
        if variable and self.rng.random() < 0.5:
            return variable
        self.uses("struct.braces")
        parts = ", ".join(self.of(member, depth - 1).text for _, member in type_.members)
        return Expr(f"{type_.name}{{{parts}}}", type_)

    def of_array(self, type_, depth):
        variable = self.variable(type_)
        if variable and self.rng.random() < 0.5:
            return variable
        self.uses("array.braces")
        parts = ", ".join(self.of(type_.element, depth - 1).text for _ in range(type_.size))
        return Expr(f"{type_.name}{{{parts}}}", type_)

    def of_tuple(self, type_, depth):
        parts = ", ".join(self.of(member, depth - 1).text for _, member in type_.members)
        forms = [f"{type_.name}({parts})", f"{type_.name}{{{parts}}}", f"{type_.name.split('<')[0]}({parts})"]
        return Expr(self.rng.choice(forms), type_)

    # ---- Leaves ------------------------------------------------------------------------------------------------------

    def variable(self, type_):
        """Something in scope with a value of exactly this type: a variable, an element of one or a member of one."""
        found = [v for v in self.variables if v.type == type_]
        for v in self.variables:
            if v.type.kind == "struct":
                found += [value(f"{v.text}.{name}", member) for name, member in v.type.members if member == type_]
            if v.type.kind == "array" and v.type.element == type_:
                found.append(value(f"{v.text}[{self.rng.randrange(v.type.size)}]", type_))
        if not found:
            return None
        chosen = self.rng.choice(found)
        if chosen.type.generic and chosen.type.kind == "int" and chosen.type.signed and chosen.high > chosen.type.high:
            k = self.rng.choice((10, 50, 100))
            return Expr(f"static_cast<{type_.name}>({chosen.text} % {k})", type_, 1 - k, k - 1)
        return chosen

    def leaf(self, type_):
        variable = self.variable(type_)
        if variable and self.rng.random() < 0.75:
            return variable
        if not variable and not type_.generic and self.rng.random() < 0.6:
            others = [v for v in self.variables if v.type in self.spec.plain_integers() + [BOOL]]
            if type_.kind == "float":
                others += [v for v in self.variables if v.type in FLOATS]
            if others:
                return self.convert(self.rng.choice(others), type_)
        return self.literal(type_)

    def leaf_of(self, type_, _depth):
        return self.leaf(type_)

    def literal(self, type_):
        self.uses("literal." + type_.kind)
        if type_.kind == "float":
            return Expr(type_.literal(self.rng.choice((0.0, 0.5, 1.0, 1.5, 2.0, 3.25, 10.0, 0.1, 100.0, 1e-3))), type_)
        if type_.generic:
            number = self.rng.randrange(0, 60)
        else:
            number = self.rng.choice((0, 1, 2, 3, 5, 7, 10, 31, 100, type_.low, type_.high, type_.high // 3, -1, -2))
            number = min(max(number, type_.low), type_.high)
        return Expr(type_.literal(number), type_, number, number)

    # ---- Integers ----------------------------------------------------------------------------------------------------

    def operand(self, type_, depth):
        """A number to compute with on the way to `type_`: mostly of that type."""
        if self.rng.random() < 0.6:
            return self.of(type_, depth - 1)
        self.uses("conversion.usual_arithmetic")
        return self.of(self.rng.choice(self.spec.plain_integers()), depth - 1)

    def arithmetic(self, type_, depth):
        return self.combine(self.rng.choice("+-*/%"), self.operand(type_, depth), self.operand(type_, depth))

    def combine(self, operator, a, b):
        """a operator b for integers, without undefined behaviour."""
        if operator in "/%":
            return self.divide(operator, a, b)
        self.uses("operator.int")
        type_ = common(a.type, b.type)
        if not type_.signed:
            return Expr(f"({a.text} {operator} {b.text})", type_, type_.low, type_.high)
        low, high = interval(operator, a, b)
        if type_.low <= low and high <= type_.high:
            return Expr(f"({a.text} {operator} {b.text})", type_, low, high)
        way = self.rng.randrange(3)
        if way == 0:
            self.uses("overflow.unsigned")
            unsigned = UINT if type_.bits == 32 else UINT64
            text = f"static_cast<{unsigned.name}>({a.text}) {operator} static_cast<{unsigned.name}>({b.text})"
            return Expr(f"static_cast<{type_.name}>({text})", type_, type_.low, type_.high)
        if way == 1 and type_.bits == 32:
            self.uses("overflow.wider")
            return Expr(f"({INT64.name}{{{a.text}}} {operator} {b.text})", INT64, low, high)
        self.uses("overflow.smaller_operands")
        a, b = self.smaller(a), self.smaller(b)
        return Expr(f"({a.text} {operator} {b.text})", common(a.type, b.type), *interval(operator, a, b))

    def smaller(self, a):
        """a, with an absolute value below 1000."""
        if -1000 < a.low and a.high < 1000:
            return a
        return Expr(f"({a.text} % 1000)", promoted(a.type), -999 if a.low < 0 else 0, 999)

    def divide(self, operator, a, b):
        self.uses("operator.division")
        if a.type.generic:
            divisor = Expr(a.type.literal(3), a.type, 3, 3)
        elif self.rng.random() < 0.5 or b.low > 0:
            divisor = b if b.low > 0 else self.literal_between(2, 100)
        else:
            mask = self.rng.choice(MASKS)
            divisor = Expr(f"(({b.text} & {mask}) + 1)", common(promoted(b.type), INT), 1, mask + 1)
        type_ = common(a.type, divisor.type)
        text = f"({a.text} {operator} {divisor.text})"
        if not type_.signed:
            return Expr(text, type_, type_.low, type_.high)
        if operator == "%":
            return Expr(text, type_, min(0, max(a.low, 1 - divisor.high)), max(0, min(a.high, divisor.high - 1)))
        return Expr(text, type_, min(0, a.low), max(0, a.high))

    def literal_between(self, low, high):
        number = self.rng.randint(low, high)
        return Expr(str(number), INT, number, number)

    def shift(self, type_, depth):
        self.uses("operator.shift")
        a, by = self.operand(type_, depth), self.operand(type_, depth)
        type_ = promoted(a.type)
        count = f"({by.text} & {type_.bits - 1})" if self.rng.random() < 0.6 else str(self.rng.randrange(type_.bits))
        if self.rng.random() < 0.5:
            return Expr(f"({a.text} << {count})", type_, type_.low, type_.high)
        return Expr(f"({a.text} >> {count})", type_, min(0, a.low), max(0, a.high))

    def bitwise(self, type_, depth):
        self.uses("operator.bitwise")
        if self.rng.random() < 0.2:
            a = self.operand(type_, depth)
            type_ = promoted(a.type)
            return Expr(f"(~{a.text})", type_, type_.low, type_.high)
        a, b = self.operand(type_, depth), self.operand(type_, depth)
        type_ = common(a.type, b.type)
        return Expr(f"({a.text} {self.rng.choice('&|^')} {b.text})", type_, type_.low, type_.high)

    def unary(self, type_, depth):
        self.uses("operator.negation")
        a = self.smaller(self.operand(type_, depth))
        type_ = promoted(a.type)
        return Expr(f"(-{a.text})", type_, *((-a.high, -a.low) if type_.signed else (type_.low, type_.high)))

    def size_of(self, _type, _depth):
        self.uses("operator.sizeof")
        size = Type("std::size_t", "int", 64, False, 4)
        return Expr(f"sizeof({self.rng.choice(self.spec.palette).name})", size, 1, 4096)

    def enum_value(self, type_, depth):
        if not self.spec.palette_enums:
            return self.leaf(type_)
        self.uses("enum.to_number")
        chosen = self.rng.choice(self.spec.palette_enums)
        return Expr(f"static_cast<{INT.name}>({self.of(chosen, depth - 1).text})", INT, 0, 1000)

    def converted(self, type_, depth):
        return self.of(self.rng.choice(self.spec.plain_integers() + [BOOL]), depth - 1)

    def from_float(self, type_, depth):
        if not self.spec.palette_floats:
            return self.leaf(type_)
        self.uses("conversion.float_to_int")
        source = self.of(self.rng.choice(self.spec.palette_floats), depth - 1)
        return Expr(f"{self.spec.to_integer()}<{INT.name}>({source.text})", INT, -119, 119)

    def generic_int(self, type_, depth):
        """Of a template's parameter: all is cast to it at once, so that no type of the family does more than others."""
        a, b = self.of(type_, depth - 1), self.of(type_, depth - 1)
        choice = self.rng.randrange(7)
        if choice < 3:
            self.uses("operator.int")
            operator = self.rng.choice("+-*")
            if type_.signed:
                low, high = interval(operator, a, b)
                if low < type_.low or high > type_.high:
                    a, b = (Expr(f"({e.text} % 100)", type_, -99, 99) for e in (a, b))
                    low, high = interval(operator, a, b)
            else:
                low, high = type_.low, type_.high
            return Expr(f"static_cast<{type_.name}>({a.text} {operator} {b.text})", type_, low, high)
        if choice == 3:
            divided = self.divide(self.rng.choice("/%"), a, b)
            return Expr(f"static_cast<{type_.name}>{divided.text}", type_, divided.low, divided.high)
        if choice == 4:
            self.uses("std.algorithm")
            name = self.rng.choice(("min", "max"))
            return Expr(f"std::{name}({a.text}, {b.text})", type_, min(a.low, b.low), max(a.high, b.high))
        if choice == 5 and not type_.signed:
            self.uses("operator.shift")
            count = self.rng.randrange(8)
            operator = self.rng.choice(("<<", ">>"))
            return Expr(f"static_cast<{type_.name}>({a.text} {operator} {count})", type_, type_.low, type_.high)
        return self.leaf(type_)

    # ---- Of any type -------------------------------------------------------------------------------------------------

    def conditional(self, type_, depth):
        self.uses("operator.conditional")
        a, b = self.of(type_, depth - 1), self.of(type_, depth - 1)
        text = f"({self.of(BOOL, depth - 1).text} ? {a.text} : {b.text})"
        return Expr(text, type_, min(a.low, b.low), max(a.high, b.high))

    def call(self, type_, depth):
        """A call of one of the spec's functions that gives this type, or None."""
        found = [f for f in self.functions if f.result == type_]
        if not found and type_ in INTEGERS:
            found = [f for f in self.functions if f.result in INTEGERS]
        if not found:
            return None
        function = self.rng.choice(found)
        self.uses("call." + function.feature)
        text = function.text.format(*(self.of(parameter, depth - 2).text for parameter in function.parameters))
        if type_.generic:  # such functions keep to what all types of the family can do
            return Expr(text, type_, type_.low, type_.high) if type_.kind == "int" else Expr(text, type_)
        return self.convert(value(text, function.result), type_)

    def convert(self, a, type_):
        """a as exactly this type, between numbers."""
        if a.type == type_:
            return a
        self.uses("conversion.written")
        if type_.kind == "float":
            return Expr(f"static_cast<{type_.name}>({a.text})", type_)
        if type_.kind == "bool":
            return Expr(f"static_cast<bool>({a.text})", type_, 0, 1)
        if type_.generic:
            assert type_.low <= a.low and a.high <= type_.high, (a, type_)
        fits = type_.low <= a.low and a.high <= type_.high
        bounds = (a.low, a.high) if fits else (type_.low, type_.high)
        form = self.rng.randrange(8)
        # GCC 12 takes T(x[i]) behind a parenthesis for the type of an array of functions, and says that i is no size.
        if form == 0 and " " not in type_.name and "[" not in a.text:
            return Expr(f"{type_.name}({a.text})", type_, *bounds)
        if form == 1:
            return Expr(f"(({type_.name})({a.text}))", type_, *bounds)
        return Expr(f"static_cast<{type_.name}>({a.text})", type_, *bounds)


def interval(operator, a, b):
    """Of a + b, a - b or a * b over all integers."""
    if operator == "+":
        return a.low + b.low, a.high + b.high
    if operator == "-":
        return a.low - b.high, a.high - b.low
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return min(products), max(products)
