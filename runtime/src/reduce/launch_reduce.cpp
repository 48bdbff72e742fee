// runtime/src/reduce/launch_reduce.cpp: chooses the instance that suits a call's rows and memory layout, and launches
// it.
#include "divided.hpp"
#include "gpu/capacity.hpp"
#include "reduce_operands.hpp"
#include "reduce_parameters.hpp"
#include "reduce_plan.hpp"

#include <foldwise/detail/reduce_code.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

namespace {

using instance = reduce_instance;

/// The number of blocks that REPRODUCIBLE builds take every GPU to run at once, and of those on each multiprocessor.
constexpr int reproducible_blocks = 512, reproducible_together = 4;

/// Returns the current GPU's capacity for blocks of a kernel, limited to as many as are useful.
capacity resident(const reduce_code& code, instance which) {
    if (code.file->is_reproducible) return {reproducible_together, reproducible_blocks / reproducible_together};
    const capacity all = capacity_of(*code.file, code.instances[static_cast<int>(which)], code.threads,
                                     code.resident[static_cast<int>(which)]);
    return {std::min(all.per_multiprocessor, most_blocks), all.multiprocessors};
}
int resident_blocks(const reduce_code& code, instance which) { return resident(code, which).blocks(); }

/// Returns the extents of the layout's axes [from, to): the kept or the folded ones.
strided_range axes_between(const reduce_call& call, int from, int to) {
    strided_range range{};
    range.count = 1;
    range.rank = to - from;
    for (int axis = 0; axis < range.rank; ++axis) {
        const auto extent = static_cast<std::uint32_t>(call.elements.layout->extents[to - 1 - axis]);
        range.count *= extent;
        if (axis + 1 < range.rank) range.extents[axis] = divider<std::uint32_t>::by(extent);
    }
    return range;
}

struct grid {
    std::int64_t x, y;
};

/// One launch of a reduction.
class reduce_launch {
  public:
    reduce_launch(const reduce_code& code, const reduce_call& call, CUstream_st* stream)
        : code_(code), call_(call), stream_(stream), operands_(code, call), kept_(call.kept), rank_(operands_.rank()),
          columns_(columns_of(code.width, code.accumulator.size)), parameters_(code, call, operands_) {}

    int run() {
        if (call_.stage == fold_stage::from_partials) return run_partials();
        if (call_.segments) return run_segments(*call_.segments);
        const bool is_kept = kept_ > 0,
                   has_wide_runs = rank_ > kept_ + 1 && operands_.are_wide_along(code_.width, rank_ - 1);
        const reduce_traits traits = {
            .threads = code_.threads,
            .width = code_.width,
            .columns = columns_,
            .inputs = code_.inputs,
            .partial_bytes = code_.partial_bytes,
            .accumulator_bytes = code_.accumulator.size,
            .commutes = code_.commutes,
            .takes_index = code_.index_rank > 0,
            .is_light = code_.accumulator.size <= 16,
            .is_long = code_.is_long,
            .resident_groups = resident_blocks(code_, rank_ <= kept_ + 1 ? instance::group_vectors
                                                      : has_wide_runs    ? instance::group_runs
                                                                         : instance::group_strided),
            .columns_of_vectors = is_kept && columns_ > 1 ? resident(code_, instance::columns_vectors) : capacity{},
            .columns_of_elements = is_kept ? resident(code_, instance::columns_elements) : capacity{},
            .has_wide_rows = is_kept && rank_ == kept_ + 1 && operands_.are_wide_along(code_.width, kept_),
            .has_wide_columns = is_kept && rank_ <= kept_ + 1 && operands_.are_wide_along(columns_, kept_ - 1),
            .has_wide_runs = has_wide_runs,
            .element_bytes = operands_.widest_element(),
            .staged_bytes =
                is_kept && rank_ == kept_ + 1 && !code_.file->is_reproducible ? operands_.staged_element() : 0,
            .is_reproducible = code_.file->is_reproducible,
        };
        const reduce_plan plan = plan_reduce(call_, traits);
        switch (plan.kind) {
        case reducer::columns:
            return run_columns(plan);
        case reducer::threads:
            return run_threads();
        case reducer::staged:
            return run_staged(plan);
        case reducer::lanes:
            return run_lanes(traits.has_wide_rows ? instance::lanes_vectors : instance::lanes_elements, plan);
        default:
            break;
        }
        const bool is_contiguous = !call_.elements.layout || (rank_ == kept_ + 1 && operands_.has_unit_steps());
        // A vector for each thread is no slower than a few elements, unless order must be kept or they take long.
        if (plan.is_few && (plan.is_spread || !is_contiguous || !code_.commutes)) return run_few(plan);
        if (is_contiguous) return run_contiguous(plan);
        return run_strided(plan);
    }

