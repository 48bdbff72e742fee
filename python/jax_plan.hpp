// python/jax_plan.hpp: a call in JAX without its arrays, as text that is a part of the compiled program.
#pragma once

#include "prepared.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace foldwise::python {

/// An operand of a call, whose elements come with each execution.
struct planned_operand {
    int rank = 0;           ///< The axes of its array; one that JAX has vectorised has further ones before them.
    detail::layout layout;  ///< How the call sees the elements.
    std::size_t size = 0;   ///< Bytes per element.
    int whole_axes = 0;     ///< The rank of an array that is passed as a whole; otherwise 0.
};

/// A call without its arrays.
struct plan : call_options {
    std::size_t signature = 0;              ///< Its number among those of the function.
    std::vector<planned_operand> operands;  ///< The inputs, the outputs, and then offsets or keys.
    bool has_restarts = false;
    detail::restarts restarts = {};  ///< Where segments begin again, without the elements that say it.
    std::vector<std::byte> initial;  ///< The accumulator that folds begin with; empty if there is none.
};

/// The plan of a call whose arrays lie in row-major order, with so many axes each.
plan plan_of(const prepared_call& call, std::span<const int> ranks);

std::string to_text(const plan& plan);
/// Throws std::invalid_argument for what to_text() has not written.
plan to_plan(const std::string& text);

/// An array of an execution.
struct bound_array {
    void* data;
    std::span<const std::int64_t> extents;
};

/// Runs the call of a plan on arrays: once for all that JAX has vectorised if the pattern can, else one by one. Nothing
/// of Python's is used.
void execute(const plan& plan, const kernel& kernel, std::span<const bound_array> arrays, foldwise::place place,
             const executor& where);

}  // namespace foldwise::python
