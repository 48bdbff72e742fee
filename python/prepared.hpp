// python/prepared.hpp: calls whose arguments have been checked and converted.
#pragma once

#include "kernel.hpp"

#include <foldwise/reduce_options.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace foldwise::python {

/// The options of a pattern that stay the same whatever arrays a call has.
struct call_options {
    std::optional<axes> along = {};   ///< The axes that a fold reduces or scans along; null: all.
    std::optional<shape> whole = {};  ///< A fold's shape, if it is not that of the inputs.
    detail::fold_stage stage = {};    ///< Whether a reduction begins from or ends in accumulators.
    bool keepdims = false;            ///< Whether a reduction keeps reduced axes, with one element.
    bool is_exclusive = false;        ///< Whether a scan's results leave out their own elements.
    bool is_reverse = false;          ///< Whether a scan begins at the last element.
    bool is_fresh = false;            ///< Whether a scatter's bins begin with the identity.
    std::int64_t steps = 1;           ///< The number of steps of a stencil.
};

/// A call as the runtime takes it: a signature, its operands, and the options of its pattern.
struct prepared_call : call_options {
    prepared_call(const python::kernel& kernel_, const python::signature& signature_,
                  std::vector<operand_ref> operands_ = {}, executor where_ = {}, detail::task_extents tasks_ = {})
        : kernel(kernel_), signature(signature_), operands(std::move(operands_)), where(std::move(where_)),
          tasks(tasks_) {}

    const python::kernel& kernel;
    const python::signature& signature;
    std::vector<operand_ref> operands;  ///< The inputs, then the outputs; for forall and blocks, all parameters.
    executor where;
    detail::task_extents tasks;     ///< The tasks of a forall function, or the blocks of a blocks function.
    const void* initial = nullptr;  ///< The accumulator that a fold begins with; null if there is none.
    const array* begins = nullptr;  ///< The offsets or keys of a fold's segments; null if there are none.
    std::optional<detail::restarts> restarts = {};  ///< Where segments begin, as offsets or keys say.
};

/// Runs a call. Nothing of Python's is used.
void execute(const prepared_call& call);

}  // namespace foldwise::python
