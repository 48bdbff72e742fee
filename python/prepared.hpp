// python/prepared.hpp: calls of which all but the results is known.
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
    std::optional<axes> along = {};   ///< Of folds; null: along all axes.
    std::optional<shape> whole = {};  ///< Of folds: the shape, where that is not the inputs'.
    detail::fold_stage stage = {};    ///< Of reductions.
    bool keepdims = false;            ///< Of reductions.
    bool is_exclusive = false;        ///< Of scans.
    bool is_reverse = false;          ///< Of scans.
    bool is_fresh = false;            ///< Of scattered folds: whether the output holds nothing yet.
    std::int64_t steps = 1;           ///< Of stencils.
};

/// A call as the runtime takes it: a signature, its operands, and the options of its pattern.
struct prepared_call : call_options {
    prepared_call(const python::kernel& kernel_, const python::signature& signature_,
                  std::vector<operand_ref> operands_ = {}, executor where_ = {}, detail::task_extents tasks_ = {})
        : kernel(kernel_), signature(signature_), operands(std::move(operands_)), where(std::move(where_)),
          tasks(tasks_) {}

    const python::kernel& kernel;
    const python::signature& signature;
    std::vector<operand_ref> operands;  ///< The inputs, then the outputs; of tasks, all parameters.
    executor where;
    detail::task_extents tasks;                     ///< Of forall and blocks.
    const void* initial = nullptr;                  ///< Of folds: an accumulator; null if there is none.
    const array* begins = nullptr;                  ///< Of folds: offsets or keys; null if there are none.
    std::optional<detail::restarts> restarts = {};  ///< What these say.
};

/// Runs a call. Nothing of Python's is used.
void execute(const prepared_call& call);

}  // namespace foldwise::python
