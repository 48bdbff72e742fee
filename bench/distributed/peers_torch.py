#!/usr/bin/env python3
"""PyTorch's torch.distributed: a process for each rank, with NCCL on GPUs and Gloo on the CPU."""
import os
import tempfile

import torch
import torch.distributed as dist

import peers


class Torch:
    def __init__(self, rank, ranks, device):
        self.rank, self.ranks, self.device = rank, ranks, device

    def full(self, shape, value):
        return torch.full(shape, value, dtype=torch.float64, device=self.device)

    def dot(self, x, y):
        return torch.dot(x, y)

    def keys(self, count):
        return torch.randint(peers.BINS, (count,), dtype=torch.int32, device=self.device)

    def histogram(self, keys):
        return torch.bincount(keys, minlength=peers.BINS)

    def all_reduce(self, a):
        dist.all_reduce(a)

    def all_gather(self, a):
        parts = [torch.empty_like(a) for _ in range(self.ranks)]
        dist.all_gather(parts, a)
        return torch.stack(parts)

    def neighbours(self, first, last):
        before, behind, operations = first.clone(), last.clone(), []
        for other, sent, received in ((self.rank - 1, first, before), (self.rank + 1, last, behind)):
            if 0 <= other < self.ranks:
                operations += [dist.P2POp(dist.isend, sent.contiguous(), other), dist.P2POp(dist.irecv, received, other)]
        if operations:
            for one in dist.batch_isend_irecv(operations):
                one.wait()
        return before, behind

    def finish(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def barrier(self):
        dist.barrier()


def work(rank, given, meeting):
    torch.set_grad_enabled(False)
    on_gpus = not given.cpu
    device = torch.device("cuda", rank) if on_gpus else torch.device("cpu")
    if on_gpus:
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // given.ranks))
    dist.init_process_group("nccl" if on_gpus else "gloo", init_method=f"file://{meeting}", rank=rank,
                            world_size=given.ranks)
    peers.run(Torch(rank, given.ranks, device), "torch", given)
    dist.destroy_process_group()


def main():
    with tempfile.TemporaryDirectory() as folder:
        peers.run_ranks(work, peers.arguments(), f"{folder}/meeting")


if __name__ == "__main__":
    main()
