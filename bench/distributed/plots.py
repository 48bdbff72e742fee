#!/usr/bin/env python3
"""Pictures of what run.py measured: plots.py distributed.json FOLDER writes weak.svg and strong.svg."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import report_plots  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from run import WORKLOADS  # noqa: E402

COLOURS = {"foldwise (gpus)": "#d6336c", "foldwise (nccl)": "#f783ac", "foldwise (threads)": "#d6336c",
           "foldwise (mpi)": "#f783ac", "torch.distributed": "#e8590c", "CuPy NCCL": "#7048e8",
           "JAX sharding": "#862e9c"}


def draw(measured, kind, file):
    """A panel for each workload: milliseconds against the number of GPUs, and a dashed line for perfect scaling."""
    cells = [one for one in measured["cells"] if one["kind"] == kind]
    workloads = [one for one in WORKLOADS if any(cell["workload"] == one for cell in cells)]
    figure, panels = report_plots.begin_panels(len(workloads))
    for workload, axes in zip(workloads, panels):
        report_plots.style(axes, workload)
        lines = {}
        for cell in cells:
            if cell["workload"] == workload:
                lines.setdefault(cell["implementation"], []).append((cell["ranks"], cell["ms"] * 1e3))
        axes.ends = []
        for name, points in lines.items():
            own = name.startswith("foldwise")
            x, y = zip(*sorted(points))
            axes.plot(x, y, color=COLOURS.get(name, report_plots.OTHER), linewidth=2.2 if own else 1.2, marker="o",
                      markersize=4 if own else 2.4, markeredgewidth=0, zorder=5 if own else 3)
            axes.ends.append((name, x[-1], y[-1]))
        first = next((points for name, points in lines.items() if name.startswith("foldwise")), None)
        if first:
            ranks = sorted({cell["ranks"] for cell in cells})
            start = min(us for n, us in first if n == ranks[0])
            axes.plot(ranks, [start if kind == "weak" else start * ranks[0] / n for n in ranks], color="#adb5bd",
                      linewidth=1, linestyle=(0, (3, 2)), zorder=2)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(FixedLocator(sorted({cell["ranks"] for cell in cells})))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:g} GPUs" if n > 1 else "1 GPU"))
        axes.xaxis.set_minor_locator(NullLocator())
        times = [us for points in lines.values() for _, us in points]
        axes.set_ylim(min(times) / 1.6, max(times) * 1.6)
        axes.yaxis.set_major_locator(FixedLocator([k * 10**e for e in range(0, 7) for k in (1, 2, 5)]))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(report_plots.microseconds))
    report_plots.COLOURS.update(COLOURS)
    title = {"weak": "Weak scaling: as many elements on each GPU", "strong": "Strong scaling: as many elements altogether"}
    report_plots.finish(figure, title[kind], {"device": measured["machine"], "date": measured.get("date", "")}, file)


def main():
    measured, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("weak", "strong"):
        draw(measured, kind, folder / f"{kind}.svg")


if __name__ == "__main__":
    main()
