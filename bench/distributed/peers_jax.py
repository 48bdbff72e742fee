#!/usr/bin/env python3
"""JAX's sharded arrays: one process, whose devices are the ranks; on the CPU, XLA makes as many of its cores."""
import os

import peers

given = peers.arguments()
if given.cpu:  # before JAX is imported
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={given.ranks}"
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

try:
    from jax import shard_map  # noqa: E402
except ImportError:
    from jax.experimental.shard_map import shard_map  # noqa: E402

jax.config.update("jax_enable_x64", True)


def main():
    devices = jax.devices()[: given.ranks]
    if len(devices) < given.ranks:
        raise SystemExit(f"JAX has {len(devices)} devices, not {given.ranks}")
    mesh = Mesh(np.array(devices), ("rows",))
    by_rows, everywhere = NamedSharding(mesh, PartitionSpec("rows")), NamedSharding(mesh, PartitionSpec())

    def even(count):
        """JAX cuts arrays into equal parts alone."""
        return max(1, count // given.ranks) * given.ranks

    def full(shape, value):
        return jax.jit(lambda: jnp.full(shape, value, jnp.float64), out_shardings=by_rows)()

    def compiled(call, sharding):
        return jax.jit(call, out_shardings=sharding)

    if given.latency:
        one = jax.device_put(jnp.ones(given.ranks), by_rows)
        small = [("all_reduce of 8 bytes", compiled(jnp.sum, everywhere), one)]
        small += [(f"sum of 10^{power}", compiled(jnp.sum, everywhere), full((even(10**power),), 1.0))
                  for power in (3, 6)]
        for name, call, x in small:
            took = peers.milliseconds(max(given.calls, 200), lambda: float(call(x)))
            peers.write_latency(name, "jax", given.ranks, took)
        return

    elements = peers.elements_of(given)

    def timed(name, bytes_of_element, call, *arrays):
        took = peers.milliseconds(given.calls, lambda: call(*arrays).block_until_ready())
        peers.write(name, "jax", given, given.ranks, elements, took, bytes_of_element)

    x, y = full((even(elements),), 3.0), full((even(elements),), 5.0)
    timed("rel_diff", 24, compiled(lambda x, y: 2 * (x - y) / (x + y), by_rows), x, y)
    timed("dot", 16, compiled(jnp.dot, everywhere), x, y)
    timed("variance", 8, compiled(jnp.var, everywhere), x)

    def running(part):  # jnp.cumsum of all rows takes seconds where XLA cuts it
        sums = jnp.cumsum(part)
        of_all = jax.lax.all_gather(sums[-1], "rows")
        before = jnp.arange(given.ranks) < jax.lax.axis_index("rows")
        return sums + jnp.where(before, of_all, 0).sum()

    by_device = shard_map(running, mesh=mesh, in_specs=PartitionSpec("rows"), out_specs=PartitionSpec("rows"))
    timed("scan", 16, compiled(by_device, by_rows), x)
    del x, y

    def drawn(key):
        return jax.random.randint(key, (even(elements),), 0, peers.BINS, jnp.int32)

    keys = jax.jit(drawn, out_shardings=by_rows)(jax.random.key(1))
    timed("histogram", 4, compiled(lambda keys: jnp.bincount(keys, length=peers.BINS), everywhere), keys)
    del keys
    rows, columns = peers.shape_of(elements, given.ranks)
    m = full((even(rows), columns), 7.0)
    timed("rows", 8, compiled(lambda m: m.sum(1), by_rows), m)
    timed("columns", 8, compiled(lambda m: m.sum(0), everywhere), m)
    del m

    def heat(grid):
        around = jnp.pad(grid, 1, mode="edge")
        return grid + 0.2 * (around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:] - 4 * grid)

    side = peers.side_of(elements)
    timed("stencil", 16, compiled(heat, by_rows), full((even(side), side), 1.0))


if __name__ == "__main__":
    main()
