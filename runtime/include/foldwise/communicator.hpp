// foldwise/communicator.hpp: a group of processes that compute together.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/stored.hpp>
#include <foldwise/detail/transport.hpp>
#include <foldwise/error.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace foldwise {

/// A group of processes, numbered by ranks from 0. A copy refers to the same group. foldwise::mpi() makes one of MPI's
/// communicators (foldwise/mpi.hpp).
///
/// Every function but send() and receive() is called by all processes of the group, in the same order, and not by
/// several threads of a process at once. All of them throw communication_error. Values are copied as bytes, so all
/// processes have the same architecture.
class communicator {
  public:
    /// A group of this process alone.
    communicator();
    /// For the library: a group whose messages `carrier` transports.
    explicit communicator(std::shared_ptr<detail::transport> carrier) : transport_(std::move(carrier)) {}

    int rank() const { return transport_->rank(); }
    int size() const { return transport_->size(); }

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

  private:
    template <class R> static std::size_t bytes_of(const R& elements) {
        static_assert(detail::is_copied_as_bytes<std::ranges::range_value_t<R>>, "elements are copied as bytes");
        return std::ranges::size(elements) * sizeof(std::ranges::range_value_t<R>);
    }
    void check_rank(int rank) const;

    std::shared_ptr<detail::transport> transport_;
};

namespace detail {

/// Encodes an exception as bytes, and throws an exception of the same class and message again.
std::string encode_error(const std::exception_ptr& error);
[[noreturn]] void throw_encoded(std::string_view encoded);

/// What a process brings to an agreement: whether it failed, and a number that is the same wherever the call is.
struct outcome {
    std::uint64_t call;
    std::uint32_t error_bytes;  ///< Of the encoded error; 0: there is none.
};

/// Called by all processes of a group with the outcomes of all of them: throws, in each of them, the error of the first
/// process that has one, and communication_error if processes are in different calls.
void check_outcomes(const communicator& world, std::span<const outcome> all, const std::string& error);

/// Lets all processes of a group throw if one of them has failed. `error` is this one's, if any.
void agree(const communicator& world, std::uint64_t call, const std::exception_ptr& error);

/// Runs what every process does by itself; if it fails in one of them, all throw the error of the first.
template <class Run> void together(const communicator& world, std::uint64_t call, const Run& run) {
    std::exception_ptr error;
    try {
        run();
    } catch (...) {
        error = std::current_exception();
    }
    agree(world, call, error);
}

/// Abandons a group because of an error that no other process knows of. An error in a call's arguments is one that all
/// processes find, which changes nothing.
void abandon(const communicator& world, const std::exception_ptr& error) noexcept;

/// Runs what processes do without asking one another for an outcome. If it fails in one of them, the others throw the
/// same error where they would wait for this one.
template <class Run> decltype(auto) run_alone(const communicator& world, const Run& run) try {
    return run();
} catch (...) {
    abandon(world, std::current_exception());
    throw;
}

}  // namespace detail
}  // namespace foldwise

#endif  // C++20
