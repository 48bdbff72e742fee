// runtime/src/scan/launch_scan.cpp: chooses the instance that suits a scan's memory layout, and launches it.
#include "gpu/alignment.hpp"
#include "gpu/by_rank.hpp"
#include "gpu/capacity.hpp"
#include "gpu/parameters.hpp"
#include "scan/columns.hpp"
#include "scan/row_tiles.hpp"

#include <foldwise/detail/scan_code.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace foldwise::detail {

namespace {

using instance = scan_instance;

/// One launch of a scan.
class scan_launch {
  public:
    scan_launch(const scan_code& code, const scan_call& call) : code_(code), call_(call), are_aligned_(are_wide()) {}

    int run(CUstream_st* stream) {
        const bool along_columns = goes_along_columns(call_, code_.inputs);
        const std::size_t result = code_.operands[code_.inputs].size, accumulator = code_.accumulator.size;
        std::optional<scan_strips> whole_strips;
        if (along_columns) whole_strips = divide_into_whole_strips(call_, result, accumulator, code_.file->few_tiles);
        const instance which = whole_strips        ? instance::strips
                               : along_columns     ? instance::columns
                               : is_for_rows()     ? instance::rows
                               : is_for_pipeline() ? instance::pipelined
                               : are_aligned_      ? instance::vectors
                                                   : instance::elements;
        if (call_.elements.layout) order_axes(call_, code_.inputs, along_columns, order_);
        if (whole_strips) are_aligned_ = have_wide_rows(scan_strip_columns(result, accumulator));
        for (int i = 0; i < code_.inputs; ++i) {
            const operand_address& input = call_.elements.operands[i];
            if (input.is_whole) {
                parameters_.add(*static_cast<const whole_array*>(input.data));
                continue;
            }
            const scan_operand place{input.is_scalar ? nullptr : input.data};
            parameters_.add(place, code_.operands[i], input.is_scalar ? input.data : nullptr);
        }
        parameters_.add(call_.elements.operands[code_.inputs].data);
        add_strides();
        add_space();
        const int threads = whole_strips    ? scan_strip_threads(accumulator)
                            : along_columns ? scan_column_threads(accumulator)
                                            : code_.threads;
        scan_strips strips{};
        if (along_columns) strips = whole_strips ? *whole_strips : divide_columns(call_, result, accumulator);
        const int rows = along_columns                  ? 0
                         : which == instance::rows      ? code_.row_vectors
                         : which == instance::pipelined ? code_.pipeline_rows
                                                        : rows_for_all();
        const std::int64_t tile =
            which == instance::rows ? whole_rows() * call_.length : elements_of(std::max(rows, 1));
        const std::int64_t tiles =
            along_columns ? std::int64_t{strips.strips.divisor} * strips.deep : pieces(call_.elements.count, tile);
        add_range(static_cast<unsigned int>(tiles), tile, rows, strips);
        const gpu_code kernel = code_.instances[static_cast<int>(which)];
        std::int64_t blocks = strips.strips.divisor;
        if (!whole_strips) {
            const capacity all = capacity_of(*code_.file, kernel, threads, code_.resident[static_cast<int>(which)]);
            blocks = std::min<std::int64_t>(tiles, all.blocks());
        }
        return code_.file->launch({.kernel = kernel,
                                   .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                                   .threads = static_cast<unsigned int>(threads),
                                   .shared_bytes = 0,
                                   .has_barriers = true,
                                   .stream = stream,
                                   .arguments = parameters_.addresses()});
    }

