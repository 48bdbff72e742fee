// python/cupy.cpp: reads CuPy's arrays.
#include "cupy.hpp"

#include "numpy.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <string>

namespace foldwise::python {

property_of::property_of(PyObject* type, const char* name) : type_(type), name_(intern(name)) {
    property_ = object::share(type).attribute_if_any(name);
    if (property_) get_ = reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(property_.get()), Py_tp_descr_get));
}

cupy_arrays::cupy_arrays()
    : array_(import_module("cupy").attribute("ndarray")),
      pointer_(import_module("cupy.cuda").attribute("MemoryPointer")), data_(array_.get(), "data"),
      rank_(array_.get(), "ndim"), shape_(array_.get(), "shape"), strides_(array_.get(), "strides"),
      dtype_(array_.get(), "dtype"), is_row_major_(array_.get(), "_c_contiguous"), address_(pointer_.get(), "ptr"),
      device_(pointer_.get(), "device_id"), current_stream_(import_module("cupy.cuda").attribute("get_current_stream")),
      handle_(intern("ptr")) {}

/// What CuPy notes of each of its arrays, where it does; then no tuple of strides has to be made.
bool cupy_arrays::is_row_major(PyObject* array) const {
    try {
        return is_row_major_(array).get() == Py_True;
    } catch (const python_error&) {
        PyErr_Clear();
        return false;
    }
}

/// Sets Python's error indicator if that fails.
void cupy_arrays::read_extents(PyObject* array, std::int64_t* extents, int rank) const {
    if (rank == 1 && reinterpret_cast<PyObject*>(Py_TYPE(array)) == array_.get()) {
        extents[0] = PyObject_Size(array);  // in a tenth of the time that its shape takes
        return;
    }
    const object shape = rank > 0 ? shape_(array) : object();
    for (int axis = 0; axis < rank; ++axis) extents[axis] = PyLong_AsLongLong(PyTuple_GetItem(shape.get(), axis));
}

void cupy_arrays::read(PyObject* array, operand_ref& ref, element_type& type) const {
    const object data = data_(array);
    type = type_of_dtype(dtype_(array).get());
    const long rank = PyLong_AsLong(rank_(array).get());
    if (rank > max_rank)
        fail(PyExc_ValueError,
             "an array with " + std::to_string(rank) + " axes; at most " + std::to_string(max_rank) + " are supported");
    std::int64_t extents[max_rank] = {};
    read_extents(array, extents, static_cast<int>(rank));
    const int device = static_cast<int>(PyLong_AsLong(device_(data.get()).get()));
    ref.data = PyLong_AsVoidPtr(address_(data.get()).get());
    if (PyErr_Occurred()) throw python_error();
    place_shape(ref.layout.shape, extents, static_cast<int>(rank));
    ref.place = {memory::cuda, device};
    ref.is_scalar = false;
    if (is_row_major(array)) {
        std::uint64_t step = 1;  // which may wrap if there are no elements
        for (auto axis = static_cast<std::size_t>(rank); axis-- > 0; step *= static_cast<std::uint64_t>(extents[axis]))
            ref.layout.strides[axis] = static_cast<std::int64_t>(step);
    } else {
        const object strides = strides_(array);
        const std::int64_t size = std::max<std::int64_t>(type.size, 1);
        for (int axis = 0; axis < rank; ++axis) {
            const std::int64_t stride = PyLong_AsLongLong(PyTuple_GetItem(strides.get(), axis));
            if (stride % size != 0)
                fail(PyExc_ValueError, "an array of cupy with a stride of " + std::to_string(stride) +
                                           " bytes, which is not a whole number of elements");
            ref.layout.strides[static_cast<std::size_t>(axis)] = stride / size;
        }
        if (PyErr_Occurred()) throw python_error();
    }
    static const bool has_gpus = gpu_count() > 0;
    if (!has_gpus)
        fail(PyExc_RuntimeError, "an array of cupy is on a GPU, and this module has no kernels for GPUs or finds none");
}

CUstream_st* cupy_arrays::current_stream(int device) const {
    const object stream = current_stream_(make_integer(device));
    return to_stream(object::take(PyObject_GetAttr(stream.get(), handle_.get())).get());
}

}  // namespace foldwise::python
