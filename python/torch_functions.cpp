// python/torch_functions.cpp: the C functions that PyTorch offers to what its compiler has written, and C++ functions
// that make Python's objects of tensors and describe tensors.
#include "torch_functions.hpp"

#include "arguments.hpp"
#include "protocols.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>

#include <dlfcn.h>

namespace foldwise::python {

namespace {

/// The address of a function in a library that the process has loaded; null if it is not there.
template <class Function> bool find(void* library, const std::string& name, Function& function) {
    function = library ? reinterpret_cast<Function>(dlsym(library, name.c_str())) : nullptr;
    return function != nullptr;
}

/// The pointer that begins at a byte of an object.
const void* pointer_at(PyObject* object, std::size_t place) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, reinterpret_cast<const std::byte*>(object) + place, sizeof pointer);
    return pointer;
}

/// Where in an object of so many bytes a pointer is; 0 if it is nowhere or in several places.
std::size_t find_pointer(PyObject* object, std::size_t size, const void* pointer) {
    std::size_t found = 0;
    for (std::size_t place = sizeof(PyObject); place + sizeof pointer <= size; place += sizeof pointer) {
        if (pointer_at(object, place) != pointer) continue;
        if (found != 0) return 0;
        found = place;
    }
    return found;
}

/// The address of a tensor's implementation, as PyTorch tells it; null if it does not.
const void* told_implementation(const object& tensor) {
    const object address = tensor.attribute_if_any("_cdata");
    const void* const implementation = address ? PyLong_AsVoidPtr(address.get()) : nullptr;
    if (!implementation) PyErr_Clear();
    return implementation;
}

}  // namespace

bool torch_functions::load() {
    void* const tensors = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY);
    void* const objects = dlopen("libtorch_python.so", RTLD_NOLOAD | RTLD_LAZY);
    std::int32_t (*number)() = nullptr;
    if (!find(tensors, "aoti_torch_empty_strided", make_) ||
        !find(tensors, "aoti_torch_delete_tensor_object", destroy_) ||
        !find(tensors, "aoti_torch_get_data_ptr", address_) ||
        // THPVariable_Wrap(const at::TensorBase&), to which a handle is the address of one
        !find(objects, "_Z16THPVariable_WrapRKN2at10TensorBaseE", wrap_))
        return false;
    if (!find(tensors, "aoti_torch_device_type_cpu", number)) return false;
    host_ = number();
    if (!find(tensors, "aoti_torch_device_type_cuda", number)) return false;
    cuda_ = number();
    void* const gpus = dlopen("libtorch_cuda.so", RTLD_NOLOAD | RTLD_LAZY);
    find(gpus, "aoti_torch_get_current_cuda_stream", current_stream_);
    for (const element_type type : known_types())
        if (find(tensors, std::string("aoti_torch_dtype_") + name_of(type), number)) types_.push_back({type, number()});
    return true;
}

bool torch_functions::is_making() const {
    const made_tensor one = make(shape(2, 3), {element_type::kinds::floating, 4}, {});
    if (!one.tensor) return false;
    const object tensor = import_module("torch").attribute("Tensor");
    return reinterpret_cast<PyObject*>(Py_TYPE(one.tensor.get())) == tensor.get() &&
           PyLong_AsVoidPtr(one.tensor.attribute("data_ptr")().get()) == one.data &&
           one.tensor.attribute("dtype").text() == "torch.float32" &&
           to_integers(one.tensor.attribute("shape").get()) == std::vector<std::int64_t>{2, 3} &&
           one.tensor.attribute("is_contiguous")().get() == Py_True;
}

bool torch_functions::load_readers() {
    void* const tensors = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY);
    void* const core = dlopen("libc10.so", RTLD_NOLOAD | RTLD_LAZY);
    // void at::toDLPackNonOwning(const at::Tensor&, DLTensor*, bool), which the exchange function of DLPack calls; the
    // last parameter has not always been there, and a function without it does not look at it.
    return (find(tensors, "_ZN2at17toDLPackNonOwningERKNS_6TensorEP8DLTensorb", describe_) ||
            find(tensors, "_ZN2at17toDLPackNonOwningERKNS_6TensorEP8DLTensor", describe_)) &&
           // bool c10::TensorImpl::requires_grad() const
           find(core, "_ZNK3c1010TensorImpl13requires_gradEv", requires_gradient_) &&
           find(tensors, "aoti_torch_grad_mode_is_enabled", notes_gradients_);
}

