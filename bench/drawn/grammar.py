"""Draws expressions: operations over operands, of mixes that probabilities.py states.

Intervals of all values are known, so that nothing overflows, divides by zero or leaves a function's domain: an
operation that would is not drawn there.
"""
from element_types import TYPES
from expression import Node
from operations import COMPARISONS, OPERATIONS
from probabilities import MIXES

LIMITS = {"f32": 1e6, "f64": 1e6, "c64": 5e3, "i32": 2**31 - 1, "i64": 2**62}
LIMIT_OF_16_BITS = 1e4  # PyTorch computes in half where its operands are
ATTEMPTS = 400


def load_nodes(operand):
    """One for each number of an element."""
    low, high = operand.fill[1:3] if operand.fill[0] == "uniform" else (0, operand.count - 1)
    return [Node("load", (), TYPES[operand.type].compute, (low, high), operand=operand, member=member)
            for member in range(max(1, operand.members))]


def scalar_node(operand):
    return Node("scalar", (), TYPES[operand.type].compute, (operand.value, operand.value), operand=operand)


class Builder:
    """Adds operations until there are `count`, each on values that are not used yet where it can."""

    def __init__(self, draw, loads, scalars, mix, has_16_bits):
        self.draw, self.scalars, self.kinds = draw, scalars, MIXES[mix][1]
        self.pool, self.unused = list(loads), list(loads)
        self.limits = dict(LIMITS, f32=LIMIT_OF_16_BITS) if has_16_bits else LIMITS
        self.count, self.used_scalars = 0, set()

    def build(self, count):
        for _ in range(ATTEMPTS):
            if self.count >= count:
                break
            self.attempt()
        return self

    def add(self, operation, arguments, compute, interval):
        """The node, or None where its values leave their type."""
        if compute != "bool" and interval and max(abs(interval[0]), abs(interval[1])) > self.limits[compute]:
            return None
        if interval is None:
            return None
        node = Node(operation, tuple(arguments), compute, interval)
        for argument in arguments:
            if argument in self.unused:
                self.unused.remove(argument)
        self.pool.append(node)
        self.unused.append(node)
        self.count += 1
        return node

    def choose(self, domains=None):
        """A value, one that is not used yet rather than another."""
        for pool in (self.unused, self.pool) if self.draw.chance(0.75) else (self.pool,):
            found = [one for one in pool if domains is None or one.domain in domains]
            if found:
                return self.draw.pick(found)
        return None

    def converted(self, node, compute):
        """The same value in another type, made smaller first where that cannot hold it."""
        if node.compute == compute:
            return node
        if node.domain == "c":
            node = self.add("cabs", (node,), "f32", OPERATIONS["cabs"].interval(node.interval))
            return node and self.converted(node, compute)
        low, high = (0, 1) if node.domain == "b" else node.interval
        if compute in ("i32", "i64"):
            low, high = int(low), int(high)
        if compute != "bool" and max(abs(low), abs(high)) > self.limits[compute]:
            smaller = "low" if node.domain == "i" else "tanh"
            node = self.add(smaller, (node,), node.compute, OPERATIONS[smaller].interval(node.interval))
            return self.converted(node, compute)
        return self.add("cast", (node,), compute, (low, high))

    def other(self, compute, first):
        """A second argument: another value, a scalar or a constant."""
        fits = [one for one in self.scalars if one.compute == compute]
        if fits and self.draw.chance(0.5):
            node = self.draw.pick(fits)
            self.used_scalars.add(node.operand.name)
            return node
        if self.draw.chance(0.25):
            return self.constant(compute)
        node = self.choose({"f": "fib", "i": "ib", "c": "c"}[first.domain])
        return self.converted(node, compute) if node else None

    def constant(self, compute):
        if compute in ("i32", "i64"):
            value = self.draw.between(1, 40)
        else:
            value = self.draw.constant(0.1, 3.0) * (1 if compute == "c64" or self.draw.chance(0.6) else -1)
        return Node("constant", (), compute, (value, value), value=value)

    def joint(self, a, b):
        """What two values are computed in together."""
        order = ("bool", "i32", "i64", "f32", "f64")
        if "c64" in (a.compute, b.compute):
            return "f32"
        return max((a.compute, b.compute), key=order.index)

    def attempt(self):
        kind = self.draw.weighted(self.kinds)
        first = self.choose()
        if first.domain == "b":
            others = [one for one in self.pool if one.domain == "b" and one is not first]
            if others and self.draw.chance(0.4):
                return self.add(self.draw.pick(("both", "either")), (first, self.draw.pick(others)), "bool", (0, 1))
            first = self.converted(first, "i32" if kind == "integer" else "f32")
        if kind == "transcendental" and first.domain == "i":
            first = self.converted(first, "f64" if first.compute == "i64" else "f32")
        if kind == "integer" and first and first.domain == "f":
            first = self.converted(first, "i32") if max(map(abs, first.interval)) < 1e5 else None
        if first is None:
            return None
        if kind == "branching" and first.domain in "fi" and self.draw.chance(0.5):
            return self.branch(first)
        names = [name for name, one in OPERATIONS.items()
                 if one.kind == kind and one.domain == first.domain and (name != "mix" or first.compute == "i32")]
        return self.apply(self.draw.pick(names), first) if names else None

    def apply(self, name, first):
        operation = OPERATIONS[name]
        arguments = [first]
        for place in range(1, operation.arity):
            plain = name in ("add", "sub", "mul", "iadd", "isub", "imul", "cmul", "cadd") and place == 1
            if plain:
                other = self.other(first.compute, first)
            else:
                found = self.choose({"f": "fib", "i": "ib", "c": "c"}[first.domain])
                other = found and self.converted(found, first.compute)
            if other is None or other.compute != first.compute or other in arguments:  # x - x is no work
                return None
            arguments.append(other)
        interval = operation.interval(*(one.interval for one in arguments))
        compute = {"f": "f32"}.get(operation.result, first.compute)
        return self.add(name, arguments, compute, interval)

    def branch(self, first):
        """A comparison, and one of two values."""
        compared = self.other(first.compute, first)
        if compared is None or compared is first:
            return None
        condition = self.add(self.draw.pick(tuple(COMPARISONS)), (first, compared), "bool", (0, 1))
        yes = self.choose(first.domain)
        no = self.choose(first.domain)
        yes, no = (one and self.converted(one, first.compute) for one in (yes, no))
        if condition is None or yes is None or no is None or yes is no:
            return condition
        interval = min(yes.interval[0], no.interval[0]), max(yes.interval[1], no.interval[1])
        return self.add("select", (condition, yes, no), first.compute, interval)

    def merge(self, count):
        """Joins values that nothing uses, until there are `count` or fewer."""
        while len(self.unused) > count:
            a, b = self.unused[:2]
            if a.domain == b.domain == "b":
                self.add("either", (a, b), "bool", (0, 1))
                continue
            if a.domain == b.domain == "c":
                if self.apply_to("cadd", a, b) is None:
                    self.converted(a, "f32")
                continue
            compute = self.joint(a, b)
            if compute == "bool":
                compute = "i32"
            a, b = self.converted(a, compute), self.converted(b, compute)
            is_whole = compute in ("i32", "i64")
            names = ("iadd", "xor", "imax") if is_whole else ("add", "max")
            if self.draw.chance(0.3):
                names = names[1:]
            next(node for node in (self.apply_to(name, a, b) for name in names) if node)

    def apply_to(self, name, a, b):
        interval = OPERATIONS[name].interval(a.interval, b.interval)
        return self.add(name, (a, b), a.compute, interval)

    def results(self, count):
        """So many values that are not loads; together they use everything."""
        self.merge(count)
        found = [one for one in self.unused]
        others = [one for one in self.pool if one.operation != "load" and one not in found]
        while len(found) < count:
            if others:
                found.append(others.pop())
                continue
            node = self.pool[0]
            name = {"f": "neg", "i": "low", "c": "conj"}.get(node.domain)
            found.append(self.add(name, (node,), node.compute, OPERATIONS[name].interval(node.interval))
                         if name else self.add("negate", (node,), "bool", (0, 1)))
        return found

    def as_type(self, node, type_name):
        """A node whose value is stored as that type."""
        kind = TYPES[type_name]
        if type_name == "bool":
            if node.domain == "b":
                return node
            node = self.converted(node, "f32") if node.domain == "c" else node
            zero = Node("constant", (), node.compute, (0, 0), value=0 if node.domain == "i" else 0.0)
            return self.add(">", (node, zero), "bool", (0, 1))
        if kind.compute == node.compute:
            return node
        if node.domain == "f" and kind.unit == 0:  # where it may be too large, it is cut off
            return self.converted(node, "i32" if max(map(abs, node.interval)) < 2e9 and kind.bytes < 8 else "i64")
        if node.domain == "i" and kind.unit == 0:
            return node  # narrowed as it is stored
        return self.converted(node, kind.compute)


def narrow_enough(node, type_name):
    """Whether 16 bits can hold the value."""
    return type_name != "half" or (node.domain != "b" and max(map(abs, node.interval)) < 3e4) or node.domain == "b"
