// runtime/src/memory_finder.hpp: finds operands that are in GPU memory although their type does not say so.
#pragma once

#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/executor.hpp>

#include <forward_list>

namespace foldwise::detail {

/// Finds the operands of one call that are in GPU memory although they were passed as host ranges, such as a std::span
/// over memory from cudaMalloc. It asks CUDA once for each host range, which takes some 0.1 microseconds, and only if
/// CUDA is in use anyway: a call for the CPU or the simulator does not initialise it. Managed memory counts as the
/// host's here, because calls on host memory are complete on return.
class memory_finder {
  public:
    /// Takes every operand to be where its type says.
    memory_finder() = default;
    explicit memory_finder(const executor& requested);

    /// Returns the place that an operand's elements are in. Throws device_error if CUDA fails.
    place place_of(const operand_ref& operand) const;

    /// Returns the operand, or a copy of it with the right place that lives as long as this object. Throws device_error
    /// if CUDA fails.
    const operand_ref* find(const operand_ref& operand);

  private:
    bool asks_ = false;
    std::forward_list<operand_ref> found_;
};

}  // namespace foldwise::detail
