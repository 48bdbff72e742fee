// runtime/src/guvectorize/launch_guvectorize.cpp: distributes the items of a call over threads, and launches its
// kernel.
#include "gpu/parameters.hpp"
#include "guvectorize/cut_items.hpp"
#include "guvectorize/stage_plan.hpp"

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/guvectorize_code.hpp>

#include <algorithm>
#include <cstdint>

namespace foldwise::detail {

namespace {

/// With fewer items, each multiprocessor of a large GPU has fewer than 256 threads.
constexpr std::int64_t many_items = 1 << 15;

/// Adds an operand as device/guvectorize.hpp reads it.
template <item_layout Layout>
void add_operand(parameters& all, const core_argument& given, int core_axes, const operand_type& type,
                 [[maybe_unused]] const item_stage& stage) {
    item_place<Layout> place{};
    place.data = given.is_value ? nullptr : given.data;
    std::copy_n(given.item_strides, item_axes<Layout>, place.strides);
    if constexpr (Layout == item_layout::staged) place.stage = stage;
    if (core_axes == 0) {
        all.add(place, type, given.is_value ? given.data : nullptr);
        return;
    }
    struct {
        item_place<Layout> place;
        std::int64_t numbers[2 * max_axes];
    } view{place, {}};
    std::copy_n(given.extents, core_axes, view.numbers);
    std::copy_n(given.strides, core_axes, view.numbers + core_axes);
    all.add(view);
}

template <item_layout Layout> item_grid<Layout> grid_of(const guvectorize_call& call, const stage_plan& plan) {
    if constexpr (Layout == item_layout::staged) {
        return {call.count, plan.together};
    } else {
        item_grid<Layout> items{call.count, {}};
        for (int axis = 0; axis < item_axes<Layout>; ++axis) {
            const int own = axis - (max_axes - call.axes);
            items.extents[axis] = divider<std::uint32_t>::by(
                Layout == item_layout::strided && own >= 0 ? static_cast<std::uint32_t>(call.extents[own]) : 1);
        }
        return items;
    }
}

template <item_layout Layout>
int launch_items(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream,
                 const stage_plan& plan = {}) {
    parameters all;
    for (int i = 0; i < code.operands; ++i) {
        core_argument given = call.arguments[i];
        std::fill(given.item_strides + call.axes, given.item_strides + max_axes, 0);
        if (Layout == item_layout::strided)  // the axes of the call are the last ones of the kernel
            std::rotate(given.item_strides, given.item_strides + call.axes, given.item_strides + max_axes);
        add_operand<Layout>(all, given, code.core_axes[i], code.types[i], plan.stages[i]);
    }
    all.add(grid_of<Layout>(call, plan));
    const std::int64_t together = Layout == item_layout::staged ? plan.together : code.threads;
    try {
        return code.file->launch(
            {.kernel = code.instances[static_cast<int>(Layout)],
             .blocks = {static_cast<unsigned int>(std::min((call.count + together - 1) / together, max_grid_blocks)), 1,
                        1},
             .threads = static_cast<unsigned int>(code.threads),
             .shared_bytes = plan.shared_bytes,
             .has_barriers = Layout == item_layout::staged,
             .stream = stream,
             .arguments = all.addresses()});
    } catch (check_failed& failed) {
        const std::int64_t own = std::int64_t{failed.found.block[0]} * together + failed.found.thread[0];
        failed.found.set_item(call.first + own);
        throw;
    }
}

/// Launches items that lie along one axis.
int launch_line(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream) {
    const stage_plan plan = call.axes == 1 ? plan_stages(code, call) : stage_plan{};
    if (plan.together > 0) return launch_items<item_layout::staged>(code, call, stream, plan);
    return launch_items<item_layout::even>(code, call, stream);
}

/// Launches the items of a call whose operands have several axes, in parts of fewer than 2^31.
int launch_parts(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream) {
    if (call.count <= largest_part) return launch_items<item_layout::strided>(code, call, stream);
    const std::int64_t rows = call.extents[0], row = call.count / rows;
    const std::int64_t together = std::max<std::int64_t>(1, largest_part / row);
    core_argument moved[max_operands];
    std::copy_n(call.arguments, code.operands, moved);
    for (std::int64_t begin = 0; begin < rows; begin += together) {
        guvectorize_call part = call;
        part.arguments = moved;
        part.first = call.first + begin * row;
        part.extents[0] = std::min(together, rows - begin);
        part.count = part.extents[0] * row;
        for (int i = 0; i < code.operands; ++i)
            if (!moved[i].is_value)
                moved[i].data = static_cast<char*>(call.arguments[i].data) +
                                begin * call.arguments[i].item_strides[0] * code.types[i].size;
        if (part.extents[0] == 1) {  // one row, which may still be too long
            std::copy(call.extents + 1, call.extents + call.axes, part.extents);
            part.axes = call.axes - 1;
            for (int i = 0; i < code.operands; ++i)
                std::copy(call.arguments[i].item_strides + 1, call.arguments[i].item_strides + call.axes,
                          moved[i].item_strides);
        }
        const int status = part.axes > 1 ? launch_parts(code, part, stream) : launch_line(code, part, stream);
        if (status != 0) return status;
    }
    return 0;
}

}  // namespace

int launch(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream) {
    const bool are_many = call.count >= many_items;
    const bool are_staged = call.axes == 1 && plan_stages(code, call).together > 0;
    cut_call parts;
    const bool is_cut = !(are_many && are_staged) && cut_items(code, call, parts);
    const guvectorize_call& all = is_cut ? parts.call : call;
    return all.axes > 1 ? launch_parts(code, all, stream) : launch_line(code, all, stream);
}

}  // namespace foldwise::detail
