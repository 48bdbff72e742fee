// runtime/src/reduce/reduce_parameters.cpp: adds what is the same for all instances of a reduction, or for all but one.
#include "reduce_parameters.hpp"

#include "gpu/by_rank.hpp"
#include "reduce_plan.hpp"

#include <cstddef>
#include <type_traits>

namespace foldwise::detail {

void reduce_parameters::add_inputs(reduce_instance which) {
    for (int i = 0; i < code_.inputs; ++i)
        add_input(i, {operands_.operand(i).is_scalar ? nullptr : operands_.operand(i).data, false, false, -1});
    add_strides(which);
    add_space();
}

void reduce_parameters::add_input(int number, const reduce_operand& place) {
    const operand_address& given = operands_.operand(number);
    if (given.is_whole) return add(*static_cast<const whole_array*>(given.data));
    add(place, code_.operands[number], given.is_scalar ? given.data : nullptr);
}

reduce_strides reduce_parameters::strides_of(reduce_instance which, const std::int64_t* all) const {
    const int but = reducer_of(which) == reducer::columns ? 1 : 0;
    const strides rows = strides_between(all, 0, kept_ - but), folded = strides_between(all, kept_, rank_);
    reduce_strides result{};
    for (int axis = 0; axis < max_axes; ++axis) result.axes[axis] = {rows.steps[axis], folded.steps[axis]};
    if (but == 1) result.column = all[kept_ - 1];
    if (which == reduce_instance::group_runs) result.column = result.folded(0);
    return result;
}

void reduce_parameters::add_strides(reduce_instance which) {
    reduce_strides* first = nullptr;
    for (int i = 0; i < code_.inputs + (code_.index_rank > 0 ? 1 : 0); ++i) {
        reduce_strides next{};
        const bool is_position = i == code_.inputs;
        if (!call_.elements.layout)
            next.axes[0].folded = 1;
        else if (is_position || !operands_.operand(i).is_scalar)
            next = strides_of(which, is_position ? call_.positions : operands_.strides_of(i));
        reduce_strides& added = first ? extend(next) : add(next);
        if (!first) first = &added;
    }
}

void reduce_parameters::add_space() {
    if (code_.index_rank == 0) return;
    by_rank(code_.index_rank, [&]<int N>(std::integral_constant<int, N>) {
        reduce_space<N> space{call_.elements.first, {}};
        if (!call_.elements.layout)
            space.folded_axis = operands_.axis_of(N, 1, call_.elements.count);
        else if (rank_ == kept_ + 1)
            space.folded_axis = operands_.axis_of_layout(N, rank_ - 1);
        if (call_.elements.layout && kept_ > 0) space.column_axis = operands_.axis_of_layout(N, kept_ - 1);
        for (int axis = 1; axis < N; ++axis) {
            const std::int64_t extent = call_.elements.shape[axis];
            space.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(extent > 0 ? extent : 1));
        }
        add(space);
    });
}

void reduce_parameters::add_target(reduce_instance which) {
    const int output = code_.inputs;
    const bool is_column = reducer_of(which) == reducer::columns;
    reduce_target& target = add_target(output, operands_.kept_strides(output, is_column ? 1 : 0));
    if (!is_column) return;
    target.column = operands_.strides_of(output)[kept_ - 1];
    target.is_wide = which == reduce_instance::columns_vectors && !target.is_partial &&
                     operands_.is_wide_along(output, columns_of(code_.width, code_.accumulator.size), kept_ - 1);
}

reduce_target& reduce_parameters::add_target(int output, const strides& rows) {
    reduce_target target{};
    target.out = operands_.operand(output).data;
    target.rows = rows;
    target.is_partial = call_.stage == fold_stage::partial;
    target.is_first = call_.is_first;
    target.is_last = call_.is_last;
    target.has_initial = call_.initial != nullptr;
    target.counters = static_cast<unsigned int*>(call_.workspace.counters);
    target.carried = call_.workspace.parts;
    target.parts = call_.workspace.parts;
    if (!call_.segments)  // of which nothing is carried
        target.parts = static_cast<std::byte*>(target.parts) + code_.partial_bytes;
    return add(target, code_.accumulator, call_.initial);
}

}  // namespace foldwise::detail
