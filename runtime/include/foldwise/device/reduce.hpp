// foldwise/device/reduce.hpp: what emitted reductions are made of, and how they are launched.
#pragma once

#include <foldwise/device/fold_columns.hpp>
#include <foldwise/device/fold_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Neighbouring columns of a thread, of `Width` that an access may have: each has accumulators of its own, which have
/// to stay in registers.
template <class Accumulator> constexpr int columns_of(int width) {
    constexpr int most_words = 12, words = (static_cast<int>(sizeof(Accumulator)) + 3) / 4;
    while (width > 1 && width * words > most_words) width /= 2;
    return width;
}

/// Elements that are loaded together; along rows, one by one, as many as a thread keeps of each.
template <access Access, int Width, class Accumulator>
inline constexpr int width_of = Access == access::columns                               ? columns_of<Accumulator>(Width)
                                : Access == access::row                                 ? single_elements
                                : Access == access::strided || Access == access::column ? 1
                                                                                        : Width;

/// REPRODUCIBLE: results do not depend on the GPU, nor on how operands are aligned.
#ifdef FOLDWISE_REPRODUCIBLE
inline constexpr bool is_reproducible = true;
#else
inline constexpr bool is_reproducible = false;
#endif

/// The same number of blocks on every GPU.
inline constexpr int reproducible_blocks = 512;

#ifdef FOLDWISE_SIMULATOR

template <auto, int> int resident_blocks() { return is_reproducible ? reproducible_blocks : 8; }

#else

/// The blocks of a kernel that the current GPU runs at once, or as many of them as are useful; asked once for each of
/// both.
template <auto Kernel, int Threads> int resident_blocks() {
    if (is_reproducible) return reproducible_blocks;
    constexpr int devices = 64;
    static int known[devices] = {};
    int device = 0, multiprocessors = 0, blocks = 0;
    if (cleared(cudaGetDevice(&device))) return 1;
    if (device < devices && (blocks = __atomic_load_n(&known[device], __ATOMIC_RELAXED)) > 0) return blocks;
    if (cleared(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device)) ||
        cleared(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, Threads, 0)) || blocks == 0)
        return 1;
    blocks = (blocks < most_blocks ? blocks : most_blocks) * multiprocessors;
    if (device < devices) __atomic_store_n(&known[device], blocks, __ATOMIC_RELAXED);
    return blocks;
}

#endif

/// What a launch is given beside its elements.
template <class Steps, int Width>
fold_target<Steps> target_of(const detail::reduce_call& call, int output, access how) {
    using result = typename Steps::result;
    fold_target<Steps> target{};
    target.out = static_cast<result*>(call.elements.operands[output].data);
    target.rows = kept_strides(call, output, is_column(how) ? 1 : 0);
    if (is_column(how)) target.step = call.elements.layout->strides[output][call.kept - 1];
    target.is_wide = how == access::columns &&
                     is_wide_along<columns_of<typename Steps::accumulator>(Width), result>(call, output, call.kept - 1);
    target.counters = static_cast<unsigned int*>(call.workspace.counters);
    target.carried = static_cast<partial<Steps>*>(call.workspace.parts);
    target.parts = target.carried + 1;
    target.is_first = call.is_first;
    target.is_last = call.is_last;
    if (call.initial) {
        memcpy(&target.initial.value, call.initial, sizeof target.initial.value);
        target.initial.is_some = true;
    }
    return target;
}

/// Hands launch() the kernel's range, grid and threads of a block for a call.
template <class Signature, class Steps> struct fold_launcher;

template <int Threads, int Width, class... In, int IndexRank, class Steps>
struct fold_launcher<signature<Threads, Width, inputs<In...>, outputs<>, IndexRank>, Steps> {
    static_assert(sizeof(typename Steps::accumulator) <= detail::largest_accumulator);

