// python/foreign.cpp: how each library's own functions are called. Arrays are read in C++, the rest is Python.
#include "foreign.hpp"

#include "arguments.hpp"
#include "cupy.hpp"
#include "libraries_of_types.hpp"
#include "numpy.hpp"
#include "program.hpp"
#include "protocols.hpp"
#include "quick.hpp"
#include "streams.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace foldwise::python {

using kinds = element_type::kinds;

namespace {

/// For each library: `make` returns an array without values, or is None if results are memory of ours, which `finish`
/// turns into an array; `cast` changes the type; `assign` copies elements, `select` chooses them; `stream` is the
/// handle of the stream on which the library works.
constexpr const char* foreign_program = R"python(
import importlib
import sys
import warnings


def type_of(name):
    return importlib.import_module("ml_dtypes").bfloat16 if name == "bfloat16" else name


class CuPy:
    def __init__(self, example):
        import cupy
        self.empty, self.select, self.device = cupy.empty, cupy.where, cupy.cuda.Device
        self.current_device = cupy.cuda.runtime.getDevice

    def make(self, shape, name, number):
        if self.current_device() == number:
            return self.empty(shape, type_of(name))
        with self.device(number):
            return self.empty(shape, type_of(name))

    def cast(self, array, name):
        with array.device:
            return array.astype(type_of(name))

    def assign(self, target, source):
        with target.device:
            target[...] = source

    def finish(self, made):
        return made


class Numba:
    def __init__(self, example):
        import numba
        from numba import cuda
        self.numba, self.cuda, self.selections = numba, cuda, {}

    def make(self, shape, name, number):
        with self.cuda.gpus[number]:
            return self.cuda.device_array(shape, name)

    def cast(self, array, name):
        raise TypeError(f"Numba does not convert its device arrays: one of {array.dtype} is none of {name}")

    def assign(self, target, source):
        if target.dtype != source.dtype:
            self.cast(source, target.dtype)
        target.copy_to_device(source)

    def select(self, condition, chosen, other):
        if chosen.dtype != other.dtype:
            self.cast(chosen, other.dtype)
        missing = len(other.shape) - len(condition.shape)
        if missing:  # Numba repeats the first element of an array that lacks axes, so this one is given all of them
            described = {**condition.__cuda_array_interface__, "shape": (1,) * missing + condition.shape,
                         "strides": (0,) * missing + condition.strides}
            condition = self.cuda.from_cuda_array_interface(described, owner=condition)
        if other.dtype not in self.selections:  # compiled once for a type
            type = self.numba.from_dtype(other.dtype)
            make = self.numba.vectorize([type(self.numba.boolean, type, type)], target="cuda")

            def select(condition, chosen, other):  # Numba makes the kernel's name of its name
                return chosen if condition else other

            self.selections[other.dtype] = make(select)
        return self.selections[other.dtype](condition, chosen, other)

    def finish(self, made):
        return made

    def stream(self, number):
        with self.cuda.gpus[number]:
            return self.cuda.default_stream()


class Namespace:
    """Any library: by the functions of the array API standard, and those that are common without it."""
    make = None

    def __init__(self, example):
        name = type(example).__module__.partition(".")[0]
        of = getattr(example, "__array_namespace__", None)
        self.name, self.library = type(example).__name__, of() if of else sys.modules.get(name)
        self.take = getattr(self.library, "from_dlpack", None)

    def cast(self, array, name):
        if not hasattr(self.library, "astype") and not hasattr(array, "astype"):
            raise TypeError(f"arrays of {type(array).__name__} are not converted to {name}: they have no astype()")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the caller sees whether it has become that type
            return self.cast_aloud(array, name)

    def cast_aloud(self, array, name):
        if hasattr(self.library, "astype"):
            return self.library.astype(array, getattr(self.library, name, None) or type_of(name))
        return array.astype(type_of(name))

    def assign(self, target, source):
        if not hasattr(target, "__setitem__"):
            raise TypeError(f"an output of {type(target).__name__} has exactly the type of the result and shares no "
                            "memory with an input: it cannot be assigned to")
        target[...] = self.finish(source)

    def select(self, condition, chosen, other):
        if not hasattr(self.library, "where"):
            raise TypeError(f"where= is not for arrays of {self.name}, whose library has no where()")
        return self.library.where(condition, self.finish(chosen), other)

    def finish(self, made):
        if type(made).__name__ != "array" or type(made).__module__ != "foldwise":
            return made
        if self.take:
            return self.take(made)
        if made.__dlpack_device__()[0] == 1:
            import numpy
            return numpy.from_dlpack(made)
        return made