  private:
    int run_few(const reduce_plan& plan) {
        few_range range{};
        range.blocks = 1;
        range.lanes_log2 = plan.few_lanes_log2;
        range.rows = axes_between(call_, 0, kept_);
        range.folded = axes_between(call_, kept_, rank_);
        if (!call_.elements.layout) {
            range.folded.rank = 1;
            range.folded.count = static_cast<std::uint32_t>(plan.length);
        }
        parameters_.add_inputs(instance::group_few);
        parameters_.add(range);
        parameters_.add_target(instance::group_few);
        const std::int64_t lanes = std::int64_t{1} << range.lanes_log2, rows = range.rows.count;
        // Rows of a warp need neither barriers nor shared memory if a block has several warps.
        const std::int64_t threads =
            lanes > warp_threads ? lanes
            : rows < 2           ? 2 * lanes
                       : std::min<std::int64_t>(code_.threads, std::bit_ceil(static_cast<std::uint64_t>(rows)) * lanes);
        return launch(instance::group_few, {divided(rows * lanes, threads), 1}, static_cast<int>(threads));
    }

    /// Launches a call with one folded axis, along which every input is contiguous or does not change.
    int run_contiguous(const reduce_plan& plan) {
        bool are_alike = true, are_first_aligned = true;
        for (int i = 0; i < code_.inputs; ++i) {
            if (operands_.operand(i).is_whole) continue;
            are_alike = are_alike && operands_.folded_step(i) == 1 && operands_.are_rows_alike(i);
            are_first_aligned = are_first_aligned && operands_.is_aligned(i, 0);
        }
        const bool is_reproducible = code_.file->is_reproducible;
        const bool may_begin_before = is_reproducible ? are_alike && are_first_aligned
                                                      : are_alike || (code_.width > 1 && operands_.have_same_phases());
        linear_group_range range{};
        range.end = plan.length;
        if (may_begin_before) {
            const std::int64_t before = operands_.best_begin();
            bool are_aligned = true;
            for (int i = 0; i < code_.inputs; ++i) are_aligned = are_aligned && operands_.is_aligned(i, before);
            if (are_aligned || are_alike) {
                range.phase = static_cast<std::uint8_t>(before);
                const strides steps = operands_.kept_strides(operands_.first_of_elements());
                const std::int64_t width = code_.width;
                for (int axis = 0; !are_alike && axis + 1 < max_axes; ++axis)
                    range.phases[axis] = static_cast<std::uint8_t>((steps.steps[axis] % width + width) % width);
                return run_groups(are_aligned ? instance::group_vectors : instance::group_mixed, plan, range);
            }
        }
        const bool takes_index = code_.index_rank > 0;
        if (!may_be_mixed(code_.operands, code_.inputs, takes_index, is_reproducible)) return run_strided(plan);
        return run_groups(instance::group_mixed, plan, range);
    }

    int run_strided(const reduce_plan& plan) {
        strided_group_range range{};
        const int inner = plan.lines > 1 ? rank_ - 1 : kept_;
        range.lines = axes_between(call_, kept_, inner);
        range.folded = axes_between(call_, inner, rank_);
        // Without a layout it is a value that is reduced.
        const bool has_layout = call_.elements.layout != nullptr;
        if (!has_layout || call_.elements.count == 0)
            range.folded.count = static_cast<std::uint32_t>(call_.elements.count);
        range.end = range.folded.count;
        const bool has_runs = has_layout && operands_.are_wide_along(code_.width, rank_ - 1);
        return run_groups(has_runs ? instance::group_runs : instance::group_strided, plan, range);
    }

