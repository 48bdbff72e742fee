// runtime/src/vectorize/run_tiled_on_cpu.cpp: runs calls with operands that are contiguous along another axis than the
// output.
//
// Read row by row, such an operand yields one element per cache line, and the line has been evicted when the next row
// needs its neighbour. Therefore the two axes are traversed in tiles that fit in the first-level cache: each operand's
// tile is transposed into a buffer, line by line, from which the kernel reads contiguous runs as usual.
#include "arguments.hpp"
#include "elements.hpp"
#include "parallel.hpp"
#include "scratch.hpp"
#include "vectorize/run_vectorize.hpp"

#include <algorithm>
#include <cstddef>

namespace foldwise::detail {

namespace {

constexpr std::int64_t smallest_side = 8;   // along both axes; for fewer elements, tiles gain nothing
constexpr std::int64_t tile_bytes = 16384;  // for all transposed operands, so that they stay in the first-level cache
constexpr std::int64_t line_bytes = 64;     // of each operand along its own axis: a cache line

std::int64_t magnitude(std::int64_t stride) { return stride < 0 ? -stride : stride; }

/// How a kernel accesses an operand's elements.
enum class tiled_access : std::uint8_t {
    row,     ///< Directly, because its rows are contiguous, or because it is a whole array.
    copied,  ///< Through a copy of each row.
    value,   ///< Through a row that is filled once with the same element.
    turned,  ///< Through a transposed copy of each tile.
};

/// Returns whether the operand's elements are contiguous along `axis` and not along the last one.
bool is_turned(const element_layout& layout, int operand, int axis) {
    const std::int64_t* strides = layout.strides[operand];
    return magnitude(strides[axis]) == 1 && magnitude(strides[layout.rank - 1]) > 1;
}

/// What all threads have in common.
class tiled_plan {
  public:
    tiled_plan(const vectorize_kernel& kernel, const element_range& call, int axis)
        : kernel(kernel), call(call), axis(axis), last(call.layout->rank - 1) {
        std::int64_t turned_sizes = 0, widest = 1;
        for (int i = 0; i < operand_count(kernel); ++i) {
            ways[i] = choose(i);
            const std::int64_t size = kernel.operands[i].size;
            if (ways[i] != tiled_access::turned) continue;
            turned_sizes += size;
            widest = std::max(widest, size);
        }
        const std::int64_t* extents = call.layout->extents;
        rows = std::min(extents[axis], std::max<std::int64_t>(line_bytes / widest, smallest_side));
        columns = std::min(extents[last], std::max<std::int64_t>(tile_bytes / turned_sizes / rows, smallest_side));
        tiles_down = (extents[axis] + rows - 1) / rows;
        tiles_across = (extents[last] + columns - 1) / columns;
        for (int i = 0; i < operand_count(kernel); ++i) {
            if (ways[i] != tiled_access::row)
                bytes += round_up(pitch(i) * (ways[i] == tiled_access::turned ? rows : 1), chunk_multiple);
        }
    }

    std::int64_t tiles() const {
        return call.count / (call.layout->extents[axis] * call.layout->extents[last]) * tiles_down * tiles_across;
    }

    /// Returns the bytes from one row of a copy to the next.
    std::int64_t pitch(int i) const { return columns * kernel.operands[i].size; }

    const vectorize_kernel& kernel;
    const element_range& call;
    const int axis;  ///< The axis along which transposed operands are contiguous.
    const int last;  ///< The axis along which the kernel runs.
    tiled_access ways[max_operands];
    std::int64_t rows, columns;  ///< The size of a tile along `axis` and along `last`.
    std::int64_t tiles_down, tiles_across;
    std::int64_t bytes = 0;  ///< The bytes of all copies.

  private:
    tiled_access choose(int i) const {
        const std::int64_t* strides = call.layout->strides[i];
        if (is_turned(*call.layout, i, axis)) return tiled_access::turned;
        if (call.operands[i].is_whole || strides[last] == 1) return tiled_access::row;
        return std::all_of(strides, strides + last + 1, [](std::int64_t stride) { return stride == 0; })
                   ? tiled_access::value
                   : tiled_access::copied;
    }
};

/// One thread's copies and its progress through some tiles.
class tiled_runner {
  public:
    explicit tiled_runner(const tiled_plan& of)
        : plan_(of), kernel_(of.kernel), layout_(*of.call.layout), memory_(static_cast<std::size_t>(of.bytes)) {
        std::byte* next = memory_.data();
        for (int i = 0; i < operand_count(kernel_); ++i) {
            if (plan_.ways[i] == tiled_access::row) continue;
            copies_[i] = next;
            next += round_up(plan_.pitch(i) * (plan_.ways[i] == tiled_access::turned ? plan_.rows : 1), chunk_multiple);
            if (plan_.ways[i] == tiled_access::value)
                move_row(copies_[i], size(i), first(i), 0, plan_.columns, kernel_.operands[i].size);
        }
    }

