// python/torch.cpp: registers elementwise functions with PyTorch, in PyTorch's own way: torch.library.
#include "torch.hpp"

#include "kernel.hpp"
#include "program.hpp"

#include <algorithm>
#include <vector>

namespace foldwise::python {

namespace {

/// An operator has a schema; what computes on tensors; what says, of tensors without elements, what the results are
/// like; and what a batch of calls is: one call with an axis more.
constexpr const char* torch_program = R"python(
import torch


def type_name(tensor):
    return str(tensor.dtype).removeprefix("torch.")


def register(library, module, function):
    name, names = function.__name__, list(function.__signature__.parameters)[:function.nin]
    result = "Tensor" if function.nout == 1 else "(" + ", ".join(["Tensor"] * function.nout) + ")"
    library.define(f"{name}({', '.join('Tensor ' + one for one in names)}) -> {result}")

    def compute(*tensors):
        return function(*tensors)

    def describe(*tensors):
        shape = torch.broadcast_shapes(*[one.shape for one in tensors])
        types = function._result_types(*[type_name(one) for one in tensors])
        results = tuple(torch.empty(shape, dtype=getattr(torch, one), device=tensors[0].device) for one in types)
        return results if function.nout > 1 else results[0]

    def batch(info, axes, *tensors):
        rank = max(one.dim() - (axis is not None) for one, axis in zip(tensors, axes))
        aligned = []
        for one, axis in zip(tensors, axes):
            if axis is not None:
                one = one.movedim(axis, 0)
                one = one.reshape(one.shape[0], *[1] * (rank + 1 - one.dim()), *one.shape[1:])
            aligned.append(one)
        return operator(*aligned), 0 if function.nout == 1 else (0,) * function.nout

    for device in "CPU", "CUDA":
        library.impl(name, compute, device)
    operator = getattr(getattr(torch.ops, module), name)
    torch.library.register_fake(f"{module}::{name}", describe, lib=library)
    torch.library.register_vmap(f"{module}::{name}", batch, lib=library)
    if function.gradient is not None:
        register_gradient(library, module, function, operator)


def register_gradient(library, module, function, operator):
    name, gradient = function.__name__, function.gradient.__name__

    def keep(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.results = [(one.shape, one.dtype, one.device) for one in (output if function.nout > 1 else [output])]

    def compute(ctx, *gradients):
        inputs = ctx.saved_tensors
        given = [torch.zeros(shape, dtype=dtype, device=device) if one is None else one
                 for one, (shape, dtype, device) in zip(gradients, ctx.results)]
        results = getattr(getattr(torch.ops, module), gradient)(*inputs, *given)
        results = iter(results if isinstance(results, (tuple, list)) else [results])
        found = []
        for one, kind in zip(inputs, function._differentiable_inputs(*[type_name(one) for one in inputs])):
            own = next(results) if kind else None  # of an integer there is none
            is_wanted = one.dtype.is_floating_point or one.dtype.is_complex
            found.append(own.sum_to_size(one.shape).to(one.dtype) if kind and is_wanted else None)
        return tuple(found)

    torch.library.register_autograd(f"{module}::{name}", compute, setup_context=keep, lib=library)
    function._set_torch_operator(operator)

)python";

struct operators {
    std::string module;
    std::vector<object> functions;
};

operators& all_operators() {
    static auto* const all = new operators;  // never destroyed: the interpreter may be gone by then
    return *all;
}

}  // namespace

bool is_torch_imported() { return PyDict_GetItemString(PyImport_GetModuleDict(), "torch") != nullptr; }

void become_torch_operator(const std::string& module, const object& function) {
    if (!function.attribute_if_any("nin")) return;
    all_operators().module = module;
    std::ranges::replace(all_operators().module, '.', '_');
    all_operators().functions.push_back(function);
}

void register_torch_operators() {
    const operators& all = all_operators();
    if (all.functions.empty()) return;
    const object names = run_program(torch_program, "<operators of PyTorch>");
    const object make = object::share(PyDict_GetItemString(names.get(), "register"));
    object library = import_module("torch.library").attribute("Library")(make_text(all.module), make_text("DEF"));
    for (const object& function : all.functions) make(library, make_text(all.module), function);
    library.release();  // a library withdraws its operators when it is collected: one that has all of them stays
}

object call_torch_operator(const kernel& kernel, std::span<const object> arguments, const signature& signature) {
    const object torch = import_module("torch");
    const object names = object::take(Py_BuildValue("(ss)", "dtype", "device"));
    object device;
    for (const object& one : arguments)
        if (!is_number(one.get()) && !PyBool_Check(one.get())) device = one.attribute("device");
    const object tuple = object::take(PyTuple_New(static_cast<Py_ssize_t>(arguments.size())));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        object tensor = arguments[i];
        if (is_number(tensor.get()) || PyBool_Check(tensor.get())) {
            const object type = torch.attribute(name_of(signature.operands[i].type));
            PyObject* all[] = {tensor.get(), type.get(), device.get()};
            tensor = object::take(PyObject_Vectorcall(torch.attribute("scalar_tensor").get(), all, 1, names.get()));
        }
        if (PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), tensor.release()) < 0) throw python_error();
    }
    return object::take(PyObject_CallObject(kernel.torch_operator.get(), tuple.get()));
}

}  // namespace foldwise::python
