// runtime/src/vectorize/tile_plan.cpp: plans the tiles of vectorize calls.
#include "vectorize/tile_plan.hpp"

#include "divided.hpp"

#include <algorithm>
#include <bit>

namespace foldwise::detail {

namespace {

/// The parameters by which tiles are planned, tuned on an H200. The measurements are in docs/performance/notes, in
/// vectorize-tiles.md and vectorize-flat.md.
struct tile_tuning {
    /// In rows of at least this many vectors, the elements that are read singly at the ends do not matter. A guess
    /// (vectorize-flat.md).
    std::int64_t long_row = 128;
    /// Tiles that are exchanged through shared memory have up to this many places per element: such calls are slow
    /// without them.
    int exchange_places = 4;
    /// Other tiles have up to this many places per element: with more, one element per thread is faster.
    int row_places = 2;
    /// A tile is made narrower unless this many of 8 places are filled.
    std::int64_t filled_in_8 = 7;
};
constexpr tile_tuning tuning;

constexpr std::int64_t sector_bytes = 32;  // what GPUs read from memory and write to it at least

/// Returns the axis along which an operand has unit stride if that is not the innermost one, along which it is neither
/// contiguous nor broadcast; otherwise -1.
int transposed_axis(const element_range& call, int operand) {
    const std::int64_t* strides = call.layout->strides[operand];
    int axis = call.layout->rank - 1;
    if (call.operands[operand].is_scalar || strides[axis] == 0 || strides[axis] == 1) return -1;
    while (axis >= 0 && strides[axis] != 1) --axis;
    return axis;
}

/// Returns whether all elements of an operand can be accessed together with their neighbours along one of a tile's
/// first two axes, `together` at a time.
bool takes_whole_vectors(const element_range& call, const tiled_range& range, int operand, std::uint32_t size,
                         int along, int together) {
    const tile_steps steps = tile_steps_of(*call.layout, range.axes, operand);
    const std::int64_t bytes = access_bytes(together * static_cast<int>(size));
    bool are_whole = steps.steps[along] == 1 && (along == 0 ? range.columns : range.rows) % together == 0 &&
                     reinterpret_cast<std::uintptr_t>(call.operands[operand].data) % bytes == 0;
    for (int i = 0; i < range.axes.count; ++i)
        are_whole = are_whole && (i == along || steps.steps[i] * std::int64_t{size} % bytes == 0);
    return are_whole;
}

/// Plans the tiles of a call.
class tile_planner {
  public:
    tile_planner(const element_range& call, const tile_traits& traits)
        : call_(call), layout_(*call.layout), traits_(traits) {}

    tiled_range plan() const {
        const int last = layout_.rank - 1;
        if (layout_.strides[traits_.inputs][last] != 1) return {};
        for (int i = 0; i < traits_.operands; ++i) {
            if (!has_short_offsets(i)) return {};
        }
        const std::int64_t columns = layout_.extents[last];
        const int axis = traits_.is_ordered ? -1 : widest_transposed_axis();
        if (axis < 0) {
            if (columns < traits_.width || (traits_.is_flat && has_unit_steps() && !cuts_long_rows())) return {};
            return plan_rows(last - 1, false);
        }
        // With few columns, tiles that are exchanged are mostly empty. Neighbouring threads then get neighbouring rows,
        // or vectors of the output, and read neighbouring elements.
        if (2 * columns <= exchange_lanes(traits_.width) * traits_.width) {
            const tiled_range rows = columns % traits_.width == 0 ? plan_rows(axis, true) : tiled_range{};
            if (rows.blocks > 0 || traits_.is_flat) return rows;
        }
        if (2 * columns <= traits_.width) return {};
        const tiled_range transposed = plan_exchange(axis);
        return transposed.blocks > 0 && transposed.tiles > 0 ? transposed : plan_rows(axis, true);
    }

  private:
    static constexpr std::uint32_t shared_memory = 48 << 10;  // what every GPU grants a block without opting in

    /// Returns whether all offsets of an operand fit in 32 bits, including places beyond the edges: less than a block's
    /// more along each axis.
    bool has_short_offsets(int operand) const {
        constexpr std::int64_t most = INT32_MAX;
        const std::int64_t margin = std::int64_t{traits_.threads} * exchange_runs * traits_.width;
        std::int64_t reach = 0;
        for (int axis = 0; axis < layout_.rank; ++axis) {
            const std::int64_t stride = layout_.strides[operand][axis], extent = layout_.extents[axis] + margin;
            if (stride > most || stride < -most || extent > most) return false;
            reach += (stride < 0 ? -stride : stride) * layout_.extents[axis];
        }
        return reach <= most;
    }

