// python/dlpack.cpp: PyTorch's tensors, by DLPack's exchange functions and PyTorch's own methods.
#include "dlpack.hpp"

#include "torch.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <vector>

namespace foldwise::python {

using kinds = element_type::kinds;

namespace {

constexpr struct {
    kinds kind;
    std::uint8_t code;
} codes[] = {{kinds::boolean, dlpack::boolean},
             {kinds::integer, dlpack::integer},
             {kinds::unsigned_integer, dlpack::unsigned_integer},
             {kinds::floating, dlpack::floating},
             {kinds::brain_floating, dlpack::brain_floating},
             {kinds::complex, dlpack::complex}};

element_type type_of_data(const dlpack::data_type& type) {
    if (type.lanes != 1) return {};
    for (const auto& row : codes)
        if (row.code == type.code) return {row.kind, static_cast<std::uint8_t>(type.bits / 8)};
    return {};
}

dlpack::data_type data_type_of(element_type type) {
    for (const auto& row : codes)
        if (row.kind == type.kind) return {row.code, static_cast<std::uint8_t>(type.size * 8), 1};
    fail(PyExc_TypeError, "a result of a type that DLPack does not have");
}

class exchanging final : public library {
  public:
    exchanging(PyTypeObject* type, const dlpack::exchange* functions) : type_(type), functions_(functions) {}

    bool owns(PyObject* candidate) const override { return PyObject_TypeCheck(candidate, type_); }
    element_type type_of(PyObject* array) const override { return type_of_data(tensor_of(array).type); }
    std::string type_name(PyObject* array) const override { return object::share(array).attribute("dtype").text(); }

    array read(PyObject* given, element_type type) const override {
        object source = object::share(given);
        refuse_gradients(source);
        if (type_of(given) != type) source = source.attribute("to")(torch_type(type));
        if (is_true(source.attribute("is_conj")())) source = source.attribute("resolve_conj")();
        if (is_true(source.attribute("is_neg")())) source = source.attribute("resolve_neg")();
        return view(std::move(source), type);
    }
    bool is_fitting(PyObject* given, element_type type) const override {
        const object source = object::share(given);
        return type_of(given) == type && !is_true(source.attribute("is_conj")()) &&
               !is_true(source.attribute("is_neg")());
    }
    array write(PyObject* given, element_type type) const override {
        object target = object::share(given);
        refuse_gradients(target);
        return view(std::move(target), type);
    }
    array make(const shape& shape, element_type type, PyObject* like) const override {
        std::vector<std::int64_t> extents(shape.begin(), shape.end());
        dlpack::tensor wanted = {};
        wanted.device = like ? tensor_of(like).device : dlpack::device{dlpack::cpu, 0};
        wanted.rank = shape.rank();
        wanted.type = data_type_of(type);
        wanted.extents = extents.data();
        dlpack::managed_tensor* made = nullptr;
        const auto set_error = [](void*, const char*, const char* message) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_MemoryError, message);
        };
        void* tensor = nullptr;
        if (functions_->allocate(&wanted, &made, nullptr, set_error) < 0 || functions_->to_object(made, &tensor) < 0)
            throw python_error();
        return view(object::take(static_cast<PyObject*>(tensor)), type);
    }
    void assign(PyObject* target, PyObject* source, element_type from) const override {
        const object into = object::share(target);
        const element_type to = type_of(target);
        if (!casts_safely(from, to))
            fail(PyExc_TypeError, std::string("cannot cast a result of ") + name_of(from) + " to " + name_of(to) +
                                      ", which would lose values");
        into.attribute("copy_")(object::share(source));
    }
    object selected(const object& condition, const object& chosen, const object& other) const override {
        return import_module("torch").attribute("where")(condition, chosen, other);
    }
    object finished(object made) const override { return made; }

    executor executor_for(const array& any) const override {
        if (any.ref.place.kind == memory::host) return {};
        void* stream = nullptr;
        if (functions_->current_stream(dlpack::cuda, any.ref.place.device, &stream) < 0) throw python_error();
        return automatic(static_cast<CUstream_st*>(stream));
    }
    std::string place_of(PyObject* array) const override { return object::share(array).attribute("device").text(); }

  private:
    static bool is_true(const object& one) { return one.get() == Py_True; }

    static void refuse_gradients(const object& tensor) {
        if (is_true(tensor.attribute("requires_grad")) &&
            is_true(import_module("torch").attribute("is_grad_enabled")()))
            fail(PyExc_RuntimeError, "a tensor that requires grad: the kernel has no gradient; pass tensor.detach()");
    }

    static object torch_type(element_type type) { return import_module("torch").attribute(name_of(type)); }

    dlpack::tensor tensor_of(PyObject* given) const {
        dlpack::tensor result;
        if (functions_->view(given, &result) < 0) throw python_error();
        return result;
    }

    array view(object owner, element_type type) const {
        const dlpack::tensor seen = tensor_of(owner.get());
        foldwise::place place;
        if (seen.device.type == dlpack::cuda)
            place = {memory::cuda, seen.device.number};
        else if (seen.device.type != dlpack::cpu && seen.device.type != dlpack::cuda_host)
            fail(PyExc_TypeError, "an array on " + place_of(owner.get()) + ", where no kernel runs");
        const shape extents(std::span<const std::int64_t>(seen.extents, static_cast<std::size_t>(seen.rank)));
        detail::layout layout = detail::row_major(extents);
        if (seen.strides) std::copy_n(seen.strides, seen.rank, layout.strides.begin());
        return {std::move(owner), {static_cast<std::byte*>(seen.data) + seen.byte_offset, layout, place, false}, type};
    }

    PyTypeObject* type_;
    const dlpack::exchange* functions_;
};

}  // namespace

const library* exchanging_library(PyObject* candidate) {
    static const library* torch = nullptr;  // under the GIL; never destroyed
    static PyTypeObject* tensor = nullptr;
    if (!torch) {
        PyObject* imported = PyImport_GetModuleDict();
        PyObject* module = PyDict_GetItemString(imported, "torch");
        if (!module) return nullptr;  // then nothing is a tensor
        const object type = object::share(module).attribute_if_any("Tensor");
        const object capsule = type ? type.attribute_if_any("__dlpack_c_exchange_api__") : object();
        if (!capsule) return nullptr;
        const auto* functions =
            static_cast<const dlpack::exchange*>(PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api"));
        if (!functions) throw python_error();
        while (functions && functions->version.major != 1) functions = functions->previous;
        if (!functions || !functions->view) return nullptr;
        tensor = reinterpret_cast<PyTypeObject*>(object(type).release());
        torch = new exchanging(tensor, functions);
        register_torch_operators();
    }
    return PyObject_TypeCheck(candidate, tensor) ? torch : nullptr;
}

}  // namespace foldwise::python
