"""What a function of PyTorch's or CuPy's has returned, as the outputs of a workload. A tensor of another type than the
output's, such as a mean of half, is converted."""
import torch

from element_types import TYPES


def outputs_of(work, results):
    """Tensors of the outputs' shapes and types; raises where a peer gives something else."""
    results = list(several(results))
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


def that_writes(function, arguments):
    """The function itself or, if it returns a view of an argument, such as the real parts of complex numbers, one that
    copies such results: all others write theirs, too."""
    inputs = [memory_of(one) for one in arguments if memory_of(one)]
    are_views = [memory_of(one) in inputs for one in several(function(*arguments))]
    if not any(are_views):
        return function

    def copying(*given):
        results = several(function(*given))
        return [copied(one) if is_view else one for one, is_view in zip(results, are_views)]

    return copying


def several(results):
    return results if isinstance(results, (tuple, list)) else [results]


def memory_of(array):
    """Where the memory begins that an array of PyTorch's or CuPy's lies in; None for a number."""
    if isinstance(array, torch.Tensor):
        return array.untyped_storage().data_ptr()
    if hasattr(array, "__cuda_array_interface__"):
        return array.data.mem.ptr
    return None


def copied(array):
    return array.clone() if isinstance(array, torch.Tensor) else array.copy()
