// runtime/src/scatter/launch_scatter.cpp: chooses how a scattered fold is computed on a GPU, and launches its kernels.
#include "divided.hpp"
#include "gpu/alignment.hpp"
#include "gpu/by_rank.hpp"
#include "gpu/capacity.hpp"
#include "gpu/parameters.hpp"

#include <foldwise/detail/scatter_code.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

namespace {

using instance = scatter_instance;

/// A block's copies are combined with the output at the end, so that each has to have this many times as many elements.
constexpr std::int64_t elements_per_bin = 4;
/// Several copies of the bins take at most this many bytes, except in large blocks, so that several blocks share a
/// multiprocessor.
constexpr std::int64_t bytes_of_copies = 24 << 10;
/// At most so many copies are filled and emptied for few elements, where there could be more.
constexpr std::int64_t most_copies_of_few = 8;
/// How many bins a block keeps in shared memory where not all fit. A bin that gets a greater part of the elements than
/// the reciprocal is probably among them, as it comes to its slot early.
constexpr int most_kept_bins = 2048, least_kept_bins = 64;
/// The shared memory of a multiprocessor that blocks share, at least.
constexpr std::int64_t multiprocessor_bytes = 96 << 10;

/// Values are sorted where blocks would combine more elements each, one after the other.
constexpr std::int64_t few_elements_in_order = 128;
/// So many values are sorted at a time. With 16 bytes for each, and what the sort needs besides, they take up to 128
/// MiB.
constexpr std::int64_t sorted_pairs = std::int64_t{7} << 20;

/// The least that GPUs compare and swap at once, as far as it is used here for accumulators of one byte.
constexpr int word_bytes = 4;

/// Returns bytes rounded up, so that what follows is aligned.
constexpr std::size_t aligned(std::int64_t bytes) { return (static_cast<std::size_t>(bytes) + 255) / 256 * 256; }
/// One call of a scattered fold.
class scatter_launch {
  public:
    scatter_launch(const scatter_code& code, const scatter_call& call, CUstream_st* stream)
        : code_(code), call_(call), stream_(stream), into_(call.bins) {
        for (int axis = 0; axis < call.bin_axes; ++axis) bins_ *= call.bins.extents[axis];
    }

    int run() {
        const std::int64_t count = call_.elements.count;
        if (count > 0 && (is_ordered() || uses_words())) {
            const bool sorts = plan_memory();
            if (memory_bytes_ > call_.memory_bytes) {
                *call_.needed = memory_bytes_;
                return needs_memory;
            }
            return is_ordered() ? run_in_order(sorts) : run_in_words();
        }
        if (call_.is_fresh) {
            if (const int status = join({})) return status;
        }
        return count > 0 ? run_in_any_order() : 0;
    }

  private:
    bool has(instance which) const { return code_.instances[static_cast<int>(which)] != nullptr; }
    const operand_address& operand(int number) const { return call_.elements.operands[number]; }
    std::int64_t bin_bytes() const { return code_.operands[code_.inputs].size; }
    /// A kept bin and its number.
    std::int64_t slot_bytes() const { return bin_bytes() + std::int64_t{sizeof(unsigned int)}; }

    bool is_ordered() const {
        return !has(instance::atomic_elements) || (code_.file->is_reproducible && !code_.is_exact);
    }

    bool is_shared() const {
        return (bins_ + 1) * bin_bytes() <= shared_bin_bytes && call_.elements.count >= elements_per_bin * bins_;
    }

    capacity capacity_of(instance which) const {
        const int number = static_cast<int>(which);
        return detail::capacity_of(*code_.file, code_.instances[number], code_.threads, code_.resident[number]);
    }
    /// Returns how many blocks with so much shared memory the current GPU runs at once.
    std::int64_t resident_blocks(instance which, std::int64_t shared_bytes) const {
        const capacity all = capacity_of(which);
        const std::int64_t fitting = shared_bytes > 0 ? multiprocessor_bytes / shared_bytes : all.per_multiprocessor;
        return all.multiprocessors * std::clamp<std::int64_t>(fitting, 1, all.per_multiprocessor);
    }