    template <class Launch> static int run(const detail::reduce_call& call, const Launch& launch) {
        const int kept = call.kept, rank = rank_of(call);
        const fold_traits traits = {
            .threads = Threads,
            .width = Width,
            .columns = columns,
            .inputs = sizeof...(In),
            .partial_bytes = sizeof(partial<Steps>),
            .accumulator_bytes = sizeof(typename Steps::accumulator),
            .commutes = Steps::commutes,
            .is_light = sizeof(typename Steps::accumulator) <= 16,
            .resident_groups = launch.template resident<access::wide>(),
            .resident_columns = kept > 0 ? launch.template resident<access::columns>() : 0,
            .has_wide_rows = kept > 0 && rank == kept + 1 && are_wide_along<Width>(call, kept),
            .has_wide_columns = kept > 0 && rank <= kept + 1 && are_wide_along<columns>(call, kept - 1),
        };
        const fold_plan plan = fold_planner(call, traits).plan();
        if (plan.kind == fold_kind::columns) {
            if (plan.width > 1) return run_columns<access::columns>(call, plan, launch);
            return run_columns<access::column>(call, plan, launch);
        }
        if (plan.kind == fold_kind::lanes) {
            if (traits.has_wide_rows) return run_rows<access::rows>(call, plan, launch);
            return run_rows<access::row>(call, plan, launch);
        }
        if (!call.elements.layout) return run_contiguous(call, plan, launch);
        if (rank == kept + 1 && has_unit_steps(call)) return run_contiguous(call, plan, launch);
        if (are_wide_along<Width>(call, rank - 1)) return run_strided<Width, access::runs>(call, plan, launch);
        return run_strided<1, access::strided>(call, plan, launch);
    }

  private:
    static constexpr int columns = columns_of<typename Steps::accumulator>(Width);

    /// Threads of a block that folds rows of a tile for each lane: they do not wait for each other.
    static constexpr int row_threads = 128;

    /// Whether all inputs can be read by wide accesses along an axis. What stays the same along it cannot: a branch at
    /// each load would wait for it.
    template <int Elements> static bool are_wide_along(const detail::reduce_call& call, int axis) {
        if (Elements == 1 || is_reproducible) return false;
        int number = 0;
        return (is_wide_along<Elements, In>(call, number++, axis) && ...);
    }

    /// Whether the one folded axis is contiguous in every input, or not there.
    static bool has_unit_steps(const detail::reduce_call& call) {
        for (int i = 0; i < static_cast<int>(sizeof...(In)); ++i) {
            const std::int64_t step = folded_step(call, i);
            if (step != 0 && step != 1) return false;
        }
        return true;
    }

    /// Whether every row is aligned as the first one is, and none is a single value.
    static bool are_all_rows_alike(const detail::reduce_call& call) {
        int number = 0;
        return ((folded_step(call, number) == 1 && are_rows_alike<Width, In>(call, number++)) && ...);
    }

    /// Whether all inputs are contiguous along rows, and aligned alike in each of them.
    static bool have_same_phases(const detail::reduce_call& call) {
        if constexpr (is_reproducible || Width == 1) {
            return false;
        } else {
            for (int number = 0; number < static_cast<int>(sizeof...(In)); ++number)
                if (!has_phases_of_first(call, number)) return false;
            return true;
        }
    }
    static bool has_phases_of_first(const detail::reduce_call& call, int number) {
        if (folded_step(call, number) != 1) return false;
        for (int axis = 0; axis < call.kept; ++axis)
            if ((call.elements.layout->strides[number][axis] - call.elements.layout->strides[0][axis]) % Width != 0)
                return false;
        return true;
    }

    static bool are_aligned(const detail::reduce_call& call) {
        const detail::elementwise_operand* operand = call.elements.operands;
        return (is_aligned<Width, In>(*operand++, 0) && ...);
    }

    template <class Launch>
    static int run_contiguous(const detail::reduce_call& call, const fold_plan& plan, const Launch& launch) {
        detail::elementwise_call row = call.elements;
        row.count = plan.length;
        if (are_all_rows_alike(call) && (!is_reproducible || are_aligned(call))) {
            return launch_contiguous<Width, In...>(row, [&]<access Access>(const range<Access>& elements) {
                fold_range<Access> range{};
                static_cast<device_code::range<Access>&>(range) = elements;
                return run_groups<Width>(call, plan, range, launch);
            });
        }
        if (have_same_phases(call)) {
            return launch_contiguous<Width, In...>(row, [&]<access Access>(const range<Access>& elements) {
                if constexpr (Access == access::wide) return run_staggered(call, plan, elements, launch);
                return run_singly(call, plan, launch);
            });
        }
        return run_singly(call, plan, launch);
    }

    template <class Launch>
    static int run_staggered(const detail::reduce_call& call, const fold_plan& plan,
                             const range<access::wide>& elements, const Launch& launch) {
        fold_range<access::staggered> range{};
        static_cast<device_code::range<access::wide>&>(range) = elements;
        range.phases = kept_strides(call, 0);
        for (std::int64_t& step : range.phases.steps) step = (step % Width + Width) % Width;
        return run_groups<Width>(call, plan, range, launch);
    }

