"""Stencils: each element from its neighbours along one to three axes, edges as they are."""
import itertools

import numpy

import probabilities as p
from element_types import TYPES
from elementwise import draw_shape
from task import CUPY_LETTERS, LETTERS, Task, after_store, as_float, back, computed, coordinates, number, unit_of
from workload import Operand


def stencil(draw, size):
    kind, rank, radius = draw.weighted(p.TASK_FLOATS), draw.weighted(p.STENCIL_AXES), draw.weighted(p.STENCIL_RADIUS)
    is_box = rank > 1 and radius == 1 and draw.chance(p.STENCIL_BOX)
    if is_box:
        offsets = list(itertools.product((-1, 0, 1), repeat=rank))
    else:
        offsets = [(0,) * rank] + [tuple(step if axis == at else 0 for at in range(rank))
                                   for axis in range(rank) for step in range(-radius, radius + 1) if step]
    weights = [draw.constant(-1.0, 1.0) or 0.5 for _ in offsets]
    shape = tuple(max(extent, 2 * radius + 2) for extent in draw_shape(draw, size / 2 / TYPES[kind].bytes, rank))
    x, out = Operand("x", kind, shape, fill=("uniform", -1.0, 1.0)), Operand("out", kind, shape, "out")
    here = ", ".join(LETTERS[:rank])

    def shifted(offset):
        return ", ".join(f"{LETTERS[at]} {'+' if step > 0 else '-'} {abs(step)}" if step else LETTERS[at]
                         for at, step in enumerate(offset))
    terms = [f"{number(weight, kind)} * {as_float(f'x({shifted(offset)})', kind)}"
             for weight, offset in zip(weights, offsets)]
    edge = " || ".join(f"{LETTERS[at]} < {radius} || {LETTERS[at]} + {radius} >= x.extent({at})" for at in range(rank))
    total = ("\n" + " " * 8 + "+ ").join(terms)
    body = [coordinates(rank), f"const bool edge = {edge};",
            f"out({here}) = edge ? x({here}) : {back('(' + total + ')' if kind != 'half' else total, kind)};"]

    def part(offset):
        return ", ".join(f"{radius + step}:{extent - radius + step}" for step, extent in zip(offset, shape))
    torch = ["out = x.clone()",
             f"out[{part((0,) * rank)}] = (" + " + ".join(f"{weight!r} * x[{part(offset)}]"
                                                         for weight, offset in zip(weights, offsets)) + ")",
             "return out"]
    value = computed(kind)
    lengths = [f"n{at}" for at in range(rank)]
    split = ["long long rest = i;"]
    for at in range(rank - 1, 0, -1):
        split.append(f"const long long {CUPY_LETTERS[at]} = rest % n{at}; rest /= n{at};")
    split.append(f"const long long {CUPY_LETTERS[0]} = rest;")

    def flat(offset):
        text = ""
        for at, step in enumerate(offset):
            one = f"({CUPY_LETTERS[at]} + {step})" if step else CUPY_LETTERS[at]
            text = f"({text}) * n{at} + {one}" if text else one
        return text
    cupy_edge = " || ".join(f"{one} < {radius} || {one} + {radius} >= n{at}"
                            for at, one in enumerate(CUPY_LETTERS[:rank]))
    cupy_terms = " + ".join(f"{number(weight, kind)} * {value}(x[{flat(offset)}])"
                            for weight, offset in zip(weights, offsets))
    cupy_body = f"{' '.join(split)} out = ({cupy_edge}) ? {value}(x[i]) : {cupy_terms};"
    arguments = ", ".join(f"int64 {one}" for one in lengths)
    kernel = (f"kernel = cupy.ElementwiseKernel('raw {TYPES[kind].cupy} x, {arguments}', '{TYPES[kind].cupy} out', "
              f"{cupy_body!r}, 'drawn')")

    def reference(access, unit16):
        at = access.sample(shape)
        value, error = numpy.zeros(len(at[0])), numpy.zeros(len(at[0]))
        is_edge = numpy.zeros(len(at[0]), bool)
        for one, extent in zip(at, shape):
            is_edge |= (one < radius) | (one + radius >= extent)
        for weight, offset in zip(weights, offsets):
            place = tuple(numpy.clip(one + step, 0, extent - 1) for one, step, extent in zip(at, offset, shape))
            term = weight * access.fetch("x", place)
            value, error = value + term, error + numpy.abs(term)
        own = access.fetch("x", at)
        error = numpy.where(is_edge, 0, (len(offsets) + 3) * unit_of(kind, unit16) * error)
        return [(at, *after_store(numpy.where(is_edge, own, value), error, kind))]
    form = "box" if is_box else "star"
    return Task(f"{rank}-D {form} stencil of radius {radius}", shape, [x, out], body, torch, reference,
                cupy=["return kernel(x, *x.shape, size=x.size).reshape(x.shape)"], cupy_kernel=kernel,
                numpy=[line.replace(".clone()", ".copy()") for line in torch],
                given={"radius": radius, "weights": weights, "offsets": offsets},
                features={f"stencil {rank}-D", f"stencil radius {radius}", f"stencil {form}"})
