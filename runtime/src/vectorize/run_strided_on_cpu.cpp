// runtime/src/vectorize/run_strided_on_cpu.cpp: passes contiguous runs to a kernel whose operands are not contiguous.
#include "arguments.hpp"
#include "elements.hpp"
#include "parallel.hpp"
#include "scratch.hpp"
#include "vectorize/run_vectorize.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace foldwise::detail {

namespace {

constexpr std::int64_t long_row = 128;        // elements; a row of this length is worth a call of its own
constexpr std::int64_t longest_block = 1024;  // elements
constexpr std::int64_t block_bytes = 16384;   // for all copied operands, so that they stay in the first-level cache

/// How a kernel accesses an operand's elements.
enum class strided_access : std::uint8_t {
    as_one,  ///< As a whole array.
    whole,   ///< Directly, because it is contiguous.
    row,     ///< Directly, because its rows are long and contiguous.
    value,   ///< Through a copy that is filled once with the same element.
    copied,  ///< Through a copy of each block.
};

/// What all threads have in common.
class strided_plan {
  public:
    strided_plan(const vectorize_kernel& kernel, const element_range& call)
        : kernel(kernel), call(call), axes{call.layout->rank, call.layout->extents} {
        const bool are_long = row_length() >= long_row;
        std::int64_t copied_sizes = 0;
        for (int i = 0; i < operand_count(kernel); ++i) {
            ways[i] = call.operands[i].is_whole ? strided_access::as_one : choose(call.layout->strides[i], are_long);
            ends_with_row |= ways[i] == strided_access::row;
            if (is_copied(i)) copied_sizes += kernel.operands[i].size;
        }
        if (copied_sizes > 0) {
            block =
                std::clamp(block_bytes / copied_sizes / chunk_multiple * chunk_multiple, chunk_multiple, longest_block);
            for (int i = 0; i < operand_count(kernel); ++i) periods[i] = period_of(i);
            block = block_of_periods();
        }
        for (int i = 0; i < operand_count(kernel); ++i) {
            if (is_copied(i)) bytes += round_up(block * kernel.operands[i].size, chunk_multiple);
        }
    }

    bool is_copied(int i) const { return ways[i] == strided_access::value || ways[i] == strided_access::copied; }

    const vectorize_kernel& kernel;
    const element_range& call;
    const axes_of axes;
    strided_access ways[max_operands + 1];
    std::int64_t periods[max_operands + 1]{};
    bool ends_with_row = false;      ///< Whether runs end where rows end.
    std::int64_t block = INT64_MAX;  ///< The maximum number of elements of a run.
    std::int64_t bytes = 0;          ///< The bytes of all copies of a block.

  private:
    /// Returns after how many elements an operand that is copied and repeats along the outer axes has the same elements
    /// again, if that is within a block; else 0.
    std::int64_t period_of(int i) const {
        if (i >= kernel.inputs || ways[i] != strided_access::copied) return 0;
        const std::int64_t* strides = call.layout->strides[i];
        std::int64_t elements = 1;
        int outer = 0;
        while (outer < axes.rank && strides[outer] == 0) ++outer;
        for (int axis = outer; axis < axes.rank; ++axis) elements *= axes.extents[axis];
        return outer > 0 && elements <= block ? elements : 0;
    }

    /// Returns a block that is a multiple of the periods, if any fit in it: then a copy is right for the next block,
    /// too. Each period is a multiple of the shorter ones.
    std::int64_t block_of_periods() const {
        std::int64_t longest = 1;
        for (int i = 0; i < operand_count(kernel); ++i) longest = std::max(longest, periods[i]);
        const std::int64_t aligned = std::lcm(longest, chunk_multiple);
        return aligned <= block ? block / aligned * aligned : block / longest * longest;
    }

    std::int64_t row_length() const { return axes.extents[axes.rank - 1]; }

    strided_access choose(const std::int64_t* strides, bool rows_are_long) const {
        if (std::all_of(strides, strides + axes.rank, [](std::int64_t stride) { return stride == 0; }))
            return strided_access::value;
        std::int64_t expected = 1;
        int axis = axes.rank - 1;
        for (; axis >= 0 && strides[axis] == expected; --axis) expected *= axes.extents[axis];
        if (axis < 0) return strided_access::whole;
        return strides[axes.rank - 1] == 1 && rows_are_long ? strided_access::row : strided_access::copied;
    }
};

/// One thread's copies and its progress through a range.
class strided_runner {
  public:
    explicit strided_runner(const strided_plan& of)
        : plan_(of), kernel_(of.kernel), call_(of.call), memory_(static_cast<std::size_t>(of.bytes)) {
        std::byte* next = memory_.data();
        for (int i = 0; i < operand_count(kernel_); ++i) {
            if (!plan_.is_copied(i)) continue;
            copies_[i] = next;
            repeated_[i] = {};
            next += round_up(plan_.block * kernel_.operands[i].size, chunk_multiple);
        }
    }