    def stream(self, number):
        return 1


class Jax(Namespace):
    def __init__(self, example):
        import jax
        self.library, self.take, self.canonical = jax.numpy, jax.dlpack.from_dlpack, jax.dtypes.canonicalize_dtype

    def has_wide_types(self):
        return self.canonical("float64") == "float64"

    def assign(self, target, source):
        raise TypeError("JAX's arrays cannot be written: call without out=")
)python";

enum class frameworks { cupy, numba, jax, other };

class foreign final : public library {
  public:
    foreign(frameworks which, std::string package, object adapter)
        : which_(which), package_(std::move(package)), adapter_(std::move(adapter)), make_(adapter_.attribute("make")),
          shape_(intern("shape")), dtype_(intern("dtype")) {
        if (which_ == frameworks::cupy)
            cupy_.emplace();
        else
            stream_ = adapter_.attribute("stream");
    }

    bool owns(PyObject* candidate) const override {
        return is_exported(candidate) || foreign_library(candidate) == this;
    }

    element_type type_of(PyObject* given) const override {
        if (which_ != frameworks::other && !is_exported(given))
            return type_of_dtype(attribute(object::share(given), dtype_).get());
        return described(object::share(given)).type;
    }
    std::vector<std::int64_t> extents_of(PyObject* given) const override {
        if ((which_ == frameworks::cupy || which_ == frameworks::jax) && !is_exported(given))
            return to_integers(attribute(object::share(given), shape_).get());
        const shape extents = described(object::share(given)).ref.layout.shape;
        return {extents.begin(), extents.end()};
    }
    std::string type_name(PyObject* given) const override {
        const object dtype = object::share(given).attribute_if_any("dtype");
        return dtype ? dtype.text() : name_of(type_of(given));
    }

    array read(PyObject* given, element_type type) const override {
        object source = object::share(given);
        if (type_of(given) != type) source = adapter_.attribute("cast")(source, make_text(name_of(type)));
        array seen = view(std::move(source), false);
        if (seen.type != type)
            fail(PyExc_TypeError, "an array of " + type_name(given) + " becomes one of " + name_of(seen.type) +
                                      " in its library, and not of " + name_of(type) +
                                      (which_ == frameworks::jax ? ": see jax_enable_x64" : ""));
        return seen;
    }
    bool is_fitting(PyObject* given, element_type type) const override { return type_of(given) == type; }
    array write(PyObject* given, element_type) const override {
        if (which_ == frameworks::jax && !is_exported(given))
            fail(PyExc_TypeError, "JAX's arrays cannot be written: call without out=");
        return view(object::share(given), true);
    }
    array make(const shape& shape, element_type type, PyObject* like) const override {
        const foldwise::place place = like ? where(object::share(like)) : foldwise::place();
        if (make_.get() != Py_None)
            return view(make_(tuple_of(shape), make_text(name_of(type)), make_integer(place.device)), true);
        CUstream_st* stream =
            place.kind == memory::cuda ? call_scope::current().stream_on(*this, place.device) : nullptr;
        return view(make_exported(shape, type, place, stream), true);
    }
    void assign(PyObject* target, PyObject* source, element_type from) const override {
        const element_type to = type_of(target);
        if (!casts_safely(from, to))
            fail(PyExc_TypeError, std::string("cannot cast a result of ") + name_of(from) + " to " + name_of(to) +
                                      ", which would lose values");
        adapter_.attribute("assign")(object::share(target), object::share(source));
    }
    object selected(const object& condition, const object& chosen, const object& other) const override {
        return adapter_.attribute("select")(condition, chosen, other);
    }
    object finished(object made) const override {
        if (!is_exported(made.get()) || package_ == "foldwise") return made;
        return adapter_.attribute("finish")(made);
    }
    CUstream_st* current_stream(int device) const override {
        if (cupy_) return cupy_->current_stream(device);
        return to_stream(stream_(make_integer(device)).get());
    }
    bool glance(PyObject* given, operand_ref& ref, element_type& type, bool) const override {
        if (!cupy_) return false;
        try {
            cupy_->read(given, ref, type);
        } catch (const python_error&) {
            PyErr_Clear();
            return false;
        }
        return type.kind != element_type::kinds::record && type.kind != element_type::kinds::other;
    }
    object make_quickly(const shape& shape, element_type type, foldwise::place place, operand_ref& ref) const override {
        object made = make_(tuple_of(shape), make_text(name_of(type)), make_integer(place.device));
        element_type own;
        return glance(made.get(), ref, own, true) && own == type ? std::move(made) : object();
    }
    bool frees_in_order() const override { return which_ == frameworks::cupy || which_ == frameworks::numba; }
    bool has_wide_types() const override {
        return which_ != frameworks::jax || adapter_.attribute("has_wide_types")().get() == Py_True;
    }
    std::string place_of(PyObject* given) const override {
        const foldwise::place place = where(object::share(given));
        return place.kind == memory::host ? "cpu" : "cuda:" + std::to_string(place.device);
    }