/// The object of a tensor has a tensor of C++ in it, which is nothing but the address of its implementation. Where that
/// is differs between versions of PyTorch.
bool torch_functions::find_implementation() {
    const object size = import_module("torch").attribute("Tensor").attribute("__basicsize__");
    const made_tensor one = make({}, {element_type::kinds::floating, 4}, {});
    const made_tensor other = make({}, {element_type::kinds::floating, 4}, {});
    if (!one.tensor || !other.tensor) return false;
    const void* const told = told_implementation(one.tensor);
    implementation_ = told ? find_pointer(one.tensor.get(), PyLong_AsSize_t(size.get()), told) : 0;
    return implementation_ != 0 && pointer_at(other.tensor.get(), implementation_) == told_implementation(other.tensor);
}

/// Whether a tensor whose elements are not in order is described as it is.
bool torch_functions::is_reading() const {
    constexpr element_type type{element_type::kinds::floating, 4};
    const std::int64_t extents[] = {2, 3}, strides[] = {1, 4};
    const std::int32_t* const number = number_of(type);
    handle made = nullptr;
    if (!number || make_(2, extents, strides, *number, host_, 0, &made) != 0) return false;
    void* data = nullptr;
    PyObject* const wrapped = address_(made, &data) == 0 ? wrap_(made) : nullptr;
    destroy_(made);
    if (!wrapped) return false;
    const object tensor = object::take(wrapped);
    dlpack::tensor seen = {};
    bool needs_gradient = true;
    if (!describe(tensor.get(), seen, needs_gradient) || needs_gradient) return false;
    tensor.attribute("requires_grad_")();
    dlpack::tensor again;
    return seen.data == data && seen.byte_offset == 0 && seen.device.type == dlpack::cpu && seen.rank == 2 &&
           std::equal(extents, extents + 2, seen.extents) && std::equal(strides, strides + 2, seen.strides) &&
           type_of_data(seen.type) == type && describe(tensor.get(), again, needs_gradient) &&
           needs_gradient == notes_gradients_();
}

bool torch_functions::describe(PyObject* tensor, dlpack::tensor& seen, bool& needs_gradient) const {
    const void* const implementation = pointer_at(tensor, implementation_);
    try {
        describe_(&implementation, &seen, false);
    } catch (const std::exception&) {  // a tensor without memory of its own
        return false;
    }
    needs_gradient = requires_gradient_(implementation) && notes_gradients_();
    return true;
}

const torch_functions* torch_functions::found() {
    auto* const made = new torch_functions;
    if (!made->load() || !made->is_making()) {
        delete made;
        return nullptr;
    }
    if (!made->load_readers() || !made->find_implementation() || !made->is_reading()) made->describe_ = nullptr;
    return made;
}

const std::int32_t* torch_functions::number_of(element_type type) const {
    const auto found = std::ranges::find(types_, type, &number_of_type::type);
    return found == types_.end() ? nullptr : &found->number;
}

made_tensor torch_functions::make(const shape& shape, element_type type, foldwise::place place) const {
    const std::int32_t* const number = number_of(type);
    if (!number) return {};
    const detail::layout layout = detail::row_major(shape);
    const bool is_on_gpu = place.kind == memory::cuda;
    handle made = nullptr;
    std::int64_t extents[max_rank];
    std::copy(shape.begin(), shape.end(), extents);
    if (make_(shape.rank(), extents, layout.strides.data(), *number, is_on_gpu ? cuda_ : host_,
              is_on_gpu ? place.device : 0, &made) != 0)
        return {};  // the other way says why
    made_tensor result;
    PyObject* const tensor = address_(made, &result.data) == 0 ? wrap_(made) : nullptr;
    destroy_(made);  // the handle alone
    if (tensor) result.tensor = object::take(tensor);
    return result;
}

}  // namespace foldwise::python
