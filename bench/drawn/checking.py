"""Compares results with the reference: some of them where there are many, with the bounds that the reference gives."""
import math

import numpy

from element_types import host_values

SAMPLES = 4096
ELEMENTS_OF_ROWS = 4_000_000  # that are folded for the check, but one row at least
SLACK = 4.0                   # the bounds are of the first order
UNITS_OF_16_BITS = {"half": 2.0**-11, "bfloat16": 2.0**-8}


class Access:
    """The numbers of a workload's arrays. `gather(name, coordinates)` and `whole(name)` give arrays of NumPy's as they
    are stored, for places in the operand's view, and for all of it."""

    def __init__(self, work, arrays):
        self.operands = {one.name: one for one in work.operands}
        self.arrays = arrays
        self.random = numpy.random.default_rng(work.number)

    def sample(self, shape, most=SAMPLES):
        """Coordinates of all places, or of some, the corners among them."""
        if math.prod(shape) <= most:
            return tuple(one.reshape(-1) for one in numpy.indices(shape))
        found = [self.random.integers(0, extent, most) for extent in shape]
        for axis, extent in enumerate(shape):
            found[axis][0], found[axis][-1] = 0, extent - 1
        return tuple(found)

    def fetch(self, name, coordinates):
        operand = self.operands[name]
        return host_values(self.arrays.gather(name, coordinates), operand.type)

    def whole(self, name):
        return host_values(self.arrays.whole(name), self.operands[name].type)

    def rows(self, name, places, kept, folded):
        """(results, elements) at places of the axes that are kept."""
        return host_values(self.arrays.rows(name, places, kept, folded), self.operands[name].type)


def unit_of_16_bits(work):
    """The roundoff of a peer that computes in 16 bits where an operand has them."""
    return max((UNITS_OF_16_BITS.get(one.type, 0.0) for one in work.operands), default=0.0)


def expected(work, access, unit16):
    """(coordinates, values, bounds) of each output, and what is to be compared in place of a result."""
    if work.family == "task":
        return work.reference(access, unit16), None
    if work.family == "elementwise":
        shape = work.outputs[0].shape
        at = access.sample(shape)
        values = {}
        for one in work.inputs:
            if not one.is_scalar:
                place = tuple(numpy.zeros_like(index) if extent == 1 else index for index, extent in zip(at, one.shape))
                values[one.name] = access.fetch(one.name, place)
        return [(at, *pair) for pair in work.reference(values, unit16)], None
    fold, kept_shape = work.reference.fold, work.reference.kept
    rank = fold.rank
    folded = tuple(range(rank)) if fold.dims is None else fold.dims
    kept = tuple(axis for axis in range(rank) if axis not in folded)
    at = access.sample(kept_shape, max(1, min(SAMPLES, ELEMENTS_OF_ROWS // fold.count))) if kept else ()
    rows = {one.name: access.rows(one.name, at, kept, folded) for one in fold.operands}
    pairs = work.reference(rows, unit16)
    if fold.members:
        pairs = [tuple(numpy.stack([one[part] for one in pairs], -1) for part in (0, 1))]
    at = at if kept else (numpy.zeros(1, int),)
    return [(at, *pair) for pair in pairs], lambda got: work.reference.seen(rows, got)


def wrong(work, reference, gather_output, is_peer):
    """None, or what is wrong. `reference` is what expected() gives for the precision of the implementation, and
    `gather_output(index, coordinates)` gives stored results of an output."""
    found, seen = reference
    unsure = 0
    for index, (output, (at, value, error)) in enumerate(zip(work.outputs, found)):
        got = host_values(gather_output(index, at), output.type)
        if seen:
            got = seen(got)
        got, value, error = numpy.broadcast_arrays(got, value, error)
        with numpy.errstate(invalid="ignore"):
            if got.dtype.kind in "iub" and value.dtype.kind in "iub":
                close = got == value
            else:
                close = numpy.abs(got - value) <= SLACK * error
        bad = ~(close | numpy.isinf(error))
        unsure = max(unsure, numpy.isinf(error).mean())
        if bad.any():
            first = numpy.argwhere(bad)[0]
            places = tuple(int(one[first[0]]) for one in at)
            spot = tuple(first)
            return (f"{output.name}{list(places)} is {got[spot]}, not {value[spot]} within {SLACK * error[spot]:.3g}; "
                    f"{bad.mean():.2%} of {bad.size} are wrong")
    return "rounding decides most of the results: nothing was compared" if unsure > 0.9 and not is_peer else None
