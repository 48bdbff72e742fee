"""The pictures of a run: time against size and fraction of the copy rate against size, a panel for each case and type."""
import math

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "foldwise"  # the same run gives the same file
import matplotlib.pyplot as pyplot  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator  # noqa: E402

from report_cells import OWN, superscript  # noqa: E402
from report_tables import source  # noqa: E402

COLOURS = {OWN: "#d6336c", "copy": "#868e96", "cub": "#1864ab", "thrust": "#4dabf7", "cuda": "#2b8a3e",
           "lambda": "#82c91e", "cuda, shared": "#5c940d", "pytorch": "#e8590c", "torch.compile": "#f59f00",
           "cupy": "#7048e8", "numba": "#0c8599", "jax": "#862e9c", "numpy": "#495057", "openmp": "#1864ab",
           "openmp_fast": "#74c0fc", "tbb": "#2b8a3e", "foldwise_vector_math": "#f783ac", "foldwise checked": "#f783ac",
           "foldwise forall": "#f783ac", "foldwise reduce": "#f783ac", "foldwise 32x32": "#f783ac",
           "cuda, 64x64": "#5c940d", "cuda, 32x32": "#5c940d"}
OTHER = "#5f6b76"
# Of a panel, in inches: its picture, and what is around it.
WIDTH, HEIGHT, LEFT, RIGHT, ABOVE, BELOW = 2.45, 2.0, 0.6, 0.95, 0.35, 0.4
MOST_PANELS = 30  # of a figure
HEAD, FOOT = 0.3, 0.2  # of a figure
LINE_OF_TEXT = 0.135 / HEIGHT  # of a panel's height
INK = "#343a40"


def colour(impl):
    return COLOURS.get("copy" if impl.startswith("copy") else impl, OTHER)


def microseconds(us, _=None):
    """An axis's label."""
    for factor, unit in ((1e6, "s"), (1e3, "ms"), (1, "µs")):
        if us >= factor * 0.999:
            return f"{us / factor:g} {unit}"
    return f"{us * 1000:g} ns"


def begin_panels(count, columns=3):
    columns = min(count, columns)
    lines = math.ceil(count / columns)
    width, height = columns * (LEFT + WIDTH + RIGHT), lines * (ABOVE + HEIGHT + BELOW) + HEAD + FOOT
    figure = pyplot.figure(figsize=(width, height))
    panels = []
    for i in range(count):
        line, column = divmod(i, columns)
        x, y = column * (LEFT + WIDTH + RIGHT) + LEFT, FOOT + (lines - 1 - line) * (ABOVE + HEIGHT + BELOW) + BELOW
        panels.append(figure.add_axes((x / width, y / height, WIDTH / width, HEIGHT / height)))
    return figure, panels


def finish(figure, title, run, file):
    width, height = figure.get_size_inches()
    figure.text(0.1 / width, 1 - 0.1 / height, title, ha="left", va="top", fontsize=12, color=INK, weight="bold")
    figure.text(0.1 / width, 0.08 / height, source(run), fontsize=7.5, color="#6c757d", va="bottom")
    label_all(figure)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else {})
    if file.suffix == ".svg":
        strip_line_ends(file)
    pyplot.close(figure)


def strip_line_ends(file):
    text = file.read_text()
    file.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def style(axes, title):
    axes.set_title(title, fontsize=9.5, loc="left", color=INK)
    axes.tick_params(labelsize=7.5, colors=INK, length=2.5)
    axes.grid(True, which="major", color="#e9ecef", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#ced4da")


def draw_lines(axes, lines):
    """`lines` by impl: points. Foldwise's lies above the others."""
    axes.ends = []
    for impl, points in lines.items():
        own = impl == OWN
        x, y = zip(*points)
        axes.plot(x, y, color=colour(impl), linewidth=2.4 if own else 1.2, zorder=5 if own else 3,
                  linestyle=(0, (3, 2)) if impl.startswith("copy") else "-", marker="o", markersize=4 if own else 2.4,
                  markeredgewidth=0)
        axes.ends.append((impl, x[-1], y[-1]))


def label_all(figure):
    """Names at the right of the panels, as near to the ends of their lines as they can be without touching."""
    for axes in figure.axes:
        ends = getattr(axes, "ends", ())
        if not ends:
            continue
        to_axes = axes.transData + axes.transAxes.inverted()
        places = sorted((*map(float, to_axes.transform((x, y))[::-1]), impl) for impl, x, y in ends)
        heights = between(spread([y for y, _, _ in places], LINE_OF_TEXT), 0, 1.02)
        for (y, x, impl), height in zip(places, heights):
            axes.annotate(impl, (x, y), (1.05, height), "axes fraction", "axes fraction", fontsize=7.5, va="center",
                          color=colour(impl), weight="bold" if impl == OWN else "normal", annotation_clip=False,
                          arrowprops={"arrowstyle": "-", "color": colour(impl), "linewidth": 0.5, "alpha": 0.55,
                                      "shrinkA": 1, "shrinkB": 2, "relpos": (0, 0.5)})


def spread(heights, gap):
    """Ascending heights moved apart, as little as that takes: runs that touch have their mean in the middle."""
    runs = []
    for height in heights:
        runs.append([height, 1])
        while len(runs) > 1 and runs[-1][0] - runs[-2][0] < gap * (runs[-1][1] + runs[-2][1]) / 2:
            (a, m), (b, n) = runs[-2:]
            runs[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    return [middle + gap * (i - (count - 1) / 2) for middle, count in runs for i in range(count)]


def between(heights, low, high):
    """The same within limits: from either end those are pushed that are beyond, or in the way."""
    heights = list(heights)
    for i, height in enumerate(heights):
        heights[i] = max(height, low + i * LINE_OF_TEXT)
    for i, height in enumerate(reversed(heights)):
        heights[-1 - i] = min(height, high - i * LINE_OF_TEXT)
    return heights


def size_axis(axes, sizes):
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator([10**e for e in range(2, 11) if min(sizes) <= 10**e <= max(sizes)]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"10{superscript(round(math.log10(n)))}"))
    axes.xaxis.set_minor_locator(NullLocator())


def families(rows):
    """Those whose cases have sizes, by case and type."""
    found = {}
    for row in rows:
        if not row.shape:
            found.setdefault((row.case, row.type), []).append(row)
    return {name: sorted(family, key=lambda row: row.n) for name, family in found.items()
            if len({row.n for row in family}) > 2 and any(len(row.cells) > 1 for row in family)}


def lines_of(family, value):
    """By impl, the points (n, value) that there are."""
    lines = {}
    for row in family:
        for impl in row.cells:
            if row.us(impl):
                lines.setdefault(impl, []).append((row.n, value(row, row.us(impl))))
    return lines


def plot_times(suite, found, run, file):
    figure, panels = begin_panels(len(found))
    for axes, ((case, type_name), family) in zip(panels, found.items()):
        style(axes, f"{case}, {type_name}" if type_name else case)
        draw_lines(axes, lines_of(family, lambda _, us: us))
        size_axis(axes, [row.n for row in family])
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(numticks=12))
        axes.yaxis.set_major_formatter(FuncFormatter(microseconds))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.yaxis.set_minor_locator(NullLocator())
    finish(figure, f"{suite}: time against number of elements", run, file)


