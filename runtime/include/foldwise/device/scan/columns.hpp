// foldwise/device/scan/columns.hpp: how blocks scan along columns.
//
// Neighbouring threads have neighbouring columns, so that they load and store neighbouring elements. A block takes one
// tile after the other. Its threads fold their rows, learn in shared memory the aggregate of the rows above theirs in
// the tile, and from other tiles that of all rows above; meanwhile the rows of the next tile are being loaded.
//
// A tile publishes its own aggregate. One with others above it combines those of its own batch in a fixed order, and
// appends the result to what the last tile of the batch before has published: the aggregate of everything up to its own
// last row. Batches are of a fixed number of tiles, so results do not depend on which tiles are ready.
#pragma once

#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/restarts.hpp>
#include <foldwise/device/scan/stretch.hpp>
#include <foldwise/device/scan/words.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the threads of a block tell one another.
template <int Threads, class Steps> struct strip_memory {
    unsigned long long ticket;         ///< The number of the launch before this one, times 2^32, plus a tile's.
    stretch<Steps> of_warps[Threads];  ///< Aggregates of warps: for each row of warps, its columns.
    stretch<Steps> above[Threads];     ///< What threads have combined of a batch; then what precedes each column.
};

/// A thread's rows of a tile.
template <class Steps, int Rows> struct column_rows {
    using accumulator = typename Steps::accumulator;

    unsigned int tile = 0;
    int count = 0;            ///< The number of rows.
    unsigned int begins = 0;  ///< At which of them the scan begins anew, as bits.
    pack<accumulator, Rows> values;

    /// Returns whether there are as many rows as can be, and the scan begins anew at the first of them at most.
    __device__ bool is_plain() const { return count == Rows && begins <= 1; }

    /// Returns the aggregate of the rows.
    template <bool IsPlain> __device__ stretch<Steps> folded(const scan_task<Steps>& task, std::int64_t column) const {
        partial<Steps> all;
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) all = task.start(static_cast<std::uint64_t>(column));
            all.append(values[k]);
        }
        return {all, begins != 0};
    }

    /// Replaces each row by what the rows up to it make, or those before it, with what precedes them.
    template <bool IsPlain>
    __device__ void scan(const scan_task<Steps>& task, std::int64_t column, partial<Steps> so_far) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) so_far = task.start(static_cast<std::uint64_t>(column));
            const accumulator before = so_far.value;
            so_far.append(values[k]);
            values[k] = task.is_exclusive ? before : so_far.value;
        }
    }

  private:
    template <bool IsPlain> __device__ bool begins_at(int k) const {
        return (k == 0 || !IsPlain) && (begins >> k & 1) != 0;
    }
};

