"""The workloads of a seed."""
import probabilities as p
from draw import Draw
from elementwise import draw_elementwise
from folds import draw_fold
from tasks import draw_task

FAMILIES = {"elementwise": draw_elementwise, "fold": draw_fold, "task": draw_task}
ATTEMPTS = 50


def draw_workload(seed, number, most_bytes=None, attempt=None):
    """`most_bytes` caps the sizes, for tests: everything else stays as it is drawn.

    The one reason for which a draw is rejected: rounding decides its results, so that no result can be called wrong.
    `attempt` is the number of the draw that another machine has accepted, whose functions may round differently.
    """
    draw = Draw(seed, number)
    family = draw.weighted(p.FAMILIES)
    size = draw.log_uniform(*p.BYTES)
    size = min(size, most_bytes) if most_bytes else size
    for number_of_draw in range(ATTEMPTS) if attempt is None else [attempt]:
        draw = Draw(seed, f"{number} {number_of_draw}")
        work = FAMILIES[family](draw, seed, number, size)
        work.attempt = number_of_draw
        if attempt is not None or family != "elementwise" or work.reference.can_be_checked(draw):
            return work
    raise RuntimeError(f"workload {number} of seed {seed}: {ATTEMPTS} draws whose results rounding decides")
