// python/torch.cpp: registers elementwise functions with PyTorch, in PyTorch's own way: torch.library.
#include "torch.hpp"

#include <vector>

namespace foldwise::python {

namespace {

/// An operator has a schema; what computes on tensors; what says, of tensors without elements, what the results are
/// like; and what a batch of calls is: one call with an axis more.
constexpr const char* program = R"python(
import torch


def register(library, module, function):
    name, names = function.__name__, list(function.__signature__.parameters)[:function.nin]
    result = "Tensor" if function.nout == 1 else "(" + ", ".join(["Tensor"] * function.nout) + ")"
    library.define(f"{name}({', '.join('Tensor ' + one for one in names)}) -> {result}")

    def compute(*tensors):
        return function(*tensors)

    def describe(*tensors):
        shape = torch.broadcast_shapes(*[one.shape for one in tensors])
        types = function._result_types(*[str(one.dtype).removeprefix("torch.") for one in tensors])
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
    all_operators().functions.push_back(function);
}

void register_torch_operators() {
    const operators& all = all_operators();
    if (all.functions.empty()) return;
    const object code = object::take(Py_CompileString(program, "<operators of PyTorch>", Py_file_input));
    const object names = object::take(PyDict_New());
    if (PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins()) < 0) throw python_error();
    object::take(PyEval_EvalCode(code.get(), names.get(), names.get()));
    const object make = object::share(PyDict_GetItemString(names.get(), "register"));
    // A library withdraws its operators when it is collected; so this one stays.
    static PyObject* const library =
        import_module("torch.library").attribute("Library")(make_text(all.module), make_text("DEF")).release();
    for (const object& function : all.functions) make(object::share(library), make_text(all.module), function);
}

}  // namespace foldwise::python
