// foldwise/distributed.hpp: arrays whose rows are spread over the processes of a group. Kernels take them as they take
// other arrays.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/array.hpp>
#include <foldwise/communicator.hpp>
#include <foldwise/copy.hpp>
#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/distributed_call.hpp>
#include <foldwise/detail/npy.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/row_transfer.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/view.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace foldwise {

/// `x.exchange_halos(2, periodic)` takes the rows beyond the last one from the beginning, and the other way round.
struct periodic_t {};
inline constexpr periodic_t periodic;

/// The rows of a process with some of its neighbours' rows around them, as distributed::exchange_halos() makes them.
template <class T> struct halos {
    array<T> rows;            ///< Rows of processes before, the process's own, and those of processes behind it.
    std::int64_t before = 0;  ///< How many rows are in front of the process's own.
    std::int64_t behind = 0;  ///< How many rows are behind them.
};

/// An array whose rows, the elements of each index along axis 0, are spread over the processes of a group in the order
/// of ranks: as many for each process, or one more for the first ones, unless numbers of rows are given. A result along
/// axis 0 is replicated instead: every process has all of it. Movable but not copyable, like foldwise::array.
///
/// All functions but local(), fill_from() and those that return what a process knows are called by all processes; what
/// fails in one of them, fails in all with the same error.
template <class T> class [[nodiscard]] distributed {
  public:
    using value_type = T;

    /// Allocates this process's rows, uninitialised, where `executor` runs. Called by all processes with the same
    /// shape, which has at least one axis. Throws shape_error, and in all processes what the allocation throws in one.
    distributed(const foldwise::shape& extents, const communicator& world, const foldwise::executor& executor = {})
        : distributed(extents, world, detail::split_of(extents, world), executor) {}
    /// Allocates as many rows in each process as `row_counts` says, uninitialised, where `executor` runs. Throws
    /// shape_error unless there is a number for each process, and they add up to the rows of the shape.
    distributed(const foldwise::shape& extents, const communicator& world, std::span<const std::int64_t> row_counts,
                const foldwise::executor& executor = {})
        : distributed(extents, world, detail::split_of(extents, world, row_counts), executor) {}

    /// For the library: allocates the rows of a split.
    distributed(const foldwise::shape& extents, const communicator& world, const detail::row_split& split,
                const foldwise::executor& executor)
        : world_(world), shape_(extents), split_(split), rows_(split.of(world.rank())) {
        if (detail::team* const ranks = world.transport().ranks_here()) {
            take(detail::on_all_ranks(
                *ranks, [&](const communicator& rank, int) { return distributed(extents, rank, split, executor); }));
            return;
        }
        detail::together(world, detail::call_of_shape(extents), [&] {
            local_ = array<T>(detail::with_rows(extents, rows_.count()), world.on_own_gpu(executor));
        });
    }
    /// For the library: takes over this process's rows of a split, or all rows if it is replicated.
    distributed(const foldwise::shape& extents, const communicator& world, const detail::row_split& split,
                array<T>&& local, bool is_replicated)
        : world_(world), shape_(extents), split_(split),
          rows_(is_replicated ? detail::row_range{0, extents.rank() > 0 ? extents[0] : 1} : split.of(world.rank())),
          local_(std::move(local)), is_replicated_(is_replicated) {}

    /// For the library: takes over the arrays of all ranks of a group that are threads of this process.
    distributed(const communicator& world, std::vector<std::optional<distributed>>&& parts)
        : world_(world), shape_(parts.front()->shape_), split_(parts.front()->split_),
          is_replicated_(parts.front()->is_replicated_) {
        take(std::move(parts));
    }

    distributed(distributed&&) noexcept = default;
    distributed& operator=(distributed&&) noexcept = default;
    ~distributed() {
        // Memory that was allocated on a thread's own default stream is freed on it.
        if (parts_.empty() || parts_.front().local_.stream() != detail::per_thread_stream()) return;
        try {
            detail::on_all_ranks(*world_.transport().ranks_here(), [&](const communicator&, int rank) {
                const distributed freed = std::move(parts_[static_cast<std::size_t>(rank)]);
            });
        } catch (...) {
            // A group that can run nothing has nothing queued.
        }
    }

    /// Returns the shape of the whole array.
    const foldwise::shape& shape() const { return shape_; }
    const communicator& group() const { return world_; }
    /// Returns whether every process has all rows.
    bool is_replicated() const { return is_replicated_; }

    /// Returns the first row of this process, and the one behind its last.
    std::int64_t begin() const { return parts().front().rows_.begin; }
    std::int64_t end() const { return parts().back().rows_.end; }
    /// Returns how many rows each process has.
    std::vector<std::int64_t> row_counts() const {
        if (!is_replicated_) return split_.counts();
        return std::vector<std::int64_t>(static_cast<std::size_t>(world_.size()), end() - begin());
    }

    /// Returns the rows of this process. Throws communication_error if they are those of several ranks, which parts()
    /// has.
    view<T> local() { return only_part().local_; }
    view<const T> local() const { return const_cast<distributed&>(*this).only_part().local_; }
    /// Returns the array as each rank of this process sees it, in the order of ranks: one for each thread, if the ranks
    /// are threads of this process, and otherwise the array itself.
    std::span<distributed> parts() {
        return parts_.empty() ? std::span<distributed>(this, 1) : std::span<distributed>(parts_);
    }
    std::span<const distributed> parts() const { return const_cast<distributed&>(*this).parts(); }

    /// Copies this process's rows from a host range that has all elements, in row-major order. Throws shape_error for
    /// another number of elements.
    template <detail::host_elements R> void fill_from(const R& all) {
        const view<const T> whole = host(all, shape_);
        for (distributed& part : parts())
            if (part.local_.size() > 0)
                copy(shape_.rank() > 0 ? whole.slice(0, part.rows_.begin, part.rows_.end) : whole, part.local_);
    }

    /// Returns a copy of all elements, in row-major order, in every process. Throws out_of_memory, device_error or
    /// communication_error.
    std::vector<T> to_host() const {
        if (is_replicated_) return parts().front().local_.to_host();
        if (!parts_.empty()) return host_copies_of_parts();
        std::vector<T> mine;
        detail::together(world_, detail::call_of_shape(shape_), [&] { mine = local_.to_host(); });
        return world_.all_gather(mine);
    }

    /// Returns a copy of which every process has all rows, where the rows of this process are, or on the GPU of the
    /// lowest rank in it. Between the GPUs of foldwise::gpus() and foldwise::nccl(), rows do not pass through the host.
    array<T> gathered() const {
        if (!parts_.empty()) return gathered_from_parts();
        array<T> all;
        const bool are_on_gpus = detail::together(
            world_, detail::call_of_shape(shape_), [&] { all = array<T>(shape_, detail::executor_of(local_.place())); },
            is_on_host());
        detail::run_alone(world_, [&] {
            std::vector<std::size_t> bytes;
            for (const std::int64_t rows : split_.counts())
                bytes.push_back(static_cast<std::size_t>(rows) * row_bytes());
            if (is_replicated_) return copy(local_, all);
            detail::gather(world_, local_.data(), all.data(), bytes, local_.place(), local_.stream(), are_on_gpus);
            if (are_on_gpus) detail::wait_for(local_.place(), local_.stream());
        });
        return all;
    }

    /// Returns a copy that is spread evenly, or with as many rows in each process as `row_counts` says: each process
    /// receives the rows that it lacks. Throws shape_error for numbers that do not fit, out_of_memory, device_error or
    /// communication_error.
    distributed redistribute() const { return redistributed(detail::split_of(shape_, world_)); }
    distributed redistribute(std::span<const std::int64_t> row_counts) const {
        return redistributed(detail::split_of(shape_, world_, row_counts));
    }
    /// Returns a copy of which every process has all rows, as results along axis 0 are. Throws out_of_memory,
    /// device_error or communication_error.
    distributed replicated() const {
        if (!parts_.empty()) return of_parts([](const distributed& part) { return part.replicated(); });
        array<T> all = is_replicated_ ? local_.to(detail::executor_of(local_.place())) : gathered();
        return {shape_, world_, split_, std::move(all), true};
    }

    /// Returns a copy of this process's rows with `count` rows of other processes in front of them and as many behind,
    /// also where a neighbour has fewer. Beyond the first and the last row there is nothing unless the array is taken
    /// as periodic. A process without rows gets none. Among threads of a process, each rank calls it with its part.
    /// Throws std::invalid_argument for a negative number, out_of_memory, device_error or communication_error.
    foldwise::halos<T> exchange_halos(std::int64_t count) const { return with_halos(count, false); }
    foldwise::halos<T> exchange_halos(std::int64_t count, periodic_t) const { return with_halos(count, true); }

    /// Writes the array to a file in NumPy's format, each process its own rows; numpy.load() reads it. Elements of
    /// classes are bytes without a meaning there. Throws file_error, out_of_memory, device_error or
    /// communication_error.
    void save(const std::string& path) const {
        if (!parts_.empty()) return each_part([&](const distributed& part) { part.save(path); });
        const detail::row_split split = is_replicated_ ? detail::split_of(shape_, world_) : split_;
        const std::int64_t skipped = is_replicated_ ? split.of(world_.rank()).begin * row_size() : 0;
        detail::write_npy(world_, path, detail::npy_type<T>(), shape_, split, sizeof(T),
                          {const_cast<T*>(local_.data()) + skipped, local_.place(), local_.stream()});
    }
    /// Reads an array from a file in NumPy's format, each process its own rows, to where `executor` runs. Throws
    /// file_error if the file cannot be read, has elements of another type, columns first (Fortran's order), no axes or
    /// fewer bytes than its shape needs; out_of_memory, device_error or communication_error.
    static distributed load(const std::string& path, const communicator& world,
                            const foldwise::executor& executor = {}) {
        if (detail::team* const ranks = world.transport().ranks_here())
            return {world, detail::on_all_ranks(
                               *ranks, [&](const communicator& rank, int) { return load(path, rank, executor); })};
        const detail::npy_header header = detail::read_npy_header(world, path, detail::npy_type<T>(), sizeof(T));
        distributed loaded(header.extents, world, executor);
        detail::read_npy(world, path, header, loaded.split_, sizeof(T), loaded.memory());
        return loaded;
    }

    /// For the library: how rows are spread, unless they are replicated.
    const detail::row_split& split() const { return split_; }
    /// For the library: where this process's rows are.
    detail::row_memory memory() const { return {const_cast<T*>(local_.data()), local_.place(), local_.stream()}; }

  private:
    /// Takes over the arrays of the ranks.
    void take(std::vector<std::optional<distributed>>&& parts) {
        parts_.reserve(parts.size());
        for (std::optional<distributed>& one : parts) parts_.push_back(std::move(*one));
    }
    /// Returns this process's array; throws communication_error if it has those of several ranks.
    distributed& only_part() {
        if (parts_.size() > 1)
            throw communication_error("the rows of an array are those of " + std::to_string(parts_.size()) +
                                      " ranks of this process: parts() has an array for each");
        return parts().front();
    }

    /// Calls f(part) in the thread of each rank, and returns the results.
    template <class F> auto each_part(const F& f) const {
        return detail::on_all_ranks(*world_.transport().ranks_here(), [&](const communicator&, int rank) {
            return f(parts_[static_cast<std::size_t>(rank)]);
        });
    }
    /// Returns the array whose parts are the results of f(part).
    template <class F> distributed of_parts(const F& f) const { return {world_, each_part(f)}; }

    /// Computes to_host() from the arrays of the ranks.
    std::vector<T> host_copies_of_parts() const {
        const auto copies = each_part([](const distributed& part) { return part.local_.to_host(); });
        std::vector<T> all;
        all.reserve(static_cast<std::size_t>(shape_.size()));
        for (const std::optional<std::vector<T>>& one : copies) all.insert(all.end(), one->begin(), one->end());
        return all;
    }
    /// Computes gathered() from the arrays of the ranks.
    array<T> gathered_from_parts() const {
        const distributed& first = parts_.front();
        array<T> all(shape_, detail::executor_of(first.local_.place()));
        if (is_replicated_)
            copy(first.local_, all);
        else
            for (const distributed& part : parts_)
                if (part.local_.size() > 0) copy(part.local_, all.slice(0, part.begin(), part.end()));
        return all;
    }

  private:
    bool is_on_host() const { return local_.place().kind == memory::host; }
    /// Returns the number of elements per row.
    std::int64_t row_size() const { return shape_[0] > 0 ? shape_.size() / shape_[0] : 0; }
    std::size_t row_bytes() const { return static_cast<std::size_t>(row_size()) * sizeof(T); }

    /// Computes redistribute() for a split.
    distributed redistributed(const detail::row_split& split) const {
        if (!parts_.empty()) return of_parts([&](const distributed& part) { return part.redistributed(split); });
        distributed result(shape_, world_, split, detail::executor_of(local_.place()));
        const bool are_on_gpus = detail::agree(world_, detail::call_of_shape(shape_), {}, is_on_host());
        if (!is_replicated_)
            detail::transfer_rows(world_, split_, split, row_bytes(), memory(), result.memory(), are_on_gpus);
        else if (result.local_.size() > 0)
            copy(local_.slice(0, result.begin(), result.end()), result.local_, local_.stream());
        return result;
    }

    /// Computes exchange_halos(): the rows before this process's, its own, and those behind them, in one array. All
    /// processes agree first on whether the allocations succeeded and whether all rows are on GPUs.
    foldwise::halos<T> with_halos(std::int64_t count, bool is_periodic) const {
        if (!parts_.empty())
            throw communication_error("the ranks of a group are threads of this process, and each has halos of its "
                                      "own: in run(f), f calls exchange_halos() of the part of its rank");
        if (count < 0) throw std::invalid_argument("a halo cannot have " + std::to_string(count) + " rows");
        const detail::row_split split =
            is_replicated_ ? detail::row_split::all_to(world_.rank(), shape_[0], world_.size()) : split_;
        std::vector<detail::row_ranges> wanted;
        for (int rank = 0; rank < world_.size(); ++rank)
            wanted.push_back(detail::halos_of(split.of(rank), count, shape_[0], is_periodic).joined());
        const detail::halo_ranges mine = detail::halos_of(rows_, count, shape_[0], is_periodic);
        foldwise::halos<T> result;
        result.before = detail::rows_in(mine.before);
        result.behind = detail::rows_in(mine.behind);
        array<T> fetched;
        const auto allocate = [&] {
            const foldwise::executor where = detail::executor_of(local_.place());
            const std::int64_t both = result.before + result.behind;
            result.rows = array<T>(detail::with_rows(shape_, both + rows_.count()), where);
            fetched = array<T>(detail::with_rows(shape_, both), where);
        };
        const bool are_on_gpus = detail::together(world_, detail::call_of_shape(shape_), allocate, is_on_host());
        detail::row_transfer transfer(world_, split, wanted, row_bytes(), memory(), are_on_gpus);
        transfer.wait_for({fetched.data(), fetched.place(), fetched.stream()});
        const std::int64_t own = result.before + rows_.count();
        copy(fetched.slice(0, 0, result.before), result.rows.slice(0, 0, result.before));
        copy(local_, result.rows.slice(0, result.before, own), local_.stream());
        copy(fetched.slice(0, result.before, result.before + result.behind),
             result.rows.slice(0, own, own + result.behind));
        return result;
    }

    communicator world_;
    foldwise::shape shape_;
    detail::row_split split_;
    detail::row_range rows_{};
    array<T> local_;
    bool is_replicated_ = false;
    /// The arrays of the ranks, if these are threads of this process; local_ is then empty.
    std::vector<distributed> parts_;
};

/// Returns a copy of all elements in every process, as distributed::to_host does.
template <class T> std::vector<T> to_host(const distributed<T>& source) { return source.to_host(); }

}  // namespace foldwise

#endif  // C++20
