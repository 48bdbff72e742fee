// foldwise/device/tile_plan.hpp: the host's side of tiled.hpp: whether a call is cut into tiles, and which.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/divide.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The axes of a call in the order in which tiles count them: columns, rows, then the others, innermost first.
struct tile_axes {
    int count;
    int numbers[detail::max_axes];  ///< In the call's layout; of rows that are not there -1.
};

/// The steps of one operand along those axes, in elements. That all offsets fit 32 bits is a condition for tiles: with
/// 64 bits the arithmetic would cost more than the memory.
struct tile_steps {
    std::int32_t steps[detail::max_axes];

    static tile_steps of(const detail::elementwise_layout& layout, const tile_axes& axes, int operand) {
        tile_steps result{};
        for (int i = 0; i < axes.count; ++i) {
            const int axis = axes.numbers[i];
            result.steps[i] = axis < 0 ? 0 : static_cast<std::int32_t>(layout.strides[operand][axis]);
        }
        return result;
    }
};

/// How many vectors each thread has of a tile. Two share what it takes to find the place, and their loads are under way
/// together. Elements of one or two bytes fill so many registers that one is faster.
constexpr int runs_per_thread(int width) { return width <= 4 ? 2 : 1; }

/// Threads along a row of a tile in which transposed operands are exchanged.
constexpr int exchange_lanes(int width) { return width >= 16 ? 4 : 8; }

/// What tiles depend on of a kernel's signature.
struct tile_traits {
    int threads, width;
    int operands, inputs;        ///< The first output follows the inputs.
    bool is_ordered;             ///< The axes keep their order, because the kernel takes an index.
    const std::uint32_t* sizes;  ///< Of every operand's elements, in bytes.
    std::uint32_t alignment;     ///< For wide accesses to the first output.
    std::uint32_t tile_bytes;    ///< Of a transposed operand's tile.
};

/// What the threads of a launch have to know of it.
struct tiled_range {
    std::int32_t columns, rows;  ///< As all extents, less than 2^31.
    std::uint32_t blocks;        ///< 0: tiles do not suit the call.
    int lanes_log2;              ///< Threads along a row of a tile.
    int tile_columns, tile_rows;
    int next_column, next_row;  ///< From each vector of a thread to its next: one of the two is 0.
    int tiles;                  ///< Transposed operands, and
    std::uint32_t tile_bytes;   ///< what each takes of the shared memory.
    tile_axes axes;
    divider<std::uint32_t> column_tiles, row_tiles;
    divider<std::uint32_t> others[detail::max_axes - 2];
    /// Elements from a boundary for wide accesses to the first element of the first output, and how many that becomes
    /// from one element to the next along each axis. Modulo `phases`, a power of two.
    std::uint32_t phases, phase, phase_steps[detail::max_axes];
};

/// Of a layout's operand: an axis other than the innermost along which it has unit stride, if the innermost is not
/// that or broadcast; else -1.
inline int transposed_axis(const detail::elementwise_call& call, int operand) {
    const std::int64_t* strides = call.layout->strides[operand];
    int axis = call.layout->rank - 1;
    if (call.operands[operand].is_scalar || strides[axis] == 0 || strides[axis] == 1) return -1;
    while (axis >= 0 && strides[axis] != 1) --axis;
    return axis;
}

/// Where a transposed operand's tile begins in shared memory, or -1.
inline int tile_of(const detail::elementwise_call& call, const tiled_range& range, int operand) {
    const auto is_transposed = [&](int i) { return transposed_axis(call, i) == range.axes.numbers[1]; };
    if (range.tiles == 0 || !is_transposed(operand)) return -1;
    int before = 0;
    for (int i = 0; i < operand; ++i) before += is_transposed(i);
    return before < range.tiles ? before * static_cast<int>(range.tile_bytes) : -1;
}

/// Finds the tiles of a call.
class tile_planner {
  public:
    tile_planner(const detail::elementwise_call& call, const tile_traits& traits)
        : call_(call), layout_(*call.layout), traits_(traits) {}

