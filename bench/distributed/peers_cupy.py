#!/usr/bin/env python3
"""CuPy's cupyx.distributed: a process for each GPU, with NCCL."""
import multiprocessing
import socket

import cupy
import cupyx.distributed

import peers


class CuPy:
    def __init__(self, rank, ranks, group):
        self.rank, self.ranks, self.group = rank, ranks, group

    def full(self, shape, value):
        return cupy.full(shape, value, dtype=cupy.float64)

    def dot(self, x, y):
        return cupy.dot(x, y)

    def keys(self, count):
        return cupy.random.randint(0, peers.BINS, count, dtype=cupy.int32)

    def histogram(self, keys):
        return cupy.bincount(keys, minlength=peers.BINS)

    def all_reduce(self, a):
        self.group.all_reduce(a, a)

    def all_gather(self, a):
        all_of_them = cupy.empty((self.ranks, a.size), a.dtype)
        self.group.all_gather(a, all_of_them, a.size)
        return all_of_them

    def neighbours(self, first, last):
        before, behind = first.copy(), last.copy()
        # Pairs of ranks take turns: of an even one and the next, then of an odd one and the next.
        for turn in (0, 1):
            if self.rank % 2 == turn:
                if self.rank + 1 < self.ranks:
                    self.group.send_recv(cupy.ascontiguousarray(last), behind, self.rank + 1)
            elif self.rank > 0:
                self.group.send_recv(cupy.ascontiguousarray(first), before, self.rank - 1)
        return before, behind

    def finish(self):
        cupy.cuda.get_current_stream().synchronize()

    def barrier(self):
        self.group.barrier()


def work(rank, given, port):
    cupy.cuda.Device(rank).use()
    multiprocessing.set_start_method("fork", force=True)  # cupyx starts a process of functions that are not pickled
    group = cupyx.distributed.init_process_group(given.ranks, rank, port=port)
    peers.run(CuPy(rank, given.ranks, group), "cupy", given)
    group.barrier()
    group.stop()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    peers.run_ranks(work, peers.arguments(), free_port())


if __name__ == "__main__":
    main()
