"""The Markdown of a run: what it ran on, what came of it, and all cells."""
from report_cells import OWN, TIE, count

TITLES = {"gpu": "Measured on a GPU", "cpu": "Measured on a CPU", "build": "What building costs"}
RULES = {
    "gpu": """\
All implementations do the same work on the same kind of data. Work that can be given a stream is timed with events on
that stream: batches of launches are queued behind a delay, so that the figure is the GPU's own time. Each figure is the
median of several batches, after some to warm up. Operands are rotated, so that they do not stay in the L2 cache. JAX
has streams of its own: its figure is wall-clock time, the difference between a long and a short batch. For host arrays
it is wall-clock time with everything included. "of copy" is the fraction of the rate at which one large
device-to-device copy reads and writes; "host" is the time for which a call occupies the CPU.

A peer is anything that a user could use instead, including a kernel by hand with a better algorithm ("cuda, shared")
and NumPy on the CPU. A copy is not a peer, and neither is Foldwise with checks. A time in which no memory could have
been read, at more than 1.15 times the copy's rate, is marked "?" and does not count.""",
    "cpu": """\
All implementations do the same work on the same kind of data. Figures are wall-clock time, medians over rounds in which
the implementations take turns.""",
    "build": """\
From a kernel's spec to the objects of its launchers and kernels, beside one CUDA file for the same work; each is
compiled separately with the same options, but for those that `foldwise_add_kernels` adds (docs/cmake.md). Figures are
seconds of processor time, the least of the rounds. "One more" is what one more kernel with one signature adds to a
file that has one: the mean of four. "library" has four folds and three elementwise kernels. Objects have no line
information, as those of `Release` builds, unless the column says so; the last column is their size in multiples of the
Thrust file's.""",
}


def table(head, lines, left=1):
    """The first `left` columns are text."""
    marks = [":--"] * left + ["--:"] * (len(head) - left)
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in (head, marks, *lines)) + "\n"


def figure(us):
    return "–" if us is None else f"{us:.2f}" if us < 100 else f"{us:.0f}" if us >= 1000 else f"{us:.1f}"


def of_cell(row, impl):
    return figure(row.us(impl)) + "?" * row.cells.get(impl, {}).get("impossible", False)


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def described(run):
    """One line of what it ran on."""
    cuda = f"CUDA {run['runtime']}" if "runtime" in run else ""
    what = (run.get("gpu") or run.get("device"), run.get("gpu_driver") and f"driver {run['gpu_driver']}", cuda,
            run.get("cpu") and f"{run['cpu']}, {run.get('cpu_cores', '?')} cores")
    return ", ".join(text for text in what if text)


def source(run):
    """What a plot or a table comes from, briefly."""
    where = run.get("gpu") or run.get("device") or run.get("cpu", "")
    return " · ".join(text for text in (where, run.get("date", "")[:10], run.get("commit", "")) if text)


def head(run, kind, rows):
    lines = [f"# {TITLES[kind]}", "", described(run) + "."]
    packages = ", ".join(f"{name} {version}" for name, version in sorted(run.get("packages", {}).items()))
    lines += [packages + "." if packages else "", ""][not packages:]
    seconds = f"; {run['seconds']:.0f} s in all" if "seconds" in run else ""
    lines += [f"One run, {run.get('date', 'no date')}, commit {run.get('commit') or 'unknown'}{seconds}. "
              f"`./dev report` writes this page and its pictures from the run's JSON.", "", RULES.get(kind, ""), ""]
    if run.get("copy_bytes_per_us"):
        lines += [f"Copy: {run['copy_bytes_per_us'] / 1e6:.2f} TB/s read and written.", ""]
    failed = [part for part in run.get("parts", ()) if part["status"] != "ok"]
    lines += [f"- {part['part']}: {part['status']}" for part in failed] + [""] * bool(failed)
    return "\n".join(lines) + "\n" + ("" if kind == "build" else summary(rows))