  private:
    static std::int64_t pieces(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

    /// Returns how many elements a tile has if each thread scans `rows` vectors of it.
    std::int64_t elements_of(int rows) const { return std::int64_t{code_.threads} * code_.width * rows; }
    /// Returns how many tiles the elements make then.
    std::int64_t tiles_of(int rows) const { return pieces(call_.elements.count, elements_of(rows)); }

    /// Returns how many rows a tile has that has whole rows, or 0.
    std::int64_t whole_rows() const { return rows_of_tile(call_.length, code_.width, elements_of(code_.row_vectors)); }

    /// Returns whether tiles have whole rows, so that they are not linked. A single tile is not anyhow.
    bool is_for_rows() const {
        const std::int64_t rows = whole_rows();
        if (call_.restarts || call_.starts || call_.ends || tiles_of(1) == 1 || rows == 0) return false;
        // What slows pipelined tiles down are rows that begin in them. One or two do less than links, and these are
        // hidden where there are more tiles than run at once.
        constexpr std::int64_t many_rows = 3;
        const std::int64_t tiles = pieces(call_.elements.count, rows * call_.length);
        const bool run_at_once = tiles * code_.threads <= code_.file->threads_at_once;
        if (rows < many_rows && is_for_pipeline() && !run_at_once) return false;
        if (tiles > INT32_MAX / 2) return false;  // kernels count tiles in an int
        // A vector that is accessed one by one reaches into two rows of memory at most.
        const element_layout* const layout = call_.elements.layout;
        return !layout || layout->rank < 2 || layout->extents[layout->rank - 1] >= code_.width;
    }

    /// Returns whether blocks have several tiles, of contiguous rows. Alignment does not matter, so that results have
    /// the same bits with any.
    bool is_for_pipeline() const {
        return !call_.elements.layout && !call_.restarts && !call_.starts &&
               tiles_of(code_.pipeline_rows) > code_.file->few_tiles;
    }

    /// Returns how many vectors of a tile each thread scans: no more than make a tile for each multiprocessor of a
    /// large GPU, where there are few elements, as the time that a tile takes is then all there is, and otherwise as
    /// many as there can be. The GPU's own number does not matter, so that results have the same bits on all of them.
    int rows_for_all() const {
        const int few_tiles = code_.file->few_tiles;
        const int most = scan_rows(code_.threads, code_.width, code_.accumulator.size);
        int rows = 1;
        while (rows < most && tiles_of(rows) > few_tiles) rows *= 2;
        return rows;
    }

    /// Returns whether every operand is contiguous and aligned for vectors. A value is not read from memory.
    bool are_wide() const {
        if (call_.elements.layout) return false;
        for (int i = 0; i <= code_.inputs; ++i) {
            const operand_address& operand = call_.elements.operands[i];
            if (!operand.is_scalar && !is_aligned(operand, code_.operands[i], code_.width, 0)) return false;
        }
        return true;
    }

    /// Returns whether `across` columns of every operand are a vector in each row, wherever a multiple of them begins.
    /// A value is not read from memory.
    bool have_wide_rows(int across) const {
        const element_layout& layout = *call_.elements.layout;
        if (layout.extents[order_[1]] % across != 0) return false;
        for (int i = 0; i <= code_.inputs; ++i) {
            const operand_address& operand = call_.elements.operands[i];
            if (operand.is_scalar || operand.is_whole) continue;
            const std::int64_t* const steps = layout.strides[i];
            if (steps[order_[1]] != 1 || !is_aligned(operand, code_.operands[i], across, 0)) return false;
            for (int axis = 0; axis < layout.rank; ++axis)
                if (axis != order_[1] && steps[axis] % across != 0) return false;
        }
        return true;
    }

    /// Adds the strides of the inputs, of the results and, if the map takes an index, of positions, as one parameter.
    void add_strides() {
        strides* first = nullptr;
        for (int i = 0; i <= code_.inputs + (code_.index_rank > 0 ? 1 : 0); ++i) {
            strides next{};
            const bool is_position = i > code_.inputs;
            if (const element_layout* layout = call_.elements.layout) {
                const std::int64_t* const all = is_position ? call_.positions : layout->strides[i];
                for (int axis = 0; axis < layout->rank; ++axis) next.steps[axis] = all[order_[axis]];
            } else {
                next.steps[0] = 1;
            }
            strides& added = first ? parameters_.extend(next) : parameters_.add(next);
            if (!first) first = &added;
        }
    }

    void add_space() {
        if (code_.index_rank == 0) return;
        by_rank(code_.index_rank, [&]<int N>(std::integral_constant<int, N>) {
            reduce_space<N> space{call_.elements.first, {}};
            for (int axis = 1; axis < N; ++axis)
                space.extents[axis] =
                    divider<std::uint64_t>::by(static_cast<std::uint64_t>(call_.elements.shape[axis]));
            parameters_.add(space);
        });
    }

    void add_range(unsigned int tiles, std::int64_t tile, int rows, const scan_strips& strips) {
        scan_range range{};
        range.count = call_.elements.count;
        range.length = divider<std::uint64_t>::by(static_cast<std::uint64_t>(call_.length));
        if (const element_layout* layout = call_.elements.layout) {
            range.rank = layout->rank;
            for (int axis = 0; axis + 1 < layout->rank; ++axis)
                range.extents[axis] =
                    divider<std::uint64_t>::by(static_cast<std::uint64_t>(layout->extents[order_[axis]]));
        }
        range.along_columns = strips;
        range.tiles = tiles;
        range.tile = divider<std::uint64_t>::by(static_cast<std::uint64_t>(tile));
        range.rows = rows;
        range.restarts = call_.restarts;
        range.restart_count = call_.restart_count;
        range.restart_size = call_.restart_size;
        range.are_offsets = call_.are_offsets;
        range.are_signed = call_.are_signed;
        range.is_exclusive = call_.is_exclusive;
        range.is_reverse = call_.is_reverse;
        range.has_initial = call_.start != nullptr;
        range.are_aligned = are_aligned_;
        range.starts = call_.starts;
        range.ends = call_.ends;
        auto* const counters = static_cast<std::byte*>(call_.workspace.counters);
        range.progress = reinterpret_cast<scan_progress*>(counters + scan_progress_offset);
        range.words = reinterpret_cast<unsigned long long*>(range.progress + 1);
        range.word_count =
            static_cast<std::int64_t>((call_.workspace.counter_bytes - scan_progress_offset - sizeof(scan_progress)) /
                                      sizeof(unsigned long long));
        range.parts = call_.workspace.parts;
        parameters_.add(range, code_.accumulator, call_.start);
    }

    const scan_code& code_;
    const scan_call& call_;
    bool are_aligned_;
    int order_[max_axes];  ///< The axes of the layout as the kernel sees them, innermost first.
    parameters parameters_;
};

}  // namespace

int launch(const scan_code& code, const scan_call& call, CUstream_st* stream) {
    return scan_launch(code, call).run(stream);
}

}  // namespace foldwise::detail
