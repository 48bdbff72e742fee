"""The operands of a workload on the host, for the CPU and for tests."""

import numpy
from numpy.lib.stride_tricks import as_strided

from element_types import TYPES, stored_values


def filled(operand, random):
    """An allocation's elements as they are stored."""
    count = operand.count * max(1, operand.members)
    kind = TYPES[operand.type]
    if operand.role != "in":
        return numpy.zeros(count, kind.numpy) if operand.role == "update" else garbage(count, kind)
    if operand.fill[0] == "permutation":
        return random.permutation(count).astype(kind.numpy)
    low, high = operand.fill[1:]
    if operand.type == "cfloat":
        return (random.uniform(low, high, count) + 1j * random.uniform(low, high, count)).astype(kind.numpy)
    if kind.unit == 0:
        return random.integers(low, high, count, endpoint=True).astype(kind.numpy)
    return stored_values(random.uniform(low, high, count), operand.type)


def garbage(count, kind):
    """What an output holds that nobody has written."""
    if kind.name == "bool":
        return numpy.zeros(count, bool)
    return numpy.frombuffer(b"\x5a" * (count * kind.bytes), numpy.uint8).copy().view(kind.numpy)


class NumpyArrays:
    """One set of operands; `views[name]` has the shape of the operand, and of a struct one more axis."""

    def __init__(self, work, seed=0):
        random = numpy.random.default_rng([seed, work.seed, work.number])
        self.work, self.flat, self.views = work, {}, {}
        for one in work.operands:
            if one.is_scalar:
                continue
            flat = self.flat[one.name] = filled(one, random)
            size = flat.itemsize
            self.views[one.name] = as_strided(flat[one.offset * max(1, one.members):], one.torch_shape,
                                              [stride * size for stride in one.torch_strides])

    def pointers(self):
        """The addresses of the allocations, in the order of the operands."""
        return [0 if one.is_scalar else self.flat[one.name].ctypes.data for one in self.work.operands]

    def gather(self, name, coordinates):
        return self.views[name][tuple(coordinates)]

    def whole(self, name):
        return self.views[name]

    def rows(self, name, places, kept, folded):
        view = self.views[name].transpose((*kept, *folded))
        return (view[tuple(places)] if kept else view[None]).reshape(len(places[0]) if kept else 1, -1)
