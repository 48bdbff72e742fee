"""The operations of expressions: how C++ and PyTorch write each, what values it can give, and what it does to errors.

A value of the reference is a number in float64 (complex128, int64, bool) and a bound of its error, both arrays of
NumPy's; a bound of infinity says that rounding decides the value, as in a comparison of two numbers that are nearly
equal. Bounds are of the first order in the roundoff.
"""
import dataclasses
import math

import numpy

INFINITE = numpy.inf


@dataclasses.dataclass(frozen=True)
class Operation:
    """`cpp` and `torch` take arguments {0}, {1}, ...; `cupy`, where it is not `cpp` without "std::".

    `interval` gives the least and the greatest value from those of the arguments, or None where the operation is not
    to be used on them. `value` and `error` take the arguments' values, then their errors, then the roundoff.
    """
    kind: str      # arithmetic, transcendental, integer, branching
    domain: str    # of its arguments: f, i, b, c
    arity: int
    cpp: str
    torch: str
    interval: object
    value: object
    error: object = None  # None: exact
    cupy: str = ""
    result: str = ""      # the domain of its result, if it is another one


def spans(function):
    """The interval of a function of two numbers that is monotonic in each."""
    def interval(a, b):
        ends = [function(x, y) for x in a for y in b]
        return min(ends), max(ends)
    return interval


def rises(function):
    return lambda a: (function(a[0]), function(a[1]))


def absolute(a):
    return (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))), max(abs(a[0]), abs(a[1]))


def squares(a):
    low, high = absolute(a)
    return low * low, high * high


def excludes_zero(a, b):
    return spans(lambda x, y: x / y)(a, b) if absolute(b)[0] > 0.05 else None


def fits(limit, function):
    return lambda a: (function(a[0]), function(a[1])) if a[1] <= limit else None


def bounded(low, high):
    return lambda *_: (low, high)


def of_one(slope, ulps=4):
    """The error of a function from its derivative."""
    return lambda v, x, e, u: slope(x) * e + ulps * u * numpy.abs(v)


def sum_error(v, x, y, ex, ey, u):
    return ex + ey + u * numpy.abs(v)


def root_error(v, x, e, u):
    root = numpy.sqrt(numpy.abs(x))
    return numpy.minimum(numpy.sqrt(e), e / numpy.maximum(2 * root, 1e-300)) + 2 * u * root


def step_error(v, x, e, u):
    """Of a function that jumps at whole numbers."""
    return numpy.where((numpy.abs(x - numpy.round(x)) <= e) & (e > 0), INFINITE, 0.0)


def with_bits(function):
    def interval(a, b=(0, 0)):
        if a[0] < 0 or b[0] < 0:
            low = -(1 << max(int(-min(a[0], b[0]) - 1).bit_length(), int(max(a[1], b[1])).bit_length()))
            return low, -low - 1
        return 0, (1 << max(int(a[1]).bit_length(), int(b[1]).bit_length())) - 1
    return interval


def mixed(x):
    """What mix does, as uint32 does it."""
    bits = numpy.asarray(x).astype(numpy.int64) & 0xffffffff
    bits = ((bits ^ (bits >> 15)) * 2246822519) & 0xffffffff
    return numpy.where(bits >= 2**31, bits - 2**32, bits)


try:
    from scipy.special import erf  # of many numbers faster by a hundred times
except ImportError:
    erf = numpy.vectorize(math.erf, otypes=[float])

