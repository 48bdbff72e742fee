"""What a function of NumPy's has returned, as the outputs of a workload."""
import numpy

from element_types import TYPES


def results_of(work, results):
    """Arrays of the outputs' shapes and types; raises where a peer gives something else."""
    results = [numpy.asarray(one) for one in (results if isinstance(results, tuple) else (results,))]
    outputs = work.outputs
    if len(outputs) == 1 and outputs[0].members and len(results) > 1:  # a struct's numbers in arrays of their own
        results = [numpy.stack([one.astype(TYPES[outputs[0].type].numpy) for one in results], -1)]
    if len(results) != len(outputs):
        raise ValueError(f"{len(results)} results in place of {len(outputs)}")
    found = []
    for output, result in zip(outputs, results):
        shape = output.torch_shape
        if result.shape != shape and result.size != output.count * max(1, output.members):
            raise ValueError(f"{output.name} has shape {result.shape}, not {shape}")
        found.append(result.reshape(shape).astype(TYPES[output.type].numpy, copy=False))
    return found
