// runtime/src/reduce/reduce_parameters.hpp: the arguments of a reduction's launch.
#pragma once

#include "gpu/parameters.hpp"
#include "reduce_operands.hpp"

#include <foldwise/detail/reduce_code.hpp>

namespace foldwise::detail {

/// The arguments of one launch of a reduction, in the order of its kernel's parameters: inputs, their strides, the
/// index space, a range, which depends on the instance, and the target. Refers to the call and its operands.
class reduce_parameters : public parameters {
  public:
    reduce_parameters(const reduce_code& code, const reduce_call& call, const reduce_operands& operands)
        : code_(code), call_(call), operands_(operands), kept_(call.kept), rank_(operands.rank()) {}

    /// Adds the inputs where they lie, their strides, and the index space.
    void add_inputs(reduce_instance which);

    /// Adds an input that begins at a place, or a whole array, which has its own.
    void add_input(int number, const reduce_operand& place);

    /// Adds the strides of the inputs and, if the map takes an index, of positions, as one parameter.
    void add_strides(reduce_instance which);

    /// Adds the index space if the map takes an index.
    void add_space();

    /// Adds where results go.
    void add_target(reduce_instance which);

    /// Adds that results go to operand `output`, where rows of results have these strides. Returns it to be filled in.
    reduce_target& add_target(int output, const strides& rows);

  private:
    reduce_strides strides_of(reduce_instance which, const std::int64_t* all) const;

    const reduce_code& code_;
    const reduce_call& call_;
    const reduce_operands& operands_;
    int kept_, rank_;
};

}  // namespace foldwise::detail
