// python/jax.cpp: JAX's arrays, traced or not, as a library whose calls become calls of XLA. A call is checked, and the
// shapes and types of its results are found, as for any other library; in place of running it, its plan and its arrays
// are handed to JAX.
#include "arguments.hpp"
#include "foreign.hpp"
#include "gradients.hpp"
#include "jax_handler.hpp"
#include "jax_plan.hpp"
#include "kernel.hpp"
#include "module.hpp"
#include "numpy.hpp"
#include "program.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <vector>

namespace foldwise::python {

namespace {

/// The first version of JAX with jax.ffi.
constexpr const char* oldest_jax = "0.5";

constexpr const char* xla_program = R"python(
import functools

import jax
import numpy
from jax import numpy as jnp


class Result:
    """A result of a call before the call is made."""
    def __init__(self, shape, dtype):
        self.shape, self.dtype, self.value = shape, dtype, None


def register(target, on_host, on_gpu):
    jax.ffi.register_ffi_target(target, on_host, platform="cpu")
    jax.ffi.register_ffi_target(target, on_gpu, platform="CUDA")


def has_wide_types():
    return jax.dtypes.canonicalize_dtype("float64") == "float64"


def cast(array, dtype):
    return jnp.asarray(array).astype(dtype)


def number(content, dtype):
    return numpy.frombuffer(content, dtype).reshape(())


def value_of(result):
    return jnp.zeros(result.shape, result.dtype) if result.value is None else result.value


def select(condition, chosen, other):
    return jnp.where(condition, value_of(chosen), other)


def unbroadcast(array, shape):
    array = array.sum(tuple(range(array.ndim - len(shape))))
    return array.sum(tuple(i for i, extent in enumerate(shape) if extent != array.shape[i]), keepdims=True)


@functools.lru_cache(maxsize=4096)
def compiled(target, function, plan, results, gradient, is_differentiable):
    """A call of XLA's, in whose compiled programs the plan is. `is_differentiable` says on which inputs results depend
    in a way that has a gradient; `gradient` computes it, or is None."""
    name = function.__name__
    # Of vectorised inputs and results the further axis is the first; of others it has one element.
    call = jax.ffi.ffi_call(target, [jax.ShapeDtypeStruct(*one) for one in results], vmap_method="expand_dims")

    def compute(*inputs):
        return tuple(call(*inputs, function=name, plan=plan))

    compute.__name__ = name
    if not any(is_differentiable):
        return jax.jit(lambda *inputs: compute(*map(jax.lax.stop_gradient, inputs)))
    if gradient is None:
        plain = jax.custom_jvp(compute)

        @plain.defjvp
        def refuse(primals, tangents):
            raise TypeError(f"no gradient of {name}() is known: GRADIENTS names it when the module is built, or "
                            "jax.lax.stop_gradient() goes without")

        return jax.jit(plain)

    differentiable = jax.custom_vjp(compute)

    def forward(*inputs):
        return compute(*inputs), inputs

    def backward(inputs, gradients):
        # JAX's gradients of complex numbers are the conjugates of those that a gradient function computes.
        found = gradient(*inputs, *[one.conj() for one in gradients])
        found = iter(found if isinstance(found, tuple) else (found,))
        return tuple(unbroadcast(next(found).conj(), one.shape) if own else None
                     for one, own in zip(inputs, is_differentiable))

    differentiable.defvjp(forward, backward)
    return jax.jit(differentiable)


def run(target, function, plan, inputs, results, gradient, is_differentiable):
    about = tuple((one.shape, one.dtype) for one in results)
    values = compiled(target, function, plan, about, gradient, is_differentiable)(*inputs)
    for one, value in zip(results, values):
        one.value = value
)python";

class jax_arrays final : public library {
  public:
    jax_arrays(const std::string& module, const std::vector<object>& functions)
        : target_(make_text("foldwise." + module)), names_(program_for_jax()), result_(entry("Result")),
          dtype_(intern("dtype")), shape_(intern("shape")) {
        for (const object& one : functions) {
            add_jax_function(*kernel_of(one.get()));
            functions_.push_back(one);
        }
        entry("register")(target_, capsule_of(run_on_host), capsule_of(run_on_gpu));
    }

    bool owns(PyObject* candidate) const override { return is_result(candidate) || foreign_library(candidate) == this; }
    element_type type_of(PyObject* array) const override { return type_of_dtype(attribute(array, dtype_).get()); }
    std::vector<std::int64_t> extents_of(PyObject* array) const override {
        return to_integers(object::take(PySequence_Tuple(attribute(array, shape_).get())).get());
    }
    std::string type_name(PyObject* array) const override { return attribute(array, dtype_).text(); }
    bool has_wide_types() const override { return entry("has_wide_types")().get() == Py_True; }

    array read(PyObject* given, element_type type) const override {
        object source = object::share(given);
        if (type_of(given) != type) source = entry("cast")(source, numpy_dtype(type));
        return seen(std::move(source), type);
    }
    bool is_fitting(PyObject*, element_type) const override { return true; }  // write() refuses it
    array write(PyObject*, element_type) const override {
        fail(PyExc_TypeError, "JAX's arrays cannot be written: call without out=");
    }
    array make(const shape& shape, element_type type, PyObject*) const override {
        return seen(result_(tuple_of(shape), numpy_dtype(type)), type);
    }
    void clear(const array&, const executor&) const override {}  // results are cleared when the program runs
    void assign(PyObject* target, PyObject* source, element_type) const override {
        if (!is_result(target)) write(target, {});
        if (PyObject_SetAttrString(target, "value", source) < 0) throw python_error();
    }
    object selected(const object& condition, const object& chosen, const object& other) const override {
        return entry("select")(condition, chosen, other);
    }
    object finished(object made) const override {
        return is_result(made.get()) ? entry("value_of")(made) : std::move(made);
    }
    std::string place_of(PyObject*) const override { return "JAX's device"; }

