// foldwise/communicator.hpp: a group of processes that compute together.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/limits.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/detail/transport.hpp>
#include <foldwise/error.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise {

/// A group of processes, numbered by ranks from 0. A copy refers to the same group. foldwise::mpi() makes one of MPI's
/// communicators (foldwise/mpi.hpp), foldwise::nccl() one of processes with a GPU each (foldwise/nccl.hpp).
/// foldwise::gpus() and foldwise::threads() make groups whose ranks are threads of the calling process.
///
/// Every function but send() and receive() is called by all processes of the group, in the same order, and not by
/// several threads of a process at once. All of them throw communication_error. Values are copied as bytes, so all
/// processes have the same architecture.
///
/// If the ranks are threads of one process, it calls kernels and arrays once for all of them, and run() gives each rank
/// code of its own, with the group as that rank sees it.
class communicator {
  public:
    /// A group of this process alone.
    communicator();
    /// For the library: a group whose messages `carrier` transports.
    explicit communicator(std::shared_ptr<detail::transport> carrier) : transport_(std::move(carrier)) {}

    /// Returns this process's rank; 0 if the ranks are threads of this process, and the caller is none of them.
    int rank() const { return transport_->rank(); }
    /// Returns the number of ranks.
    int size() const { return transport_->size(); }

    /// Calls f(group) in the thread of each rank, at once, with the group as that rank sees it, and waits for all of
    /// them; among processes, each calls it with its own. Returns what f returns for the lowest rank of this process.
    /// What one rank throws, this throws, and other ranks that wait for that rank throw it as well.
    template <std::invocable<const communicator&> F> std::invoke_result_t<F, const communicator&> run(const F& f) const;

    /// Returns the values of all processes, in the order of ranks.
    template <class T>
    requires detail::is_copied_as_bytes<T> std::vector<T> all_gather(const T& value)
    const {
        std::vector<T> all(static_cast<std::size_t>(size()), value);
        transport_->all_gather(&value, all.data(), std::vector(all.size(), sizeof(T)));
        return all;
    }

    /// Returns the elements of all processes, in the order of ranks. Processes may have different numbers of them.
    template <std::ranges::contiguous_range R>
    requires(!detail::is_copied_as_bytes<R>) std::vector<std::ranges::range_value_t<R>> all_gather(const R& mine)
    const {
        using value = std::ranges::range_value_t<R>;
        std::vector<std::size_t> bytes = all_gather(std::ranges::size(mine) * sizeof(value));
        std::size_t sum = 0;
        for (const std::size_t one : bytes) sum += one;
        std::vector<value> all(sum / sizeof(value));
        transport_->all_gather(std::ranges::data(mine), all.data(), bytes);
        return all;
    }

    /// Returns what `combine` makes of the values of all processes, which it combines in the order of ranks: the same
    /// bits in every process.
    template <class T, class Combine>
    requires detail::is_copied_as_bytes<T> T all_reduce(const T& value, const Combine& combine)
    const {
        const std::vector<T> all = all_gather(value);
        T result = all[0];
        for (std::size_t i = 1; i < all.size(); ++i) result = static_cast<T>(combine(result, all[i]));
        return result;
    }

    /// Returns the value of the process `root`.
    template <class T>
    requires detail::is_copied_as_bytes<T> T broadcast(T value, int root = 0)
    const {
        check_rank(root);
        transport_->broadcast(&value, sizeof value, root);
        return value;
    }

    /// Waits until all processes have called this.
    void barrier() const { transport_->barrier(); }

    /// Sends elements to another process, which receives as many. May wait until it does.
    template <std::ranges::contiguous_range R> void send(const R& elements, int to, int tag = 0) const {
        check_rank(to);
        transport_->send(std::ranges::data(elements), bytes_of(elements), to, tag);
    }
    /// Receives elements from another process, and waits for them.
    template <std::ranges::contiguous_range R> void receive(R&& elements, int from, int tag = 0) const {
        check_rank(from);
        transport_->receive(std::ranges::data(elements), bytes_of(elements), from, tag);
    }

    friend bool operator==(const communicator& a, const communicator& b) { return a.transport_ == b.transport_; }

    /// For the library.
    detail::transport& transport() const { return *transport_; }
    /// For the library: the executor, on this process's GPU if it names none.
    executor on_own_gpu(const executor& requested) const;

  private:
    template <class R> static std::size_t bytes_of(const R& elements) {
        static_assert(detail::is_copied_as_bytes<std::ranges::range_value_t<R>>, "elements are copied as bytes");
        return std::ranges::size(elements) * sizeof(std::ranges::range_value_t<R>);
    }
    void check_rank(int rank) const;

    std::shared_ptr<detail::transport> transport_;
};