    /// Cuts lines into chunks and distributes them over the blocks that share a row or, if order must be kept, over
    /// their warps, so that none gets much more than the others, and chunks are long enough to have several loads in
    /// flight. Returns the number of blocks that have any.
    std::int64_t cut(instance which, const reduce_plan& plan, strided_group_range& range) const {
        constexpr std::int64_t least_steps = 2, most_each = 8;
        const std::int64_t lanes = std::int64_t{1} << plan.lanes_log2, lines = range.lines.count;
        const std::int64_t together = code_.commutes ? lanes : warp_threads;
        const std::int64_t step = together * (which == instance::group_strided ? 1 : code_.width);
        const std::int64_t steps = range.end > 0 ? divided(range.end, step) : 1;
        const std::int64_t owners_each = lanes / together, owners = plan.blocks * owners_each;
        range.is_interleaved = code_.commutes && lines == 1;
        std::int64_t fewest_steps = INT64_MAX;  // of the owner that has most
        for (std::int64_t each = 1; each <= most_each; ++each) {
            std::int64_t cuts = range.is_interleaved ? 1 : each * owners / lines;
            if (lines > 1 && cuts * least_steps > steps) cuts = steps / least_steps;
            const std::int64_t steps_each = divided(steps, cuts > 1 ? cuts : 1);
            cuts = divided(steps, steps_each);
            const std::int64_t chunks = cuts * lines, chunks_each = divided(chunks, owners);
            if (chunks_each * steps_each >= fewest_steps) continue;
            fewest_steps = chunks_each * steps_each;
            range.chunk = steps_each * step;
            range.chunks = static_cast<std::uint32_t>(chunks);
            range.each = static_cast<std::uint32_t>(chunks_each);
            range.chunks_per_line = divider<std::uint32_t>::by(static_cast<std::uint32_t>(cuts));
        }
        // Rounding up may have left the last blocks without elements.
        return range.is_interleaved ? plan.blocks : divided(range.chunks, range.each * owners_each);
    }

    template <class Range> int run_groups(instance which, const reduce_plan& plan, Range& range) {
        range.rows = axes_between(call_, 0, kept_);
        range.lanes_log2 = plan.lanes_log2;
        std::int64_t blocks = plan.blocks;
        if constexpr (std::is_same_v<Range, strided_group_range>) {
            blocks = cut(which, plan, range);
        } else if (!code_.commutes) {
            const int width = code_.width;
            const std::int64_t row = std::int64_t{warp_threads} * width;
            const std::int64_t rows = (range.end + row - 1) / row, warps = (1 << plan.lanes_log2) / warp_threads;
            const std::int64_t rows_each = (rows + blocks * warps - 1) / (blocks * warps);
            range.chunk = rows_each * row;
            // Rounding up may have left the last blocks without elements.
            if (rows > 0) blocks = (rows + rows_each * warps - 1) / (rows_each * warps);
        }
        range.blocks = static_cast<unsigned int>(blocks);
        std::int64_t before = 0;
        if constexpr (std::is_same_v<Range, linear_group_range>) {
            before = range.phase;
            share_vectors(range);
        }
        for (int i = 0; i < code_.inputs; ++i) add_group_input(which, i, before);
        parameters_.add_strides(which);
        parameters_.add_space();
        const int lanes = 1 << plan.lanes_log2;
        const std::int64_t rows = range.rows.count;
        parameters_.add(range);
        parameters_.add_target(which);
        if (blocks > 1) return launch(which, {blocks, rows}, lanes);
        const int threads = lanes == warp_threads ? code_.threads : lanes, groups = threads / lanes;
        return launch(which, {(rows + groups - 1) / groups, 1}, threads);
    }

    /// Shares the vectors of rows among the threads of a row: as many as every row has behind the longest stretch that
    /// precedes a row's first vector.
    void share_vectors(linear_group_range& range) const {
        const bool are_alike = std::ranges::all_of(range.phases, [](int step) { return step == 0; });
        const std::int64_t width = code_.width, threads = std::int64_t{range.blocks} << range.lanes_log2,
                           ahead = are_alike ? (width - range.phase) % width : width - 1,
                           vectors = std::max<std::int64_t>(range.end - ahead, 0) / width;
        range.each = static_cast<std::uint32_t>(vectors / threads);
        range.with_one_more = static_cast<std::uint32_t>(vectors % threads);
    }

