"""What a function of PyTorch's or CuPy's has returned, as the outputs of a workload. A tensor of another type than the
output's, such as a mean of half, is converted."""
import torch

from element_types import TYPES


def outputs_of(work, results):
    """Tensors of the outputs' shapes and types; raises where a peer gives something else."""
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    results = [torch.as_tensor(one) for one in results]
    outputs = work.outputs
    if len(outputs) == 1 and outputs[0].members and len(results) > 1:  # a struct's numbers in tensors of their own
        results = [torch.stack([one.to(getattr(torch, TYPES[outputs[0].type].torch)) for one in results], -1)]
    if len(results) != len(outputs):
        raise ValueError(f"{len(results)} results in place of {len(outputs)}")
    found = []
    for output, result in zip(outputs, results):
        shape = output.torch_shape
        if tuple(result.shape) != shape and result.numel() != output.count * max(1, output.members):
            raise ValueError(f"{output.name} has shape {tuple(result.shape)}, not {shape}")
        found.append(result.reshape(shape).to(getattr(torch, TYPES[output.type].torch)))
    return found
