"""Random calls of the module's functions and of NumPy's: equal results, or the same kind of exception.

    python3 fuzz.py [--calls 10000] [--seed 1] [--only N]

A call is drawn from its own number and the seed: --only N repeats one and says all of it. Half of the calls have
something wrong: shapes, types, keywords, numbers of arguments, read-only outputs.
"""

import argparse
import collections
import random
import re
import warnings

import numpy as np

try:
    from numpy._core import _umath_tests
except ImportError:
    from numpy.core import _umath_tests

import ufuncs

NEP50 = int(np.__version__.split(".")[0]) >= 2
AxisError = np.exceptions.AxisError if hasattr(np, "exceptions") else np.AxisError
TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", ">i4", ">f8", ">c8"]
STRANGE = ["U1", "O", "M8[s]", "V3"]
KINDS = [OverflowError, AxisError, TypeError, ValueError, NotImplementedError, RuntimeError]  # the first that fits


class Call:
    """One call: what is called here, with which arguments, and what NumPy would do."""

    types, compared = TYPES, False

    def __init__(self, seed, number):
        self.mistakes = 0
        self.random = random.Random(f"{seed}/{number}")
        self.numbers = np.random.default_rng(self.random.getrandbits(32))
        draw = self.random.choice(
            [self.elementwise] * 6 + [self.method] * 3 + [self.fold] * 3 + [self.scan] + [self.generalized] * 2
        )
        draw()

    def chance(self, probability):
        return self.random.random() < probability

    def shape(self, rank=None):
        return tuple(
            self.random.choice([0, 1, 1, 2, 3, 4, 5])
            for _ in range(self.random.randint(0, 4) if rank is None else rank)
        )

    def like(self, shape):
        """A shape that broadcasts to another one, or seldom does not."""
        own = [extent if self.chance(0.8) else 1 for extent in shape]
        if self.chance(0.08) and own:
            own[self.random.randrange(len(own))] += 1
            self.mistakes += 1
        return tuple(own[self.random.randint(0, len(own)) if self.chance(0.2) else 0 :])

    def array(self, shape, type=None):
        if type is None:
            type = self.random.choice(self.types)
            if self.chance(0.015):
                type = self.random.choice(STRANGE)
        type = np.dtype(type)
        low = 0 if type.kind in "ub" else -20
        wide = [2 * extent for extent in shape]
        if type.kind == "M":
            return np.zeros(shape, type)
        values = self.numbers.integers(low, 20, size=wide)
        array = (
            values % 2 == 0
            if type.kind == "b"
            else values + (1j * values[..., ::-1] if type.kind == "c" and values.ndim else 0)
        ).astype(type)
        array = np.asarray(array, type)[
            tuple(self.random.choice([slice(None, None, 2), slice(None, None, -2), slice(extent)]) for extent in shape)
        ]
        array = np.asarray(array)
        if self.chance(0.15):
            array = array.copy()
        if self.chance(0.1) and array.ndim > 1 and len(set(shape)) == 1:
            array = array.T
        if self.chance(0.06) and type.kind != "O":  # not aligned
            bytes = np.zeros(array.size * type.itemsize + 1, "u1")
            target = bytes[1:].view(type).reshape(array.shape)
            target[...] = array
            array = target
        return array

    def operand(self, shape):
        if self.chance(0.12):
            numbers = [3, -3, 2.5, True, 1j, 0] + ([2**40, -1, 300, 2**70] if NEP50 else [])
            kinds = {np.dtype(one).kind for one in self.types}
            if self.compared:  # NumPy compares numbers that a type lacks with all that it has
                numbers = [one for one in numbers if not isinstance(one, int) or 0 <= one < 100]
            numbers = [
                one for one in numbers if np.asarray(one).dtype.kind in kinds and (self.types is TYPES or one != 2**40)
            ]
            number = self.random.choice(numbers)
            self.mistakes += number in (-1, -3, 300, 2**40, 2**70)  # which some types lack
            return number if NEP50 else self.array((1,))
        own = self.like(shape)
        if not NEP50 and not own:
            own = (1,)
        array = self.array(own)
        if self.chance(0.05):
            return array.tolist() if array.dtype.kind in "fb" and array.size else array
        return array[()] if self.chance(0.1) else array

    def output(self, shape, inputs=()):
        if inputs and self.chance(0.25):
            overlapping = [one for one in inputs if isinstance(one, np.ndarray) and one.shape == shape]
            if overlapping:
                one = self.random.choice(overlapping)
                return one if self.chance(0.5) else one[tuple([slice(None, None, -1)] * one.ndim)]
        type = self.random.choice(TYPES if self.types is TYPES else ["f8", "i8", "c16", "?"])
        out = self.array(shape if self.chance(0.93) else self.like(shape), type)
        if self.chance(0.04):
            out = out.copy()
            out.flags.writeable = False
            self.mistakes += 1
        return out

    def set(self, name, ours, theirs, arguments, keywords):
        self.name, self.ours, self.theirs, self.arguments, self.keywords = name, ours, theirs, list(arguments), keywords
        self.compares_types, self.is_exact, self.defaults, self.is_lenient = True, True, {}, False

    def elementwise(self):
        name, full = self.random.choice(
            [
                ("add", True),
                ("multiply", True),
                ("subtract", False),
                ("less", False),
                ("equal", False),
                ("maximum", False),
                ("logical_and", False),
                ("logical_not", False),
                ("negative", False),
                ("divmod", False),
                ("modf", False),
            ]
        )
        ours, theirs = getattr(ufuncs, name), getattr(np, name)
        shape, self.compared = self.shape(), name in ("less", "equal", "logical_and")
        # Of a function that lacks some of NumPy's types, the others are drawn.
        self.types = (
            TYPES
            if full
            else sorted({type[0].replace("l", "i8").replace("L", "u8") for type in ours.types} | {"f8"} - {"D"})
        )
        if not full:
            self.types = [one for one in self.types if one in np.typecodes["All"] or len(one) == 2]
        inputs = [self.operand(shape) for _ in range(ours.nin)]
        keywords = {}
        if self.chance(0.3):
            outs = tuple(self.output(shape, inputs) if self.chance(0.9) else None for _ in range(ours.nout))
            if len({one.__array_interface__["data"][0] for one in outs if one is not None}) < sum(
                one is not None for one in outs
            ):
                outs = tuple(self.output(shape) for _ in outs)  # each result has its own memory
            keywords["out"] = outs if ours.nout > 1 or self.chance(0.5) else outs[0]
            if ours.nout == 1 and self.chance(0.03):
                keywords["out"] = self.random.choice([outs * 2, [1, 2], 3, "x"])
        if self.chance(0.15):
            keywords["where"] = self.array(self.like(shape), "?" if self.chance(0.9) else "f4")
            outs = keywords.get("out")
            if outs is None or isinstance(outs, tuple) and any(one is None for one in outs):
                keywords["out"] = tuple(self.array(shape, "c16") for _ in range(ours.nout))
        if self.chance(0.1) and full:
            keywords["dtype"] = self.random.choice([self.random.choice(TYPES[:14]), float, "M8[s]", "nonsense", None])
        if self.chance(0.15):
            keywords["casting"] = self.random.choice(
                ["safe", "same_kind", "unsafe", "rough", 3] + ["no", "equiv"] * full
            )
            self.mistakes += keywords["casting"] in ("no", "equiv")
        if self.chance(0.1):
            keywords["order"] = self.random.choice(["C", "F", "A", "K", "X"])
        if self.chance(0.05):
            keywords["subok"] = self.chance(0.5)
        if self.chance(0.02):
            keywords[self.random.choice(["axis", "keepdims", "foo", "outt", "initial"])] = 1
        if self.chance(0.02):
            inputs = inputs[:-1] if self.chance(0.5) else inputs + [None] * 5
        self.set(name, ours, theirs, inputs, keywords)
        # Casts that lose values are made only if they are asked for.
        self.defaults = (
            {} if "casting" in keywords else {"casting": "safe" if keywords.get("dtype") is None else "same_kind"}
        )
        self.compares_types = full
        if "casting" not in keywords and keywords.get("dtype") is not None:
            self.theirs = self.without_lossy_outputs(theirs)

    @staticmethod
    def without_lossy_outputs(theirs):
        """Inputs are cast to a dtype that is asked for, and results are not cast further than safely."""

        def function(*arguments, out=None, dtype=None, **keywords):
            outs = out if isinstance(out, tuple) else (out,)
            for one in outs if len(outs) == theirs.nout else ():  # another number of them is the first mistake
                if isinstance(one, np.ndarray) and not np.can_cast(np.dtype(dtype), one.dtype, "safe"):
                    theirs(*arguments, dtype=dtype, **keywords)
                    raise TypeError("a result would lose values")
            return theirs(*arguments, dtype=dtype, **({"out": out} if out is not None else {}), **keywords)

        return function

    def method(self):
        name = self.random.choice(["add", "multiply", "maximum", "logical_and"])
        method = self.random.choice(["reduce", "reduce", "reduce", "accumulate", "outer", "at", "reduceat"])
        ours, theirs = getattr(getattr(ufuncs, name), method), getattr(getattr(np, name), method)
        types = {"maximum": ["i8", "f8", "f4"], "logical_and": ["?"]}  # NumPy knows its own logical functions by name
        type = self.random.choice(types.get(name, ["i8", "f8", "f4", "i4", "?"]))
        x = self.array(self.shape(), "i8" if name == "multiply" else type)
        keywords, arguments = {}, [x]
        if method == "outer":
            arguments = [x, self.array(self.shape(self.random.randint(0, 2)), x.dtype)]
        elif method == "at":
            x = self.array(self.shape(1), x.dtype).copy()
            arguments = [x, self.numbers.integers(-2, 3, size=3), self.array((3,), x.dtype)]
        elif method == "reduceat":
            arguments = [x, self.numbers.integers(-1, 4, size=2)]
        else:
            keywords = self.fold_keywords(x, method == "reduce", "maximum" if name == "maximum" else name)
        self.set(f"{name}.{method}", ours, theirs, arguments, keywords)
        self.is_exact = x.dtype.kind not in "fc"

    def fold_keywords(self, x, is_reduction, name="add", safe=False):
        keywords = {}
        if self.chance(0.7):
            axes = list(range(-x.ndim, x.ndim)) or [0]
            keywords["axis"] = self.random.choice([None, self.random.choice(axes), self.random.choice(axes)])
            if not is_reduction and keywords["axis"] is None:
                keywords["axis"] = 0
            if is_reduction and self.chance(0.3):
                keywords["axis"] = tuple(self.random.choice(axes) for _ in range(self.random.randint(0, 3)))
            if self.chance(0.04):
                keywords["axis"] = self.random.choice([9, -7, 1.5, "x"])
        if is_reduction and self.chance(0.3):
            keywords["keepdims"] = self.chance(0.5)
        if is_reduction and self.chance(0.3):
            keywords["initial"] = (
                self.random.choice([0, 3] + [-2] * (NEP50 or x.dtype.kind != "u")) if x.dtype.kind != "b" else True
            )
        if is_reduction and self.chance(0.2):
            keywords["where"] = self.array(self.like(x.shape), "?" if self.chance(0.95) else "i4")
        if self.chance(0.02):
            keywords[self.random.choice(["foo", "keepdim", "outt"])] = 1
        if self.chance(0.15):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = (np.add.reduce if is_reduction else np.add.accumulate)(
                        x, **{key: keywords[key] for key in ("axis", "keepdims") if key in keywords}
                    )
                wrong = self.shape(None if is_reduction else max(1, np.ndim(result)))  # NumPy crashes for fewer axes
                keywords["out"] = self.array(np.shape(result) if self.chance(0.9) else wrong, x.dtype)
                if self.chance(0.1):
                    keywords["out"] = keywords["out"].copy()
                    keywords["out"].flags.writeable = False
                    self.mistakes += 1
            except Exception:
                pass
        return keywords

    def fold(self):
        name, theirs = self.random.choice(
            [("total", np.add.reduce), ("largest", np.maximum.reduce), ("product", np.multiply.reduce)]
        )
        type = self.random.choice(["i8", "f8", "f4", "u8", ">i8", ">f8"])
        x = self.array(self.shape(), type if name != "product" else "i8")
        keywords = self.fold_keywords(x, True, name)
        self.set(name, getattr(ufuncs, name), theirs, [x], keywords)
        self.defaults = {"dtype": x.dtype.newbyteorder("=")}
        if "axis" not in keywords:
            self.defaults["axis"] = None
        self.is_exact = x.dtype.kind not in "fc"

    def scan(self):
        x = self.array(self.shape(), self.random.choice(["i8", "f8", "f4", "i4", ">f8"]))
        keywords = self.fold_keywords(x, False)
        if self.chance(0.3):
            keywords.pop("axis", None)
            keywords.pop("out", None)
        self.set("running_total", ufuncs.running_total, np.cumsum, [x], keywords)
        self.is_lenient = True
        self.defaults = {"dtype": x.dtype.newbyteorder("=")}
        self.is_exact = x.dtype.kind not in "fc"

    def generalized(self):
        name, cores = self.random.choice([("inner1d", [1, 1, 0]), ("matrix_multiply", [2, 2, 2])])
        loop, (m, n, p) = self.shape(self.random.randint(0, 2)), self.random.choices([0, 1, 2, 3], k=3)
        extents = [(n,), (n,)] if name == "inner1d" else [(m, n), (n, p)]
        type = self.random.choice(["i8", "f8", "i4", "f4", ">f8"])
        inputs = [self.array(self.like(loop) + self.with_error(own), type) for own in extents]
        keywords = {}
        if self.chance(0.3):
            axes = []
            for number, count in enumerate(cores):
                rank = inputs[number].ndim if number < 2 else max(0, max(one.ndim for one in inputs) - cores[0]) + count
                drawn = self.random.sample(range(rank), count) if count <= rank else list(range(count))
                axes.append(tuple(axis - rank if self.chance(0.3) else axis for axis in drawn))
            if name == "inner1d" and self.chance(0.5):
                axes = [one[0] if len(one) == 1 else one for one in axes[:2]]
            if self.chance(0.08):
                axes = self.random.choice([axes[:1], tuple(axes), [(9,)] * 3, [0, 0, 0], 3])
            keywords["axes"] = axes
        elif self.chance(0.3):
            keywords["axis"] = self.random.choice([0, -1, 1, 5, "x"])
        if self.chance(0.2):
            keywords["keepdims"] = self.chance(0.7)
        if self.chance(0.2):
            try:
                shape = getattr(_umath_tests, name)(*inputs, **keywords).shape
                keywords["out"] = self.array(
                    shape if self.chance(0.9) else self.shape(), self.random.choice(["f8", "i8", "c16"])
                )
                self.mistakes += (keywords["out"].shape != shape) + (keywords["out"].dtype.kind == "i")
            except Exception:
                pass
        if self.chance(0.02):
            keywords["foo"] = 1
        if self.chance(0.02):
            inputs = inputs[:1]
        self.set(name, getattr(ufuncs, name), getattr(_umath_tests, name), inputs, keywords)
        self.defaults = {"casting": "safe"}
        self.compares_types, self.is_lenient = False, True  # NumPy's has other types

    def with_error(self, core):
        if self.chance(0.95):
            return core
        self.mistakes += 1
        return tuple(extent + self.random.randint(0, 1) for extent in core)

    def text(self):
        def shown(one):
            if isinstance(one, np.ndarray):
                access = "" if one.flags.writeable else ", read-only"
                return f"array({one.dtype.str}{one.shape}, strides={one.strides}{access})"
            return f"({', '.join(map(shown, one))})" if isinstance(one, tuple) else repr(one)

        keywords = [f"{key}={shown(one)}" for key, one in self.keywords.items()]
        return f"{self.name}({', '.join([*map(shown, self.arguments), *keywords])})"