    tiled_range plan() const {
        const int last = layout_.rank - 1;
        if (layout_.strides[traits_.inputs][last] != 1) return {};
        for (int i = 0; i < traits_.operands; ++i) {
            if (!has_short_offsets(i)) return {};
        }
        const std::int64_t columns = layout_.extents[last];
        const int axis = traits_.is_ordered ? -1 : widest_transposed_axis();
        if (axis < 0) return columns < traits_.width ? tiled_range{} : plan_rows(last - 1, false);
        // Of transposed operands a few columns do: with one thread for each row, neighbours read neighbours.
        if (2 * columns <= traits_.width) return {};
        const tiled_range transposed = plan_exchange(axis);
        return transposed.blocks > 0 ? transposed : plan_rows(axis, true);
    }

  private:
    static constexpr std::uint32_t shared_memory = 48 << 10;  // what every GPU gives a block without being asked

    int runs() const { return runs_per_thread(traits_.width); }

    /// In vectors.
    int block_size() const { return traits_.threads * runs(); }

    /// Places beyond the edges included: less than a block's more of each axis.
    bool has_short_offsets(int operand) const {
        constexpr std::int64_t most = INT32_MAX;
        const std::int64_t margin = std::int64_t{block_size()} * traits_.width;
        std::int64_t reach = 0;
        for (int axis = 0; axis < layout_.rank; ++axis) {
            const std::int64_t stride = layout_.strides[operand][axis], extent = layout_.extents[axis] + margin;
            if (stride > most || stride < -most || extent > most) return false;
            reach += (stride < 0 ? -stride : stride) * layout_.extents[axis];
        }
        return reach <= most;
    }

    int widest_transposed_axis() const {
        int found = -1;
        std::uint32_t size = 0;
        for (int i = 0; i < traits_.inputs; ++i) {
            const int axis = transposed_axis(call_, i);
            if (axis < 0 || traits_.sizes[i] <= size) continue;
            found = axis;
            size = traits_.sizes[i];
        }
        return found;
    }

    tiled_range plan_exchange(int row_axis) const {
        tiled_range result = begin(row_axis);
        result.tile_bytes = traits_.tile_bytes;
        for (int i = 0; i < traits_.inputs; ++i) result.tiles += transposed_axis(call_, i) == row_axis;
        const auto room = static_cast<int>(shared_memory / traits_.tile_bytes);
        if (result.tiles > room) result.tiles = room;
        if (result.tiles == 0) return {};
        const std::int64_t along = vectors(result.columns);
        const int lanes = exchange_lanes(traits_.width), wide = lanes * runs();
        const bool is_wide = places(along, result.rows, wide) < places(along, result.rows, lanes);
        // Transposed elements are slow without it: tiles may be as empty as three quarters.
        divide(result, along, lanes, is_wide ? wide : lanes, 4);
        return result;
    }

    tiled_range plan_rows(int row_axis, bool shares_lines) const {
        tiled_range result = begin(row_axis);
        const bool is_short = result.columns < 2 * traits_.width;  // that is no place for boundaries
        const std::int64_t along = vectors(result.columns + (is_short ? 0 : find_phases(result)));
        const int across = across_for(along, result.rows, shares_lines);
        // A thread's vectors are in one row, or a multiple of 16 rows apart: so all are cut at the same place.
        const int lanes = across > 16 ? across / runs() : across;
        // Threads without an element do nothing; too many of them, and one element for each thread is faster.
        divide(result, along, lanes, across, 2);
        return result;
    }

    /// The axes in the order of tiles, the innermost one and `row_axis` first.
    tiled_range begin(int row_axis) const {
        tiled_range result{};
        tile_axes& axes = result.axes;
        axes.numbers[axes.count++] = layout_.rank - 1;
        axes.numbers[axes.count++] = row_axis;
        for (int axis = layout_.rank - 2; axis >= 0; --axis) {
            if (axis != row_axis) axes.numbers[axes.count++] = axis;
        }
        result.columns = static_cast<std::int32_t>(extent(axes, 0));
        result.rows = static_cast<std::int32_t>(extent(axes, 1));
        result.phases = 1;
        return result;
    }