    executor executor_for(const array&) const override {
        if (call_scope::current().is_given())
            fail(PyExc_ValueError, "stream= is not for JAX's arrays: XLA chooses the stream of each call");
        return {};
    }

    void launch(const prepared_call& call) const override {
        const signature& signature = call.signature;
        if (signature.pattern == patterns::forall || signature.pattern == patterns::blocks)
            fail(PyExc_TypeError, call.kernel.name + "() runs tasks for what they write, which JAX's arrays cannot be");
        const auto inputs = static_cast<std::size_t>(signature.inputs);
        const object arrays = object::take(PyList_New(0)), results = object::take(PyList_New(0));
        const object kinds = object::take(PyTuple_New(signature.inputs));
        const auto append = [](const object& list, const object& one) {
            if (PyList_Append(list.get(), one.get()) < 0) throw python_error();
        };
        const auto can_differ = [](const operand_type& one) { return is_differentiable(one.type); };
        const auto outputs = std::span(signature.operands).subspan(inputs);
        const bool has_any = std::ranges::any_of(outputs, can_differ),
                   has_all = std::ranges::all_of(outputs, can_differ);
        prepared_call planned = call;
        std::vector<int> ranks;
        for (std::size_t i = 0; i < call.operands.size(); ++i) {
            operand_ref& one = planned.operands[i];
            const element_type type = signature.operands[i].type;
            const bool is_number = one.is_value();
            const object owner = is_number ? number(one.data, type) : object::share(static_cast<PyObject*>(one.data));
            ranks.push_back(is_number ? 0 : static_cast<int>(extents_of(owner.get()).size()));
            append(i < inputs ? arrays : results, owner);
            if (i >= inputs) continue;
            object kind = object::share(has_any && can_differ(signature.operands[i]) ? Py_True : Py_False);
            if (PyTuple_SetItem(kinds.get(), static_cast<Py_ssize_t>(i), kind.release()) < 0) throw python_error();
        }
        if (call.restarts) add_restarts(planned, append, arrays, ranks);
        const object plan = make_text(to_text(plan_of(planned, ranks)));
        const object gradient = has_all && call.kernel.gradient ? call.kernel.gradient : object::share(Py_None);
        entry("run")(target_, function_of(call.kernel), plan, arrays, results, gradient, kinds);
    }

  private:
    static object program_for_jax() {
        import_package("jax", oldest_jax);
        return run_program(xla_program, "<targets of XLA>");
    }

    object entry(const char* name) const {
        PyObject* const found = PyDict_GetItemString(names_.get(), name);
        if (!found) throw python_error();
        return object::share(found);
    }
    static object attribute(PyObject* of, const object& name) { return object::take(PyObject_GetAttr(of, name.get())); }
    bool is_result(PyObject* candidate) const {
        return reinterpret_cast<PyObject*>(Py_TYPE(candidate)) == result_.get();
    }

    static object capsule_of(xla::handler* handler) {
        return object::take(PyCapsule_New(reinterpret_cast<void*>(handler), nullptr, nullptr));
    }

    /// An array whose elements come when XLA runs the call: until then its address is that of its owner.
    array seen(object owner, element_type type) const {
        const shape extents = shape_of(owner.get());
        PyObject* const address = owner.get();
        return {std::move(owner), {address, detail::row_major(extents), {}, false}, type};
    }

    object number(const void* element, element_type type) const {
        const object content = object::take(
            PyBytes_FromStringAndSize(static_cast<const char*>(element), static_cast<Py_ssize_t>(type.size)));
        return entry("number")(content, numpy_dtype(type));
    }

    /// Adds offsets or keys to the arrays of a call. As an array of JAX's they may be of a narrower type.
    template <class Append>
    void add_restarts(prepared_call& call, const Append& append, const object& arrays, std::vector<int>& ranks) const {
        object begins = call.begins->owner;
        if (!owns(begins.get())) begins = import_module("jax.numpy").attribute("asarray")(begins);
        const element_type type = type_of(begins.get());
        call.restarts->size = static_cast<std::uint8_t>(type.size);
        call.restarts->is_signed = call.restarts->are_offsets && type.kind == element_type::kinds::integer;
        call.restarts->elements.layout = detail::row_major(shape_of(begins.get()));
        append(arrays, begins);
        ranks.push_back(call.restarts->elements.layout.shape.rank());
    }

    object function_of(const kernel& of) const {
        for (const object& one : functions_)
            if (kernel_of(one.get())->name == of.name) return one;
        fail(PyExc_RuntimeError, of.name + " is no function of the module");
    }

    object target_, names_, result_, dtype_, shape_;
    std::vector<object> functions_;
};

struct targets {
    std::string module;
    std::vector<object> functions;
};

targets& all_targets() {
    static auto* const all = new targets;  // never destroyed: the interpreter may be gone by then
    return *all;
}

const library* make_library() {
    static done_once once;
    static const library* made = nullptr;
    once([] { made = new jax_arrays(all_targets().module, all_targets().functions); });
    return made;
}

}  // namespace

void make_jax_targets(const char* module, const object* functions, Py_ssize_t count) {
    all_targets().module = module;
    all_targets().functions.assign(functions, functions + count);
    set_jax_library(make_library);
    PyObject* const jax = PyDict_GetItemString(PyImport_GetModuleDict(), "jax");
    // An older version is the error of a call with its arrays, which this program may never make.
    if (jax && is_at_least(object::share(jax), oldest_jax)) make_library();
}

}  // namespace foldwise::python
