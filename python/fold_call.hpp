// python/fold_call.hpp: what the calls of reductions and scans have in common.
#pragma once

#include "prepared.hpp"

#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

#include <optional>
#include <vector>

namespace foldwise::python {

/// A call's inputs, its signature, and what a fold begins with.
struct fold_call {
    fold_call(const python::kernel& of, const call& call, detail::fold_stage of_stage);

    bool has_initial() const { return !is_none(given.option("initial")); }
    element_type result_type() const { return signature.operands.back().type; }
    /// The shape that is folded.
    const shape& extents() const { return whole ? *whole : operands.extents(); }
    /// Which elements count, by where= and by the masks of masked arrays; null if all do. An error if the fold cannot
    /// leave elements out; `pattern` is NumPy's word for it.
    object condition(const char* pattern) const;
    /// TypeError if there are masked elements, which a call that is made `how` does not leave out.
    void refuse_masked(const char* how) const;
    /// An array of the call, or null.
    PyObject* any() const { return operands.any() ? operands.any()->owner.get() : nullptr; }
    /// A call that refers to this object, with all but its output and axes.
    prepared_call prepared() const;
    /// Whether the call leaves elements out, by where= or by masks.
    bool has_condition() const;

    const python::kernel& kernel;
    const arguments given;
    const python::library& library;
    std::vector<object> given_inputs;
    std::vector<argument_type> types;
    object unmasked;  ///< The elements that no mask of an input hides; null if none does.
    const python::signature& signature;
    inputs operands;
    std::optional<shape> whole;             ///< The shape, where it is said or no array has it.
    mutable std::optional<scalar> initial;  ///< What comes before all elements, once a call has been prepared.
    executor where;
    detail::fold_stage stage;

  private:
    const python::signature& choose_signature();
    void read_initial() const;
};

/// Offsets or keys of a call, which are held while this exists. TypeError if they are of a type that cannot be one.
class offsets_of {
  public:
    explicit offsets_of(object given);
    detail::restarts restarts(bool are_offsets) const;
    const array& elements() const { return elements_; }

  private:
    array elements_;
};

/// The module with the functions of an array's library: numpy, torch, cupy, jax.numpy. TypeError if it lacks those by
/// which where= arranges elements.
object namespace_of(PyObject* array);

}  // namespace foldwise::python
