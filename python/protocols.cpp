// python/protocols.cpp: reads arrays by DLPack and the CUDA Array Interface. Whatever an object says is checked before
// any address is used.
#include "protocols.hpp"

#include "arguments.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>
#include <foldwise/view.hpp>

#include <algorithm>
#include <string_view>

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

void check_rank(std::int64_t rank) {
    if (rank < 0 || rank > max_rank)
        fail(PyExc_ValueError,
             "an array with " + std::to_string(rank) + " axes; at most " + std::to_string(max_rank) + " are supported");
}

}  // namespace

element_type type_of_data(const dlpack::data_type& type) {
    if (type.lanes != 1 || type.bits % 8 != 0) return {};
    for (const auto& row : codes)
        if (row.code == type.code) return {row.kind, static_cast<std::uint8_t>(type.bits / 8)};
    return {};
}

dlpack::data_type data_type_of(element_type type) {
    for (const auto& row : codes)
        if (row.kind == type.kind) return {row.code, static_cast<std::uint8_t>(type.size * 8), 1};
    fail(PyExc_TypeError, "a result of a type that DLPack does not have");
}

array array_of(object owner, const dlpack::tensor& tensor) {
    foldwise::place place;
    switch (tensor.device.type) {
    case dlpack::cpu:
    case dlpack::cuda_host:
        break;
    case dlpack::cuda:
    case dlpack::cuda_managed:
        place = {memory::cuda, tensor.device.number};
        break;
    default:
        fail(PyExc_TypeError, "an array of " + class_of(owner.get()) + " on a device of DLPack's type " +
                                  std::to_string(tensor.device.type) + ", where no kernel runs");
    }
    check_rank(tensor.rank);
    const shape extents(std::span<const std::int64_t>(tensor.extents, static_cast<std::size_t>(tensor.rank)));
    detail::layout layout = detail::row_major(extents);
    if (tensor.strides) std::copy_n(tensor.strides, tensor.rank, layout.strides.begin());
    if (!tensor.data && extents.size() > 0)  // such as what PyTorch traces with
        fail(PyExc_ValueError, "an array of " + class_of(owner.get()) + " has elements at the address 0");
    return {std::move(owner),
            {static_cast<std::byte*>(tensor.data) + tensor.byte_offset, layout, place, false},
            type_of_data(tensor.type)};
}

dlpack::device dlpack_device_of(const object& owner) {
    const object pair = object::take(PySequence_Tuple(owner.attribute("__dlpack_device__")().get()));
    if (PyTuple_Size(pair.get()) != 2) fail(PyExc_BufferError, "__dlpack_device__ returns a type and a number");
    const auto number = [&](Py_ssize_t i) {
        return static_cast<std::int32_t>(to_integer(object::take(PyNumber_Long(PyTuple_GetItem(pair.get(), i))).get()));
    };
    return {number(0), number(1)};
}

namespace {

/// DLPack's tensor before version 1.
struct unversioned_tensor {
    dlpack::tensor tensor;
    void* context;
    void (*destroy)(unversioned_tensor*);
};

/// Takes the tensor out of a capsule, which then no longer owns it.
template <class Managed> std::shared_ptr<Managed> taken(const object& capsule, const char* name, const char* used) {
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.get(), name));
    if (!managed || PyCapsule_SetName(capsule.get(), used) < 0) throw python_error();
    return std::shared_ptr<Managed>(managed, [](Managed* one) {
        if (one->destroy) one->destroy(one);
    });
}

object call_dlpack(const object& owner, const object& stream) {
    const object method = owner.attribute("__dlpack__");
    const object versions = object::take(Py_BuildValue("{s(ii)sO}", "max_version", 1, 0, "stream", stream.get()));
    const object none = object::take(PyTuple_New(0));
    if (PyObject* capsule = PyObject_Call(method.get(), none.get(), versions.get())) return object::take(capsule);
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw python_error();
    PyErr_Clear();  // a library from before version 1
    const object older = object::take(Py_BuildValue("{sO}", "stream", stream.get()));
    return object::take(PyObject_Call(method.get(), none.get(), older.get()));
}

constexpr std::uint64_t is_read_only = 1;  // a flag of DLPack's

}  // namespace

array array_by_dlpack(const object& owner, CUstream_st* stream, bool is_written) {
    const dlpack::device device = dlpack_device_of(owner);
    const bool is_on_gpu = device.type == dlpack::cuda || device.type == dlpack::cuda_managed;
    const object given = !is_on_gpu ? object::share(Py_None)
                         : stream   ? make_integer(static_cast<long long>(reinterpret_cast<std::uintptr_t>(stream)))
                                    : make_integer(-1);
    const object capsule = call_dlpack(owner, given);
    if (PyCapsule_IsValid(capsule.get(), "dltensor_versioned")) {
        const auto managed = taken<dlpack::managed_tensor>(capsule, "dltensor_versioned", "used_dltensor_versioned");
        if (managed->version.major != 1)
            fail(PyExc_BufferError, "an array by DLPack's version " + std::to_string(managed->version.major) +
                                        ", which this module does not know");
        if (is_written && (managed->flags & is_read_only)) fail(PyExc_ValueError, "output array is read-only");
        array result = array_of(owner, managed->tensor);
        result.memory = managed;
        return result;
    }
    const auto managed = taken<unversioned_tensor>(capsule, "dltensor", "used_dltensor");
    array result = array_of(owner, managed->tensor);
    result.memory = managed;
    return result;
}

