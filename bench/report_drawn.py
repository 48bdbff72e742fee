"""The page and the picture of drawn workloads: how Foldwise's times compare with the best peer's, over all of one or
several seeds."""
import math

from report_cells import OWN, TIE, count, is_own, percentile, with_setting
from report_plots import INK, LogLocator, FixedLocator, FuncFormatter, NullFormatter, NullLocator, finish, pyplot, \
    ratio_ticks, style, superscript
from report_tables import described, escaped, figure, table

WORST = 20
COLOURS = {"elementwise": "#1864ab", "fold": "#d6336c", "task": "#2b8a3e"}
GPU, CPU = "drawn", "drawn-cpu"
TITLES = {GPU: "Workloads drawn at random", CPU: "Workloads drawn at random, on the CPU"}
RULES = {GPU: """\
Workloads are drawn at random from a grammar ([`bench/drawn`](../../bench/drawn/probabilities.py) states all probabilities),
without regard to what Foldwise is good or bad at, each as a spec and as what users of PyTorch and CuPy write for the same
work. All results are compared with NumPy's in double precision before anything is timed. All implementations work on the
same operands in the same process, one workload after the other, timed as [the other benchmarks](gpu.md) are. A ratio is
Foldwise's time over that of the best peer, so less than 1 is better; "copy" is the time in which as many bytes are copied.""",
         CPU: """\
The workloads of [the GPU's page](drawn.md), of fewer bytes, on all cores of the CPU, each as a spec and as what users of
PyTorch, NumPy and Numba write for the same work; torch.compile has PyTorch's. All results are compared with NumPy's in
double precision before anything is timed. Foldwise is called from C++ and the others from Python, in turns, on the same
operands in several sets, which the caches do not hold. Foldwise's kernels are compiled with the options that
`foldwise_add_kernels` gives them, without options for the machine. They call the C library's functions, as the same lambda
does on the host; PyTorch and torch.compile have vector versions, which are accurate to 1 unit in the last place. The line
with VECTOR_MATH counts the same workloads with vector versions for Foldwise as well, where a function has one; these are
accurate to 4 units. Numba's folds may have any order, and small work also has a time for its loops on one thread. A ratio
is Foldwise's time over that of the best peer, so less than 1 is better; "copy" is the time in which PyTorch copies as many
bytes."""}


def drawn_rows(rows):
    """Those that were measured or failed, not those for which the time was over."""
    return [row for row in rows if OWN in row.cells and row.cells[OWN].get("why") != "the time was over"]


def of(row, name):
    return next(cell[name] for cell in row.cells.values() if name in cell)


def mean_ratio(rows):
    """The geometric mean of the ratios, or None."""
    ratios = [row.ratio() for row in rows if row.verdict() and row.ratio()]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def line_of(name, rows):
    counted, mean = count(rows), mean_ratio(rows)
    cells = sum(counted.values())
    ratios = [row.ratio() for row in rows if row.verdict() and row.ratio()]
    good = f"{100 * (counted['won'] + counted['tied']) / cells:.0f} %" if cells else "–"
    return (name, cells, *counted.values(), good, f"{mean:.2f}" if mean else "–",
            f"{percentile(ratios, 90):.2f}" if ratios else "–", f"{max(ratios):.2f}" if ratios else "–")


def counts_table(what, groups):
    return table((what, "workloads", "won", "tied", "lost", "won or tied", "geometric mean", "90 % below", "worst"),
                 [line_of(name, rows) for name, rows in groups.items() if rows])


def grouped(rows, key):
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return dict(sorted(found.items()))


def settings(rows):
    """All rows, with each other setting of Foldwise that some have a time for."""
    names = dict.fromkeys(impl for row in rows for impl in row.cells if is_own(impl) and impl != OWN)
    return {f"**all**, with {name.removeprefix(OWN).strip()}": [with_setting(row, name) for row in rows] for name in names}


def bytes_text(row):
    return f"10{superscript(int(math.log10(max(1, row.bytes))))} …"


def worst_table(rows):
    lines = []
    lost = sorted((row for row in rows if row.verdict() and (row.ratio() or row.verdict() == "lost")),
                  key=lambda row: -(row.ratio() or math.inf))
    for row in lost[:WORST]:
        best = row.best_peer()
        lines.append((of(row, "seed"), of(row, "number"), escaped(of(row, "description")), f"{row.bytes:.3g}",
                      figure(row.us(OWN)), best, figure(row.us(best)), figure(row.us("copy")),
                      f"{row.ratio():.2f}" if row.ratio() else escaped(row.cells[OWN]["why"])))
    return table(("seed", "no.", "workload", "bytes", "Foldwise µs", "best peer", "its µs", "copy µs", "ratio"), lines, 3)