def copied(arguments, keywords):
    """The arguments once more, in memory of their own that overlaps as theirs does."""
    import copy

    memory = {}

    def one(value):
        if isinstance(value, np.ndarray):
            base = value
            while isinstance(base.base, np.ndarray):
                base = base.base
            if id(base) not in memory:
                memory[id(base)] = base, base.copy(order="K")
            whole = memory[id(base)][1]
            is_dense = whole.flags.c_contiguous or whole.flags.f_contiguous
            if whole.strides != base.strides or value.dtype.kind == "O" or not is_dense:
                return value.copy()
            offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            if not whole.size:
                return value.copy()
            try:
                made = np.ndarray(
                    value.shape, value.dtype, whole.reshape(-1, order="A").view("u1").data, offset, value.strides
                )
            except ValueError:  # its memory begins elsewhere
                return value.copy()
            made.flags.writeable = value.flags.writeable
            return made
        if isinstance(value, (tuple, list)):
            return type(value)(map(one, value))
        return copy.copy(value)

    return [one(value) for value in arguments], {key: one(value) for key, value in keywords.items()}


def outcome(function, arguments, keywords):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **keywords), None
        except Exception as error:
            return None, error


def kind_of(error):
    return next((kind for kind in KINDS if isinstance(error, kind)), type(error))


