// foldwise/device/scan/strips.hpp: how a block scans a whole strip of columns, from the first row to the last.
//
// Where strips are enough for all multiprocessors, none has to be shared, and no block waits for another one. A block
// takes the tiles of its strip one after the other, and each thread remembers what they have made of its column. The
// rows of the next tile are being loaded while those of one are scanned.
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
    static constexpr int threads = detail::scan_strip_threads(sizeof(accumulator));

    /// What each thread's rows make, of two tiles by turns: a thread may still read what others have told of one when
    /// some tell of the next.
    struct memory {
        stretch<steps> made[2][threads];
    };

    __device__ whole_strip(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), thread_(static_cast<int>(threadIdx.x)),
          across_(1 << task.along_columns.across_log2), column_in_strip_(thread_ & (across_ - 1)),
          column_((std::int64_t{blockIdx.x} << task.along_columns.across_log2) + column_in_strip_) {}

    __device__ void run() {
        const bool has_column = column_ < task_.along_columns.columns;
        const auto length = static_cast<std::int64_t>(task_.length.divisor);
        const std::int64_t rows_of_tile = std::int64_t{threads >> task_.along_columns.across_log2} * rows;
        if (has_column)
            above_ = {task_.starts ? task_.start_of(static_cast<std::uint64_t>(column_)) : task_.start(), false};
        row_place place{column_, std::int64_t{thread_ >> task_.along_columns.across_log2} * rows};
        int count = has_column ? count_from(place.row, length) : 0;
        held coming = load(place, count);
        stretch<steps>* made = shared_.made[0];
        for (std::int64_t first = 0; first < length; first += rows_of_tile) {
            if (has_failed()) return;
            column_rows<steps, rows> own;
            const row_place own_place = place;
            own.count = count;
            map(place, coming, own);
            if (task_.restarts && count > 0) own.begins = rows_to_begin(task_, place.row, count);
            place.row += rows_of_tile;
            count = has_column ? count_from(place.row, length) : 0;
            coming = load(place, count);
            const bool is_plain = has_column && !task_.restarts && first + rows_of_tile <= length;
            made[thread_] = is_plain ? own.template folded<true>(task_) : own.template folded<false>(task_);
            __syncthreads();
            const partial<steps> before = is_plain ? link<true>(made) : link<false>(made);
            made = made == shared_.made[0] ? shared_.made[1] : shared_.made[0];
            if (task_.ends) continue;
            const pack<typename steps::result, rows> results = scanned(task_, own, before);
            elements_.store(task_, own_place, own.count, results);
        }
        if (task_.ends && has_column && thread_ < across_)
            static_cast<accumulator*>(task_.ends)[column_] = above_.value;
    }

  private:
    static constexpr int rows = Elements::width;

    /// Rows are mapped when their turn comes, so that loads are not waited for earlier, unless the inputs need more
    /// registers than what they are mapped to.
    using loaded = typename Elements::loaded;
    using mapped = pack<accumulator, rows>;
    static constexpr bool is_mapped_late = sizeof(loaded) <= sizeof(mapped);
    using held = std::conditional_t<is_mapped_late, loaded, mapped>;

    __device__ static int count_from(std::int64_t row, std::int64_t length) {
        const std::int64_t left = length - row;
        return left >= rows ? rows : left > 0 ? static_cast<int>(left) : 0;
    }

    __device__ held load(const row_place& place, int count) const {
        if constexpr (is_mapped_late) {
            return elements_.load(task_, place, count);
        } else {
            held all;
            load_mapped(elements_, task_, place, count, all);
            return all;
        }
    }
    __device__ void map(const row_place& place, const held& coming, column_rows<steps, rows>& own) const {
        if constexpr (is_mapped_late)
            elements_.map(task_, place, own.count, coming, own.values);
        else
            own.values = coming;
    }

    /// Returns what the rows above the thread's own make, and appends those of the tile to what precedes the next one.
    /// In plain tiles all threads with the thread's column have rows, at which nothing begins anew.
    template <bool IsPlain> __device__ partial<steps> link(const stretch<steps>* made) {
        const auto of = [&](int thread) {
            stretch<steps> told = made[thread];
            if (IsPlain) told.state = stretch<steps>::is_some;
            return told;
        };
        stretch<steps> above_in_tile, all = of(column_in_strip_);
        FOLDWISE_NOT_UNROLLED
        for (int thread = column_in_strip_ + across_; thread < threads; thread += across_) {
            if (thread == thread_) above_in_tile = all;
            all.append(of(thread));
        }
        stretch<steps> before = above_;
        before.append(above_in_tile);
        above_.append(all);
        return before.folded();
    }

    const Elements& elements_;
    const scan_task<steps>& task_;
    memory& shared_;
    const int thread_, across_;  ///< The columns of a strip.
    const int column_in_strip_;
    const std::int64_t column_;
    stretch<steps> above_;  ///< What precedes the current tile in the thread's column.
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