OPERATIONS = {
    "add": Operation("arithmetic", "f", 2, "{0} + {1}", "{0} + {1}", spans(lambda x, y: x + y), lambda x, y: x + y,
                     sum_error),
    "sub": Operation("arithmetic", "f", 2, "{0} - {1}", "{0} - {1}", spans(lambda x, y: x - y), lambda x, y: x - y,
                     sum_error),
    "mul": Operation("arithmetic", "f", 2, "{0} * {1}", "{0} * {1}", spans(lambda x, y: x * y), lambda x, y: x * y,
                     lambda v, x, y, ex, ey, u: abs(x) * ey + abs(y) * ex + ex * ey + u * abs(v)),
    "fma": Operation("arithmetic", "f", 3, "{0} * {1} + {2}", "{0} * {1} + {2}",
                     lambda a, b, c: tuple(x + y for x, y in zip(spans(lambda x, y: x * y)(a, b), c)),
                     lambda x, y, z: x * y + z,
                     lambda v, x, y, z, ex, ey, ez, u:
                     abs(x) * ey + abs(y) * ex + ex * ey + ez + u * (abs(v) + abs(x * y))),
    "div": Operation("arithmetic", "f", 2, "{0} / {1}", "{0} / {1}", excludes_zero, lambda x, y: x / y,
                     lambda v, x, y, ex, ey, u: (ex + abs(v) * ey) / abs(y) * 1.1 + 2 * u * abs(v)),
    "neg": Operation("arithmetic", "f", 1, "-{0}", "-{0}", lambda a: (-a[1], -a[0]), lambda x: -x,
                     lambda v, x, e, u: e),
    "abs": Operation("arithmetic", "f", 1, "std::abs({0})", "{0}.abs()", absolute, numpy.abs,
                     lambda v, x, e, u: e, cupy="fabs({0})"),
    "square": Operation("arithmetic", "f", 1, "{0} * {0}", "{0} * {0}", squares, lambda x: x * x,
                        of_one(lambda x: 2 * abs(x), 2)),
    "root": Operation("arithmetic", "f", 1, "std::sqrt(std::abs({0}))", "{0}.abs().sqrt()",
                      lambda a: tuple(map(math.sqrt, absolute(a))), lambda x: numpy.sqrt(abs(x)), root_error,
                      cupy="sqrt(fabs({0}))"),
    "exp": Operation("transcendental", "f", 1, "std::exp({0})", "{0}.exp()", fits(6, math.exp), numpy.exp,
                     of_one(numpy.exp)),
    "gauss": Operation("transcendental", "f", 1, "std::exp(-({0} * {0}))", "(-({0} * {0})).exp()", bounded(0, 1),
                       lambda x: numpy.exp(-x * x),
                       lambda v, x, e, u: v * (2 * abs(x) * e + 2 * u * x * x + 4 * u) + 1e-44),
    "log": Operation("transcendental", "f", 1, "std::log({0})", "{0}.log()",
                     lambda a: (math.log(a[0]), math.log(a[1])) if a[0] > 0.01 else None, numpy.log,
                     lambda v, x, e, u: e / x * 1.1 + 4 * u * abs(v) + u),
    "log1p": Operation("transcendental", "f", 1, "std::log1p(std::abs({0}))", "{0}.abs().log1p()",
                       lambda a: tuple(map(math.log1p, absolute(a))), lambda x: numpy.log1p(abs(x)),
                       of_one(lambda x: 1 / (1 + abs(x))), cupy="log1p(fabs({0}))"),
    "sin": Operation("transcendental", "f", 1, "std::sin({0})", "{0}.sin()", bounded(-1, 1), numpy.sin,
                     lambda v, x, e, u: e + 4 * u),
    "cos": Operation("transcendental", "f", 1, "std::cos({0})", "{0}.cos()", bounded(-1, 1), numpy.cos,
                     lambda v, x, e, u: e + 4 * u),
    "tanh": Operation("transcendental", "f", 1, "std::tanh({0})", "{0}.tanh()", rises(math.tanh), numpy.tanh,
                      lambda v, x, e, u: e + 4 * u * abs(v)),
    "erf": Operation("transcendental", "f", 1, "std::erf({0})", "torch.erf({0})", rises(math.erf), erf,
                     lambda v, x, e, u: 1.2 * e + 4 * u * abs(v)),
    "atan": Operation("transcendental", "f", 1, "std::atan({0})", "{0}.atan()", rises(math.atan), numpy.arctan,
                      lambda v, x, e, u: e + 4 * u * abs(v)),
    "sigmoid": Operation("transcendental", "f", 1, "1 / (1 + std::exp(-{0}))", "torch.sigmoid({0})", bounded(0, 1),
                         lambda x: 1 / (1 + numpy.exp(-numpy.clip(x, -700, 700))),
                         lambda v, x, e, u: e + 8 * u),
    "hypot": Operation("transcendental", "f", 2, "std::hypot({0}, {1})", "torch.hypot({0}, {1})",
                       lambda a, b: tuple(map(math.hypot, absolute(a), absolute(b))), numpy.hypot,
                       lambda v, x, y, ex, ey, u: ex + ey + 4 * u * v),
    "min": Operation("branching", "f", 2, "std::min({0}, {1})", "torch.minimum({0}, {1})", spans(min), numpy.minimum,
                     lambda v, x, y, ex, ey, u: numpy.maximum(ex, ey)),
    "max": Operation("branching", "f", 2, "std::max({0}, {1})", "torch.maximum({0}, {1})", spans(max), numpy.maximum,
                     lambda v, x, y, ex, ey, u: numpy.maximum(ex, ey)),
    "relu": Operation("branching", "f", 1, "({0} > 0 ? {0} : 0)", "{0}.relu()",
                      lambda a: (max(a[0], 0), max(a[1], 0)), lambda x: numpy.maximum(x, 0), lambda v, x, e, u: e),
    "leaky": Operation("branching", "f", 1, "({0} > 0 ? {0} : {0} * 0.125f)",
                       "torch.nn.functional.leaky_relu({0}, 0.125)", lambda a: tuple(max(x, x / 8) for x in a),
                       lambda x: numpy.maximum(x, x / 8), lambda v, x, e, u: e),
    "floor": Operation("branching", "f", 1, "std::floor({0})", "{0}.floor()", rises(math.floor), numpy.floor,
                       step_error),
    "iadd": Operation("arithmetic", "i", 2, "{0} + {1}", "{0} + {1}", spans(lambda x, y: x + y), lambda x, y: x + y),
    "isub": Operation("arithmetic", "i", 2, "{0} - {1}", "{0} - {1}", spans(lambda x, y: x - y), lambda x, y: x - y),
    "imul": Operation("arithmetic", "i", 2, "{0} * {1}", "{0} * {1}", spans(lambda x, y: x * y), lambda x, y: x * y),
    "iabs": Operation("arithmetic", "i", 1, "std::abs({0})", "{0}.abs()", absolute, numpy.abs),
    "imin": Operation("branching", "i", 2, "std::min({0}, {1})", "torch.minimum({0}, {1})", spans(min),
                      numpy.minimum),
    "imax": Operation("branching", "i", 2, "std::max({0}, {1})", "torch.maximum({0}, {1})", spans(max),
                      numpy.maximum),
    "and": Operation("integer", "i", 2, "{0} & {1}", "{0} & {1}", with_bits(None), lambda x, y: x & y),
    "or": Operation("integer", "i", 2, "{0} | {1}", "{0} | {1}", with_bits(None), lambda x, y: x | y),
    "xor": Operation("integer", "i", 2, "{0} ^ {1}", "{0} ^ {1}", with_bits(None), lambda x, y: x ^ y),
    "triple": Operation("integer", "i", 1, "{0} * 3", "{0} * 3", lambda a: (3 * a[0], 3 * a[1]), lambda x: 3 * x),
    "left": Operation("integer", "i", 1, "{0} * 8", "{0} * 8", lambda a: (8 * a[0], 8 * a[1]), lambda x: 8 * x),
    "right": Operation("integer", "i", 1, "{0} >> 3", "{0} >> 3", lambda a: (a[0] >> 3, a[1] >> 3),
                       lambda x: x >> 3),
    "third": Operation("integer", "i", 1, "{0} / 3", "{0} // 3",
                       lambda a: (a[0] // 3, a[1] // 3) if a[0] >= 0 else None, lambda x: x // 3),
    "rest": Operation("integer", "i", 1, "{0} % 10", "{0} % 10", lambda a: (0, 9) if a[0] >= 0 else None,
                      lambda x: x % 10),
    "low": Operation("integer", "i", 1, "{0} & 255", "{0} & 255", bounded(0, 255), lambda x: x & 255),
    "mix": Operation("integer", "i", 1,
                     "static_cast<std::int32_t>((static_cast<std::uint32_t>({0}) ^ (static_cast<std::uint32_t>({0}) >> "
                     "15)) * 2246822519u)",
                     "(({0} ^ (({0} >> 15) & 131071)) * -2048144777)", bounded(-2**31, 2**31 - 1), mixed,
                     cupy="(int)(((unsigned int)({0}) ^ ((unsigned int)({0}) >> 15)) * 2246822519u)"),
    "cadd": Operation("arithmetic", "c", 2, "{0} + {1}", "{0} + {1}", spans(lambda x, y: x + y), lambda x, y: x + y,
                      sum_error),
    "csub": Operation("arithmetic", "c", 2, "{0} - {1}", "{0} - {1}", spans(lambda x, y: x - y), lambda x, y: x - y,
                      sum_error),
    "cmul": Operation("arithmetic", "c", 2, "{0} * {1}", "{0} * {1}",
                      lambda a, b: tuple(2 * x for x in spans(lambda x, y: x * y)(a, b)), lambda x, y: x * y,
                      lambda v, x, y, ex, ey, u: abs(x) * ey + abs(y) * ex + ex * ey + 4 * u * abs(x) * abs(y)),
    "conj": Operation("arithmetic", "c", 1, "std::conj({0})", "{0}.conj()", lambda a: a, numpy.conj,
                      lambda v, x, e, u: e),
    "cabs": Operation("transcendental", "c", 1, "std::abs({0})", "{0}.abs()",
                      lambda a: (0, 1.5 * max(map(abs, a))), numpy.abs, lambda v, x, e, u: e + 4 * u * v, result="f"),
    "real": Operation("branching", "c", 1, "{0}.real()", "{0}.real", lambda a: a, numpy.real,
                      lambda v, x, e, u: e, result="f"),
}

# Comparisons give a bool; they and `select` are drawn together.
COMPARISONS = {"<": numpy.less, ">": numpy.greater, "<=": numpy.less_equal, ">=": numpy.greater_equal}
