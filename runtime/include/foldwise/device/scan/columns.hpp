// foldwise/device/scan/columns.hpp: how blocks scan along columns that several of them share.
//
// Neighbouring threads have neighbouring columns, so that they load and store neighbouring elements. A block takes one
// tile after the other. Its threads fold their rows, learn in shared memory the aggregate of the rows above theirs in
// the tile, and from other tiles that of all rows above; meanwhile the rows of the next tile are being loaded.
//
// A tile publishes its own aggregate. One with others above it combines those of its own batch in a fixed order, and
// appends the result to what the last tile of the batch before has published: the aggregate of everything up to its own
// last row. Batches are of a fixed number of tiles, so results do not depend on which tiles are ready.
#pragma once

#include <foldwise/device/scan/column_rows.hpp>
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

/// The tiles of a launch, as one thread sees them.
template <class Elements> class strip_scan {
  public:
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int threads = detail::scan_column_threads(sizeof(accumulator));
    using memory = strip_memory<threads, steps>;

    __device__ strip_scan(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), plan_(task.along_columns),
          thread_(static_cast<int>(threadIdx.x)) {}

    /// Scans all tiles that the block gets hold of.
    __device__ void run() {
        if (thread_ == 0) shared_.ticket = is_linked() ? take() : blockIdx.x;
        __syncthreads();
        launch_ = static_cast<unsigned int>(shared_.ticket >> 32) + 1;
        auto tile = static_cast<unsigned int>(shared_.ticket);
        column_rows<steps, rows> own;
        partial<steps> before[1];
        while (true) {
            if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
            column_rows<steps, rows> next;
            if (tile < task_.tiles) next = load(tile);
            if (!task_.ends) store(own, before);
            if (tile >= task_.tiles) break;
            own = next;
            before[0] =
                link(tile, own.is_plain() ? own.template folded<true>(task_) : own.template folded<false>(task_));
        }
        leave();
    }

  private:
    static constexpr int rows = Elements::width;

    /// The number of the thread among those that have its column.
    __device__ int group() const { return thread_ >> plan_.across_log2; }
    /// The number of the thread's column in the strip.
    __device__ int column() const { return thread_ & (across() - 1); }
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
        return {(std::int64_t{strip} << plan_.across_log2) + column(),
                (std::int64_t{down} * groups() + group()) * rows};
    }

    /// Loads and maps the thread's rows of a tile.
    __device__ column_rows<steps, rows> load(unsigned int tile) const {
        const row_place place = place_in(tile);
        const std::int64_t left = static_cast<std::int64_t>(task_.length.divisor) - place.row;
        column_rows<steps, rows> loaded;
        loaded.tile = tile;
        if (place.column >= plan_.columns || left <= 0) return loaded;
        loaded.count = left < rows ? static_cast<int>(left) : rows;
        load_mapped(elements_, task_, place, loaded.count, loaded.values);
        loaded.begins =
            task_.restarts ? rows_to_begin(task_, place.row, loaded.count) : place.row == 0 && !task_.starts;
        return loaded;
    }

    /// Finishes the scan of the thread's rows and stores them.
    __device__ void store(column_rows<steps, rows>& own, const partial<steps> (&before)[1]) const {
        const pack<typename steps::result, rows> results = scanned(task_, own, before);
        elements_.store(task_, place_in(own.tile), own.count, results);
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
        const int place = is_narrow ? (thread_ / warp_size << plan_.across_log2) + column() : thread_;
        if (!is_narrow || lane() >= warp_size - across()) shared_.of_warps[place] = upto;
        __syncthreads();
        stretch<steps> in_tile, made;
        FOLDWISE_NOT_UNROLLED
        for (int at = column(); at < (is_narrow ? threads / warp_size << plan_.across_log2 : threads); at += across()) {
            if (at == place) in_tile = made;
            made.append(shared_.of_warps[at]);
        }
        in_tile.append(ahead);
        std::uint32_t down = tile;
        const std::uint32_t strip = plan_.strips.split(down);
        unsigned long long ticket = tile + gridDim.x;
        const stretch<steps> above = is_linked() ? linked(strip, down, made, ticket) : begun(strip);
        if (thread_ == 0) shared_.ticket = ticket;
        if (thread_ < across()) {
            shared_.above[thread_] = above;
            if (task_.ends && down + 1 == plan_.deep) store_end(strip, above, made);
        }
        __syncthreads();
        tile = static_cast<unsigned int>(shared_.ticket);
        stretch<steps> before = shared_.above[column()];
        before.append(in_tile);
        return before.folded();
    }

    /// Publishes the aggregate of a tile, takes the ticket of the next one, and returns, to one thread for each column,
    /// what the tiles above make.
    __device__ stretch<steps> linked(std::uint32_t strip, std::uint32_t down, const stretch<steps>& made,
                                     unsigned long long& ticket) {
        const std::uint32_t number = down >> plan_.batch_log2, of_batch = 1u << plan_.batch_log2,
                            in_batch = down & (of_batch - 1);
        const bool tells = thread_ < across() && made.state != 0;
        const tile_words<steps> words(task_, launch_);
        if (tells && of_batch > 1) words.publish(plan_.aggregate_of_tile(strip, down, column()), made);
        if (thread_ == 0) ticket = take();
        stretch<steps> combined;
        constexpr unsigned int most = detail::scan_column_loads;
        const unsigned int first = static_cast<unsigned int>(group()) * most;
        if (first < in_batch && has_column(strip)) {
            const unsigned int count = in_batch - first;
            combined = words.template awaited<most>(plan_.aggregate_of_tile(strip, number * of_batch + first, column()),
                                                    across(), count < most ? count : most);
        }
        shared_.above[thread_] = combined;
        __syncthreads();
        if (thread_ >= across()) return {};
        FOLDWISE_NOT_UNROLLED
        for (unsigned int group = 1; group * most < in_batch; ++group)
            combined.append(shared_.above[(group << plan_.across_log2) + static_cast<unsigned int>(thread_)]);
        stretch<steps> before = begun(strip);
        if (number > 0 && tells)
            before = words.template awaited<1>(plan_.aggregate_of_batch(strip, number - 1, column()), 0, 1);
        if (in_batch == of_batch - 1 && tells) {  // all later batches wait for this
            stretch<steps> up_to_here = combined;
            up_to_here.append(made);
            stretch<steps> all = before;
            all.append(up_to_here);
            words.publish(plan_.aggregate_of_batch(strip, number, column()), all);
        }
        before.append(combined);
        return before;
    }

    /// Returns what the thread's column of a strip begins with in a call that is a part of another one.
    __device__ stretch<steps> begun(std::uint32_t strip) const {
        if (!task_.starts || !has_column(strip)) return {};
        return {task_.start_of(static_cast<std::uint64_t>((std::int64_t{strip} << plan_.across_log2) + column())),
                false};
    }

    /// Stores what the thread's column of a strip makes: what precedes its last tile, and that.
    __device__ void store_end(std::uint32_t strip, stretch<steps> above, const stretch<steps>& made) const {
        if (!has_column(strip)) return;
        above.append(made);
        static_cast<accumulator*>(task_.ends)[(std::int64_t{strip} << plan_.across_log2) + column()] = above.value;
    }

    __device__ bool has_column(std::uint32_t strip) const {
        return (std::int64_t{strip} << plan_.across_log2) + column() < plan_.columns;
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
