// runtime/src/scatter/launch_scatter.cpp: chooses how a scattered fold is computed on a GPU, and launches its kernels.
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
/// Several copies of the bins take at most this many bytes, so that several blocks share a multiprocessor.
constexpr std::int64_t bytes_of_copies = 24 << 10;
constexpr int most_copies = 16;
/// The shared memory of a multiprocessor that blocks share, at least.
constexpr std::int64_t multiprocessor_bytes = 96 << 10;

constexpr std::int64_t divided(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

/// One call of a scattered fold.
class scatter_launch {
  public:
    scatter_launch(const scatter_code& code, const scatter_call& call, CUstream_st* stream)
        : code_(code), call_(call), stream_(stream) {
        for (int axis = 0; axis < call.bin_axes; ++axis) bins_ *= call.bins.extents[axis];
    }

    int run() {
        const std::int64_t count = call_.elements.count;
        const bool is_ordered = !has(instance::atomic_elements) || (code_.file->is_reproducible && !code_.is_exact);
        // The copies of ordered chunks are joined with the identity; all other ways begin with a filled output.
        const bool has_copies = is_ordered && call_.chunks > 1 && count > 0;
        if (has_copies && !call_.copies) return needs_copies;
        if (call_.is_fresh && !has_copies) {
            if (const int status = join(nullptr, 0)) return status;
        }
        if (count == 0) return 0;
        if (is_ordered) {
            if (const int status = run_ordered(has_copies)) return status;
            return has_copies ? join(call_.copies, call_.chunks) : 0;
        }
        return is_shared() ? run_shared() : run_atomic();
    }

  private:
    bool has(instance which) const { return code_.instances[static_cast<int>(which)] != nullptr; }
    const operand_address& operand(int number) const { return call_.elements.operands[number]; }
    std::int64_t bin_bytes() const { return code_.operands[code_.inputs].size; }

    bool is_shared() const {
        return bins_ * bin_bytes() <= shared_bin_bytes && call_.elements.count >= elements_per_bin * bins_;
    }

    /// Returns how many blocks with so much shared memory the current GPU runs at once.
    std::int64_t resident_blocks(instance which, std::int64_t shared_bytes) const {
        const capacity all = capacity_of(*code_.file, code_.instances[static_cast<int>(which)], code_.threads,
                                         code_.resident[static_cast<int>(which)]);
        const std::int64_t fitting = shared_bytes > 0 ? multiprocessor_bytes / shared_bytes : all.per_multiprocessor;
        return all.multiprocessors * std::clamp<std::int64_t>(fitting, 1, all.per_multiprocessor);
    }

    std::int64_t per_block(bool by_vectors) const {
        return std::int64_t{code_.threads} * (by_vectors ? code_.width : 1);
    }

    int run_shared() {
        const bool by_vectors = !call_.elements.layout;
        const instance which = by_vectors ? instance::shared_vectors : instance::shared_elements;
        const std::int64_t fitting = std::max<std::int64_t>(bytes_of_copies / (bins_ * bin_bytes()), 1);
        const int copies =
            static_cast<int>(std::min<std::uint64_t>(std::bit_floor(static_cast<std::uint64_t>(fitting)), most_copies));
        const std::int64_t bytes = bins_ * copies * bin_bytes(), count = call_.elements.count;
        const std::int64_t useful = std::min(divided(count, per_block(by_vectors)), count / (elements_per_bin * bins_));
        const std::int64_t blocks = std::clamp<std::int64_t>(useful, 1, resident_blocks(which, bytes));
        return launch(which, blocks, copies, nullptr, 0, bytes, true);
    }

    int run_atomic() {
        const bool by_vectors = !call_.elements.layout;
        const instance which = by_vectors ? instance::atomic_vectors : instance::atomic_elements;
        const std::int64_t useful = divided(call_.elements.count, per_block(by_vectors));
        return launch(which, std::min(useful, resident_blocks(which, 0)), 1, nullptr, 0, 0, false);
    }

    int run_ordered(bool has_copies) {
        const std::int64_t together = std::max(code_.threads / code_.entries, 1), entries = together * code_.entries;
        const std::int64_t bytes =
            entries * (std::int64_t{sizeof(std::int64_t)} + bin_bytes()) + code_.operands[code_.inputs].alignment;
        return launch(instance::ordered, call_.chunks, 1, has_copies ? call_.copies : nullptr, call_.chunks, bytes,
                      true);
    }

    /// Combines the copies of chunks with the bins.
    int join(void* copies, int chunks) {
        const std::int64_t useful = divided(bins_, code_.threads);
        return launch(instance::join, std::min(useful, resident_blocks(instance::join, 0)), 1, copies, chunks, 0,
                      false);
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
            scatter_space<N> space{};
            for (int axis = 1; axis < N; ++axis) {
                const std::int64_t extent = call_.elements.shape[axis];
                space.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(extent > 0 ? extent : 1));
            }
            all.add(space);
        });
    }

    int launch(instance which, std::int64_t blocks, int shared_copies, void* copies, int chunks,
               std::int64_t shared_bytes, bool has_barriers) const {
        parameters all;
        add_inputs(all);
        all.add(range());
        add_space(all);
        all.add(scatter_target{call_.bins, bins_, copies, std::max(chunks, 1), shared_copies, call_.is_fresh});
        return code_.file->launch({.kernel = code_.instances[static_cast<int>(which)],
                                   .blocks = {static_cast<unsigned int>(blocks), 1, 1},
                                   .threads = static_cast<unsigned int>(code_.threads),
                                   .shared_bytes = static_cast<unsigned int>(shared_bytes),
                                   .has_barriers = has_barriers,
                                   .stream = stream_,
                                   .arguments = all.addresses()});
    }

    const scatter_code& code_;
    const scatter_call& call_;
    CUstream_st* stream_;
    std::int64_t bins_ = 1;
};

}  // namespace

int launch(const scatter_code& code, const scatter_call& call, CUstream_st* stream) {
    return scatter_launch(code, call, stream).run();
}

}  // namespace foldwise::detail
