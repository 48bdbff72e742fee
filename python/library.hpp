// python/library.hpp: the interface to an array library: finds where its arrays are, and makes new ones.
#pragma once

#include "object.hpp"
#include "types.hpp"

#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace foldwise::python {

/// An array of a library's as kernels see it, for as long as this exists.
struct array {
    object owner;     ///< The library's array.
    operand_ref ref;  ///< Its elements.
    element_type type;
    std::shared_ptr<const void> memory = {};    ///< What keeps the elements, if the library's array does not.
    std::optional<CUstream_st*> ready_on = {};  ///< The stream on which elements are still being computed.
};

/// Makes a shape of extents where it stays: to copy one that has just been written takes longer than to write it.
inline void place_shape(shape& place, const std::int64_t* extents, int rank) {
    std::construct_at(&place, std::span(extents, static_cast<std::size_t>(rank)));
}

struct prepared_call;

class library {
  public:
    virtual ~library() = default;

    /// Whether an object is one of the library's arrays.
    virtual bool owns(PyObject* candidate) const = 0;
    /// The type of an array's elements; `other` if no kernel can have them.
    virtual element_type type_of(PyObject* array) const = 0;
    /// The extents of an array, of which the library may have more than kernels take.
    virtual std::vector<std::int64_t> extents_of(PyObject* array) const = 0;
    /// The shape of an array; ValueError if it has more axes than kernels take.
    shape shape_of(PyObject* array) const;
    /// The name of that type, for messages.
    virtual std::string type_name(PyObject* array) const = 0;
    /// Returns an array of this type with the elements of one of the library's: itself, if it can be passed to a
    /// kernel.
    virtual array read(PyObject* array, element_type type) const = 0;
    /// Returns an array that a kernel writes: of another type or layout than kernels need, it throws python_error with
    /// TypeError, and ValueError if it is read-only. `is_fitting` tells, without throwing, that a copy is needed.
    virtual bool is_fitting(PyObject* array, element_type type) const = 0;
    virtual array write(PyObject* array, element_type type) const = 0;
    /// Returns a new array without values, where `like` is; null stands for any place.
    virtual array make(const shape& shape, element_type type, PyObject* like) const = 0;
    /// Sets the elements of an array that has been made for a call to zero, in the order of the executor's stream.
    virtual void clear(const array& made, const executor& executor) const;
    /// Copies elements into an array, of which it keeps the type. TypeError if values could be lost.
    virtual void assign(PyObject* target, PyObject* source, element_type from) const = 0;
    /// Returns an array with the elements of `chosen` where the condition holds, and those of `other` elsewhere.
    virtual object selected(const object& condition, const object& chosen, const object& other) const = 0;
    /// Returns the result of a call for an array that the call has made.
    virtual object finished(object made) const = 0;
    /// The stream on which the library queues its own work on a GPU; null is CUDA's legacy default stream.
    virtual CUstream_st* current_stream(int) const { return nullptr; }
    /// Whether the library, when an array is dropped, gives its memory to nothing but what it queues on that stream.
    virtual bool frees_in_order() const { return true; }
    /// For quick calls: describes an array of exactly the library's type, without a new reference to it. Returns false
    /// if kernels cannot use it as it is, or if read() has to find that out.
    virtual bool glance(PyObject*, operand_ref&, element_type&, bool /*is_written*/) const { return false; }
    /// For quick calls: makes an array at a place and describes it. Returns null if make() has to do that.
    virtual object make_quickly(const shape&, element_type, foldwise::place, operand_ref&) const { return {}; }
    /// Whether divisions by zero and the like are reported as NumPy reports them.
    virtual bool reports_floating_errors() const { return false; }
    /// Where a call on these arrays runs, and on which stream. ValueError if the caller has passed one for the CPU.
    virtual executor executor_for(const array& any) const;
    /// Runs a call on arrays that it has read and made, while other threads run Python.
    virtual void launch(const prepared_call& call) const;
    /// Whether its arrays can have elements of 64 bits, complex numbers of 128.
    virtual bool has_wide_types() const { return true; }
    /// "cpu", "cuda:0": where an array is, for messages.
    virtual std::string place_of(PyObject* array) const = 0;
};

/// NumPy, whose arrays are what everything else becomes.
const library& numpy();
/// Whether it is that one, which has not been asked for otherwise.
bool is_numpy(const library& one);
/// NumPy, if the object is an array or a scalar of its; otherwise null. Does not import NumPy.
const library* numpy_of(PyObject* candidate);
/// NumPy's dtype of a type; TypeError if it has none.
object numpy_dtype(element_type type);
/// Whether it is an array of NumPy's, which a scalar is not.
bool is_numpy_array(PyObject* candidate);

/// The mask of an array of NumPy's or of a subclass, such as numpy.ma's; null if no element is masked.
object mask_of(PyObject* candidate);
/// TypeError if an argument has masked elements.
void refuse_mask(PyObject* argument);

/// The library of an argument: null for a Python number, NumPy for what NumPy makes an array of.
const library* library_of(PyObject* argument);

/// Whether an argument is an array with axes, of any library.
bool has_axes(PyObject* argument);

/// The library of all arrays of a call; TypeError if there are two. NumPy if there are none.
const library& common_library(const char* function, std::span<PyObject* const> arguments);

/// Whether an object is a Python number, whose type gives way to that of the arrays.
bool is_number(PyObject* candidate);

/// What is known of an argument before the call's types are chosen. Sequences become arrays of NumPy's in place.
argument_type describe(const library& library, object& argument);

/// A Python number as an element of a type, and the operand that stands for it. OverflowError if the type lacks it.
struct value {
    alignas(16) std::byte bytes[16];
    operand_ref ref() const { return {const_cast<std::byte*>(bytes), {}, {}, true}; }
};
value to_value(PyObject* number, element_type type);

}  // namespace foldwise::python
