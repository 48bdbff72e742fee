"""The operands of a workload on a GPU, in sets that go round."""
import numpy
import torch

from element_types import TYPES

ALIGNMENT = 512  # bytes


def fill(flat, operand, generator):
    """Fills an allocation; nobody depends on what is in outputs."""
    kind = TYPES[operand.type]
    if operand.role != "in":
        if operand.role == "update":
            flat.zero_()
        else:
            flat.view(torch.uint8).fill_(0 if operand.type == "bool" else 0x5a)
    elif operand.fill[0] == "permutation":
        flat.copy_(torch.randperm(len(flat), generator=generator, device=flat.device))
    elif operand.type == "cfloat":
        torch.view_as_real(flat).uniform_(*operand.fill[1:], generator=generator)
    elif kind.unit:
        flat.uniform_(*operand.fill[1:], generator=generator)
    else:
        flat.random_(int(operand.fill[1]), int(operand.fill[2]) + 1, generator=generator)


class TorchArrays:
    """`sets[i][name]` is a tensor of the operand's shape and strides; the sets of an operand lie in one allocation."""

    def __init__(self, work, count, device="cuda"):
        generator = torch.Generator(device)
        generator.manual_seed(1000003 * work.seed + work.number)
        self.work, self.allocations = work, {}
        self.sets, self.pointers = [{} for _ in range(count)], [[] for _ in range(count)]
        for one in work.operands:
            if one.is_scalar:
                for pointers in self.pointers:
                    pointers.append(0)
                continue
            dtype = getattr(torch, TYPES[one.type].torch)
            members, size = max(1, one.members), TYPES[one.type].bytes
            length = one.count * members
            step = -(-length * size // ALIGNMENT) * ALIGNMENT // size
            base = self.allocations[one.name] = torch.empty(step * count, dtype=dtype, device=device)
            for i in range(count):
                flat = base[i * step:i * step + length]
                if i and device == "cpu":  # where one thread draws numbers, and all of them copy
                    flat.copy_(base[:length])
                else:
                    fill(flat, one, generator)
                self.sets[i][one.name] = flat.as_strided(one.torch_shape, one.torch_strides,
                                                         flat.storage_offset() + one.offset * members)
                self.pointers[i].append(flat.data_ptr())

    def arguments(self, i):
        """What a function of PyTorch's is given of a set: tensors and numbers."""
        return [one.value if one.is_scalar else self.sets[i][one.name] for one in self.work.inputs]

    def reset(self):
        """What tasks add to begins with zeros again."""
        for one in self.work.operands:
            if one.role == "update":
                self.allocations[one.name].zero_()

    def gather(self, name, coordinates):
        return gathered(self.sets[0][name], coordinates)

    def whole(self, name):
        return stored(self.sets[0][name])

    def rows(self, name, places, kept, folded):
        view = self.sets[0][name].permute((*kept, *folded))
        if kept:
            return gathered(view, places).reshape(len(places[0]), -1)
        return stored(view.reshape(1, -1))


def gathered(tensor, coordinates):
    places = (torch.from_numpy(numpy.ascontiguousarray(one)).to(tensor.device) for one in coordinates)
    return stored(tensor[tuple(places)])


def stored(tensor):
    """An array of NumPy's with the same bits: that has no bfloat16."""
    tensor = tensor.resolve_conj().contiguous().cpu()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(numpy.uint16)
    return tensor.numpy()