    std::int64_t per_block(bool by_vectors) const {
        return std::int64_t{code_.threads} * (by_vectors ? code_.width : 1);
    }

    /// Whether an accumulator is combined by swapping the word around it. At the end of an array, that word may not
    /// belong to the array.
    bool uses_words() const { return bin_bytes() == 1; }

    int run_in_any_order() { return is_shared() ? run_shared() : run_atomic(); }

    /// Combines into memory of the call's own, where each bin has a word, and that with the output.
    int run_in_words() {
        if (const int status = fill(call_.memory, bins_ * word_bytes)) return status;
        into_.data = call_.memory;
        std::int64_t stride = word_bytes;
        for (int axis = call_.bin_axes - 1; axis >= 0; --axis) {
            into_.strides[axis] = stride;
            stride *= into_.extents[axis];
        }
        const int status = run_in_any_order();
        into_ = call_.bins;
        return status ? status : join({.copies = call_.memory, .copy_stride = word_bytes});
    }

    int run_shared() {
        const bool by_vectors = !call_.elements.layout;
        const instance which = by_vectors ? instance::shared_vectors : instance::shared_elements;
        const std::int64_t count = call_.elements.count;
        const std::int64_t useful = std::min(divided(count, per_block(by_vectors)), count / (elements_per_bin * bins_));
        const capacity all = capacity_of(which);
        // All threads that run at once, in large blocks, if there is enough for them.
        const int larger = code_.threads_of_copies / code_.threads;
        const bool are_large = larger > 1 && all.per_multiprocessor >= larger && useful >= all.blocks();
        std::int64_t most_bytes = bytes_of_copies, resident = 0;
        std::int64_t most_copies = larger > 1 ? most_copies_of_few : code_.copies;
        if (are_large) {
            resident = all.per_multiprocessor / larger;
            int granted = 0;
            if (const int status = code_.file->shared_memory(&granted)) return status;
            most_bytes = shared_bytes_of(granted, resident);
            most_copies = code_.copies;
        }
        const int rows = rows_of_copies(static_cast<int>(bins_), code_.least_rows);
        const std::int64_t copy_bytes = (std::int64_t{rows} + 1) * bin_bytes();
        const std::int64_t fitting = std::clamp<std::int64_t>(most_bytes / copy_bytes, 1, most_copies);
        const int copies = static_cast<int>(std::bit_floor(static_cast<std::uint32_t>(fitting)));
        const std::int64_t bytes = divided(copy_bytes * copies, word_bytes) * word_bytes;
        const std::int64_t blocks = are_large ? all.multiprocessors * resident
                                              : std::clamp<std::int64_t>(useful, 1, resident_blocks(which, bytes));
        return launch(which, blocks, {.shared_copies = copies}, bytes, true,
                      are_large ? code_.threads_of_copies : code_.threads);
    }

    int run_atomic() {
        const bool by_vectors = !call_.elements.layout;
        const instance which = by_vectors ? instance::atomic_vectors : instance::atomic_elements;
        const std::int64_t count = call_.elements.count, useful = divided(count, per_block(by_vectors));
        const std::int64_t blocks = std::min(useful, resident_blocks(which, most_kept_bins * slot_bytes()));
        // Filling and emptying the slots has to be little beside a block's elements.
        const auto fitting =
            static_cast<std::uint32_t>(std::min<std::int64_t>(count / blocks / elements_per_bin, most_kept_bins));
        const int kept = static_cast<int>(std::bit_floor(fitting));
        if (kept < least_kept_bins || bins_ >= UINT32_MAX) return launch(which, blocks, {}, 0, true);
        return launch(which, blocks, {.kept_bins = kept}, kept * slot_bytes(), true);
    }

