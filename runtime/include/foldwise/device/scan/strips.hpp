// foldwise/device/scan/strips.hpp: how a block scans a whole strip of columns, from the first row to the last.
//
// Where strips are enough for all multiprocessors, none has to be shared, and no block waits for another one. A block
// takes the tiles of its strip one after the other. Threads fold their rows; one thread for each column combines what
// they have made of it, and remembers that for the next tile. The rows of that are being loaded meanwhile.
//
// Threads have two columns of elements of 4 bytes. Where these lie side by side in all operands they are loaded and
// stored as vectors. Otherwise a thread's columns are as far apart as there are threads beside one another, so that
// each instruction still accesses neighbouring elements.
#pragma once

#include <foldwise/device/scan/column_rows.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/restarts.hpp>
#include <foldwise/device/scan/stretch.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The block's strip, as one thread sees it.
template <class Elements> class whole_strip {
  public:
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int threads = detail::scan_strip_threads(sizeof(accumulator)), across = strip_columns<steps>;

    struct memory {
        /// What each thread's rows of a column make; then what precedes them in it. Column after column of the first
        /// rows, then of those below.
        stretch<steps> made[threads * across];
        stretch<steps> above[threads];  ///< What precedes the next tile in each column.
    };

    __device__ whole_strip(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), width_(task.along_columns.across) {}

    __device__ void run() {
        const int thread = static_cast<int>(threadIdx.x), beside = width_ / across, groups = threads / beside,
                  group = thread / beside, lane = thread - group * beside, rows_of_tile = groups * rows;
        const std::int64_t first_column = std::int64_t{blockIdx.x} * width_, columns = task_.along_columns.columns,
                           length = static_cast<std::int64_t>(task_.length.divisor);
        const int apart = task_.are_aligned ? 1 : beside, own_column = task_.are_aligned ? lane * across : lane;
        const int own_made = group * width_ + own_column;
        const bool has_place = group < groups, has_column = has_place && first_column + own_column < columns;
        /// Returns where the thread's rows of the tile begin whose first row is `first`, and how many there are.
        const auto place_in = [&](std::int64_t first) {
            return strip_place<across>{first_column + own_column, first + group * rows, apart};
        };
        const auto count_in = [&](std::int64_t first) {
            const std::int64_t left = length - first - group * rows;
            return !has_column || left <= 0 ? 0 : left >= rows ? rows : static_cast<int>(left);
        };
        const std::int64_t column = first_column + thread;  // whose rows the thread combines
        const bool combines = thread < width_ && column < columns;
        if (combines)
            shared_.above[thread] = {task_.starts ? task_.start_of(static_cast<std::uint64_t>(column)) : task_.start(),
                                     false};
        held coming;
        int count = 0;
        for (std::int64_t first = -rows_of_tile; first < length; first += rows_of_tile) {
            if (has_failed()) return;
            column_rows<steps, rows, across> own;
            own.count = count;
            map(place_in(first), coming, own);
            if (task_.restarts && own.count > 0) own.begins = rows_to_begin(task_, place_in(first).row, own.count);
            count = count_in(first + rows_of_tile);
            coming = load(place_in(first + rows_of_tile), count);
            if (first < 0) continue;
            const bool is_plain = !task_.restarts && first + rows_of_tile <= length;
            if (has_place) {
                FOLDWISE_UNROLLED
                for (int j = 0; j < across; ++j)
                    shared_.made[own_made + j * apart] = is_plain && has_column ? own.template folded<true>(task_, j)
                                                                                : own.template folded<false>(task_, j);
            }
            __syncthreads();
            if (combines) {
                if (is_plain)
                    combine<true>(thread, groups);
                else
                    combine<false>(thread, groups);
            }
            __syncthreads();
            if (task_.ends || own.count == 0) continue;
            partial<steps> before[across];
            FOLDWISE_UNROLLED
            for (int j = 0; j < across; ++j) before[j] = shared_.made[own_made + j * apart].folded();
            elements_.store(task_, place_in(first), own.count * across, scanned(task_, own, before));
        }
        if (task_.ends && combines) static_cast<accumulator*>(task_.ends)[column] = shared_.above[thread].value;
    }

  private:
    static constexpr int rows = Elements::width / across;

    /// Rows are mapped when their turn comes, so that loads are not waited for earlier, unless the inputs need more
    /// registers than what they are mapped to.
    using loaded = typename Elements::loaded;
    using mapped = pack<accumulator, rows * across>;
    static constexpr bool is_mapped_late = sizeof(loaded) <= sizeof(mapped);
    using held = std::conditional_t<is_mapped_late, loaded, mapped>;

    __device__ held load(const strip_place<across>& place, int count) const {
        if constexpr (is_mapped_late) {
            return elements_.load(task_, place, count * across);
        } else {
            held all;
            load_mapped(elements_, task_, place, count * across, all);
            return all;
        }
    }
    __device__ void map(const strip_place<across>& place, const held& coming,
                        column_rows<steps, rows, across>& own) const {
        if constexpr (is_mapped_late)
            elements_.map(task_, place, own.count * across, coming, own.values);
        else
            own.values = coming;
    }

    /// Replaces what each group of threads has made of a column by what precedes it, and appends all of it to what
    /// precedes the tile.
    /// In plain tiles all have rows, at which nothing begins anew.
    template <bool IsPlain> __device__ void combine(int column, int groups) const {
        stretch<steps> above = shared_.above[column];
        stretch<steps>* made = shared_.made + column;
        const auto append = [&] {
            stretch<steps> told = *made;
            if (IsPlain) told.state = stretch<steps>::is_some;
            *made = above;
            above.append(told);
            made += width_;
        };
        if constexpr (IsPlain) {
            FOLDWISE_UNROLLED_BY_FOUR
            for (int group = 0; group < groups; ++group) append();
        } else {
            FOLDWISE_NOT_UNROLLED
            for (int group = 0; group < groups; ++group) append();
        }
        shared_.above[column] = above;
    }

    const Elements& elements_;
    const scan_task<steps>& task_;
    memory& shared_;
    const int width_;  ///< The columns of the strip.
};

/// Scans a strip with each block. `Elements` loads, maps and stores its elements.
template <class Elements, class Steps>
__device__ inline void scan_strips(const Elements& elements, const scan_task<Steps>& task) {
    using memory = typename whole_strip<Elements>::memory;
    alignas(memory) __shared__ unsigned char bytes[sizeof(memory)];
    check_offsets(task);
    if (has_failed()) return;
    whole_strip<Elements>(elements, task, *reinterpret_cast<memory*>(bytes)).run();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
