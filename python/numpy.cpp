// python/numpy.cpp: NumPy's arrays, by the buffer protocol and NumPy's own functions. NumPy is imported when a call
// needs it, and none of its headers is needed.
#include "library.hpp"

#include <foldwise/detail/layout.hpp>

#include <cstdint>

namespace foldwise::python {

namespace {

/// What Python calls a shape.
object tuple_of(const shape& shape) {
    object tuple = object::take(PyTuple_New(shape.rank()));
    for (int axis = 0; axis < shape.rank(); ++axis)
        if (PyTuple_SetItem(tuple.get(), axis, make_integer(shape[axis]).release()) < 0) throw python_error();
    return tuple;
}

class numpy_library final : public library {
  public:
    numpy_library() : module_(import_module("numpy")) {
        array_type_ = module_.attribute("ndarray");
        scalar_type_ = module_.attribute("generic");
        asarray_ = module_.attribute("asarray");
        empty_ = module_.attribute("empty");
        dtype_ = module_.attribute("dtype");
        copyto_ = module_.attribute("copyto");
    }

    bool owns(PyObject* candidate) const override {
        return PyObject_TypeCheck(candidate, reinterpret_cast<PyTypeObject*>(array_type_.get())) ||
               PyObject_TypeCheck(candidate, reinterpret_cast<PyTypeObject*>(scalar_type_.get()));
    }
    element_type type_of(PyObject* array) const override {
        const object number = object::share(array).attribute("dtype").attribute("num");
        return type_of_number(PyLong_AsLong(number.get()));
    }
    std::string type_name(PyObject* array) const override { return object::share(array).attribute("dtype").text(); }

    array read(PyObject* given, element_type type) const override {
        const object source = asarray_(object::share(given), dtype(type));  // also native, and no scalar
        array result = view(source, type, false);
        return is_aligned(result) ? std::move(result) : view(source.attribute("copy")(), type, false);
    }
    bool is_fitting(PyObject* given, element_type type) const override {
        const object dtype = object::share(given).attribute("dtype");
        return type_of(given) == type && PyObject_IsTrue(dtype.attribute("isnative").get()) &&
               is_aligned(view(object::share(given), type, false));
    }
    array write(PyObject* given, element_type type) const override {
        const object flags = object::share(given).attribute("flags");
        if (!PyObject_IsTrue(flags.attribute("writeable").get())) fail(PyExc_ValueError, "output array is read-only");
        return view(object::share(given), type, true);
    }
    array make(const shape& shape, element_type type, PyObject*) const override {
        return view(empty_(tuple_of(shape), dtype(type)), type, true);
    }
    void assign(PyObject* target, PyObject* source, element_type) const override {
        const object names = object::take(Py_BuildValue("(s)", "casting"));
        const object safe = make_text("safe");
        PyObject* all[] = {target, source, safe.get()};
        object::take(PyObject_Vectorcall(copyto_.get(), all, 2, names.get()));
    }
    object selected(const object& condition, const object& chosen, const object& other) const override {
        return module_.attribute("where")(condition, chosen, other);
    }
    object finished(object made) const override {
        if (PyObject_Size(made.attribute("shape").get()) > 0) return made;
        return object::take(PyObject_GetItem(made.get(), object::take(PyTuple_New(0)).get()));
    }
    executor executor_for(const array&) const override { return {}; }
    std::string place_of(PyObject*) const override { return "cpu"; }

  private:
    object dtype(element_type type) const { return dtype_(make_text(name_of(type))); }

    static bool is_aligned(const array& one) {
        return one.ref.data && reinterpret_cast<std::uintptr_t>(one.ref.data) % alignment(one.type) == 0;
    }
    static std::size_t alignment(element_type type) {
        return type.kind == element_type::kinds::complex ? type.size / 2u : type.size;
    }

    /// The array's elements. Its address is null if no operand can refer to them, because they are not whole elements
    /// apart. NumPy's arrays keep their memory while they exist.
    static array view(object owner, element_type type, bool is_written) {
        Py_buffer buffer;
        if (PyObject_GetBuffer(owner.get(), &buffer, is_written ? PyBUF_STRIDED : PyBUF_STRIDED_RO) < 0)
            throw python_error();
        struct release {
            Py_buffer& held;
            ~release() { PyBuffer_Release(&held); }
        } released{buffer};
        const std::span extents(buffer.shape, static_cast<std::size_t>(buffer.ndim));
        if (buffer.ndim > max_rank)
            fail(PyExc_ValueError, "an array with " + std::to_string(buffer.ndim) + " axes; at most " +
                                       std::to_string(max_rank) + " are supported");
        array result{std::move(owner), {buffer.buf, {}, {}, false}, type};
        std::int64_t shape_of[max_rank] = {};
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            shape_of[axis] = extents[axis];
            if (buffer.strides[axis] % type.size != 0) result.ref.data = nullptr;
            result.ref.layout.strides[axis] = buffer.strides[axis] / type.size;
        }
        result.ref.layout.shape = shape(std::span<const std::int64_t>(shape_of, extents.size()));
        return result;
    }

    object module_, array_type_, scalar_type_, asarray_, empty_, dtype_, copyto_;
};

}  // namespace

const library& numpy() {
    static const auto* const one = new numpy_library;  // never destroyed: the interpreter may be gone by then
    return *one;
}

}  // namespace foldwise::python