    std::int64_t extent(const tile_axes& axes, int i) const {
        return axes.numbers[i] < 0 ? 1 : layout_.extents[axes.numbers[i]];
    }

    std::int64_t vectors(std::int64_t elements) const { return (elements + traits_.width - 1) / traits_.width; }

    /// Sets where rows of the first output begin between boundaries, and returns how far behind one at most.
    std::int64_t find_phases(tiled_range& result) const {
        const std::uint32_t size = traits_.sizes[traits_.inputs];
        const auto address = reinterpret_cast<std::uintptr_t>(call_.operands[traits_.inputs].data);
        std::uint32_t phases = 1, ahead = 0;
        while (phases * size % traits_.alignment != 0) phases *= 2;
        while (ahead < phases && (address - std::uintptr_t{ahead} * size) % traits_.alignment != 0) ++ahead;
        if (ahead == phases) return 0;  // no element is at a boundary
        result.phases = phases;
        result.phase = ahead;
        const tile_steps steps = tile_steps::of(layout_, result.axes, traits_.inputs);
        bool is_same = true;
        for (int i = 1; i < result.axes.count; ++i) {
            result.phase_steps[i] = static_cast<std::uint32_t>(steps.steps[i]) % phases;
            is_same = is_same && result.phase_steps[i] == 0;
        }
        return is_same ? ahead : phases - 1;
    }

    /// Places for vectors in tiles of that many across.
    std::int64_t places(std::int64_t along, std::int64_t rows, int across) const {
        const std::int64_t down = block_size() / across;
        return (along + across - 1) / across * across * ((rows + down - 1) / down * down);
    }

    /// The most vectors across a tile that leave at most an eighth of the places empty, or as few as any. Where
    /// operands that are read along the rows share lines of the cache and there are few rows, a block has all of them.
    int across_for(std::int64_t along, std::int64_t rows, bool shares_lines) const {
        int across = block_size();
        for (int down = 1; shares_lines && down < rows && down < 8; down *= 2) across /= 2;
        while (across > 1 && across / 2 >= along) across /= 2;
        int best = across;
        for (; across >= 8; across /= 2) {
            if (places(along, rows, across) * 7 <= along * rows * 8) return across;
            if (places(along, rows, across) < places(along, rows, best)) best = across;
        }
        return best;
    }

    /// Says how many tiles there are, unless they have more than `sparse` times as many places as there are elements.
    /// With more vectors across than threads, those of a thread are beside each other, else below.
    void divide(tiled_range& result, std::int64_t along, int lanes, int across, int sparse) const {
        const std::int64_t elements = std::int64_t{result.columns} * result.rows;
        if (places(along, result.rows, across) * traits_.width > sparse * elements) return;
        while ((1 << result.lanes_log2) < lanes) ++result.lanes_log2;
        if (across > lanes) {
            result.next_column = lanes * traits_.width;
        } else {
            result.next_row = traits_.threads / lanes;
        }
        const std::int64_t down = block_size() / across;
        result.tile_columns = across * traits_.width;
        result.tile_rows = static_cast<std::int32_t>(down);
        const auto column_tiles = static_cast<std::uint32_t>((along + across - 1) / across);
        const auto strips = static_cast<std::uint32_t>((result.rows + down - 1) / down);
        result.column_tiles = divider<std::uint32_t>::by(column_tiles);
        result.row_tiles = divider<std::uint32_t>::by(strips);
        result.blocks = column_tiles * strips;
        for (int i = 2; i < result.axes.count; ++i) {
            const auto other = static_cast<std::uint32_t>(extent(result.axes, i));
            result.others[i - 2] = divider<std::uint32_t>::by(other);
            result.blocks *= other;
        }
    }

    const detail::elementwise_call& call_;
    const detail::elementwise_layout& layout_;
    const tile_traits& traits_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