    bool has_copies() const { return call_.chunks > 1; }
    /// The chunks' copies of the bins, which are joined with the identity; if there is one chunk, none.
    void* copies() const { return has_copies() ? call_.memory : nullptr; }

    /// Plans the memory that the call needs of its own, and returns whether values are sorted by bin.
    bool plan_memory() {
        if (!is_ordered()) {
            memory_bytes_ = aligned(bins_ * word_bytes);
            return false;
        }
        memory_bytes_ = has_copies() ? aligned(call_.chunks * bins_ * bin_bytes()) : 0;
        return plan_sort();
    }

    /// Returns whether values are sorted by bin, and plans the memory for that behind the chunks' copies.
    bool plan_sort() {
        const std::int64_t count = call_.elements.count, bins = call_.chunks * bins_;
        if (!call_.sort || count / call_.chunks <= few_elements_in_order || bins >= UINT32_MAX) return false;
        batch_ = std::min(count, std::max<std::int64_t>(sorted_pairs / code_.entries, 1));
        sort_.count = batch_ * code_.entries;
        sort_.bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bins)));
        if (call_.sort(sort_, stream_) != 0) return false;
        const std::size_t each = aligned(sort_.count * std::int64_t{sizeof(std::uint32_t)});
        const std::size_t copies_end = memory_bytes_;
        memory_bytes_ += 4 * each + aligned(static_cast<std::int64_t>(sort_.temporary_bytes));
        auto* const free = static_cast<std::byte*>(call_.memory);
        if (!free) return true;
        for (int half = 0; half < 2; ++half) {
            sort_.keys[half] = reinterpret_cast<std::uint32_t*>(free + copies_end + 2 * half * each);
            sort_.values[half] = reinterpret_cast<std::uint32_t*>(free + copies_end + (2 * half + 1) * each);
        }
        sort_.temporary = free + copies_end + 4 * each;
        return true;
    }

    int run_in_order(bool sorts) {
        // Blocks fill the copies of their chunks themselves.
        if (call_.is_fresh && !has_copies()) {
            if (const int status = join({})) return status;
        }
        if (const int status = sorts ? run_sorted() : run_ordered()) return status;
        return has_copies() ? join({.copies = copies(), .chunks = call_.chunks}) : 0;
    }

    int run_ordered() {
        const std::int64_t together = std::max(code_.threads / code_.entries, 1), entries = together * code_.entries;
        const std::int64_t bytes =
            entries * (std::int64_t{sizeof(std::int64_t)} + bin_bytes()) + code_.operands[code_.inputs].alignment;
        return launch(instance::ordered, call_.chunks, {.copies = copies(), .chunks = call_.chunks}, bytes, true);
    }

    int run_sorted() {
        if (has_copies()) {
            if (const int status = fill(copies(), call_.chunks * bins_)) return status;
        }
        scatter_target target{.copies = copies(), .chunks = call_.chunks};
        for (std::int64_t first = 0; first < call_.elements.count; first += batch_) {
            target.pairs = {sort_.keys[0], sort_.values[0], first, std::min(batch_, call_.elements.count - first)};
            const std::int64_t useful = divided(target.pairs.elements * code_.entries, code_.threads);
            if (const int status =
                    launch(instance::pairs, std::min(useful, resident_blocks(instance::pairs, 0)), target, 0, false))
                return status;
            sort_.half = 0;
            sort_.count = target.pairs.elements * code_.entries;
            if (const int status = call_.sort(sort_, stream_)) return status;
            target.pairs.bins = sort_.keys[sort_.half];
            target.pairs.values = sort_.values[sort_.half];
            if (const int status =
                    launch(instance::sorted, std::min(useful, resident_blocks(instance::sorted, 0)), target, 0, true))
                return status;
        }
        return 0;
    }

    /// Writes the identity into memory of the call's own.
    int fill(void* memory, std::int64_t count) {
        scatter_target all{.count = count, .is_fresh = true};
        all.bins = {memory, {count, 1, 1, 1}, {1, 0, 0, 0}};
        return launch(instance::join, blocks_for_bins(count), all, 0, false);
    }

    /// Combines the copies of chunks, if there are any, with the bins.
    int join(scatter_target target) { return launch(instance::join, blocks_for_bins(bins_), target, 0, false); }

    std::int64_t blocks_for_bins(std::int64_t bins) const {
        return std::min(divided(bins, code_.threads), resident_blocks(instance::join, 0));
    }

    void add_inputs(parameters& all) const {
        const element_layout* const layout = call_.elements.layout;
        for (int i = 0; i < code_.inputs; ++i) {
            const operand_address& given = operand(i);
            if (given.is_whole) {
                all.add(*static_cast<const whole_array*>(given.data));
                continue;
            }
            scatter_operand place{given.is_scalar ? nullptr : given.data, false, {}};
            place.is_wide = !layout && is_aligned(given, code_.operands[i], code_.width, 0);
            if (layout)
                for (int axis = 0; axis < layout->rank; ++axis)
                    place.strides[axis] = layout->strides[i][layout->rank - 1 - axis];
            else
                place.strides[0] = 1;
            all.add(place, code_.operands[i], given.is_scalar ? given.data : nullptr);
        }
    }

    scatter_range range() const {
        const element_layout* const layout = call_.elements.layout;
        scatter_range result{};
        result.count = call_.elements.count;
        result.rank = layout ? layout->rank : 1;
        for (int axis = 0; axis + 1 < result.rank; ++axis)
            result.extents[axis] =
                divider<std::uint64_t>::by(static_cast<std::uint64_t>(layout->extents[result.rank - 1 - axis]));
        return result;
    }

    void add_space(parameters& all) const {
        if (code_.index_rank == 0) return;
        by_rank(code_.index_rank, [&]<int N>(std::integral_constant<int, N>) {
            scatter_space<N> space{call_.elements.first, {}};
            for (int axis = 1; axis < N; ++axis) {
                const std::int64_t extent = call_.elements.shape[axis];
                space.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(extent > 0 ? extent : 1));
            }
            all.add(space);
        });
    }

    int launch(instance which, std::int64_t blocks, const scatter_target& target, std::int64_t shared_bytes,
               bool has_barriers) const {
        return launch(which, blocks, target, shared_bytes, has_barriers, code_.threads);
    }
    int launch(instance which, std::int64_t blocks, scatter_target target, std::int64_t shared_bytes, bool has_barriers,
               int threads) const {
        if (target.count == 0) {
            target.bins = into_;
            std::copy_n(into_.extents, call_.bin_axes, target.few_extents);
            target.count = bins_;
            target.is_fresh = call_.is_fresh;
        }
        parameters all;
        add_inputs(all);
        all.add(range());
        add_space(all);
        all.add(target);
        return code_.file->launch({.kernel = code_.instances[static_cast<int>(which)],
                                   .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                                   .threads = static_cast<unsigned int>(threads),
                                   .shared_bytes = static_cast<unsigned int>(shared_bytes),
                                   .has_barriers = has_barriers,
                                   .stream = stream_,
                                   .arguments = all.addresses()});
    }

    const scatter_code& code_;
    const scatter_call& call_;
    CUstream_st* stream_;
    scatter_bins into_;  ///< Where values are combined into.
    std::int64_t bins_ = 1;
    std::size_t memory_bytes_ = 0;  ///< What the call needs.
    key_sort sort_{};
    std::int64_t batch_ = 0;  ///< How many elements are sorted at a time.
};

}  // namespace

int launch(const scatter_code& code, const scatter_call& call, CUstream_st* stream) {
    return scatter_launch(code, call, stream).run();
}

}  // namespace foldwise::detail
