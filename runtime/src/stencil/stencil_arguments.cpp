// runtime/src/stencil/stencil_arguments.cpp: checks shapes, broadcasts values, and alternates the memory of steps.
#include "stencil/stencil_arguments.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <string>

namespace foldwise::detail {

namespace {

std::string described(const stencil_kernel& kernel, const operand_ref* const* sources, int index) {
    return std::string(kernel.operands[index].name) + " of shape " + to_string(sources[index]->layout.shape);
}

}  // namespace

shape shape_around(const stencil_kernel& kernel, const operand_ref* const* inputs) {
    int first = -1;
    for (int i = 0; i < kernel.inputs; ++i) {
        if (kernel.roles[i] != stencil_role::around) continue;
        const shape& own = inputs[i]->layout.shape;
        if (own.rank() != kernel.rank)
            throw shape_error(std::string(kernel.name) + ": " + described(kernel, inputs, i) + " has " +
                              std::to_string(own.rank()) + (own.rank() == 1 ? " axis" : " axes") +
                              ", and the lambda looks around along " + std::to_string(kernel.rank));
        if (first < 0) first = i;
        if (!(own == inputs[first]->layout.shape))
            throw shape_error(std::string(kernel.name) + ": " + described(kernel, inputs, i) +
                              " does not have the shape of " + described(kernel, inputs, first));
    }
    return inputs[first]->layout.shape;
}

void normalise(const stencil_kernel& kernel, std::initializer_list<operand_ref> operands, stencil_arguments& result) {
    const kernel_operands common = operands_of(kernel);
    check_operand_count(kernel.name, operands.size(), 0);
    int index = 0;
    for (const operand_ref& operand : operands) result.sources[index++] = result.memory.find(operand);
    const shape extents = shape_around(kernel, result.sources);
    check_wholes(common, result);
    check_broadcast(common, result.sources, kernel.inputs, extents);
    for (int i = kernel.inputs; i < common.count(); ++i)
        if (!(result.sources[i]->layout.shape == extents))
            throw shape_error(std::string(kernel.name) + ": output " + described(kernel, result.sources, i) +
                              " does not have the shape of the arrays around, " + to_string(extents));
    broadcast_to(common, result, common.count(), extents);
    check_places(common, result);
    if (result.count == 0) return;
    check_overlap_with_inputs(common, result, /*wholes_alone=*/false);
    check_overlaps(common, result);
}

stencil_call call_of(const stencil_kernel& kernel, stencil_arguments& all) {
    for (int i = 0; i < kernel.inputs + kernel.outputs; ++i) {
        stencil_argument& argument = all.arguments_of_call[i];
        argument.data = all.operands[i].data;
        argument.is_value = all.operands[i].is_value();
        std::copy_n(all.strides[i], kernel.rank, argument.strides);
        if (kernel.roles[i] != stencil_role::around) continue;
        argument.data = all.wholes[i].data;
        std::copy_n(all.wholes[i].strides, kernel.rank, argument.strides);
    }
    stencil_call call{{}, all.arguments_of_call};
    std::copy_n(all.layout.extents, kernel.rank, call.extents);
    return call;
}

spanned_bytes span_of(const stencil_argument& output, const stencil_call& call, int rank, std::size_t size) {
    std::int64_t before = 0, behind = 0;
    for (int axis = 0; axis < rank; ++axis) {
        const std::int64_t reach = (call.extents[axis] - 1) * output.strides[axis];
        (reach < 0 ? before : behind) += reach < 0 ? -reach : reach;
    }
    return {static_cast<std::size_t>(before) * size, static_cast<std::size_t>(before + behind + 1) * size};
}

const stencil_call& stencil_steps::at(void* const* spare, std::int64_t number) {
    const std::int64_t left = count_ - 1 - number;
    int output = 0;
    const auto place_of_output = [&](bool is_spare) {
        return is_spare ? spare[output] : given_[kernel_.inputs + output].data;
    };
    for (int i = 0; i < kernel_.inputs && output < kernel_.outputs; ++i) {
        if (kernel_.roles[i] != stencil_role::around) continue;
        const stencil_argument& result = given_[kernel_.inputs + output];
        arguments_[kernel_.inputs + output].data = place_of_output(left % 2 != 0);
        if (number > 0) {  // what the launch before has written
            std::copy_n(result.strides, kernel_.rank, arguments_[i].strides);
            arguments_[i].data = place_of_output(left % 2 == 0);
        }
        ++output;
    }
    call_.steps = left > 0 ? tiling_.steps : steps_ - number * tiling_.steps;
    return call_;
}

}  // namespace foldwise::detail
