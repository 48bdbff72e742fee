"""What a benchmark has written, as rows: one workload with the cells of all that did it, and what comes of it."""
import dataclasses
import json
import pathlib

OWN = "foldwise"
TIE = 0.02
NOT_PEERS = ("copy", OWN, "openmp_fast")  # how such names begin: a ceiling, Foldwise's settings, another arithmetic
LARGE = 10**7  # from here on two runs are compared
# No memory is so much faster than a copy, even if it is only read; what is larger than any cache comes from there.
FASTEST, BEYOND_CACHES = 1.15, 200e6


def is_own(impl):
    """Whether it is Foldwise, in any of its settings."""
    return impl.startswith(OWN)


@dataclasses.dataclass
class Row:
    suite: str
    case: str
    type: str
    n: int
    shape: str
    bytes: float
    cells: dict  # by impl

    def us(self, impl):
        """Microseconds, or None."""
        return self.cells.get(impl, {}).get("us")

    @property
    def size(self):
        return self.shape or size_text(self.n)

    def peers(self):
        """Times of those that count against Foldwise."""
        return {impl: cell["us"] for impl, cell in self.cells.items()
                if "us" in cell and not cell.get("impossible") and not impl.startswith(NOT_PEERS)}

    def best_peer(self):
        peers = self.peers()
        return min(peers, key=peers.get, default=None)

    def ratio(self):
        """Foldwise's time over the best peer's."""
        best = self.best_peer()
        return self.us(OWN) / self.us(best) if best and self.us(OWN) else None

    def verdict(self):
        """won, tied or lost; None where nobody else has a time, or Foldwise has no such case or an impossible time."""
        if OWN not in self.cells or self.cells[OWN].get("impossible") or not self.best_peer():
            return None
        ratio = self.ratio()
        if ratio is None or ratio > 1 + TIE:
            return "lost"  # without a time of its own, too
        return "won" if ratio < 1 - TIE else "tied"


def with_setting(row, impl):
    """The row with Foldwise's time under another of its settings, where it has one."""
    return dataclasses.replace(row, cells=row.cells | {OWN: row.cells[impl]}) if impl in row.cells else row


def size_text(n):
    """10^k or 2^k where it is one."""
    exponent = len(str(n)) - 1
    if n >= 1000 and n == 10**exponent:
        return f"10{superscript(exponent)}"
    if n >= 1000 and n & (n - 1) == 0:
        return f"2{superscript(n.bit_length() - 1)}"
    return f"{n:,}".replace(",", " ")


def superscript(number):
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))


def rows_of(cells):
    rows = {}
    for cell in cells:
        shape = cell.get("shape", "")
        key = cell["suite"], cell["case"], cell["type"], shape or cell["n"]
        row = rows.setdefault(key, Row(*key[:3], cell["n"], shape, cell.get("bytes", 0), {}))
        if cell["impl"] == OWN:
            row.bytes = cell["bytes"]
        row.cells[cell["impl"]] = cell
    suites = list(dict.fromkeys(key[0] for key in rows))
    cases = list(dict.fromkeys(key[:3] for key in rows))

    def place(item):
        key, row = item
        return suites.index(key[0]), bool(row.shape), cases.index(key[:3]), 0 if row.shape else row.n
    return [row for _, row in sorted(rows.items(), key=place)]  # shapes and cases as they came


def mark_impossible(cells, copy_rate):
    """Those in device memory that moved more bytes than it can: some of the work was not done, or not waited for."""
    for cell in cells:
        if (cell["suite"] != "host" and "us" in cell and cell["bytes"] > BEYOND_CACHES and
                cell["bytes"] > FASTEST * copy_rate * cell["us"]):
            cell["impossible"] = True


def load(file):
    """The run, without its cells, and its rows."""
    run = json.loads(pathlib.Path(file).read_text())
    cells = run.pop("cells")
    if "copy_bytes_per_us" in run:
        mark_impossible(cells, run["copy_bytes_per_us"])
    return run, rows_of(cells)


def count(rows):
    """How many are won, tied and lost."""
    verdicts = [row.verdict() for row in rows]
    return {name: verdicts.count(name) for name in ("won", "tied", "lost")}


def disagreements(rows, others):
    """Of two runs: how far Foldwise's time over a peer's differs, by row and peer, where arrays are large."""
    def key(row):
        return row.suite, row.case, row.type, row.size

    by_key = {key(row): row for row in others}
    found = {}
    for row in rows:
        other = by_key.get(key(row))
        if row.n < LARGE or not other or not (row.us(OWN) and other.us(OWN)):
            continue
        for impl in row.peers().keys() & other.peers().keys():
            ratio = row.us(OWN) / row.us(impl) / (other.us(OWN) / other.us(impl))
            found[(*key(row), impl)] = max(ratio, 1 / ratio) - 1
    return found


def percentile(values, percent):
    """The least of them that so many percent do not exceed."""
    values = sorted(values)
    return values[max(0, -(-len(values) * percent // 100) - 1)]