def equal(ours, theirs, call):
    if isinstance(theirs, tuple):
        return (
            isinstance(ours, tuple)
            and len(ours) == len(theirs)
            and all(equal(a, b, call) for a, b in zip(ours, theirs))
        )
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape or isinstance(ours, np.ndarray) != isinstance(theirs, np.ndarray):
        return False
    if call.compares_types and a.dtype != b.dtype:
        return False
    if call.is_exact or b.dtype.kind not in "biufc":
        return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
    return np.allclose(a, b, rtol=1e-5 if a.dtype.itemsize <= 4 else 1e-12, equal_nan=True)


def difference(call):
    """What is different between ours and NumPy's; None if nothing is."""
    own = copied(call.arguments, call.keywords)
    reference = copied(call.arguments, call.keywords)
    got, error = outcome(call.ours, *own)
    want, wrong = outcome(call.theirs, reference[0], {**call.defaults, **reference[1]})
    if any(
        isinstance(one, (np.ndarray, np.generic)) and one.dtype.kind not in "biufc" for one in own[0]
    ):  # elements that no kernel has
        return None if isinstance(error, (TypeError, ValueError)) else f"returned {got!r} of elements that it lacks"
    if (
        error is not None
        and wrong is None
        and call.is_lenient
        and re.sub(r"^\w+\(\): ", "", str(error)).startswith(("an output of shape", "output array is read-only"))
    ):
        return None  # NumPy broadcasts to outputs of other shapes there, and 1.24 does not look at read-only ones
    if error is not None or wrong is not None:
        if error is None:
            return f"returned {got!r}, where NumPy raises {type(wrong).__name__}: {wrong}"
        if wrong is None:
            return f"raised {type(error).__name__}: {error}, where NumPy returns {want!r}"
        # Of several mistakes, either may be found first.
        kinds = [
            value
            for key, value in call.keywords.items()
            if key in ("where", "casting", "order", "dtype", "axis", "axes", "initial", "foo", "outt", "keepdim")
        ]
        if "axes" in call.keywords and not NEP50:
            return None  # where NumPy 2 raises other exceptions
        if kind_of(error) is not kind_of(wrong) and call.mistakes + len(kinds) < 2:
            return f"raised {type(error).__name__}: {error}, where NumPy raises {type(wrong).__name__}: {wrong}"
        return None
    if not equal(got, want, call):
        return f"returned {getattr(got, 'dtype', '')} {got!r}, NumPy {getattr(want, 'dtype', '')} {want!r}"
    for mine, theirs in zip([*own[0], *own[1].values()], [*reference[0], *reference[1].values()]):
        for a, b in zip(mine if isinstance(mine, tuple) else [mine], theirs if isinstance(theirs, tuple) else [theirs]):
            if isinstance(b, np.ndarray) and b.dtype.kind in "?iufc" and not equal(a, b, call):
                return f"left {a!r} in an argument, NumPy {b!r}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    counts, failures = collections.Counter(), 0
    for number in range(options.calls) if options.only is None else [options.only]:
        call = Call(options.seed, number)
        text = call.text()
        if options.only is not None:
            print(text, call.arguments, call.keywords)
        found = difference(call)
        counts[call.name] += 1
        if found:
            failures += 1
            if failures <= 200:
                print(f"{number}: {text}\n    {found[:400]}")
    print(f"{sum(counts.values())} calls, seed {options.seed}, NumPy {np.__version__}: {failures} differ")
    return failures > 0


if __name__ == "__main__":
    raise SystemExit(main())
