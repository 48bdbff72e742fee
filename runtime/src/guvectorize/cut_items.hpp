// runtime/src/guvectorize/cut_items.hpp: items cut into parts, so that there are enough for a GPU.
#pragma once

#include <foldwise/detail/guvectorize_code.hpp>

namespace foldwise::detail {

/// A call whose items are the parts of another call's.
struct cut_call {
    guvectorize_call call;
    core_argument arguments[max_operands];
};

/// Merges neighbouring axes along which the items of every operand are the same distance apart all along. Items keep
/// their order. `arguments` are those of the call.
void merge_axes(guvectorize_call& call, core_argument* arguments, int operands);

/// Makes items of the parts of a call's items: each has one coordinate along the dimensions that the kernel may be cut
/// along, as many of these as there is room for axes. Those along which outputs are most contiguous are the innermost
/// axes, so that neighbouring threads have neighbouring elements. Returns false if there is nothing to cut.
bool cut_items(const guvectorize_code& code, const guvectorize_call& call, cut_call& parts);

}  // namespace foldwise::detail
