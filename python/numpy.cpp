// python/numpy.cpp: NumPy's arrays, by NumPy's binary interface and its functions. NumPy is imported when a call
// needs it, and none of its headers is needed.
#include "numpy.hpp"
#include "arguments.hpp"
#include "quick.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace foldwise::python {

namespace {

/// The first version of NumPy with from_dlpack().
constexpr const char* oldest_numpy = "1.23";

/// The table of NumPy's C functions.
void* const* load_table() {
    const object numpy = import_module("numpy");
    const bool is_new = numpy.attribute_if_any("_core").get() != nullptr;
    const object module = import_module(is_new ? "numpy._core._multiarray_umath" : "numpy.core._multiarray_umath");
    const object capsule = module.attribute("_ARRAY_API");
    auto* table = static_cast<void* const*>(PyCapsule_GetPointer(capsule.get(), nullptr));
    if (!table) throw python_error();
    return table;
}

/// What NumPy's arrays of bfloat16 consist of.
object bfloat16_type() {
    PyObject* const package = PyImport_ImportModule("ml_dtypes");
    if (!package && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
        PyErr_Clear();
        fail(PyExc_ModuleNotFoundError, "NumPy has bfloat16 by the package ml_dtypes, which is not installed");
    }
    return object::take(package).attribute("bfloat16");
}

class numpy_library final : public library {
  public:
    numpy_library() : module_(import_package("numpy", oldest_numpy)), functions_{load_table()} {
        scalar_type_ = module_.attribute("generic");
        asarray_ = module_.attribute("asarray");
        dtype_ = module_.attribute("dtype");
        copyto_ = module_.attribute("copyto");
        for (std::size_t number = 0; number < std::size(types_); ++number)
            types_[number] = type_of_number(static_cast<long>(number));
    }

    const numpy_abi::functions& functions() const { return functions_; }

    bool is_array(PyObject* candidate) const { return PyObject_TypeCheck(candidate, functions_.array_type()); }
    bool owns(PyObject* candidate) const override {
        return is_array(candidate) ||
               PyObject_TypeCheck(candidate, reinterpret_cast<PyTypeObject*>(scalar_type_.get()));
    }
    element_type type_of(PyObject* array) const override {
        return type_of_dtype(object::share(array).attribute("dtype"));
    }
    element_type type_of_dtype(const object& dtype) const {
        const long number = reinterpret_cast<const numpy_abi::descriptor*>(dtype.get())->number;
        if (number == void_number) return record_of(dtype);
        if (number >= first_of_users) return type_of_name(dtype.text());  // bfloat16 of ml_dtypes
        return number >= 0 && number < static_cast<long>(std::size(types_)) ? types_[number] : type_of_number(number);
    }
    std::vector<std::int64_t> extents_of(PyObject* array) const override {
        if (!is_array(array)) return {};
        const numpy_abi::array& fields = numpy_abi::fields(array);
        return {fields.extents, fields.extents + fields.rank};
    }
    std::string type_name(PyObject* array) const override { return object::share(array).attribute("dtype").text(); }

