"""The workloads of a seed."""
import probabilities as p
from draw import Draw
from elementwise import draw_elementwise
from folds import draw_fold
from tasks import draw_task

FAMILIES = {"elementwise": draw_elementwise, "fold": draw_fold, "task": draw_task}
ATTEMPTS = 50


def draw_workload(seed, number, most_bytes=None):
    """`most_bytes` caps the sizes, for tests: everything else stays as it is drawn.

    The one reason for which a draw is rejected: rounding decides its results, so that no result can be called wrong.
    """
    draw = Draw(seed, number)
    family = draw.weighted(p.FAMILIES)
    size = draw.log_uniform(*p.BYTES)
    size = min(size, most_bytes) if most_bytes else size
    for attempt in range(ATTEMPTS):
        draw = Draw(seed, f"{number} {attempt}")
        work = FAMILIES[family](draw, seed, number, size)
        if family != "elementwise" or work.reference.can_be_checked(draw):
            return work
    raise RuntimeError(f"workload {number} of seed {seed}: {ATTEMPTS} draws whose results rounding decides")
