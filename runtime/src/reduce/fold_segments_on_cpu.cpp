// runtime/src/reduce/fold_segments_on_cpu.cpp: reduces segments of any length on the CPU.
//
// The elements and the ends of segments form one sequence, in which a segment's end comes behind its last element. It
// is cut into pieces of equal length, so that neither long segments nor many empty ones make one thread work for all.
#include "elements.hpp"
#include "parallel.hpp"
#include "reduce/reduce_cuts.hpp"
#include "reduce/run_reduce.hpp"
#include "scan/restarts.hpp"
#include "scratch.hpp"

#include <foldwise/detail/buffer.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace foldwise::detail {

namespace {

/// Elements and ends of segments in a piece. Results depend on it, but not on the number of threads.
constexpr std::int64_t piece_length = 65536;

/// The most units of reduce_block elements that a piece has.
constexpr std::int64_t most_units = piece_length / reduce_block;

/// One call, with the type of its offsets.
template <class Offset> class segment_folder {
  public:
    segment_folder(const reduce_kernel& kernel, const reduce_call& call, const Offset* offsets)
        : kernel_(kernel), call_(call), offsets_(offsets), size_(kernel.accumulator_size),
          pieces_((call.elements.count + call.segments->count + piece_length - 1) / piece_length) {}

    void run() {
        const buffer memory(static_cast<std::size_t>(4 * pieces_ * size_), memory_source{});
        auto* const accumulators = static_cast<std::byte*>(memory.data());
        std::vector<piece> pieces(static_cast<std::size_t>(pieces_));
        in_parallel(pieces_, [&](std::int64_t begin, std::int64_t end) {
            if (begin >= end) return;
            copies of_thread(*this);
            for (std::int64_t i = begin; i < end; ++i) {
                piece& own = pieces[static_cast<std::size_t>(i)];
                own.head = accumulators + 2 * i * size_;
                own.tail = own.head + size_;
                fold_piece(i, of_thread, own);
            }
        });
        // What lies between the last end in one piece and the first end in another, which may be pieces away.
        std::byte* const between = accumulators + 2 * pieces_ * size_;
        std::int64_t parts = 0;
        const auto keep = [&](const std::byte* accumulator) {
            std::memcpy(between + parts++ * size_, accumulator, static_cast<std::size_t>(size_));
        };
        for (const piece& one : pieces) {
            if (one.has_end) {
                if (one.has_head) keep(one.head);
                join(between, parts);
                write(one.segment, parts > 0 ? between : nullptr);
                parts = 0;
            }
            if (one.has_tail) keep(one.tail);
        }
    }

  private:
    /// What a piece makes of its elements before the first end of a segment, and of those behind the last end.
    struct piece {
        std::byte *head, *tail;
        std::int64_t segment;  ///< The segment that ends first.
        bool has_end, has_head, has_tail;
    };

    /// A thread's copies of as many elements of each input as are reduced at once, where these do not lie side by side.
    struct copies {
        explicit copies(const segment_folder& of) : memory(of.bytes_of_copies()) {
            std::byte* next = memory.data();
            for (int i = 0; i < of.kernel_.inputs; ++i) {
                starts[i] = next;
                if (!of.is_copied(i)) continue;
                if (of.stride(i) == 0) of.copy(i, next, 0, reduce_block);
                next += of.bytes_of_copy(i);
            }
        }

        scratch memory;
        std::byte* starts[max_operands];
    };

    const operand_address& operand(int i) const { return call_.elements.operands[i]; }
    std::int64_t bytes_of(int i) const { return static_cast<std::int64_t>(kernel_.operands[i].size); }
    std::int64_t stride(int i) const { return operand(i).is_scalar ? 0 : call_.elements.layout->strides[i][0]; }
    bool is_copied(int i) const { return !operand(i).is_whole && stride(i) != 1; }
    std::int64_t bytes_of_copy(int i) const { return round_up(reduce_block * bytes_of(i), chunk_multiple); }
    std::size_t bytes_of_copies() const {
        std::int64_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += is_copied(i) ? bytes_of_copy(i) : 0;
        return static_cast<std::size_t>(bytes);
    }

    void copy(int i, std::byte* to, std::int64_t first, std::int64_t count) const {
        const std::int64_t step = stride(i) * bytes_of(i);
        move_row(to, bytes_of(i), static_cast<const std::byte*>(operand(i).data) + first * step, step, count,
                 kernel_.operands[i].size);
    }

    /// Returns how many segments end among the first `items` members of the sequence.
    std::int64_t ends_among(std::int64_t items) const {
        std::int64_t low = std::max<std::int64_t>(0, items - call_.elements.count);
        std::int64_t high = std::min(items, call_.segments->count);
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (offset(middle + 1) < items - middle)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    std::int64_t offset(std::int64_t i) const { return static_cast<std::int64_t>(offsets_[i]); }

    void fold_piece(std::int64_t number, const copies& of_thread, piece& own) const {
        const std::int64_t all = call_.elements.count + call_.segments->count;
        const std::int64_t from = number * piece_length, to = std::min(all, from + piece_length);
        const std::int64_t first = ends_among(from), last = ends_among(to), end = to - last;
        own.segment = first;
        own.has_end = first < last;
        std::int64_t element = std::max(from - first, std::min(end, offset(0)));  // those before are in no segment
        alignas(largest_accumulator) std::byte folded[largest_accumulator];
        for (std::int64_t segment = first; segment < last; ++segment) {
            const std::int64_t behind = offset(segment + 1);
            const bool is_some = element < behind;
            if (segment == first) {
                own.has_head = is_some;
                if (is_some) fold(element, behind, of_thread, own.head);
            } else {
                if (is_some) fold(element, behind, of_thread, folded);
                write(segment, is_some ? folded : nullptr);
            }
            element = std::max(element, behind);
        }
        own.has_tail = last < call_.segments->count && element < end;
        if (own.has_tail) fold(element, end, of_thread, own.tail);
    }

    /// Reduces the elements [begin, end), at least one.
    void fold(std::int64_t begin, std::int64_t end, const copies& of_thread, std::byte* accumulator) const {
        alignas(largest_accumulator) std::byte units[(most_units + 1) * largest_accumulator];
        const std::int64_t count = (end - begin + reduce_block - 1) / reduce_block;
        if (count == 1) return fold_unit(begin, end - begin, of_thread, accumulator);
        for (std::int64_t i = 0; i < count; ++i, begin += reduce_block)
            fold_unit(begin, std::min(reduce_block, end - begin), of_thread, units + i * size_);
        join(units, count);
        std::memcpy(accumulator, units, static_cast<std::size_t>(size_));
    }

    void fold_unit(std::int64_t first, std::int64_t count, const copies& of_thread, std::byte* accumulator) const {
        void* addresses[max_operands];
        for (int i = 0; i < kernel_.inputs; ++i) {
            if (!is_copied(i)) {
                const std::int64_t ahead = operand(i).is_whole ? 0 : first * bytes_of(i);
                addresses[i] = static_cast<std::byte*>(operand(i).data) + ahead;
                continue;
            }
            addresses[i] = of_thread.starts[i];
            if (stride(i) != 0) copy(i, of_thread.starts[i], first, count);
        }
        constexpr std::int64_t steps[max_operands] = {};
        kernel_.cpu->fold_rows(addresses, steps, 1, count, {call_.elements.first + first, 1, 0, call_.elements.shape},
                               accumulator);
    }

    void join(std::byte* accumulators, std::int64_t parts) const { join_parts(kernel_, accumulators, size_, parts, 1); }

    /// Writes the result of a segment; null: it has no elements.
    void write(std::int64_t segment, const std::byte* folded) const {
        alignas(largest_accumulator) std::byte all[largest_accumulator];
        const auto bytes = static_cast<std::size_t>(size_);
        if (call_.initial) {
            std::memcpy(all, call_.initial, bytes);
            if (folded) kernel_.cpu->join(all, folded, 1);
        } else if (folded) {
            std::memcpy(all, folded, bytes);
        } else {
            kernel_.cpu->identity(all);
        }
        const int output = kernel_.inputs;
        kernel_.cpu->finish(
            all, static_cast<std::byte*>(operand(output).data) + segment * call_.segments->step * bytes_of(output), 1,
            1);
    }

    const reduce_kernel& kernel_;
    const reduce_call& call_;
    const Offset* offsets_;
    std::int64_t size_;  ///< The size of an accumulator in bytes.
    std::int64_t pieces_;
};

}  // namespace

void fold_segments_on_cpu(const reduce_kernel& kernel, const reduce_call& call) {
    const segments_of_call& segments = *call.segments;
    with_offsets(segments.offsets, segments.size, segments.is_signed,
                 [&](const auto* offsets) { segment_folder(kernel, call, offsets).run(); });
}

}  // namespace foldwise::detail