def plot_rates(suite, found, run, rate, file):
    figure, panels = begin_panels(len(found))
    for axes, ((case, type_name), family) in zip(panels, found.items()):
        style(axes, f"{case}, {type_name}" if type_name else case)
        lines = lines_of(family, lambda row, us: row.bytes / us / rate)
        draw_lines(axes, lines)
        size_axis(axes, [row.n for row in family])
        highest = max(value for points in lines.values() for _, value in points)
        axes.set_yscale("log")
        axes.set_ylim(0.01, max(1.3, 1.25 * highest))
        axes.axhline(1, color="#868e96", linewidth=0.8, linestyle=(0, (3, 2)), zorder=2)
        axes.yaxis.set_major_locator(FixedLocator([0.01, 0.03, 0.1, 0.3, 1]))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.ends = [end for end in axes.ends if end[2] >= 0.01]
    finish(figure, f"{suite}: fraction of the copy rate against number of elements", run, file)


def ratio_ticks(low, high):
    """As many as can be told apart."""
    fine = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3, 4)
    coarse = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    return fine if high / low < 6 else coarse


def plot_shapes(suite, rows, run, file):
    """A line of dots for each workload: times over Foldwise's."""
    width, height = 9, 1.1 + 0.25 * len(rows)
    figure = pyplot.figure(figsize=(width, height))
    axes = figure.add_axes((2.6 / width, 0.45 / height, (width - 2.75) / width, (height - 1.1) / height))
    style(axes, "")
    impls = [impl for impl in dict.fromkeys(i for row in rows for i in row.cells) if impl != OWN]
    for i, row in enumerate(rows):
        ratios = [row.us(impl) / row.us(OWN) for impl in impls if row.us(impl)]
        axes.plot([min([1, *ratios]), max([1, *ratios])], [i, i], color="#dee2e6", linewidth=1, zorder=1)
    for impl in (*impls, OWN):
        points = [(row.us(impl) / row.us(OWN), i) for i, row in enumerate(rows) if row.us(impl)]
        if points:
            axes.scatter(*zip(*points), s=42 if impl == OWN else 26, color=colour(impl), label=impl, linewidths=0,
                         zorder=5 if impl == OWN else 3, alpha=1 if impl == OWN else 0.85)
    axes.axvline(1, color=colour(OWN), linewidth=1, zorder=2)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.8), high)
    axes.xaxis.set_major_locator(FixedLocator(ratio_ticks(*axes.get_xlim())))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g} ×"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks(range(len(rows)), [f"{row.case}  {row.type}  {row.size}" for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(False, axis="y")
    figure.legend(loc="upper left", bbox_to_anchor=(0.02 / width, 1 - 0.3 / height), ncol=7, frameon=False, fontsize=8,
                  handletextpad=0.1, columnspacing=1.2)
    finish(figure, f"{suite}: time over Foldwise's", run, file)


def plot_suite(suite, rows, run, rate, stem, suffix="svg"):
    """Writes what there is to see of a suite, fractions of the rate if there is one; the files with what they show. Of more
    cases than can be looked at only the largest sizes are drawn."""
    written = []

    def add(what, title):
        written.append((stem.with_name(f"{stem.name}_{what}.{suffix}"), f"{suite}: {title}"))
        return written[-1][0]

    found = families(rows)
    if len(found) > MOST_PANELS:
        rows, found = [family[-1] for family in found.values()], {}
    if found:
        plot_times(suite, found, run, add("time", "time against size"))
        if rate:
            plot_rates(suite, found, run, rate, add("rate", "fraction of the copy rate against size"))
    others = [row for row in rows if (row.case, row.type) not in found and row.us(OWN) and len(row.cells) > 1]
    if others:
        plot_shapes(suite, others, run, add("shapes", "time over Foldwise's"))
    return written