/// Makes a group of threads of this process, each with one of some GPUs, which rank r sends and receives directly
/// from others. `devices` are CUDA's numbers; one that is named several times serves as many ranks. Throws device_error
/// if there is no GPU of that number, and std::invalid_argument if none is named.
communicator gpus(std::span<const int> devices);
inline communicator gpus(std::initializer_list<int> devices) {
    return gpus(std::span<const int>(devices.begin(), devices.size()));
}
/// Makes a group with one thread for each GPU of the machine. Throws device_error if there is none.
communicator gpus();

/// Makes a group of threads of this process, which run kernels where calls without an executor do: on the CPU they
/// share its cores. Throws std::invalid_argument unless `count` is positive.
communicator threads(int count);

namespace detail {

/// Calls f(rank's group, rank) in the threads of all ranks, which are in this process, and returns the results, unless
/// they are void, in the order of ranks.
template <class F> auto on_all_ranks(team& ranks, const F& f) {
    using result = std::invoke_result_t<F, const communicator&, int>;
    const std::span<const communicator> all = ranks.ranks();
    const auto run = [&](const auto& call) {
        ranks.run([](void* context, int rank) { (*static_cast<decltype(&call)>(context))(rank); },
                  const_cast<void*>(static_cast<const void*>(&call)));
    };
    if constexpr (std::is_void_v<result>) {
        run([&](int rank) { f(all[static_cast<std::size_t>(rank)], rank); });
    } else {
        std::vector<std::optional<result>> results(all.size());
        run([&](int rank) {
            results[static_cast<std::size_t>(rank)].emplace(f(all[static_cast<std::size_t>(rank)], rank));
        });
        return results;
    }
}

/// Encodes an exception as bytes, and throws an exception of the same class and message again.
std::string encode_error(const std::exception_ptr& error);
[[noreturn]] void throw_encoded(std::string_view encoded);

/// A call that all processes make: a number that tells it from others, and what it is called in messages.
struct call_identity {
    std::uint64_t number;
    const char* kernel;  ///< The implementation's name of the type that calls the kernel; null for other functions.
    shape extents;

    operator std::uint64_t() const { return number; }
};

/// Lets all processes of a group throw if one of them has failed. `error` is this one's, if any. Returns whether none
/// of them has said that what it sends next is on the host. Throws communication_error, which says what each process
/// calls, if these calls are different.
bool agree(const communicator& world, const call_identity& call, const std::exception_ptr& error,
           bool is_on_host = true);

/// The bytes that each process can send along with what processes agree on, in the same message: an accumulator, and
/// whether there is one.
inline constexpr std::size_t most_agreed_bytes = largest_accumulator + 8;

/// Agrees as agree() does, and writes the values of all processes, in the order of ranks, to `all`. All have as many
/// bytes, at most most_agreed_bytes, in the host's memory.
void agree_and_gather(const communicator& world, const call_identity& call, const std::exception_ptr& error,
                      const void* mine, void* all, std::size_t bytes);

/// Gathers contiguous bytes of all processes in the order of ranks. `bytes` says how many each has. Both `mine` and
/// `all` are in the memory of `where`; with GPU memory it follows the work queued on `stream`, and is complete for what
/// is queued there afterwards. If `are_all_on_gpus`, as agree() has returned it, they do not pass through the host
/// where the group can do without.
void gather(const communicator& world, const void* mine, void* all, std::span<const std::size_t> bytes, place where,
            CUstream_st* stream, bool are_all_on_gpus);

/// Runs what every process does by itself; if it fails in one of them, all throw the error of the first. Returns what
/// agree() does.
template <class Run>
bool together(const communicator& world, const call_identity& call, const Run& run, bool is_on_host = true) {
    std::exception_ptr error;
    try {
        run();
    } catch (...) {
        error = std::current_exception();
    }
    return agree(world, call, error, is_on_host);
}

/// Abandons a group because of an error that no other process knows of. An error in a call's arguments is one that all
/// processes find, which changes nothing.
void abandon(const communicator& world, const std::exception_ptr& error) noexcept;

/// Runs what processes do without asking one another for an outcome. If it fails in one of them, the others throw the
/// same error where they would wait for this one.
template <class Run> decltype(auto) run_alone(const communicator& world, const Run& run) try {
    return run();
} catch (const std::bad_alloc&) {  // which has no text of its own
    abandon(world, std::current_exception());
    throw_encoded(encode_error(std::current_exception()));
} catch (...) {
    abandon(world, std::current_exception());
    throw;
}

}  // namespace detail

template <std::invocable<const communicator&> F>
std::invoke_result_t<F, const communicator&> communicator::run(const F& f) const {
    detail::team* const ranks = transport_->ranks_here();
    if (!ranks) return f(*this);
    if constexpr (std::is_void_v<std::invoke_result_t<F, const communicator&>>)
        detail::on_all_ranks(*ranks, [&](const communicator& rank, int) { f(rank); });
    else
        return *std::move(detail::on_all_ranks(*ranks, [&](const communicator& rank, int) { return f(rank); }).front());
}

}  // namespace foldwise

#endif  // C++20