/// The tiles of a launch, as one thread sees them.
template <class Elements> class strip_scan {
  public:
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int threads = detail::scan_column_threads(sizeof(accumulator));
    using memory = strip_memory<threads, steps>;

    __device__ strip_scan(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), plan_(task.along_columns),
          thread_(static_cast<int>(threadIdx.x)), group_(thread_ >> plan_.across_log2),
          column_(thread_ & (across() - 1)) {}

    /// Scans all tiles that the block gets hold of.
    __device__ void run() {
        if (thread_ == 0) shared_.ticket = is_linked() ? take() : blockIdx.x;
        __syncthreads();
        launch_ = static_cast<unsigned int>(shared_.ticket >> 32) + 1;
        auto tile = static_cast<unsigned int>(shared_.ticket);
        column_rows<steps, rows> own;
        partial<steps> before;
        for (bool is_first = true;; is_first = false) {
            if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
            column_rows<steps, rows> next;
            if (tile < task_.tiles) next = load(tile);
            if (!is_first) store(own, before);
            if (tile >= task_.tiles) break;
            own = next;
            const std::int64_t column = place_in(tile).column;
            before = link(tile, own.is_plain() ? own.template folded<true>(task_, column)
                                               : own.template folded<false>(task_, column));
        }
        leave();
    }

  private:
    static constexpr int rows = Elements::width;

    /// The columns of a strip.
    __device__ int across() const { return 1 << plan_.across_log2; }
    /// Threads with the same columns.
    __device__ int groups() const { return threads >> plan_.across_log2; }
    /// Returns whether tiles have others above them.
    __device__ bool is_linked() const { return plan_.deep > 1; }

    __device__ unsigned long long take() const { return tile_words<steps>::take_ticket(task_); }

    /// Returns where the thread's rows of a tile begin.
    __device__ row_place place_in(unsigned int tile) const {
        std::uint32_t down = tile;
        const std::uint32_t strip = plan_.strips.split(down);
        return {(std::int64_t{strip} << plan_.across_log2) + column_, (std::int64_t{down} * groups() + group_) * rows};
    }

    /// Loads and maps the thread's rows of a tile.
    __device__ column_rows<steps, rows> load(unsigned int tile) const {
        const row_place place = place_in(tile);
        const std::int64_t left = static_cast<std::int64_t>(task_.length.divisor) - place.row;
        column_rows<steps, rows> loaded;
        loaded.tile = tile;
        if (place.column >= plan_.columns || left <= 0) return loaded;
        loaded.count = left < rows ? static_cast<int>(left) : rows;
        elements_.load(task_, place, loaded.count, loaded.values);
        loaded.begins = task_.restarts ? rows_to_begin(task_, place.row, loaded.count) : place.row == 0;
        return loaded;
    }

    /// Finishes the scan of the thread's rows and stores them.
    __device__ void store(column_rows<steps, rows>& own, const partial<steps>& before) const {
        const row_place place = place_in(own.tile);
        if (own.is_plain())
            own.template scan<true>(task_, place.column, before);
        else
            own.template scan<false>(task_, place.column, before);
        if (task_.ends) {
            const bool has_end =
                own.count > 0 && place.row + own.count == static_cast<std::int64_t>(task_.length.divisor);
            FOLDWISE_UNROLLED
            for (int k = 0; k < rows; ++k)
                if (has_end && k == own.count - 1) static_cast<accumulator*>(task_.ends)[place.column] = own.values[k];
            return;
        }
        pack<typename steps::result, rows> results;
        FOLDWISE_UNROLLED
        for (int k = 0; k < rows; ++k)
            if (k < own.count) results[k] = steps::finish(own.values[k]);
        elements_.store(task_, place, own.count, results);
    }

    /// Returns what precedes the thread's rows, of which `upto` is the aggregate, in their column, and replaces `tile`
    /// by the block's next one.
    __device__ partial<steps> link(unsigned int& tile, stretch<steps> upto) {
        // Threads of a warp that have the same column.
        FOLDWISE_NOT_UNROLLED
        for (int distance = across(); distance < warp_size; distance *= 2) {
            stretch<steps> longer = shuffle_up(upto, distance);
            longer.append(upto);
            if (lane() >= distance) upto = longer;
        }
        stretch<steps> ahead = shuffle_up(upto, across() < warp_size ? across() : 0);
        if (lane() < across()) ahead = {};
        const bool is_narrow = across() < warp_size;
        const int place = is_narrow ? (thread_ / warp_size << plan_.across_log2) + column_ : thread_;
        if (!is_narrow || lane() >= warp_size - across()) shared_.of_warps[place] = upto;
        __syncthreads();
        stretch<steps> in_tile, made;
        FOLDWISE_NOT_UNROLLED
        for (int at = column_; at < (is_narrow ? threads / warp_size << plan_.across_log2 : threads); at += across()) {
            if (at == place) in_tile = made;
            made.append(shared_.of_warps[at]);
        }
        in_tile.append(ahead);
        if (!is_linked()) {
            __syncthreads();
            tile += gridDim.x;
            return in_tile.folded();
        }
        stretch<steps> before = linked(tile, made);
        before.append(in_tile);
        return before.folded();
    }

    /// Publishes the aggregate of a tile, and returns that of the tiles above it, in the thread's column.
    __device__ stretch<steps> linked(unsigned int& tile, const stretch<steps>& made) {
        std::uint32_t down = tile;
        const std::uint32_t strip = plan_.strips.split(down), number = down >> plan_.batch_log2,
                            of_batch = 1u << plan_.batch_log2, in_batch = down & (of_batch - 1);
        const bool tells = thread_ < across() && made.state != 0;
        const tile_words<steps> words(task_, launch_);
        if (tells && of_batch > 1) words.publish(plan_.word_of_tile(strip, down, column_), made);
        unsigned long long ticket = 0;
        if (thread_ == 0) ticket = take();
        stretch<steps> combined;
        constexpr unsigned int most = detail::scan_column_loads;
        const unsigned int first = static_cast<unsigned int>(group_) * most;
        if (first < in_batch && has_column(strip)) {
            const unsigned int count = in_batch - first;
            combined = words.template awaited<most>(plan_.word_of_tile(strip, number * of_batch + first, column_),
                                                    across(), count < most ? count : most);
        }
        shared_.above[thread_] = combined;
        __syncthreads();
        if (thread_ < across()) {
            FOLDWISE_NOT_UNROLLED
            for (unsigned int group = 1; group * most < in_batch; ++group)
                combined.append(shared_.above[(group << plan_.across_log2) + static_cast<unsigned int>(thread_)]);
            stretch<steps> before;
            if (number > 0 && tells)
                before = words.template awaited<1>(plan_.word_of_batch(strip, number - 1, column_), 0, 1);
            if (in_batch == of_batch - 1 && tells) {  // all later batches wait for this
                stretch<steps> up_to_here = combined;
                up_to_here.append(made);
                stretch<steps> all = before;
                all.append(up_to_here);
                words.publish(plan_.word_of_batch(strip, number, column_), all);
            }
            before.append(combined);
            shared_.above[thread_] = before;
        }
        if (thread_ == 0) shared_.ticket = ticket;
        __syncthreads();
        tile = static_cast<unsigned int>(shared_.ticket);
        return shared_.above[column_];
    }

    __device__ bool has_column(std::uint32_t strip) const {
        return (std::int64_t{strip} << plan_.across_log2) + column_ < plan_.columns;
    }
    __device__ int lane() const { return thread_ % warp_size; }

    /// Ends the block's part in the launch. The last block prepares the next launch.
    __device__ void leave() const {
        if (thread_ != 0 || !is_linked()) return;
        if (!is_last_of(&task_.progress->done, gridDim.x)) return;
        tile_words<steps>::prepare_next(task_, launch_);
    }

    const Elements& elements_;
    const scan_task<steps>& task_;
    memory& shared_;
    const detail::scan_strips& plan_;
    int thread_;
    int group_;   ///< The number of the thread among those that have its column.
    int column_;  ///< The number of the thread's column in the strip.
    unsigned int launch_ = 0;
};

/// Scans all columns. `Elements` loads, maps and stores them.
template <class Elements, class Steps>
__device__ inline void scan_columns(const Elements& elements, const scan_task<Steps>& task) {
    using memory = typename strip_scan<Elements>::memory;
    alignas(memory) __shared__ unsigned char bytes[sizeof(memory)];
    check_offsets(task);
    if (has_failed()) return;
    strip_scan<Elements>(elements, task, *reinterpret_cast<memory*>(bytes)).run();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
