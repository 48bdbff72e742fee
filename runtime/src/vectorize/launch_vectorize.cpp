// runtime/src/vectorize/launch_vectorize.cpp: chooses the instance that suits a call's memory layout, and launches it.
#include "gpu/alignment.hpp"
#include "gpu/by_rank.hpp"
#include "gpu/parameters.hpp"
#include "vectorize/flat_plan.hpp"
#include "vectorize/tile_plan.hpp"

#include <foldwise/detail/vectorize_code.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

namespace {

using instance = vectorize_instance;

/// Blocks of single elements are halved, down to this many threads, while there are too few of them for most GPUs'
/// multiprocessors.
constexpr int fewest_threads = 64, enough_blocks = 64;

/// One launch of a vectorize kernel.
class vectorize_launch {
  public:
    vectorize_launch(const vectorize_code& code, const element_range& call, CUstream_st* stream)
        : code_(code), call_(call), stream_(stream), operands_(code.inputs + code.outputs) {}

    int run() {
        const bool is_numbered = !call_.layout && has(instance::numbered) && has_values_alone();
        const bool is_single = call_.layout || code_.is_long;
        const std::int64_t few = is_single ? code_.file->threads_at_once : code_.file->few_elements;
        if (call_.count <= few && !is_numbered) return run_strided();
        if (!call_.layout) return is_numbered ? run_numbered() : run_contiguous();
        std::uint32_t sizes[max_operands];
        for (int i = 0; i < operands_; ++i) sizes[i] = code_.operands[i].size;
        const bool flat = is_flat(call_, code_.inputs, operands_, code_.width);
        const tile_traits traits = {
            .threads = code_.threads,
            .width = code_.width,
            .operands = operands_,
            .inputs = code_.inputs,
            .is_ordered = code_.index_rank > 0,
            .is_flat = flat,
            .sizes = sizes,
            .alignment = static_cast<std::uint32_t>(vector_bytes(code_.operands[code_.inputs], code_.width)),
            .tile_bytes = largest_tile(false),
            .upright_bytes = largest_tile(true),
        };
        const tiled_range tiles = plan_tiles(call_, traits);
        if (tiles.tiles > 0 && has(instance::transposed)) return run_tiled(instance::transposed, tiles);
        if (tiles.blocks > 0) return run_tiled(instance::tiled, tiles);
        if (flat && has(instance::flat)) return run_flat();
        return run_strided();
    }

  private:
    bool has(instance which) const { return code_.instances[static_cast<int>(which)] != nullptr; }
    const operand_address& operand(int number) const { return call_.operands[number]; }

    /// Returns the bytes of the largest input's tile. Shared memory is aligned to 16 bytes; elements with a larger
    /// alignment cannot have a tile.
    std::uint32_t largest_tile(bool is_upright) const {
        std::uint32_t largest = 1;
        for (int i = 0; i < code_.inputs; ++i) {
            if (operand(i).is_whole) continue;
            const auto layout =
                exchange_layout::of(code_.threads, code_.width, static_cast<int>(code_.operands[i].size), is_upright);
            const auto bytes = code_.operands[i].alignment > 16 ? UINT32_MAX : static_cast<std::uint32_t>(layout.bytes);
            if (bytes > largest) largest = bytes;
        }
        return largest;
    }

    /// Returns whether an operand is aligned for vectors that begin `before` elements ahead of its first one.
    bool is_aligned(int number, std::int64_t before) const {
        return operand(number).is_whole ||
               detail::is_aligned(operand(number), code_.operands[number], code_.width, before);
    }

    /// Returns the beginning of vectors for which most bytes of an element are accessed by vectors, according to
    /// is_vector(operand, place).
    template <class Test> std::int64_t best_begin(const Test& is_vector) const {
        return detail::best_begin(code_.width, [&](std::int64_t before) {
            std::size_t sum = 0;
            for (int i = 0; i < operands_; ++i) sum += is_vector(i, before) ? code_.operands[i].size : 0;
            return sum;
        });
    }

    /// Launches a call without a layout. Arrays that are misaligned by the same number of elements are all accessed by
    /// vectors.
    int run_contiguous() {
        const std::int64_t before =
            best_begin([&](int number, std::int64_t place) { return is_aligned(number, place); });
        bool are_aligned = true;
        for (int i = 0; i < operands_; ++i) are_aligned = are_aligned && is_aligned(i, before);
        for (int i = 0; i < operands_; ++i)
            add(i, contiguous_operand{address_before(i, before), is_aligned(i, before)});
        add_index(call_.first - before, 0, 0);
        const contiguous_range range = {before, before + call_.count};
        parameters_.add(range);
        return launch_elements(are_aligned ? instance::vectors : instance::mixed, range.end, code_.threads,
                               code_.width);
    }

    bool has_values_alone() const {
        for (int i = 0; i < code_.inputs; ++i)
            if (!operand(i).is_scalar) return false;
        return true;
    }

    /// Launches a call without a layout whose vectors begin at multiples of their width, and whose blocks of threads at
    /// multiples of theirs, counted in the call, whatever the outputs' alignment is.
    int run_numbered() {
        const int per_thread = code_.width * runs_per_thread(code_.width);
        const std::int64_t before = call_.first % (std::int64_t{code_.threads} * per_thread);
        for (int i = 0; i < operands_; ++i)
            add(i, contiguous_operand{address_before(i, before), is_aligned(i, before)});
        add_index(call_.first - before, 0, 0);
        const contiguous_range range = {before, before + call_.count};
        parameters_.add(range);
        return launch_elements(instance::numbered, range.end, code_.threads, per_thread);
    }

