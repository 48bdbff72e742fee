// python/dlpack.cpp: exchanges PyTorch's tensors, by DLPack's functions and PyTorch's own methods.
#include "dlpack.hpp"

#include "arguments.hpp"
#include "protocols.hpp"
#include "quick.hpp"
#include "streams.hpp"
#include "torch.hpp"
#include "torch_functions.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>

namespace foldwise::python {

using kinds = element_type::kinds;

namespace {

class exchanging final : public library {
  public:
    exchanging(PyTypeObject* type, const dlpack::exchange* functions) : type_(type), functions_(functions) {
        const object tensor = object::share(reinterpret_cast<PyObject*>(type));
        is_neg_ = tensor.attribute("is_neg");
        requires_grad_ = tensor.attribute("requires_grad");
        get_ = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(requires_grad_.get()), Py_tp_descr_get));
        torch_ = torch_functions::found();
    }

    PyTypeObject* type() const { return type_; }
    bool owns(PyObject* candidate) const override { return PyObject_TypeCheck(candidate, type_); }
    element_type type_of(PyObject* array) const override { return type_of_data(tensor_of(array).type); }
    std::vector<std::int64_t> extents_of(PyObject* array) const override {
        const dlpack::tensor tensor = tensor_of(array);
        return {tensor.extents, tensor.extents + tensor.rank};
    }
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
        const dlpack::device device = like ? tensor_of(like).device : dlpack::device{dlpack::cpu, 0};
        return view(std::move(allocate(shape, type, device).tensor), type);
    }
    /// A new tensor in row-major order: by PyTorch's C functions, or by DLPack's, which take twice the time.
    made_tensor allocate(const shape& shape, element_type type, const dlpack::device& device) const {
        if (torch_)
            if (made_tensor made = torch_->make(shape, type, place_of(device)); made.tensor) return made;
        std::int64_t extents[max_rank];
        std::copy(shape.begin(), shape.end(), extents);
        dlpack::tensor wanted = {};
        wanted.device = device;
        wanted.rank = shape.rank();
        wanted.type = data_type_of(type);
        wanted.extents = extents;
        dlpack::managed_tensor* made = nullptr;
        const auto set_error = [](void*, const char*, const char* message) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_MemoryError, message);
        };
        void* tensor = nullptr;
        if (functions_->allocate(&wanted, &made, nullptr, set_error) < 0 || functions_->to_object(made, &tensor) < 0)
            throw python_error();
        made_tensor result{object::take(static_cast<PyObject*>(tensor))};
        const dlpack::tensor seen = tensor_of(result.tensor.get());
        result.data = static_cast<std::byte*>(seen.data) + seen.byte_offset;
        return result;
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

    CUstream_st* current_stream(int device) const override {
        void* stream = nullptr;
        if (torch_ && torch_->current_stream(device, stream)) return static_cast<CUstream_st*>(stream);
        if (functions_->current_stream(dlpack::cuda, device, &stream) < 0) throw python_error();
        return static_cast<CUstream_st*>(stream);
    }
    bool glance(PyObject* given, operand_ref& ref, element_type& type, bool) const override {
        dlpack::tensor seen;
        bool needs_gradient;
        if (!(torch_ && torch_->read(given, seen, needs_gradient)) && !look(given, seen, needs_gradient)) return false;
        if (needs_gradient) return false;
        type = type_of_data(seen.type);
        if (type.kind == kinds::other || type.kind == kinds::complex || seen.rank > max_rank) return false;
        if (!seen.data || (!seen.strides && seen.rank > 0)) return false;
        if (seen.device.type != dlpack::cpu && seen.device.type != dlpack::cuda) return false;
        if (may_be_negative(seen, type)) {
            PyObject* arguments[] = {nullptr, given};
            const object is_negative = object::take(
                PyObject_Vectorcall(is_neg_.get(), arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
            if (is_negative.get() != Py_False) return false;
        }
        tell(seen, ref);
        return true;
    }
    object make_quickly(const shape& shape, element_type type, foldwise::place place, operand_ref& ref) const override {
        const bool is_on_gpu = place.kind == memory::cuda;
        made_tensor made = allocate(shape, type, {is_on_gpu ? dlpack::cuda : dlpack::cpu, place.device});
        ref = {made.data, detail::row_major(shape), place, false};
        return std::move(made.tensor);
    }

    std::string place_of(PyObject* array) const override { return object::share(array).attribute("device").text(); }

  private:
    /// Describes a tensor, and says whether it may need a gradient.
    bool look(PyObject* given, dlpack::tensor& seen, bool& needs_gradient) const {
        if (functions_->view(given, &seen) < 0) {
            PyErr_Clear();
            return false;
        }
        // The property itself is asked: to look it up by its name takes as long again.
        const object answer = object::take(get_(requires_grad_.get(), given, reinterpret_cast<PyObject*>(type_)));
        needs_gradient = answer.get() != Py_False;
        return true;
    }

    /// Whether a tensor can be the negative of what is in its memory: only the imaginary parts of a conjugate are,
    /// which lie two elements apart. To ask the tensor takes longer.
    static bool may_be_negative(const dlpack::tensor& seen, element_type type) {
        if (type.kind != kinds::floating && type.kind != kinds::brain_floating) return false;
        for (std::int32_t axis = 0; axis < seen.rank; ++axis)
            if (seen.extents[axis] > 1 && seen.strides[axis] % 2 != 0) return false;
        return true;
    }

    static foldwise::place place_of(const dlpack::device& device) {
        return device.type == dlpack::cuda ? foldwise::place{memory::cuda, device.number} : foldwise::place();
    }

    static void tell(const dlpack::tensor& seen, operand_ref& ref) {
        ref.data = static_cast<std::byte*>(seen.data) + seen.byte_offset;
        place_shape(ref.layout.shape, seen.extents, seen.rank);
        for (std::int32_t axis = 0; axis < seen.rank; ++axis)
            ref.layout.strides[static_cast<std::size_t>(axis)] = seen.strides[axis];
        ref.place = place_of(seen.device);
        ref.is_scalar = false;
    }

    static bool is_true(const object& one) { return one.get() == Py_True; }

    static void refuse_gradients(const object& tensor) {
        if (is_true(tensor.attribute("requires_grad")) &&
            is_true(import_module("torch").attribute("is_grad_enabled")()))
            fail(PyExc_RuntimeError,
                 "a tensor that requires grad: no gradient of the kernel is known here; pass tensor.detach()");
    }

    static object torch_type(element_type type) { return import_module("torch").attribute(name_of(type)); }

    dlpack::tensor tensor_of(PyObject* given) const {
        dlpack::tensor result;
        if (functions_->view(given, &result) < 0) throw python_error();
        return result;
    }

    array view(object owner, element_type type) const {
        array seen = array_of(owner, tensor_of(owner.get()));
        seen.type = type;
        call_scope::current().use(*this, seen);
        return seen;
    }

    PyTypeObject* type_;
    const dlpack::exchange* functions_;
    object requires_grad_, is_neg_;
    descrgetfunc get_ = nullptr;  ///< What a property such as requires_grad is read by.
    const torch_functions* torch_ = nullptr;
};

}  // namespace

/// PyTorch, once the program has imported it; null if that has no exchange functions.
static const exchanging* make_torch() {
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    if (!module) return nullptr;  // then nothing is a tensor
    const object type = object::share(module).attribute_if_any("Tensor");
    const object capsule = type ? type.attribute_if_any("__dlpack_c_exchange_api__") : object();
    if (!capsule) return nullptr;
    const auto* functions =
        static_cast<const dlpack::exchange*>(PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api"));
    if (!functions) throw python_error();
    while (functions && functions->version.major != 1) functions = functions->previous;
    if (!functions || !functions->view) return nullptr;
    return new exchanging(reinterpret_cast<PyTypeObject*>(object(type).release()), functions);
}

const library* exchanging_library(PyObject* candidate) {
    const exchanging* const torch = made_once(make_torch);
    if (!torch) return nullptr;
    static done_once once;
    once([&] {
        register_torch_operators();
        add_quick_library(torch->type(), *torch);
    });
    return torch->owns(candidate) ? torch : nullptr;
}

}  // namespace foldwise::python
