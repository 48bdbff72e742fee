"""What a peer computes over several ranks, and how it is timed: as scaling.cpp does, whose lines it writes.

A peer is a class with what follows; arrays are float64, and each rank has its own rows.

    rank, ranks
    full(shape, value)         an array
    dot(x, y)                  of this rank's elements, an array of shape ()
    keys(count)                random numbers from 0 to less than BINS, of 32 bits
    histogram(keys)            how many there are of each
    all_reduce(a)              replaces a by the sum of those of all ranks
    all_gather(a)              an array with a row for the vector of each rank
    neighbours(first, last)    sends the first row to the rank before and the last one to the rank behind, and returns
                               what these send; the rank's own where there is none
    finish(), barrier()        wait for this rank's work, and for all ranks
"""
import argparse
import math
import multiprocessing
import statistics
import sys
import time


BINS = 4096


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--elements", type=float, default=1e6, help="of each rank, or of all with --strong")
    parser.add_argument("--strong", action="store_true")
    parser.add_argument("--latency", action="store_true", help="small calls alone")
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--cpu", action="store_true", help="on the CPU, where the library can")
    return parser.parse_args()


def run_ranks(work, given, meeting):
    """Calls work(rank, given, meeting) in a process for each rank, and ends as the worst of them."""
    context = multiprocessing.get_context("spawn")
    ranks = [context.Process(target=work, args=(rank, given, meeting)) for rank in range(given.ranks)]
    for one in ranks:
        one.start()
    for one in ranks:
        one.join()
    raise SystemExit(max(abs(one.exitcode) for one in ranks))


def share_of(count, rank, ranks):
    """How many of `count` rows a rank has: as many as the others, or one more."""
    return count // ranks + (rank < count % ranks)


def shape_of(elements, ranks):
    """The rows and columns of the matrix of a run, as in scaling.cpp."""
    columns = min(100_000, max(1, elements // ranks // 100))
    return max(ranks, elements // columns), columns


def side_of(elements):
    return max(1, math.isqrt(elements))


def milliseconds(calls, call):
    """The median of several calls, after two to warm up."""
    times = []
    for i in range(-2, calls):
        begin = time.perf_counter()
        call()
        if i >= 0:
            times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def write(name, peer, given, ranks, elements, took, bytes_of_element):
    kind = "strong" if given.strong else "weak"
    print(f"{name}\t{peer}\t{kind}\t{ranks}\t{elements}\t{took:.4f}\t{elements * bytes_of_element / took / 1e6:.2f}")
    sys.stdout.flush()


def write_latency(name, peer, ranks, took):
    print(f"{name}\t{peer}\tlatency\t{ranks}\t{took * 1000:.2f} us")
    sys.stdout.flush()


def elements_of(given):
    return int(given.elements) * (1 if given.strong else given.ranks)


def run(peer, name, given):
    """Times a peer's workloads. Called by each rank; the first one writes."""
    (run_small if given.latency else run_large)(peer, name, given)


def run_large(peer, name, given):
    elements = elements_of(given)

    def timed(workload, bytes_of_element, call):
        def whole():
            call()
            peer.finish()
            peer.barrier()

        took = milliseconds(given.calls, whole)
        if peer.rank == 0:
            write(workload, name, given, peer.ranks, elements, took, bytes_of_element)

    own = share_of(elements, peer.rank, peer.ranks)
    x, y = peer.full((own,), 3.0), peer.full((own,), 5.0)

    def rel_diff():
        return 2 * (x - y) / (x + y)

    def dot():
        part = peer.dot(x, y)
        peer.all_reduce(part)
        return float(part)

    def variance():
        n, mean = float(own), x.mean()
        part = peer.full((3,), n)
        part[1], part[2] = mean, ((x - mean) ** 2).sum()
        n, mean, m2 = 0.0, 0.0, 0.0
        for more, other, squares in peer.all_gather(part).tolist():
            if more == 0:
                continue
            sum_of_both, d = n + more, other - mean
            mean, m2 = mean + d * more / sum_of_both, m2 + squares + d * d * n * more / sum_of_both
            n = sum_of_both
        return m2 / n

    def scan():
        running = x.cumsum(0)
        sums = peer.all_gather(running[-1:])
        running += sums[: peer.rank].sum()

    timed("rel_diff", 24, rel_diff)
    timed("dot", 16, dot)
    timed("variance", 8, variance)
    timed("scan", 16, scan)
    del x, y
    keys = peer.keys(own)
    timed("histogram", 4, lambda: peer.all_reduce(peer.histogram(keys)))
    del keys

    rows, columns = shape_of(elements, peer.ranks)
    m = peer.full((share_of(rows, peer.rank, peer.ranks), columns), 7.0)
    timed("rows", 8, lambda: m.sum(1))
    timed("columns", 8, lambda: peer.all_reduce(m.sum(0)))
    del m

    side = side_of(elements)
    grid = peer.full((share_of(side, peer.rank, peer.ranks) + 2, side + 2), 1.0)  # with what is around it
    inner = (slice(1, -1), slice(1, -1))
    after = peer.full(tuple(grid.shape), 1.0)

    def stencil():
        grid[0], grid[-1] = peer.neighbours(grid[1], grid[-2])
        grid[:, 0], grid[:, -1] = grid[:, 1], grid[:, -2]
        around = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
        after[inner] = grid[inner] + 0.2 * (around - 4 * grid[inner])

    timed("stencil", 16, stencil)


def run_small(peer, name, given):
    calls = max(given.calls, 200)

    def timed(workload, call):
        peer.barrier()
        took = milliseconds(calls, call)
        if peer.rank == 0:
            write_latency(workload, name, peer.ranks, took)

    one = peer.full((1,), 1.0)

    def all_reduce():
        peer.all_reduce(one)
        peer.finish()

    timed("all_reduce of 8 bytes", all_reduce)
    for power in (3, 6):
        x = peer.full((share_of(10**power, peer.rank, peer.ranks),), 1.0)

        def whole_sum():
            part = x.sum()
            peer.all_reduce(part)
            return float(part)

        timed(f"sum of 10^{power}", whole_sum)