    int run_flat() {
        const std::int64_t before = best_begin([&](int number, std::int64_t place) {
            const std::int64_t size = code_.operands[number].size;
            return reading_of(call_, number, size, code_.width, place) == flat_reading::vectors;
        });
        for (int i = 0; i < code_.inputs; ++i)
            add(i, flat_input{address(i), flat_steps_of(*call_.layout, i),
                              reading_of(call_, i, code_.operands[i].size, code_.width, before)});
        for (int i = code_.inputs; i < operands_; ++i)
            add(i, contiguous_operand{address_before(i, before), is_aligned(i, before)});
        add_index(call_.first - before, 0, 0);
        const flat_range range = {{before, before + call_.count}, flat_axes_of(*call_.layout, code_.width, before)};
        parameters_.add(range);
        return launch_elements(instance::flat, range.elements.end, flat_threads,
                               code_.width * runs_per_thread(code_.width));
    }

    int run_tiled(instance which, const tiled_range& tiles) {
        for (int i = 0; i < operands_; ++i) {
            const tiled_operand place = {address(i), tile_steps_of(*call_.layout, tiles.axes, i)};
            if (which == instance::transposed && i < code_.inputs) {
                const tile_reading reading = reading_of(call_, tiles, i, code_.operands[i].size, code_.width);
                add(i, transposed_input{place, reading, has_tile(reading) ? tile_of(tiles, i) : 0});
            } else {
                add(i, place);
            }
        }
        add_index(call_.first, tiles.columns, tiles.rows);
        parameters_.add(tiles);
        return launch_blocks(which, tiles.blocks, code_.threads, shared_bytes(tiles, code_.threads));
    }

    int run_strided() {
        const element_layout* const layout = call_.layout;  // none for contiguous elements, which have one axis
        strided_range range{};
        range.count = static_cast<std::uint32_t>(call_.count);
        range.rank = layout ? layout->rank : 1;
        for (int i = 0; i < operands_; ++i) {
            strided_operand place = {address(i), {}};
            for (int axis = 0; axis < range.rank; ++axis)
                place.steps.steps[axis] = layout ? layout->strides[i][range.rank - 1 - axis] : 1;
            add(i, place);
        }
        add_index(call_.first, 0, 0);
        for (int axis = 0; axis + 1 < range.rank; ++axis)
            range.extents[axis] =
                divider<std::uint32_t>::by(static_cast<std::uint32_t>(layout->extents[range.rank - 1 - axis]));
        parameters_.add(range);
        int threads = code_.threads;
        while (threads > fewest_threads && call_.count <= std::int64_t{enough_blocks / 2} * threads) threads /= 2;
        return launch_elements(instance::strided, range.count, threads, 1);
    }

    void* address(int number) const { return operand(number).is_scalar ? nullptr : operand(number).data; }
    void* address_before(int number, std::int64_t before) const {
        if (operand(number).is_scalar) return nullptr;
        return static_cast<std::byte*>(operand(number).data) -
               before * static_cast<std::int64_t>(code_.operands[number].size);
    }

    /// Adds the parameter of an operand; `place` is not used for a whole array. Outputs have no element after it.
    template <class Place> void add(int number, const Place& place) {
        if (operand(number).is_whole)
            parameters_.add(*static_cast<const whole_array*>(operand(number).data));
        else if (number >= code_.inputs)
            parameters_.add(place);
        else
            parameters_.add(place, code_.operands[number], operand(number).is_scalar ? operand(number).data : nullptr);
    }

    void add_index(std::int64_t origin, std::int64_t columns, std::int64_t rows) {
        if (code_.index_rank == 0) return;
        by_rank(code_.index_rank, [&]<int N>(std::integral_constant<int, N>) {
            index_space<N> space{origin, {}, columns, rows};
            for (int axis = 1; axis < N; ++axis)
                space.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(call_.shape[axis]));
            parameters_.add(space);
        });
    }

    int launch_elements(instance which, std::int64_t elements, int threads, int per_thread) {
        const std::int64_t per_block = std::int64_t{threads} * per_thread;
        return launch_blocks(which, static_cast<unsigned int>((elements + per_block - 1) / per_block), threads, 0);
    }
    int launch_blocks(instance which, std::uint32_t blocks, int threads, std::uint32_t shared_bytes) {
        return code_.file->launch({.kernel = code_.instances[static_cast<int>(which)],
                                   .blocks = {blocks, 1, 1},
                                   .threads = static_cast<unsigned int>(threads),
                                   .shared_bytes = shared_bytes,
                                   .has_barriers = which == instance::transposed,
                                   .stream = stream_,
                                   .arguments = parameters_.addresses()});
    }

    const vectorize_code& code_;
    const element_range& call_;
    CUstream_st* stream_;
    int operands_;
    parameters parameters_;
};

}  // namespace

int launch(const vectorize_code& code, const element_range& call, CUstream_st* stream) {
    return vectorize_launch(code, call, stream).run();
}

}  // namespace foldwise::detail