    void run(std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        fill_values(std::min(plan_.block, end - begin));
        cursor at(plan_.axes, begin);
        for (std::int64_t done = begin; done < end;) {
            const std::int64_t count = run_length(at, done, end);
            for (int i = 0; i < operand_count(kernel_); ++i) operands_[i] = prepare(i, at, done, count);
            call_kernel(done, count);
            for (int i = kernel_.inputs; i < operand_count(kernel_); ++i) {
                if (plan_.ways[i] == strided_access::copied)
                    scatter(first(i), strides(i), copies_[i], at, count, kernel_.operands[i].size);
            }
            at.advance(count);
            done += count;
        }
    }

  private:
    std::byte* first(int i) const { return static_cast<std::byte*>(call_.operands[i].data); }
    const std::int64_t* strides(int i) const { return call_.layout->strides[i]; }

    void fill_values(std::int64_t count) {
        static constexpr std::int64_t stay[max_axes] = {};
        const cursor row({1, &count}, 0);
        for (int i = 0; i < kernel_.inputs; ++i) {
            if (plan_.ways[i] == strided_access::value)
                gather(copies_[i], first(i), stay, row, count, kernel_.operands[i].size);
        }
    }

    std::int64_t run_length(const cursor& at, std::int64_t done, std::int64_t end) const {
        std::int64_t count = std::min(plan_.block, end - done);
        if (plan_.ends_with_row) count = std::min(count, at.left_in_row());
        if (kernel_.index_rank > 1) {
            const std::int64_t row = call_.shape[kernel_.index_rank - 1];
            count = std::min(count, row - (call_.first + done) % row);
        }
        return count;
    }

    /// Returns whether the copy already holds this run, because the row repeats one element and an earlier run of the
    /// same row was at least as long, or because the operand repeats along the outer axes and an earlier run began at
    /// the same place of its period. If not, remembers what the copy will hold.
    bool is_there(int i, const cursor& at, std::int64_t done, std::int64_t count) {
        const std::int64_t period = plan_.periods[i];
        if (period == 0 && strides(i)[plan_.axes.rank - 1] != 0) return false;
        const repeated now{period > 0 || count <= at.left_in_row() ? count : 0,
                           period > 0 ? done % period : at.offset(strides(i))};
        if (now.count > 0 && now.count <= repeated_[i].count && now.place == repeated_[i].place) return true;
        repeated_[i] = now;
        return false;
    }

    void* prepare(int i, const cursor& at, std::int64_t done, std::int64_t count) {
        const std::size_t size = kernel_.operands[i].size;
        const auto step = static_cast<std::int64_t>(size);
        switch (plan_.ways[i]) {
        case strided_access::as_one:
            return first(i);
        case strided_access::whole:
            return first(i) + done * step;
        case strided_access::row:
            return first(i) + at.offset(strides(i)) * step;
        case strided_access::copied:
            if (i < kernel_.inputs && !is_there(i, at, done, count))
                gather(copies_[i], first(i), strides(i), at, count, size);
            break;
        case strided_access::value:
            break;
        }
        return copies_[i];
    }

    void call_kernel(std::int64_t done, std::int64_t count) const {
        if (!kernel_.cpu_at) return kernel_.cpu(operands_, count);
        vectorize_position position;
        std::int64_t index = call_.first + done;
        for (int axis = kernel_.index_rank - 1; axis > 0; --axis) {
            position.coordinates[axis] = index % call_.shape[axis];
            index /= call_.shape[axis];
        }
        position.coordinates[0] = index;
        kernel_.cpu_at(operands_, count, position);
    }

    struct repeated {
        std::int64_t count, place;
    };

    const strided_plan& plan_;
    const vectorize_kernel& kernel_;
    const element_range& call_;
    scratch memory_;
    std::byte* copies_[max_operands + 1];
    repeated repeated_[max_operands + 1];  ///< What each copy holds that later runs may need again.
    void* operands_[max_operands + 1];
};

/// Calls run(call) with contiguous arrays as a single axis.
template <class Run> void in_line(const vectorize_kernel& kernel, const element_range& call, const Run& run) {
    std::int64_t strides[max_operands + 1][max_axes];
    for (int i = 0; i < operand_count(kernel); ++i) strides[i][0] = call.operands[i].is_scalar ? 0 : 1;
    element_layout line{1, {call.count}, strides};
    element_range along_line = call;
    along_line.layout = &line;
    run(along_line);
}

void run_in_layout(const vectorize_kernel& kernel, const element_range& call) {
    const strided_plan whole(kernel, call);
    elements_in_parallel(call.count,
                         [&](std::int64_t begin, std::int64_t end) { strided_runner(whole).run(begin, end); });
}

}  // namespace

void run_part_on_cpu(const vectorize_kernel& kernel, const element_range& call, std::int64_t begin, std::int64_t end) {
    if (call.layout) return strided_runner(strided_plan(kernel, call)).run(begin, end);
    in_line(kernel, call,
            [&](const element_range& line) { strided_runner(strided_plan(kernel, line)).run(begin, end); });
}

void run_strided_on_cpu(const vectorize_kernel& kernel, const element_range& call) {
    if (call.layout) {
        const int axis = axis_to_tile(kernel, call);
        return axis >= 0 ? run_tiled_on_cpu(kernel, call, axis) : run_in_layout(kernel, call);
    }
    // Arrays of a kernel that takes an index, all of them contiguous.
    in_line(kernel, call, [&](const element_range& line) { run_in_layout(kernel, line); });
}

}  // namespace foldwise::detail
