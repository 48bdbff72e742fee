// python/torch_memory.cpp: the C functions that PyTorch offers to what its compiler has written, and the function by
// which all C++ extensions make Python's objects of tensors.
#include "torch_memory.hpp"

#include "arguments.hpp"

#include <foldwise/detail/layout.hpp>

#include <dlfcn.h>

namespace foldwise::python {

namespace {

/// The address of a function in a library that the process has loaded; null if it is not there.
template <class Function> bool find(void* library, const std::string& name, Function& function) {
    function = library ? reinterpret_cast<Function>(dlsym(library, name.c_str())) : nullptr;
    return function != nullptr;
}

}  // namespace

bool torch_memory::load() {
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
    for (const element_type type : known_types())
        if (find(tensors, std::string("aoti_torch_dtype_") + name_of(type), number)) types_.push_back({type, number()});
    return true;
}

bool torch_memory::is_working() const {
    const made_tensor one = make(shape(2, 3), {element_type::kinds::floating, 4}, {});
    if (!one.tensor) return false;
    const object tensor = import_module("torch").attribute("Tensor");
    return reinterpret_cast<PyObject*>(Py_TYPE(one.tensor.get())) == tensor.get() &&
           PyLong_AsVoidPtr(one.tensor.attribute("data_ptr")().get()) == one.data &&
           one.tensor.attribute("dtype").text() == "torch.float32" &&
           to_integers(one.tensor.attribute("shape").get()) == std::vector<std::int64_t>{2, 3} &&
           one.tensor.attribute("is_contiguous")().get() == Py_True;
}

const torch_memory* torch_memory::found() {
    auto* const made = new torch_memory;
    if (made->load() && made->is_working()) return made;
    delete made;
    return nullptr;
}

made_tensor torch_memory::make(const shape& shape, element_type type, foldwise::place place) const {
    for (const number_of_type& known : types_) {
        if (known.type != type) continue;
        const detail::layout layout = detail::row_major(shape);
        const bool is_on_gpu = place.kind == memory::cuda;
        handle made = nullptr;
        std::int64_t extents[max_rank];
        std::copy(shape.begin(), shape.end(), extents);
        if (make_(shape.rank(), extents, layout.strides.data(), known.number, is_on_gpu ? cuda_ : host_,
                  is_on_gpu ? place.device : 0, &made) != 0)
            return {};  // the other way says why
        made_tensor result;
        PyObject* const tensor = address_(made, &result.data) == 0 ? wrap_(made) : nullptr;
        destroy_(made);  // the handle alone
        if (tensor) result.tensor = object::take(tensor);
        return result;
    }
    return {};
}

}  // namespace foldwise::python