    /// Adds an input whose rows groups reduce. Vectors begin `before` elements ahead of the first row's first element.
    void add_group_input(instance which, int number, std::int64_t before) {
        reduce_operand place = {operands_.operand(number).is_scalar ? nullptr : operands_.operand(number).data, false,
                                false, -1};
        if (place.data) {
            place.is_row_value = which == instance::group_mixed && operands_.folded_step(number) == 0;
            place.is_wide = !place.is_row_value && operands_.is_aligned(number, before) &&
                            (!call_.elements.layout || operands_.are_rows_alike(number));
        }
        parameters_.add_input(number, place);
    }

    int run_lanes(instance which, const reduce_plan& plan) {
        const bool is_scattered = which == instance::lanes_elements && code_.commutes;
        const int tiles_log2 = code_.commutes ? 0 : plan.tiles_log2;  // those before the next lane's first
        const std::int64_t last_lane = (std::int64_t{1} << plan.lanes_log2) - 1;
        const std::int64_t last_begins = is_scattered ? last_lane : last_lane * plan.width << tiles_log2;
        const strided_lanes_range range = {{static_cast<int>(plan.length), plan.lanes_log2, plan.tiles_log2,
                                            plan.length > last_begins, axes_between(call_, 0, kept_)},
                                           axes_between(call_, kept_, rank_)};
        parameters_.add_inputs(which);
        if (which == instance::lanes_elements)
            parameters_.add(range);
        else
            parameters_.add(static_cast<const lanes_range&>(range));
        parameters_.add_target(which);
        const int threads = code_.threads < lane_threads ? code_.threads : lane_threads;
        const std::int64_t rows = (tiles_per_thread >> plan.tiles_log2) * (threads >> plan.lanes_log2);
        return launch(which, {(range.rows.count + rows - 1) / rows, 1}, threads);
    }

    int run_threads() {
        const threads_range range = {axes_between(call_, 0, kept_), axes_between(call_, kept_, rank_)};
        parameters_.add_inputs(instance::threads_elements);
        parameters_.add(range);
        parameters_.add_target(instance::threads_elements);
        const int threads = std::min(code_.threads, lane_threads);
        return launch(instance::threads_elements,
                      {divided(range.rows.count, std::int64_t{rows_per_thread} * threads), 1}, threads);
    }

    int run_staged(const reduce_plan& plan) {
        const staged_range range = {static_cast<int>(plan.length), plan.lanes_log2, plan.width, plan.rows_each,
                                    axes_between(call_, 0, kept_)};
        std::int64_t shared_bytes = 0;
        for (int i = 0; i < code_.inputs; ++i) {
            reduce_operand place = {operands_.operand(i).is_scalar ? nullptr : operands_.operand(i).data, false, false,
                                    -1};
            if (operands_.are_rows_dense(i)) {
                place.stage = static_cast<int>(shared_bytes);
                shared_bytes += (plan.rows_each * plan.length * operands_.size_of(i) + stage_padding) / 16 * 16;
            }
            parameters_.add_input(i, place);
        }
        parameters_.add_strides(instance::staged);
        parameters_.add_space();
        parameters_.add(range);
        parameters_.add_target(instance::staged);
        const int threads = code_.threads < staging_threads ? code_.threads : staging_threads;
        const std::int64_t blocks = divided(range.rows.count, plan.rows_each);
        return launch(instance::staged, {blocks, 1}, threads, static_cast<std::uint32_t>(shared_bytes));
    }

    int run_columns(const reduce_plan& plan) {
        const instance which = plan.width > 1 ? instance::columns_vectors : instance::columns_elements;
        columns_range range{};
        range.folded = axes_between(call_, kept_, rank_);
        if (call_.elements.count == 0) range.folded.count = 0;
        range.rows = axes_between(call_, 0, kept_ - 1);
        range.vectors = plan.vectors;
        range.vectors_per_row = divider<std::uint32_t>::by(plan.vectors_per_row);
        range.across = divider<std::uint32_t>::by(static_cast<std::uint32_t>(plan.across));
        range.together =
            divider<std::uint32_t>::by(static_cast<std::uint32_t>(std::min(plan.across * plan.width, plan.threads)));
        range.down = divider<std::uint32_t>::by(static_cast<std::uint32_t>(plan.threads / plan.across));
        range.share = (range.folded.count + plan.blocks - 1) / plan.blocks;
        range.blocks = range.share == 0 ? 1 : (range.folded.count + range.share - 1) / range.share;
        parameters_.add_inputs(which);
        parameters_.add(range);
        parameters_.add_target(which);
        return launch(which, {divided(range.vectors, plan.across), range.blocks}, plan.threads);
    }