def failures(rows):
    """What has no time, and why."""
    lines = []
    for row in rows:
        for impl, cell in row.cells.items():
            if "why" in cell and cell["why"].startswith(("WRONG", "ended", "does not", "is refused")):
                lines.append(f"- {impl}, workload {of(row, 'number')} of seed {of(row, 'seed')} "
                             f"({escaped(of(row, 'description'))}): {escaped(cell['why'])}")
    return lines


def page(runs, rows, picture):
    rows = drawn_rows(rows)
    kind = runs[0].get("kind", GPU)
    text = [f"# {TITLES[kind]}", "", described(runs[0]) + ".", "",
            *(f"- seed {run['seed']}: {run['count']} drawn, {run.get('date', '')}, commit {run.get('commit', 'unknown')}"
              for run in runs), "", RULES[kind], "", counts_table("seed", {
                  **grouped(rows, lambda row: of(row, "seed")), "**all**": rows, **settings(rows)}),
            f"Within {100 * TIE:.0f} % is a tie.", "", f"![Ratios to the best peer]({picture})", "",
            "## By class", "", counts_table("class", grouped(rows, lambda row: f"{of(row, 'family')}: {of(row, 'kind')}")),
            "## By size", "", counts_table("bytes", grouped(rows, bytes_text)), "## By type", "",
            counts_table("first operand", grouped(rows, lambda row: row.type)), "## The worst", "", worst_table(rows)]
    copied = sorted(row.us("copy") / row.us(OWN) for row in rows
                    if row.bytes >= 1e8 and row.us("copy") and row.us(OWN))
    if copied:
        text += [f"Of {len(copied)} workloads of 10⁸ bytes and more the median is at {percentile(copied, 50):.2f} of the "
                 f"copy's rate.", ""]
    failed = failures(rows)
    if failed:
        text += ["## Wrong, or not there", "", *failed, ""]
    return "\n".join(text)


def plot(runs, rows, file):
    """A histogram of the ratios, and each against its bytes."""
    rows = [row for row in drawn_rows(rows) if row.verdict() and row.ratio()]
    if not rows:
        return False
    drawing = pyplot.figure(figsize=(10, 4.2))
    ratios = [row.ratio() for row in rows]
    low, high = math.floor(4 * math.log2(min(ratios))) / 4, math.ceil(4 * math.log2(max(ratios)) + 0.01) / 4
    edges = [2 ** (low + 0.25 * step) for step in range(max(1, round(4 * (high - low))) + 1)]

    left = drawing.add_axes((0.055, 0.13, 0.42, 0.70))
    style(left, "workloads by ratio")
    parts = grouped(rows, lambda row: of(row, "family"))
    left.hist([[row.ratio() for row in part] for part in parts.values()], bins=edges, stacked=True,
              color=[COLOURS[name] for name in parts], label=list(parts), edgecolor="white", linewidth=0.4)
    left.grid(False, axis="x")
    left.yaxis.get_major_locator().set_params(integer=True)
    left.legend(frameon=False, fontsize=8)

    right = drawing.add_axes((0.555, 0.13, 0.42, 0.70))
    style(right, "ratio against bytes")
    for name, part in parts.items():
        right.scatter([row.bytes for row in part], [row.ratio() for row in part], s=14, color=COLOURS[name], linewidths=0,
                      alpha=0.8, label=name)
    right.set_xscale("log")
    right.xaxis.set_major_locator(LogLocator(numticks=12))
    right.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"10{superscript(round(math.log10(n)))}"))
    right.xaxis.set_minor_locator(NullLocator())
    right.set_xlabel("bytes read and written", fontsize=8, color=INK)
    for axes, axis in ((left, left.xaxis), (right, right.yaxis)):
        (axes.set_xscale if axis is left.xaxis else axes.set_yscale)("log")
        axis.set_major_locator(FixedLocator([tick for tick in ratio_ticks(min(ratios), max(ratios))
                                             if edges[0] <= tick <= edges[-1]]))
        axis.set_major_formatter(FuncFormatter(lambda ratio, _: f"{ratio:g}"))
        axis.set_minor_locator(NullLocator())
        axis.set_minor_formatter(NullFormatter())
    left.axvline(1, color=INK, linewidth=1)
    right.axhline(1, color=INK, linewidth=1)
    left.set_xlabel("Foldwise's time over the best peer's", fontsize=8, color=INK)
    finish(drawing, f"{len(rows)} drawn workloads: Foldwise's time over the best peer's", runs[0], file)
    return True