namespace {

/// The element type of "<f4".
element_type type_of_text(std::string_view text) {
    constexpr std::string_view characters = "biufc";
    constexpr kinds in_order[] = {kinds::boolean, kinds::integer, kinds::unsigned_integer, kinds::floating,
                                  kinds::complex};
    if (text.size() < 3 || text.size() > 4 || text[0] == '>') return {};
    const auto found = characters.find(text[1]);
    if (found == std::string_view::npos) return {};
    int size = 0;
    for (const char digit : text.substr(2)) {
        if (digit < '0' || digit > '9') return {};
        size = size * 10 + (digit - '0');
    }
    const element_type type{in_order[found], static_cast<std::uint8_t>(size)};
    return std::string_view(name_of(type)) == "object" ? element_type() : type;
}

/// The item of a dictionary, or null if it is not there or is None.
PyObject* item_of(const object& dictionary, const char* name) {
    PyObject* found = PyDict_GetItemString(dictionary.get(), name);
    return is_none(found) ? nullptr : found;
}

}  // namespace

array array_by_cuda_interface(const object& owner, bool is_written) {
    const std::string whose = "__cuda_array_interface__ of " + class_of(owner.get());
    const object interface = owner.attribute("__cuda_array_interface__");
    if (!PyDict_Check(interface.get())) fail(PyExc_TypeError, whose + " is no dictionary");
    PyObject *const extents = item_of(interface, "shape"), *const text = item_of(interface, "typestr"),
                    *const data = item_of(interface, "data"), *const strides = item_of(interface, "strides"),
                    *const stream = item_of(interface, "stream");
    if (!extents || !text || !data || !PyTuple_Check(data) || PyTuple_Size(data) != 2)
        fail(PyExc_TypeError, whose + " lacks a shape, a typestr, or data with an address and whether it is read-only");
    if (item_of(interface, "mask")) fail(PyExc_TypeError, whose + " has a mask, which kernels do not know");
    const std::string typestr = object::share(text).text();
    const element_type type = type_of_text(typestr);
    if (type.kind == kinds::other) fail(PyExc_TypeError, whose + " has elements of " + typestr + ", as no kernel has");
    if (is_written && PyObject_IsTrue(PyTuple_GetItem(data, 1))) fail(PyExc_ValueError, "output array is read-only");

    const std::vector<std::int64_t> lengths = to_integers(extents);
    check_rank(static_cast<std::int64_t>(lengths.size()));
    for (const std::int64_t length : lengths)
        if (length < 0) fail(PyExc_ValueError, whose + " has an extent of " + std::to_string(length));
    array result{owner, {nullptr, detail::row_major(shape(std::span<const std::int64_t>(lengths))), {}, false}, type};
    if (strides) {
        const std::vector<std::int64_t> steps = to_integers(strides);
        if (steps.size() != lengths.size())
            fail(PyExc_ValueError, whose + " has " + std::to_string(lengths.size()) + " extents and " +
                                       std::to_string(steps.size()) + " strides");
        for (std::size_t axis = 0; axis < steps.size(); ++axis) {
            if (steps[axis] % type.size != 0)
                fail(PyExc_ValueError, whose + " has a stride of " + std::to_string(steps[axis]) +
                                           " bytes, which is not a whole number of elements");
            result.ref.layout.strides[axis] = steps[axis] / type.size;
        }
    }
    const object address = object::take(PyNumber_Long(PyTuple_GetItem(data, 0)));
    result.ref.data = PyLong_AsVoidPtr(address.get());
    if (!result.ref.data && PyErr_Occurred()) throw python_error();
    const bool is_empty = std::ranges::find(lengths, 0) != lengths.end();
    if (!result.ref.data && !is_empty) fail(PyExc_ValueError, whose + " has elements at the address 0");

    if (gpu_count() == 0)
        fail(PyExc_RuntimeError, "an array of " + class_of(owner.get()) +
                                     " is on a GPU, and this module has no kernels for GPUs or finds none");
    result.ref.place = result.ref.data ? detail::place_of_memory(result.ref.data) : place_of(cuda());
    if (result.ref.place.kind != memory::cuda)
        fail(PyExc_ValueError, whose + " has an address that is in no GPU's memory");
    if (stream) {
        const std::int64_t handle = to_integer(stream);
        if (handle == 0) fail(PyExc_ValueError, whose + " has the stream 0, which is ambiguous");
        result.ready_on = to_stream(stream);
    }
    return result;
}

}  // namespace foldwise::python
