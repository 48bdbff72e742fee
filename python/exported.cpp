// python/exported.cpp: passes the module's memory to libraries that take arrays of others, so that their results are
// made of it.
#include "arguments.hpp"
#include "protocols.hpp"
#include "streams.hpp"

#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <new>

namespace foldwise::python {

namespace {

/// What an object shares with the tensors that it has handed out. It knows nothing of Python, since a tensor may be
/// dropped by any thread.
struct exported {
    detail::buffer memory;
    shape extents;
    element_type type;
    CUstream_st* stream = nullptr;
};

struct exported_object {
    PyObject_HEAD std::shared_ptr<const exported> shared;
};

const std::shared_ptr<const exported>& shared_of(PyObject* self) {
    return reinterpret_cast<exported_object*>(self)->shared;
}

/// A tensor that is handed out, with what it points to.
template <class Managed> struct handed_out {
    Managed managed = {};
    std::shared_ptr<const exported> shared;
    std::int64_t extents[max_rank] = {}, strides[max_rank] = {};
};

template <class Managed> Managed* hand_out(const std::shared_ptr<const exported>& shared) {
    auto* one = new handed_out<Managed>;
    one->shared = shared;
    const detail::layout layout = detail::row_major(shared->extents);
    std::ranges::copy(shared->extents, one->extents);
    std::copy_n(layout.strides.begin(), layout.shape.rank(), one->strides);
    const foldwise::place place = shared->memory.place();
    const bool is_on_gpu = place.kind == memory::cuda;
    one->managed.tensor = {shared->memory.data(),
                           {is_on_gpu ? dlpack::cuda : dlpack::cpu, place.device},
                           shared->extents.rank(),
                           data_type_of(shared->type),
                           one->extents,
                           one->strides,
                           0};
    one->managed.context = one;
    one->managed.destroy = [](Managed* self) { delete static_cast<handed_out<Managed>*>(self->context); };
    return &one->managed;
}

/// A capsule of a tensor, which owns it until a consumer renames the capsule.
template <class Managed> object capsule_of(Managed* managed, const char* name) {
    return object::take(PyCapsule_New(managed, name, [](PyObject* capsule) {
        for (const char* one : {"dltensor", "dltensor_versioned"})
            if (PyCapsule_IsValid(capsule, one)) {
                auto* owned = static_cast<Managed*>(PyCapsule_GetPointer(capsule, one));
                owned->destroy(owned);
            }
    }));
}

/// Has a consumer's stream wait for the results, as DLPack's rules for Python say.
void await_results(const exported& results, PyObject* stream) {
    const foldwise::place place = results.memory.place();
    if (place.kind == memory::host) return;
    if (is_none(stream)) {
        detail::order_after(place, legacy_stream(), results.stream);
        return;
    }
    const std::int64_t handle = to_integer(stream);
    if (handle == 0) fail(PyExc_ValueError, "stream=0 is ambiguous: 1 is the legacy default stream");
    if (handle > 0) detail::order_after(place, to_stream(stream), results.stream);
}

PyObject* export_tensor(PyObject* self, PyObject* arguments, PyObject* keywords) {
    return guarded([&]() -> object {
        static const char* const names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
        PyObject *stream = nullptr, *version = nullptr, *device = nullptr, *copy = nullptr;
        if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO", const_cast<char**>(names), &stream, &version,
                                         &device, &copy))
            throw python_error();
        const auto& shared = shared_of(self);
        const foldwise::place place = shared->memory.place();
        if (!is_none(device)) {
            const std::vector<std::int64_t> wanted = to_integers(device);
            if (wanted.size() != 2 || wanted[0] != (place.kind == memory::cuda ? dlpack::cuda : dlpack::cpu) ||
                wanted[1] != place.device)
                fail(PyExc_BufferError, "the array is on another device, and is not copied");
        }
        if (to_truth(is_none(copy) ? nullptr : copy, false)) fail(PyExc_BufferError, "the array is not copied");
        await_results(*shared, stream);
        const bool has_versions = !is_none(version) && to_integers(version).at(0) >= 1;
        if (!has_versions) {
            struct unversioned {
                dlpack::tensor tensor;
                void* context;
                void (*destroy)(unversioned*);
            };
            return capsule_of(hand_out<unversioned>(shared), "dltensor");
        }
        dlpack::managed_tensor* managed = hand_out<dlpack::managed_tensor>(shared);
        managed->version = {1, 0};
        return capsule_of(managed, "dltensor_versioned");
    });
}