  private:
    /// An array as its protocol describes it, whose elements need not be ready.
    array described(const object& given) const {
        if (is_exported(given.get())) return array_of_exported(given);
        if (which_ != frameworks::jax && has_cuda_interface(given)) return array_by_cuda_interface(given, false);
        return array_by_dlpack(given, nullptr, false);
    }

    static object attribute(const object& of, const object& name) {
        return object::take(PyObject_GetAttr(of.get(), name.get()));
    }
    array view_of_cupy(const object& owner) const {
        array seen{owner, {nullptr, {}, {}, false}, {}};
        cupy_->read(owner.get(), seen.ref, seen.type);
        return seen;
    }
    static bool has_cuda_interface(const object& of) {
        return static_cast<bool>(of.attribute_if_any("__cuda_array_interface__"));
    }

    foldwise::place where(const object& given) const {
        if (is_exported(given.get())) return array_of_exported(given).ref.place;
        if (cupy_) return view_of_cupy(given).ref.place;
        if (which_ != frameworks::jax && has_cuda_interface(given))
            return array_by_cuda_interface(given, false).ref.place;
        const dlpack::device device = dlpack_device_of(given);
        if (device.type == dlpack::cuda || device.type == dlpack::cuda_managed) return {memory::cuda, device.number};
        return {};
    }

    array view(object owner, bool is_written) const {
        array seen = look(owner, is_written);
        call_scope::current().use(*this, seen);
        return seen;
    }

    array look(const object& owner, bool is_written) const {
        if (is_exported(owner.get())) return array_of_exported(owner);
        if (cupy_) return view_of_cupy(owner);
        if (which_ != frameworks::jax && has_cuda_interface(owner)) return array_by_cuda_interface(owner, is_written);
        const foldwise::place place = where(owner);
        if (place.kind == memory::cuda)
            return array_by_dlpack(owner, call_scope::current().stream_on(*this, place.device), is_written);
        if (which_ == frameworks::jax) owner.attribute("block_until_ready")();
        return array_by_dlpack(owner, nullptr, is_written);
    }

    frameworks which_;
    std::string package_;
    object adapter_, make_, stream_, shape_, dtype_;
    std::optional<cupy_arrays> cupy_;  ///< For CuPy's arrays, which there are none of in other libraries.
};

const char* adapter_of(frameworks which) {
    switch (which) {
    case frameworks::cupy:
        return "CuPy";
    case frameworks::numba:
        return "Numba";
    case frameworks::jax:
        return "Jax";
    case frameworks::other:
        break;
    }
    return "Namespace";
}

/// The only library of a package. They are never destroyed: the interpreter may be gone by then.
const foreign* library_of_package(frameworks which, const std::string& package, const object& example) {
    static auto* const all = new std::map<std::string, std::unique_ptr<const foreign>>;
    static std::mutex mutex;
    {
        const std::lock_guard lock(mutex);
        if (const auto found = all->find(package); found != all->end()) return found->second.get();
    }
    PyObject* const names =
        made_once([] { return run_program(foreign_program, "<arrays of other libraries>").release(); });
    const object adapter = object::take(PyObject_GetItem(names, make_text(adapter_of(which)).get()));
    auto made = std::make_unique<const foreign>(which, package, adapter(example));
    const std::lock_guard lock(mutex);  // another thread may have made one meanwhile
    return all->try_emplace(package, std::move(made)).first->second.get();
}

bool has_attribute(PyTypeObject* type, const char* name) {
    return PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), name);
}

/// The class of JAX's arrays, or null if the program does not use JAX.
PyObject* jax_array() {
    return made_once([]() -> PyObject* {
        PyObject* const jax = PyDict_GetItemString(PyImport_GetModuleDict(), "jax");
        return jax ? object::share(jax).attribute_if_any("Array").release() : nullptr;
    });
}