    /// Returns whether along the innermost axis every input is contiguous or repeats one element.
    bool has_unit_steps() const {
        for (int i = 0; i < traits_.inputs; ++i) {
            const std::int64_t step = layout_.strides[i][layout_.rank - 1];
            if (step != 0 && step != 1 && !call_.operands[i].is_scalar) return false;
        }
        return true;
    }

    /// Returns whether rows are long and end inside vectors of narrow elements. Inputs that such rows repeat are read
    /// element by element by flat launches, and only at the ends of rows by tiles. Inputs whose vectors begin at other
    /// elements than the output's are read element by element by both.
    bool cuts_long_rows() const {
        const int last = layout_.rank - 1;
        const std::int64_t columns = layout_.extents[last];
        if (runs_per_thread(traits_.width) > 1 || columns % traits_.width == 0 ||
            columns < tuning.long_row * traits_.width)
            return false;
        for (int i = 0; i < traits_.inputs; ++i) {
            if (call_.operands[i].is_scalar || layout_.strides[i][last] == 0) continue;
            for (int axis = 0; axis < last; ++axis) {
                if (layout_.strides[i][axis] != layout_.strides[traits_.inputs][axis]) return false;
            }
        }
        return true;
    }

    /// Returns the transposed axis of the input with the largest elements, or -1.
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

    /// Plans tiles in which transposed operands are exchanged through shared memory.
    tiled_range plan_exchange(int row_axis) const {
        tiled_range result = begin(row_axis);
        result.is_upright = can_be_upright(traits_.width) && are_rows_cut(result);
        result.tile_bytes = result.is_upright ? traits_.upright_bytes : traits_.tile_bytes;
        result.stage_bytes = stage_bytes(result);
        for (int i = 0; i < traits_.inputs; ++i) {
            if (!has_tile(reading_of(call_, result, i, traits_.sizes[i], traits_.width))) continue;
            ++result.tiles;
            if (i >= 32 || shared_bytes(result, traits_.threads) > shared_memory) return {};
            result.have_tiles |= 1u << i;
        }
        const std::int64_t along = vectors(result.columns);
        const int lanes = exchange_lanes(traits_.width), size = traits_.threads * exchange_runs;
        const int across = across_exchanged(result, along);
        divide(result, along, lanes, across, size, tuning.exchange_places);
        if (result.blocks == 0) return result;
        result.part_rows_log2 = log2_of(size / std::min(across, lanes * exchange_runs));
        result.tile_rows_log2 = log2_of(result.tile_rows);
        return result;
    }

    /// Returns the vectors across a tile that is exchanged: those of a part if its parts are below each other, those of
    /// all parts if they are beside each other, and more if it is folded. Of these shapes, it is the one that accesses
    /// the fewest sectors, those of empty places included.
    int across_exchanged(const tiled_range& range, std::int64_t along) const {
        const int lanes = exchange_lanes(traits_.width), wide = lanes * exchange_runs;
        const int size = traits_.threads * exchange_runs;
        operand_runs runs[max_operands];
        for (int i = 0; i < traits_.operands; ++i) runs[i] = runs_of(range, i);
        const auto sectors = [&](int across) {
            const std::int64_t columns = std::int64_t{across} * traits_.width, rows = size / across;
            std::int64_t of_tile = 0;
            for (int i = 0; i < traits_.operands; ++i) of_tile += runs[i].sectors(columns, rows);
            return places(along, range.rows, across, size) * of_tile;
        };
        int best = sectors(wide) < sectors(lanes) ? wide : lanes;
        const int least_rows =
            2 * std::int64_t{range.rows} <= fewest_exchanged_rows ? size / wide : fewest_exchanged_rows;
        // What would be too empty is not folded.
        if (places(along, range.rows, best, size) * traits_.width > tuning.exchange_places * elements(range))
            return best;
        for (int across = 2 * wide; size / across >= least_rows; across *= 2)
            if (sectors(across) < sectors(best)) best = across;
        return best;
    }