PyObject* get_device(PyObject* self, PyObject*) {
    const foldwise::place place = shared_of(self)->memory.place();
    return Py_BuildValue("(ii)", place.kind == memory::cuda ? dlpack::cuda : dlpack::cpu, place.device);
}

PyObject* get_shape(PyObject* self, void*) {
    return guarded([&] { return tuple_of(shared_of(self)->extents); });
}

PyObject* get_dtype(PyObject* self, void*) { return PyUnicode_FromString(name_of(shared_of(self)->type)); }

PyObject* get_cuda_interface(PyObject* self, void*) {
    return guarded([&] {
        const exported& shared = *shared_of(self);
        if (shared.memory.place().kind != memory::cuda)
            fail(PyExc_AttributeError, "an array on the CPU has no __cuda_array_interface__");
        const char kind = "?biufVc"[static_cast<int>(shared.type.kind)];
        const std::string text = std::string("<") + kind + std::to_string(shared.type.size);
        const object extents = tuple_of(shared.extents);
        const auto address = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(shared.memory.data()));
        const auto stream = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(shared.stream));
        return object::take(Py_BuildValue("{sO,ss,s(KO),sO,sK,si}", "shape", extents.get(), "typestr", text.c_str(),
                                          "data", address, Py_False, "strides", Py_None, "stream", stream, "version",
                                          3));
    });
}

void destroy(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<exported_object*>(self)->shared.~shared_ptr();
    PyObject_Free(self);
    Py_DECREF(type);
}

PyMethodDef exported_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(export_tensor)),
     METH_VARARGS | METH_KEYWORDS, "The array as DLPack's capsule."},
    {"__dlpack_device__", get_device, METH_NOARGS, "DLPack's type and number of the device."},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef exported_properties[] = {
    {"shape", get_shape, nullptr, nullptr, nullptr},
    {"dtype", get_dtype, nullptr, nullptr, nullptr},
    {"__cuda_array_interface__", get_cuda_interface, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyType_Slot exported_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_methods, exported_methods},
    {Py_tp_getset, exported_properties},
    {Py_tp_doc, const_cast<char*>("A result of kernels, which other libraries take by from_dlpack.")},
    {0, nullptr},
};
PyType_Spec exported_specification = {
    .name = "foldwise.array",
    .basicsize = sizeof(exported_object),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = exported_slots,
};

PyTypeObject* exported_type() {
    return made_once([] {
        return reinterpret_cast<PyTypeObject*>(object::take(PyType_FromSpec(&exported_specification)).release());
    });
}

}  // namespace

object make_exported(const shape& shape, element_type type, foldwise::place place, CUstream_st* stream) {
    auto shared = std::make_shared<exported>();
    const auto bytes = static_cast<std::size_t>(shape.size()) * type.size;
    // On the legacy default stream, which outlives all others; the call's stream waits for the allocation.
    shared->memory = detail::buffer(bytes, {place, nullptr, {}});
    detail::order_after(place, stream, legacy_stream());
    shared->extents = shape;
    shared->type = type;
    shared->stream = stream;
    auto* made = PyObject_New(exported_object, exported_type());
    object result = object::take(reinterpret_cast<PyObject*>(made));
    new (&made->shared) std::shared_ptr<const exported>(std::move(shared));
    return result;
}

bool is_exported(PyObject* candidate) { return Py_TYPE(candidate) == exported_type(); }

array array_of_exported(object owner) {
    const exported& shared = *shared_of(owner.get());
    array result{std::move(owner),
                 {shared.memory.data(), detail::row_major(shared.extents), shared.memory.place(), false},
                 shared.type};
    result.ready_on = shared.stream;
    return result;
}

}  // namespace foldwise::python