    template <class Launch>
    static int run_singly(const detail::reduce_call& call, const fold_plan& plan, const Launch& launch) {
        fold_range<access::any> range{};
        range.end = plan.length;
        return run_groups<Width>(call, plan, range, launch);
    }

    template <int RowWidth, access Access, class Launch>
    static int run_strided(const detail::reduce_call& call, const fold_plan& plan, const Launch& launch) {
        fold_range<Access> range{};
        range.elements = axes_between(call, call.kept, rank_of(call));
        if (call.elements.count == 0) range.elements.count = 0;
        return run_groups<RowWidth>(call, plan, range, launch);
    }

    template <int RowWidth, access Access, class Launch>
    static int run_groups(const detail::reduce_call& call, const fold_plan& plan, fold_range<Access>& range,
                          const Launch& launch) {
        range.rows = axes_between(call, 0, call.kept);
        range.lanes_log2 = plan.lanes_log2;
        std::int64_t blocks = plan.blocks;
        if constexpr (!Steps::commutes) {
            constexpr std::int64_t row = std::int64_t{warp_size} * RowWidth;
            const std::int64_t end = end_on_host(range) + (Access == access::staggered ? RowWidth - 1 : 0);
            const std::int64_t rows = (end + row - 1) / row, warps = (1 << plan.lanes_log2) / warp_size;
            const std::int64_t rows_each = (rows + blocks * warps - 1) / (blocks * warps);
            range.chunk = rows_each * row;
            // Rounding up may have left the last blocks without any.
            if (rows > 0) blocks = (rows + rows_each * warps - 1) / (rows_each * warps);
        }
        range.blocks = static_cast<unsigned int>(blocks);
        const unsigned int lanes = 1u << plan.lanes_log2;
        if (range.blocks > 1) return launch(range, dim3{range.blocks, range.rows.count, 1}, lanes);
        const unsigned int threads = lanes == warp_size ? Threads : lanes;
        const unsigned int groups = threads / lanes;
        return launch(range, dim3{(range.rows.count + groups - 1) / groups, 1, 1}, threads);
    }
    template <access Access> static std::int64_t end_on_host(const fold_range<Access>& range) {
        if constexpr (is_strided(Access))
            return range.elements.count;
        else
            return range.end;
    }

    template <access Access, class Launch>
    static int run_rows(const detail::reduce_call& call, const fold_plan& plan, const Launch& launch) {
        fold_range<Access> range{};
        range.length = static_cast<int>(plan.length);
        range.lanes_log2 = plan.lanes_log2;
        range.is_full = plan.length > ((std::int64_t{1} << plan.lanes_log2) - 1) * plan.width;
        range.rows = axes_between(call, 0, call.kept);
        constexpr unsigned int threads = Threads < row_threads ? Threads : row_threads;
        const unsigned int rows = rows_per_thread * (threads >> plan.lanes_log2);
        return launch(range, dim3{(range.rows.count + rows - 1) / rows, 1, 1}, threads);
    }

    template <access Access, class Launch>
    static int run_columns(const detail::reduce_call& call, const fold_plan& plan, const Launch& launch) {
        fold_range<Access> range{};
        range.folded = axes_between(call, call.kept, rank_of(call));
        if (call.elements.count == 0) range.folded.count = 0;
        range.rows = axes_between(call, 0, call.kept - 1);
        range.vectors = plan.vectors;
        range.vectors_per_row = divider<std::uint32_t>::by(plan.vectors_per_row);
        range.across_log2 = plan.across_log2;
        range.share = (range.folded.count + plan.blocks - 1) / plan.blocks;
        range.blocks = range.share == 0 ? 1 : (range.folded.count + range.share - 1) / range.share;
        const unsigned int across = 1u << plan.across_log2;
        return launch(range, dim3{(range.vectors + across - 1) / across, range.blocks, 1}, Threads);
    }
};

/// Launches the kernel that a call needs. `Launch` has launch(range, grid, threads of a block) and resident<access>(),
/// which is resident_blocks() of that kernel.
template <class Signature, class Steps, class Launch>
int launch_fold(const detail::reduce_call& call, const Launch& launch) {
    return fold_launcher<Signature, Steps>::run(call, launch);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
