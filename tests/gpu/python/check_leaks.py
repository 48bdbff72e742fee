"""What 10^6 calls leave behind: Python's objects, memory of the host, memory of the GPU."""
import ctypes
import gc
import os
import sys

import numpy as np

import functions as f
from common import installed, raises

CALLS = 1_000_000


def resident_bytes():
    """Of this process, after the allocator has given back what it can."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def check(many, shared, bytes_in_use, calls=CALLS, most_of_host=2 << 20):
    """`many(n)` makes n calls and waits for them; `bytes_in_use` lists numbers of bytes of the GPU."""
    def used():
        host = resident_bytes()
        return {"references": sys.getrefcount(shared), "blocks of Python's": sys.getallocatedblocks(), "host": host,
                **{f"GPU {i}": value for i, value in enumerate(bytes_in_use())}}

    many(calls // 20)
    before = used()
    many(calls)
    after = used()
    grown = {name: after[name] - before[name] for name in after}
    print(f"    {calls} calls: {grown} more (host, GPU: bytes)")
    most = {"references": 2, "blocks of Python's": max(calls // 1000, 300), "host": most_of_host}
    for name, more in grown.items():
        assert more <= most.get(name, 2 << 20), f"{name}: {before[name]} before, {after[name]} after {calls} calls"


def calls_with(x, out, other, synchronize):
    """A function that makes so many calls of all kinds, also on another stream."""
    def many(count):
        for i in range(count // 10):
            f.add(x, x), f.add(x, 1, out), f.add(x, x, out=out), f.add(x, i), f.add(x, 1.5), f.sum(x), f.sum(x, axis=0)
            f.add(x, x), f.add(x, 1, stream=other)
            raises(ValueError, lambda: f.add(x, x[:7]))
            if i % 100 == 0:
                synchronize()  # what other streams use is kept until they are done
        synchronize()
        f.add(x, 1, stream=other)
        synchronize()
    return many


def test_leaks_of_torch():
    torch = installed("torch")
    x, out = torch.ones(1000, device="cuda"), torch.empty(1000, device="cuda")
    other = torch.cuda.Stream()

    many = calls_with(x, out, other, torch.cuda.synchronize)
    check(many, x, lambda: [torch.cuda.memory_allocated(), -torch.cuda.mem_get_info()[0]])


def test_leaks_of_cupy():
    cupy = installed("cupy")
    x, out = cupy.ones(1000, "f4"), cupy.empty(1000, "f4")
    pool, stream = cupy.get_default_memory_pool(), cupy.cuda.Stream(non_blocking=True)

    many = calls_with(x, out, stream, cupy.cuda.Device().synchronize)
    check(many, x, lambda: [pool.used_bytes(), -cupy.cuda.runtime.memGetInfo()[0]])


def test_leaks_of_numba():
    installed("numba")
    cuda = installed("numba.cuda")
    x, out = (cuda.to_device(np.ones(1000, "f4")) for _ in range(2))

    def many(count):
        for i in range(count // 5):
            f.add(x, x, out=out), f.add(x, 1, out=out), f.add(x, 1.5, out), f.add(x, x)
            raises(TypeError, lambda: f.add(x, 1j))
        cuda.synchronize()

    check(many, x, lambda: [-cuda.current_context().get_memory_info()[0]], CALLS // 20)


def test_leaks_of_numpy():
    """Arrays on the host, whose calls run on the GPU."""
    x, out = np.ones(1000, "f4"), np.empty(1000, "f4")

    def many(count):
        for i in range(count // 5):
            f.add(x, x), f.add(x, 1, out), f.add(x, x, out=out), f.sum(x)
            raises(ValueError, lambda: f.add(x, x[:7]))

    check(many, x, list, CALLS // 5)


def test_leaks_of_jax():
    jax = installed("jax")
    x = jax.numpy.ones(1000)
    step = jax.jit(lambda x, y: f.add(f.add(x, y), f.sum(x)))

    def many(count):
        for i in range(count // 5):
            f.add(x, x), f.add(x, i), f.sum(x), step(x, x)
            if i % 100 == 0:
                raises(ValueError, lambda: f.add(x, x[:7]))
        jax.block_until_ready(f.add(x, x))

    check(many, x, lambda: [jax.devices()[0].memory_stats()["bytes_in_use"]], CALLS // 10, 16 << 20)