    int run_segments(const segments_of_call& segments) {
        const std::int64_t warps = code_.threads / warp_threads,
                           tile = warp_threads * segment_elements(code_.accumulator.size);
        const std::int64_t all = call_.elements.count + segments.count;
        std::int64_t blocks = divided(all, warps * tile);
        const std::int64_t most = std::min<std::int64_t>(resident_blocks(code_, instance::segmented), reduce_blocks);
        if (blocks > most) blocks = most;
        parameters_.add_inputs(instance::segmented);
        bool is_contiguous = true;
        for (int i = 0; i < code_.inputs; ++i)
            is_contiguous = is_contiguous && (operands_.operand(i).is_scalar || operands_.operand(i).is_whole ||
                                              operands_.folded_step(i) == 1);
        parameters_.add(segmented_range{segments, call_.elements.count, divided(all, blocks * warps), is_contiguous});
        parameters_.add_target(instance::segmented);
        return launch(instance::segmented, {blocks, 1}, code_.threads);
    }

    /// Combines accumulators, which are the call's only input. Neighbouring lanes share a result where there are not
    /// enough results to occupy a GPU.
    int run_partials() {
        constexpr std::int64_t enough_threads = 1 << 18;
        partials_range range{};
        range.rows = axes_between(call_, 0, kept_);
        range.folded = axes_between(call_, kept_, rank_);
        if (!call_.elements.layout || call_.elements.count == 0)
            range.folded.count = static_cast<std::uint32_t>(call_.elements.count);
        if (!operands_.operand(0).is_scalar) {
            range.data = operands_.operand(0).data;
            if (call_.elements.layout) {
                range.row_strides = operands_.kept_strides(0);
                range.part_strides = strides_between(operands_.strides_of(0), kept_, rank_);
            } else {
                range.part_strides.steps[0] = 1;
                range.folded.rank = 1;
            }
        }
        const std::int64_t rows = range.rows.count, parts = range.folded.count;
        while (2 << range.lanes_log2 <= warp_threads && 2 << range.lanes_log2 <= parts &&
               rows << range.lanes_log2 < enough_threads)
            ++range.lanes_log2;
        parameters_.add(range, code_.accumulator, operands_.operand(0).is_scalar ? operands_.operand(0).data : nullptr);
        parameters_.add_target(1, operands_.kept_strides(1));
        return launch(code_.from_partials, {divided(rows << range.lanes_log2, partials_threads), 1}, partials_threads);
    }

    int launch(instance which, grid blocks, int threads, std::uint32_t shared_bytes = 0) {
        return launch(code_.instances[static_cast<int>(which)], blocks, threads, shared_bytes);
    }
    int launch(gpu_code kernel, grid blocks, int threads, std::uint32_t shared_bytes = 0) {
        return code_.file->launch(
            {.kernel = kernel,
             .blocks = {static_cast<unsigned int>(blocks.x), static_cast<unsigned int>(blocks.y), 1},
             .threads = static_cast<unsigned int>(threads),
             .shared_bytes = shared_bytes,
             .has_barriers = true,
             .stream = stream_,
             .arguments = parameters_.addresses()});
    }

    const reduce_code& code_;
    const reduce_call& call_;
    CUstream_st* stream_;
    const reduce_operands operands_;
    int kept_, rank_;
    int columns_;  ///< Columns per thread if every operand can be accessed by vectors of as many.
    reduce_parameters parameters_;
};

}  // namespace

int launch(const reduce_code& code, const reduce_call& call, CUstream_st* stream) {
    return reduce_launch(code, call, stream).run();
}

}  // namespace foldwise::detail
