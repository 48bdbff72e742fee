"""Random calls of the standard library."""
from .types import CHAR16, INT, INT64, INTEGERS, LONG_LONG, UINT, common
from .values import Expr, value

EXACT_MATH = ("sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint")
MATH = ("exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
        "tanh", "cbrt", "erf", "erfc", "asinh", "acosh", "atanh", "log10", "tgamma", "lgamma")
MATH_OF_TWO = ("pow", "atan2", "hypot", "fmod", "remainder", "fdim", "fmin", "fmax", "nextafter")
# Of floating-point numbers: the feature, its functions, and how many numbers they take.
FLOAT_CALLS = (("std.exact_math", EXACT_MATH, 1), ("std.math", MATH, 1), ("std.math_of_two", MATH_OF_TWO, 2),
               ("std.algorithm", ("min", "max"), 2))
BIT_COUNTS = ("popcount", "countl_zero", "countl_one", "countr_zero", "countr_one")


class LibraryCalls:
    """The part of Expressions that calls std:: functions."""

    def library_int(self, type_, depth):
        choice = self.rng.randrange(7)
        if choice == 0:
            self.uses("std.bit")
            unsigned = self.rng.choice([t for t in INTEGERS if not t.signed and t is not CHAR16])
            name = self.rng.choice(BIT_COUNTS)
            return Expr(f"std::{name}({self.of(unsigned, depth - 1).text})", INT, 0, 64)
        if choice == 1:
            self.uses("std.rotate")
            unsigned = self.rng.choice([t for t in INTEGERS if not t.signed and t is not CHAR16])
            name = self.rng.choice(("rotl", "rotr"))
            count = self.smaller(self.of(INT, depth - 1))
            return value(f"std::{name}({self.of(unsigned, depth - 1).text}, {count.text})", unsigned)
        if choice == 2:
            self.uses("std.algorithm")
            name = self.rng.choice(("min", "max"))
            a, b = self.of(type_, depth - 1), self.of(type_, depth - 1)
            bounds = (min(a.low, b.low), max(a.high, b.high))
            if self.rng.random() < 0.3:
                self.uses("std.initializer_list")
                return Expr(f"std::{name}({{{a.text}, {b.text}, {self.literal(type_).text}}})", type_, type_.low,
                            type_.high)
            return Expr(f"std::{name}({a.text}, {b.text})", type_, *bounds)
        if choice == 3:
            self.uses("std.clamp")
            low, high = sorted(self.rng.randint(max(type_.low, -50), 50) for _ in range(2))
            return Expr(f"std::clamp({self.of(type_, depth - 1).text}, {type_.literal(low)}, {type_.literal(high)})",
                        type_, low, high)
        if choice == 4 and not self.constant:
            self.uses("std.abs")
            a = self.smaller(self.of(self.rng.choice((INT, INT64, LONG_LONG)), depth - 1))
            return Expr(f"std::abs({a.text})", a.type, 0, 999)
        if choice == 5:
            self.uses("std.numeric")
            name = self.rng.choice(("gcd", "lcm"))
            a, b = (self.smaller(self.of(self.rng.choice((INT, UINT, INT64)), depth - 1)) for _ in range(2))
            return Expr(f"std::{name}({a.text}, {b.text})", common(a.type, b.type), 0, 999 * 999)
        self.uses("std.limits")
        source = self.rng.choice([t for t in self.spec.plain_integers()])
        return value(f"std::numeric_limits<{source.name}>::{self.rng.choice(('max', 'lowest'))}()", source)

    def library_float(self, type_, depth):
        a = self.of(type_, depth - 1)
        choice = self.rng.choice((3, 4, 6)) if self.constant else self.rng.randrange(7)
        if choice < len(FLOAT_CALLS):
            feature, names, count = FLOAT_CALLS[choice]
            self.uses(feature)
            operands = [a.text, *(self.of(type_, depth - 1).text for _ in range(count - 1))]
            return Expr(f"std::{self.rng.choice(names)}({', '.join(operands)})", type_)
        b = self.of(type_, depth - 1)
        if choice == 4:
            self.uses("std.clamp")
            return Expr(f"std::clamp({a.text}, {type_.literal(0.0)}, {type_.literal(2.0)})", type_)
        if choice == 5:
            self.uses("std.fma")
            return Expr(f"std::fma({a.text}, {b.text}, {self.of(type_, depth - 1).text})", type_)
        self.uses("std.numbers")
        return Expr(f"({a.text} * std::numbers::{self.rng.choice(('pi', 'e', 'sqrt2'))}_v<{type_.name}>)", type_)