/// Whether JAX traces an array.
bool is_traced(PyObject* candidate) {
    const object tracer = import_module("jax.core").attribute("Tracer");
    return PyObject_IsInstance(candidate, tracer.get()) == 1;
}

const library* (*make_jax_library)() = nullptr;

/// Whether no object of a type that has nothing of an array can become one: lists, bytes, buffers and the like.
bool is_fixed(PyTypeObject* type) {
    const unsigned long flags = PyType_GetFlags(type);
    const bool is_immutable = !(flags & Py_TPFLAGS_HEAPTYPE) || flags & Py_TPFLAGS_IMMUTABLETYPE;
    return is_immutable &&
           to_integer(object::share(reinterpret_cast<PyObject*>(type)).attribute("__dictoffset__").get()) == 0;
}

/// What libraries_of_types is asked for first.
const library* find_library(PyObject* candidate, libraries_of_types& known) {
    PyTypeObject* const type = Py_TYPE(candidate);
    PyObject* const jax = jax_array();
    const bool is_of_jax = jax && PyObject_IsInstance(candidate, jax) == 1;
    if (is_of_jax && make_jax_library) {
        const library* result = make_jax_library();
        known.add(type, result);
        return result;
    }
    if (is_of_jax && is_traced(candidate))
        fail(PyExc_TypeError, "an array that JAX traces, which only modules that are built with the keyword JAX take");

    const bool has_dlpack = has_attribute(type, "__dlpack__") && has_attribute(type, "__dlpack_device__");
    // Of some libraries only arrays that are on a GPU have the interface, so an instance is asked.
    const object example = object::share(candidate);
    const bool has_interface = PyObject_HasAttrString(candidate, "__cuda_array_interface__");
    if (!has_dlpack && !has_interface) {
        if (is_fixed(type)) known.add(type, nullptr);
        return nullptr;
    }
    const std::string module = object::share(reinterpret_cast<PyObject*>(type)).attribute("__module__").text();
    const std::string package = module.substr(0, module.find('.'));
    frameworks which = frameworks::other;
    if (package == "cupy")
        which = frameworks::cupy;
    else if (package == "numba")
        which = frameworks::numba;
    else if (is_of_jax)
        which = frameworks::jax;
    else if (has_attribute(type, "__array_ufunc__"))
        return nullptr;  // it has NumPy's function called as it likes
    else if (!has_interface && dlpack_device_of(example).type != dlpack::cuda) {
        // Without functions of its own that make arrays, its arrays on the CPU are taken as NumPy's.
        PyObject* own = PyDict_GetItemString(PyImport_GetModuleDict(), package.c_str());
        const bool has_functions = has_attribute(type, "__array_namespace__") ||
                                   (own && PyObject_HasAttrString(own, "from_dlpack")) || package == "foldwise";
        if (!has_functions) return nullptr;
    }
    const library* result = library_of_package(which, which == frameworks::jax ? "jax" : package, example);
    if (which == frameworks::cupy && module == "cupy") add_quick_library(type, *result);
    known.add(type, result);
    return result;
}

}  // namespace

void set_jax_library(const library* (*make)()) { make_jax_library = make; }

const library* foreign_library(PyObject* candidate) {
    static auto* const known = new libraries_of_types;
    if (const auto found = known->find(Py_TYPE(candidate))) return *found;
    return find_library(candidate, *known);
}

object as_numpy(const object& any) {
    const object nulls = any.attribute_if_any("null_count");
    if (nulls && PyLong_Check(nulls.get()) && to_integer(nulls.get()) > 0)
        fail(PyExc_ValueError, "a column with " + nulls.text() + " nulls, which kernels do not know");
    const object numpy = import_module("numpy");
    if (has_attribute(Py_TYPE(any.get()), "__dlpack__") && has_attribute(Py_TYPE(any.get()), "__dlpack_device__")) {
        if (const auto device = dlpack_device_of(any); device.type != dlpack::cpu && device.type != dlpack::cuda_host)
            fail(PyExc_TypeError, "an array of " + class_of(any.get()) + " on a device of DLPack's type " +
                                      std::to_string(device.type) + ", where no kernel runs");
        if (PyObject* array = PyObject_CallFunctionObjArgs(numpy.attribute("from_dlpack").get(), any.get(), nullptr))
            return object::take(array);
        PyErr_Clear();  // such as Arrow's booleans, which are bits
    }
    return numpy.attribute("asarray")(any);
}

}  // namespace foldwise::python