    array read(PyObject* given, element_type type) const override {
        refuse_mask(given);
        const object source = asarray_(object::share(given), dtype(type));  // also native, and no scalar
        array result = view(source, type);
        return is_aligned(result) ? std::move(result) : view(source.attribute("copy")(), type);
    }
    bool is_fitting(PyObject* given, element_type type) const override {
        if (!is_array(given)) return false;
        const object dtype = object::share(given).attribute("dtype");
        return type_of(given) == type && has_dtype(given, type) && PyObject_IsTrue(dtype.attribute("isnative").get()) &&
               is_aligned(view(object::share(given), type));
    }
    array write(PyObject* given, element_type type) const override {
        if (!is_array(given)) fail(PyExc_TypeError, "a NumPy scalar cannot be written");
        refuse_mask(given);
        if (!(numpy_abi::fields(given).flags & numpy_abi::writeable))
            fail(PyExc_ValueError, "output array is read-only");
        return view(object::share(given), type);
    }
    array make(const shape& shape, element_type type, PyObject*) const override {
        Py_ssize_t extents[max_rank];
        std::copy(shape.begin(), shape.end(), extents);
        auto* wanted = reinterpret_cast<numpy_abi::descriptor*>(dtype(type).release());
        return view(object::take(functions_.make(wanted, shape.rank(), extents)), type);
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
    object finished(object made) const override { return object::take(functions_.scalar_or_array(made.release())); }
    std::string place_of(PyObject*) const override { return "cpu"; }

    bool glance(PyObject* given, operand_ref& ref, element_type& type, bool is_written) const override {
        const numpy_abi::array& fields = numpy_abi::fields(given);
        const int needed =
            numpy_abi::aligned | (fields.rank > 1 ? numpy_abi::row_major : 0) | (is_written ? numpy_abi::writeable : 0);
        if ((fields.flags & needed) != needed || !numpy_abi::is_native(*fields.type) || fields.rank > max_rank)
            return false;
        const auto number = static_cast<std::size_t>(fields.type->number);
        if (number >= std::size(types_) || types_[number].size == 0) return false;
        type = types_[number];
        // NumPy aligns what it calls aligned to its own needs.
        if (reinterpret_cast<std::uintptr_t>(fields.data) & (alignment_of(type) - 1)) return false;
        return tell(fields, type, ref);
    }
    object make_quickly(const shape& shape, element_type type, foldwise::place, operand_ref& ref) const override {
        const int number = number_of(type);
        if (number < 0) return {};
        object made = object::take(functions_.make(functions_.type_of_number(number), shape.rank(), shape.begin()));
        tell(numpy_abi::fields(made.get()), type, ref);
        return made;
    }
    bool reports_floating_errors() const override { return true; }

    object mask_of(PyObject* given) const {
        if (!is_array(given) || Py_TYPE(given) == functions_.array_type()) return {};
        // Masks are the classes' own: "mask" may also be a field of one record array.
        if (!object::share(reinterpret_cast<PyObject*>(Py_TYPE(given))).attribute_if_any("mask")) return {};
        object mask = asarray_(object::share(given).attribute("mask"));
        const object flags = mask.attribute("dtype").attribute("names").get() == Py_None
                                 ? mask
                                 : module_.attribute("frombuffer")(mask.attribute("tobytes")(), make_text("bool"));
        if (type_of(flags.get()).kind != element_type::kinds::boolean) return {};
        const int is_any = PyObject_IsTrue(flags.attribute("any")().get());
        if (is_any < 0) throw python_error();
        return is_any ? mask : object();
    }

    object dtype(element_type type) const {
        if (type.kind == element_type::kinds::brain_floating) return dtype_(bfloat16_type());
        if (type.kind != element_type::kinds::record) return dtype_(make_text(name_of(type)));
        if (object known = known_dtype(*type.record)) return known;
        const object made = dtype_of(type.record->fields, type.size, 0, "");  // runs Python, so without the mutex
        const std::lock_guard lock(mutex_);
        records_.emplace_back(type.record, made);
        return made;
    }

  private:
    static constexpr long void_number = 20, first_of_users = 256;  // in NumPy's C API

    object known_dtype(const record_type& record) const {
        const std::lock_guard lock(mutex_);
        for (const auto& [own, dtype] : records_)
            if (own == &record) return dtype;
        return {};
    }

    /// The dtype of the fields that begin with a prefix, which are members of one: of so many bytes, from an offset on.
    object dtype_of(std::span<const field> fields, std::size_t size, std::size_t from,
                    const std::string& prefix) const {
        const object names = object::take(PyList_New(0)), formats = object::take(PyList_New(0));
        const object offsets = object::take(PyList_New(0));
        const auto add = [](const object& list, const object& one) {
            if (PyList_Append(list.get(), one.get()) < 0) throw python_error();
        };
        for (std::size_t i = 0; i < fields.size();) {
            const field& one = fields[i];
            const std::string rest = one.path.substr(prefix.size());
            const std::string name = rest.substr(0, rest.find('.'));
            const std::string within = prefix + name + ".";
            std::size_t end = i + 1;
            while (end < fields.size() && fields[end].path.starts_with(within)) ++end;
            if (name != rest) {
                // A member with members: it ends where its last one does, rounded up to the alignment of all.
                std::size_t bytes = 0, alignment = 1;
                for (const field& inner : fields.subspan(i, end - i)) {
                    bytes = std::max(bytes, inner.offset - one.offset + bytes_of(inner));
                    alignment = std::max(alignment, alignment_of(inner.type));
                }
                bytes = (bytes + alignment - 1) / alignment * alignment;
                add(formats, dtype_of(fields.subspan(i, end - i), bytes, one.offset, within));
            } else if (one.type.kind == element_type::kinds::other) {
                i = end;
                continue;
            } else {
                const object element = dtype(one.type);
                add(formats,
                    one.extents.empty()
                        ? element
                        : dtype_(object::take(PyTuple_Pack(
                              2, element.get(), tuple_of(shape(std::span<const std::int64_t>(one.extents))).get()))));
            }
            add(names, make_text(name));
            add(offsets, make_integer(static_cast<long long>(one.offset - from)));
            i = end;
        }
        if (PyList_Size(names.get()) == 0) return dtype_(make_text("V" + std::to_string(size)));
        return dtype_(object::take(Py_BuildValue("{sOsOsOsn}", "names", names.get(), "formats", formats.get(),
                                                 "offsets", offsets.get(), "itemsize", static_cast<Py_ssize_t>(size))));
    }

    static std::size_t bytes_of(const field& one) {
        std::size_t bytes = one.type.size;
        for (const std::int64_t extent : one.extents) bytes *= static_cast<std::size_t>(extent);
        return bytes;
    }

    static bool are_equal(const object& a, const object& b) {
        const int equal = PyObject_RichCompareBool(a.get(), b.get(), Py_EQ);
        if (equal < 0) throw python_error();
        return equal == 1;
    }

    /// Whether two dtypes have the same members in the same order, and these have. NumPy's casts go by places alone.
    static bool have_equal_names(const object& a, const object& b) {
        const object own = a.attribute("base"), other = b.attribute("base");  // of an array of them
        const object names = own.attribute("names");
        if (!are_equal(names, other.attribute("names"))) return false;
        for (Py_ssize_t i = 0; names.get() != Py_None && i < PyTuple_Size(names.get()); ++i) {
            PyObject* const name = PyTuple_GetItem(names.get(), i);
            if (!have_equal_names(object::take(PyObject_GetItem(own.get(), name)),
                                  object::take(PyObject_GetItem(other.get(), name))))
                return false;
        }
        return true;
    }

    bool has_dtype(PyObject* given, element_type type) const {
        return type.kind != element_type::kinds::record ||
               are_equal(object::share(given).attribute("dtype"), dtype(type));
    }

    /// The record of a dtype: one with the same layout or, of the same names, one to which all members go safely.
    element_type record_of(const object& given) const {
        for (const element_type& type : known_records())
            if (are_equal(given, dtype(type))) return type;
        if (given.attribute("names").get() == Py_None) return {};
        for (const element_type& type : known_records())
            if (have_equal_names(given, dtype(type)) &&
                PyObject_IsTrue(module_.attribute("can_cast")(given, dtype(type)).get()) == 1)
                return type;
        return {};
    }

    static bool is_aligned(const array& one) {
        return one.ref.data && reinterpret_cast<std::uintptr_t>(one.ref.data) % alignment_of(one.type) == 0;
    }
    static std::size_t alignment_of(element_type type) {
        if (type.kind == element_type::kinds::record) return type.record->alignment;
        return type.kind == element_type::kinds::complex ? type.size / 2 : type.size;
    }

    /// False if elements are not a whole number of them apart.
    static bool tell(const numpy_abi::array& fields, element_type type, operand_ref& ref) {
        static_assert(std::is_same_v<Py_ssize_t, std::int64_t> || sizeof(Py_ssize_t) == sizeof(std::int64_t));
        const int shift = std::countr_zero(static_cast<unsigned>(type.size));
        for (int axis = 0; axis < fields.rank; ++axis) {
            const Py_ssize_t stride = fields.strides[axis];
            if (stride & (type.size - 1)) return false;
            ref.layout.strides[static_cast<std::size_t>(axis)] = stride >> shift;
        }
        place_shape(ref.layout.shape, reinterpret_cast<const std::int64_t*>(fields.extents), fields.rank);
        ref.data = fields.data;
        ref.place = {};
        ref.is_scalar = false;
        return true;
    }

    /// The array's elements. Its address is null if no operand can refer to them, because they are not whole elements
    /// apart. NumPy's arrays keep their memory while they exist.
    static array view(object owner, element_type type) {
        const numpy_abi::array& fields = numpy_abi::fields(owner.get());
        if (fields.rank > max_rank)
            fail(PyExc_ValueError, "an array with " + std::to_string(fields.rank) + " axes; at most " +
                                       std::to_string(max_rank) + " are supported");
        array result{std::move(owner), {fields.data, {}, {}, false}, type};
        std::int64_t extents[max_rank] = {};
        for (int axis = 0; axis < fields.rank; ++axis) {
            extents[axis] = fields.extents[axis];
            if (fields.strides[axis] % type.size != 0) result.ref.data = nullptr;
            result.ref.layout.strides[static_cast<std::size_t>(axis)] = fields.strides[axis] / type.size;
        }
        result.ref.layout.shape = shape(std::span<const std::int64_t>(extents, static_cast<std::size_t>(fields.rank)));
        return result;
    }

    object module_;
    numpy_abi::functions functions_;
    object scalar_type_, asarray_, dtype_, copyto_;
    element_type types_[24];                                              ///< By NumPy's numbers.
    mutable std::vector<std::pair<const record_type*, object>> records_;  ///< Their dtypes, made when they are needed.
    mutable std::mutex mutex_;                                            ///< For those.
};

std::atomic<const numpy_library*> the_only_one = nullptr;

const numpy_library& the_library() {
    const numpy_library* found = the_only_one.load(std::memory_order_acquire);
    if (found) return *found;
    auto made = std::make_unique<const numpy_library>();  // other threads may make one meanwhile
    if (!the_only_one.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) return *found;
    add_quick_library(made->functions().array_type(), *made);
    return *made.release();
}

}  // namespace

const library& numpy() { return the_library(); }
bool is_numpy(const library& one) { return &one == the_only_one.load(std::memory_order_acquire); }
const library* numpy_of(PyObject* candidate) {
    const numpy_library* found = the_only_one.load(std::memory_order_acquire);
    if (!found) {
        PyObject* const module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
        if (!module || module == Py_None) return nullptr;  // then nothing is an array of NumPy's
        found = &the_library();
    }
    return found->owns(candidate) ? found : nullptr;
}
const numpy_abi::functions& numpy_functions() { return the_library().functions(); }
element_type type_of_dtype(PyObject* dtype) { return the_library().type_of_dtype(object::share(dtype)); }
object numpy_dtype(element_type type) { return the_library().dtype(type); }
bool is_numpy_array(PyObject* candidate) { return the_library().is_array(candidate); }

object mask_of(PyObject* candidate) { return numpy_of(candidate) ? the_library().mask_of(candidate) : object(); }
void refuse_mask(PyObject* argument) {
    if (mask_of(argument))
        fail(PyExc_TypeError, "an array m has masked elements, which kernels do not know: pass m.filled(value), or "
                              "m.data, and where=~m.mask where a call takes that");
}

}  // namespace foldwise::python