def summary(rows):
    suites = list(dict.fromkeys(row.suite for row in rows))
    lines = []
    for suite in (*suites, *([None] if len(suites) > 1 else [])):
        counted = count([row for row in rows if suite in (None, row.suite)])
        cells = sum(counted.values())
        if cells:
            good = 100 * (counted["won"] + counted["tied"]) / cells
            lines.append((suite or "**all**", cells, *counted.values(), f"{good:.1f} %"))
    text = ["## Won, tied, lost", "",
            f"For each workload, Foldwise is compared with the best of all others; within {100 * TIE:.0f} % is a "
            f"tie.", "",
            table(("suite", "workloads", "won", "tied", "lost", "won or tied"), lines)]
    lost = sorted((row for row in rows if row.verdict() == "lost"), key=lambda row: -(row.ratio() or 1e9))
    if lost:
        text += ["## Lost", "", table(
            ("suite", "case", "type", "size", "Foldwise µs", "best peer", "its µs", "ratio"),
            [(row.suite, escaped(row.case), row.type, row.size, figure(row.us(OWN)), row.best_peer(),
              figure(row.us(row.best_peer())), f"{row.ratio():.2f}" if row.ratio() else row.cells[OWN]["why"])
             for row in lost], 4)]
    return "\n".join(text)


def headline(run, rows):
    """What the README says of a run."""
    counted = count(rows)
    total = sum(counted.values())
    good = 100 * (counted["won"] + counted["tied"]) / max(1, total)
    return (f"{source(run)}: {total} workloads, each compared with the best of all others (CUB,\n"
            f"Thrust, CUDA by hand, PyTorch, torch.compile, CuPy, Numba and JAX, where they have it):\n"
            f"{counted['won']} won, {counted['tied']} tied within {100 * TIE:.0f} %, {counted['lost']} lost; "
            f"{good:.1f} % won or tied.\n"
            f"[All cells, and how they were measured](docs/performance/gpu.md).\n")


def suite_table(suite, rows, copy_rate):
    """All cells of one suite, and why cells are empty."""
    impls = [impl for impl in dict.fromkeys(i for row in rows for i in row.cells) if impl != OWN]
    impls.sort(key=lambda impl: impl.startswith("copy"))
    has_own = any(OWN in row.cells for row in rows)
    has_host = any("host_us" in row.cells.get(OWN, {}) for row in rows)
    columns = ["case", "type", "size", *(["Foldwise"] if has_own else []), *(["of copy"] if copy_rate else []),
               *(["host"] if has_host else []), *impls, *(["best peer", ""] if has_own else [])]
    lines, reasons = [], {}
    for row in rows:
        own = row.us(OWN)
        line = [escaped(row.case), row.type, row.size]
        if has_own:
            line.append(f"**{of_cell(row, OWN)}**")
        if copy_rate:
            first = own or next((cell["us"] for cell in row.cells.values() if "us" in cell), None)
            line.append(f"{row.bytes / first / copy_rate:.2f}" if first and row.bytes else "–")
        if has_host:
            line.append(figure(row.cells.get(OWN, {}).get("host_us")))
        line += [of_cell(row, impl) for impl in impls]
        if has_own:
            verdict = row.verdict()
            ratio = f" {row.ratio():.2f}" if row.ratio() else ""
            line += [row.best_peer() or "–", "–" if verdict is None else f"**lost**{ratio}" if verdict == "lost"
                     else verdict + ratio]
        lines.append(line)
        for impl, cell in row.cells.items():
            if "why" in cell:
                reasons.setdefault((impl, cell["why"]), []).append(f"{row.case} {row.type} {row.size}")
    text = ["Microseconds; the last column is Foldwise's time over the best peer's.", "",
            table(columns, lines, 3)]
    text += [f"- {impl} {escaped(why)}: {some(places)}" for (impl, why), places in reasons.items()]
    return "\n".join(text) + "\n" * (1 + bool(reasons))


def some(places):
    return escaped(", ".join(places) if len(places) <= 3 else f"{len(places)} workloads, {places[0]} the first")


def build_table(rows):
    """Of each kernel: seconds and bytes, beside files of the same work."""
    lines = []
    for row in rows:
        thrust = row.cells.get("thrust", {}).get("object_bytes")
        for impl, cell in row.cells.items():
            times = (f"{cell[name] / 1e6:.2f}" if name in cell else "–"
                     for name in ("generator_us", "nvcc_us", "cxx_us", "us"))
            with_lines = f"{cell['line_info_bytes'] / 1024:.0f}" if "line_info_bytes" in cell else "–"
            ratio = f"{cell['object_bytes'] / thrust:.2f}" if thrust else "–"
            lines.append((escaped(row.case), impl, *times, f"{cell['object_bytes'] / 1024:.0f}", with_lines, ratio))
    return table(("kernel", "file", "generator s", "nvcc s", "C++ s", "all s", "objects KiB", "with -lineinfo KiB",
                  "× Thrust"), lines, 2)