    /// What a tile accesses of an operand: runs of neighbours along one of its axes.
    struct operand_runs {
        std::uint32_t size;  ///< Of an element, in bytes.
        bool is_along_rows;  ///< Whether runs are columns of the tile, as those of operands are that are exchanged.
        /// How many sectors more each run accesses where some runs begin inside one: another one, and one again if two
        /// tiles write parts of it, which takes longer than to read it twice.
        int cut;

        std::int64_t sectors(std::int64_t columns, std::int64_t rows) const {
            const std::int64_t runs = is_along_rows ? columns : rows, length = is_along_rows ? rows : columns;
            return runs * (divided(length * size, sector_bytes) + cut);
        }
    };
    /// Returns an operand's runs in tiles. Those that repeat an element have none: they are counted with size 0.
    operand_runs runs_of(const tiled_range& range, int operand) const {
        const std::uint32_t size = traits_.sizes[operand];
        const tile_steps steps = tile_steps_of(layout_, range.axes, operand);
        if (call_.operands[operand].is_scalar || steps.steps[0] == 0) return {};
        const bool is_along_rows =
            operand < traits_.inputs && has_tile(reading_of(call_, range, operand, size, traits_.width));
        bool is_cut = reinterpret_cast<std::uintptr_t>(call_.operands[operand].data) % sector_bytes != 0;
        for (int axis = 0; axis < range.axes.count; ++axis)
            is_cut = is_cut ||
                     (axis != (is_along_rows ? 1 : 0) && steps.steps[axis] * std::int64_t{size} % sector_bytes != 0);
        return {size, is_along_rows, is_cut ? (operand < traits_.inputs ? 1 : 2) : 0};
    }

    /// Returns whether some operand along the columns would be accessed by single elements.
    bool are_rows_cut(const tiled_range& range) const {
        for (int i = 0; i < traits_.operands; ++i) {
            const std::uint32_t size = traits_.sizes[i];
            if (i < traits_.inputs ? reading_of(call_, range, i, size, traits_.width) == tile_reading::singly
                                   : !takes_whole_vectors(call_, range, i, size, 0, traits_.width))
                return true;
        }
        return false;
    }

    static int log2_of(std::int32_t power) { return std::countr_zero(static_cast<std::uint32_t>(power)); }

    /// Returns the bytes by which a warp arranges one vector of each thread of the widest output; 0 if vectors are not
    /// arranged, or whole ones are stored throughout.
    std::uint32_t stage_bytes(const tiled_range& range) const {
        if (!are_stores_arranged(traits_.width)) return 0;
        std::uint32_t widest = 0;
        bool are_whole = true;
        for (int i = traits_.inputs; i < traits_.operands; ++i) {
            are_whole = are_whole && takes_whole_vectors(call_, range, i, traits_.sizes[i], 0, traits_.width);
            if (traits_.sizes[i] > widest) widest = traits_.sizes[i];
        }
        return are_whole ? 0 : static_cast<std::uint32_t>(warp_threads * traits_.width) * widest;
    }

    /// Plans tiles whose threads read all operands directly.
    tiled_range plan_rows(int row_axis, bool shares_lines) const {
        tiled_range result = begin(row_axis);
        const bool is_short = result.columns < 2 * traits_.width;  // too short for alignment boundaries
        const std::int64_t along = vectors(result.columns + (is_short ? 0 : find_phases(result)));
        const int runs = runs_per_thread(traits_.width), size = traits_.threads * runs;
        const int across = across_for(along, result.rows, size, shares_lines);
        // A thread's vectors are in one row or a multiple of 16 rows apart, so that all are cut at the same place.
        const int lanes = across > 16 ? across / runs : across;
        // Threads without an element do nothing; if there are too many of them, one element per thread is faster.
        divide(result, along, lanes, across, size, tuning.row_places);
        return result;
    }

    /// Starts a plan with the axes in the order of tiles: the innermost one, `row_axis`, then the others.
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

    static std::int64_t elements(const tiled_range& plane) { return std::int64_t{plane.columns} * plane.rows; }
    std::int64_t vectors(std::int64_t elements) const { return (elements + traits_.width - 1) / traits_.width; }

