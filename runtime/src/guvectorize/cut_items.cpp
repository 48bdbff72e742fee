// runtime/src/guvectorize/cut_items.cpp: makes axes of items of core dimensions.
#include "guvectorize/cut_items.hpp"

#include <algorithm>
#include <cstdlib>

namespace foldwise::detail {

namespace {

/// A dimension that items are cut along, as the last output has it.
struct cut {
    int number;
    std::int64_t extent, stride;
};

/// The dimensions that outputs have elements in, outermost first.
int find_cuts(const guvectorize_code& code, const guvectorize_call& call, cut (&found)[max_axes]) {
    const int last = code.operands - 1;
    const int* own = code.cuts;
    for (int i = 0; i < last; ++i) own += code.core_axes[i];
    const core_argument& output = call.arguments[last];
    int count = 0;
    for (int axis = 0; axis < code.core_axes[last]; ++axis) {
        if (output.extents[axis] == 0) return 0;
        if (own[axis] >= 0 && output.extents[axis] > 1)
            found[count++] = {own[axis], output.extents[axis], output.strides[axis]};
    }
    std::stable_sort(found, found + count,
                     [](const cut& a, const cut& b) { return std::abs(a.stride) > std::abs(b.stride); });
    return count;
}

}  // namespace

void merge_axes(guvectorize_call& call, core_argument* arguments, int operands) {
    const int axes = call.axes;
    call.axes = 0;
    for (int axis = 0; axis < axes; ++axis) {
        const std::int64_t extent = call.extents[axis];
        if (extent == 1) continue;
        const int last = call.axes - 1;
        bool merges = last >= 0;
        for (int i = 0; merges && i < operands; ++i)
            merges = arguments[i].item_strides[last] == extent * arguments[i].item_strides[axis];
        const int to = merges ? last : call.axes++;
        call.extents[to] = merges ? call.extents[to] * extent : extent;
        for (int i = 0; i < operands; ++i) arguments[i].item_strides[to] = arguments[i].item_strides[axis];
    }
}

bool cut_items(const guvectorize_code& code, const guvectorize_call& call, cut_call& parts) {
    cut cuts[max_axes];
    const int found = code.cut_count > 0 ? find_cuts(code, call, cuts) : 0;
    const int count = std::min(found, max_axes - call.axes);
    if (count == 0) return false;
    parts.call = call;
    parts.call.arguments = parts.arguments;
    std::copy_n(call.arguments, code.operands, parts.arguments);
    for (int k = 0; k < count; ++k) {
        const cut& one = cuts[found - count + k];
        const int to = parts.call.axes++;
        parts.call.extents[to] = one.extent;
        parts.call.count *= one.extent;
        const int* own = code.cuts;
        for (int i = 0; i < code.operands; ++i) {
            core_argument& core = parts.arguments[i];
            core.item_strides[to] = 0;
            for (int axis = 0; axis < code.core_axes[i]; ++axis, ++own) {
                if (*own != one.number) continue;
                core.item_strides[to] = core.strides[axis];
                core.extents[axis] = 1;
            }
        }
    }
    merge_axes(parts.call, parts.arguments, code.operands);
    return true;
}

}  // namespace foldwise::detail