    /// Runs the tiles [begin, end), which are numbered across, then down, then along all other axes.
    void run(std::int64_t begin, std::int64_t end) {
        for (std::int64_t tile = begin; tile < end; ++tile) {
            const std::int64_t down = tile / plan_.tiles_across, outer = down / plan_.tiles_down;
            run_tile(outer, down % plan_.tiles_down * plan_.rows, tile % plan_.tiles_across * plan_.columns);
        }
    }

  private:
    std::byte* first(int i) const { return static_cast<std::byte*>(plan_.call.operands[i].data); }
    std::int64_t size(int i) const { return kernel_.operands[i].size; }
    std::int64_t step(int i, int axis) const { return layout_.strides[i][axis] * size(i); }

    void run_tile(std::int64_t outer, std::int64_t row, std::int64_t column) {
        const std::int64_t rows = std::min(plan_.rows, layout_.extents[plan_.axis] - row);
        const std::int64_t columns = std::min(plan_.columns, layout_.extents[plan_.last] - column);
        for (int i = 0; i < operand_count(kernel_); ++i) {
            starts_[i] = first(i) + row * step(i, plan_.axis) + column * step(i, plan_.last);
            std::int64_t rest = outer;
            for (int axis = plan_.last - 1; axis >= 0; --axis) {
                if (axis == plan_.axis) continue;
                starts_[i] += rest % layout_.extents[axis] * step(i, axis);
                rest /= layout_.extents[axis];
            }
            if (i < kernel_.inputs && plan_.ways[i] == tiled_access::turned)
                move_tile(copies_[i], plan_.pitch(i), size(i), starts_[i], step(i, plan_.axis), step(i, plan_.last),
                          rows, columns, kernel_.operands[i].size);
        }
        for (std::int64_t r = 0; r < rows; ++r) run_row(r, columns);
        for (int i = kernel_.inputs; i < operand_count(kernel_); ++i) {
            if (plan_.ways[i] == tiled_access::turned)
                move_tile(starts_[i], step(i, plan_.axis), step(i, plan_.last), copies_[i], plan_.pitch(i), size(i),
                          rows, columns, kernel_.operands[i].size);
        }
    }

    void run_row(std::int64_t row, std::int64_t columns) {
        void* operands[max_operands];
        for (int i = 0; i < operand_count(kernel_); ++i) {
            std::byte* const own = starts_[i] + row * step(i, plan_.axis);
            operands[i] = plan_.ways[i] == tiled_access::row      ? own
                          : plan_.ways[i] == tiled_access::turned ? copies_[i] + row * plan_.pitch(i)
                                                                  : copies_[i];
            if (i < kernel_.inputs && plan_.ways[i] == tiled_access::copied)
                move_row(copies_[i], size(i), own, step(i, plan_.last), columns, kernel_.operands[i].size);
        }
        kernel_.cpu(operands, columns);
        for (int i = kernel_.inputs; i < operand_count(kernel_); ++i) {
            if (plan_.ways[i] == tiled_access::copied)
                move_row(starts_[i] + row * step(i, plan_.axis), step(i, plan_.last), copies_[i], size(i), columns,
                         kernel_.operands[i].size);
        }
    }

    const tiled_plan& plan_;
    const vectorize_kernel& kernel_;
    const element_layout& layout_;
    scratch memory_;
    std::byte* copies_[max_operands];
    std::byte* starts_[max_operands];  ///< The tile's first element in each operand's own memory.
};

}  // namespace

int axis_to_tile(const vectorize_kernel& kernel, const element_range& call) {
    if (kernel.cpu_at) return -1;
    const element_layout& layout = *call.layout;
    if (layout.extents[layout.rank - 1] < smallest_side) return -1;
    for (int i = 0; i < operand_count(kernel); ++i) {
        for (int axis = layout.rank - 2; axis >= 0; --axis) {
            if (layout.extents[axis] >= smallest_side && is_turned(layout, i, axis)) return axis;
        }
    }
    return -1;
}

void run_tiled_on_cpu(const vectorize_kernel& kernel, const element_range& call, int axis) {
    const tiled_plan whole(kernel, call, axis);
    in_parallel(whole.tiles(), [&](std::int64_t begin, std::int64_t end) { tiled_runner(whole).run(begin, end); });
}

}  // namespace foldwise::detail