    /// Sets the phases, at which rows of the first output begin relative to alignment boundaries, and returns the
    /// largest.
    std::int64_t find_phases(tiled_range& result) const {
        const std::uint32_t size = traits_.sizes[traits_.inputs];
        const auto address = reinterpret_cast<std::uintptr_t>(call_.operands[traits_.inputs].data);
        std::uint32_t phases = 1, ahead = 0;
        while (phases * size % traits_.alignment != 0) phases *= 2;
        while (ahead < phases && (address - std::uintptr_t{ahead} * size) % traits_.alignment != 0) ++ahead;
        if (ahead == phases) return 0;  // no element is at a boundary
        result.phases = phases;
        result.phase = ahead;
        const tile_steps steps = tile_steps_of(layout_, result.axes, traits_.inputs);
        bool is_same = true;
        for (int i = 1; i < result.axes.count; ++i) {
            result.phase_steps[i] = static_cast<std::uint32_t>(steps.steps[i]) % phases;
            is_same = is_same && result.phase_steps[i] == 0;
        }
        return is_same ? ahead : phases - 1;
    }

    /// Returns the number of places for vectors in tiles of `size` vectors, `across` of them per row.
    static std::int64_t places(std::int64_t along, std::int64_t rows, int across, int size) {
        const std::int64_t down = size / across;
        return (along + across - 1) / across * across * ((rows + down - 1) / down * down);
    }

    /// Returns the most vectors across a tile that leave at most an eighth of the places empty, or as few as possible.
    /// If operands that are read along the rows share cache lines and there are few rows, a block gets all of them.
    static int across_for(std::int64_t along, std::int64_t rows, int size, bool shares_lines) {
        int across = size;
        for (int down = 1; shares_lines && down < rows && down < 8; down *= 2) across /= 2;
        while (across > 1 && across / 2 >= along) across /= 2;
        int best = across;
        for (; across >= 8; across /= 2) {
            if (places(along, rows, across, size) * tuning.filled_in_8 <= along * rows * 8) return across;
            if (places(along, rows, across, size) < places(along, rows, best, size)) best = across;
        }
        return best;
    }

    /// Sets the number and the shape of tiles, unless they have more than `sparse` times as many places as there are
    /// elements. If a tile has more vectors across than lanes, a thread's vectors are in the same row, otherwise in the
    /// same column.
    void divide(tiled_range& result, std::int64_t along, int lanes, int across, int size, int sparse) const {
        if (places(along, result.rows, across, size) * traits_.width > sparse * elements(result)) return;
        while ((1 << result.lanes_log2) < lanes) ++result.lanes_log2;
        if (across > lanes) {
            result.next_column = lanes * traits_.width;
        } else {
            result.next_row = traits_.threads / lanes;
        }
        const std::int64_t down = size / across;
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

    const element_range& call_;
    const element_layout& layout_;
    const tile_traits& traits_;
};

}  // namespace

tiled_range plan_tiles(const element_range& call, const tile_traits& traits) {
    return tile_planner(call, traits).plan();
}

tile_steps tile_steps_of(const element_layout& layout, const tile_axes& axes, int operand) {
    tile_steps result{};
    for (int i = 0; i < axes.count; ++i) {
        const int axis = axes.numbers[i];
        result.steps[i] = axis < 0 ? 0 : static_cast<std::int32_t>(layout.strides[operand][axis]);
    }
    return result;
}

tile_reading reading_of(const element_range& call, const tiled_range& range, int operand, std::uint32_t size,
                        int width) {
    const tile_steps all = tile_steps_of(*call.layout, range.axes, operand);
    const std::int32_t* const steps = all.steps;
    if (call.operands[operand].is_scalar) return tile_reading::direct;
    const tile_reading along_columns = range.is_upright ? tile_reading::singly : tile_reading::direct;
    if (steps[0] == 0) return along_columns;
    const bool is_along_rows = steps[0] != 1 && steps[1] == 1;
    const int together = is_along_rows ? width / exchange_columns(width) : width;
    if (range.columns % exchange_columns(width) == 0 &&
        takes_whole_vectors(call, range, operand, size, is_along_rows, together))
        return is_along_rows ? tile_reading::by_pieces : along_columns;
    const auto length = [](std::int64_t step) { return step < 0 ? -step : step; };
    return length(steps[1]) < length(steps[0]) ? tile_reading::by_rows : tile_reading::singly;
}

std::uint32_t shared_bytes(const tiled_range& range, int threads) {
    const auto warps = static_cast<std::uint32_t>(threads / warp_threads);
    return static_cast<std::uint32_t>(range.tiles) * range.tile_bytes + warps * range.stage_bytes;
}

int tile_of(const tiled_range& range, int operand) {
    return std::popcount(range.have_tiles & ((1u << operand) - 1)) * static_cast<int>(range.tile_bytes);
}

}  // namespace foldwise::detail
