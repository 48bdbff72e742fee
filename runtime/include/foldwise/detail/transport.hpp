// foldwise/detail/transport.hpp: what a communicator needs of the library that carries its messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct CUstream_st;

namespace foldwise {
class communicator;
}

namespace foldwise::detail {

/// A message of an exchange. The caller keeps its memory, the host's or that of a GPU, until the exchange is complete.
struct sent_message {
    const void* data;
    std::size_t bytes;
    int to;
};
struct received_message {
    void* data;
    std::size_t bytes;
    int from;
};

/// Messages that are under way. Destroying it before they are complete gives them up: nothing accesses the caller's
/// memory any more, and no further calls are made to the group.
class exchange {
  public:
    exchange() = default;
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    virtual ~exchange() = default;

    /// Waits until all messages have been received and the memory of those that were sent may be used again. Throws
    /// communication_error, or the error for which a process has abandoned the group.
    virtual void wait() = 0;
};

/// A file that the processes of a group read or write together. Each of them makes the same calls, with its own range
/// of bytes, which may be empty and is at most most_bytes long. All throw file_error, in the process in which they
/// fail; it makes the remaining calls all the same.
class shared_file {
  public:
    static constexpr std::int64_t most_bytes = 1 << 28;

    shared_file() = default;
    shared_file(const shared_file&) = delete;
    shared_file& operator=(const shared_file&) = delete;
    virtual ~shared_file() = default;

    /// Reads bytes into host memory. Reading beyond the end is an error.
    virtual void read(std::int64_t offset, void* data, std::size_t bytes) = 0;
    virtual void write(std::int64_t offset, const void* data, std::size_t bytes) = 0;
    /// Ends the use of the file. What was written is in it.
    virtual void close() = 0;
};
enum class file_use { read, write };

/// Messages of bytes between the memory of GPUs, which do not pass through the host. Each process has one GPU. The
/// functions are called by all processes, in the same order, and like those of transport throw communication_error.
class gpu_transport {
  public:
    gpu_transport() = default;
    gpu_transport(const gpu_transport&) = delete;
    gpu_transport& operator=(const gpu_transport&) = delete;
    virtual ~gpu_transport() = default;

    /// Writes the bytes of each process, in the order of ranks, to `all`, as transport::all_gather does. Follows the
    /// work queued on `stream`, and what is queued there afterwards follows it; it may not be complete on return.
    virtual void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes, CUstream_st* stream) = 0;
    /// Begins to send and to receive messages, as transport::begin_exchange does. They follow the work queued on
    /// `stream` so far, not what is queued on it afterwards, and are complete when wait() of what this returns has
    /// returned.
    virtual std::unique_ptr<exchange> begin_exchange(std::span<const sent_message> sent,
                                                     std::span<const received_message> received,
                                                     CUstream_st* stream) = 0;
};

/// The ranks of a group that are threads of one process, which calls functions for all of them.
class team {
  public:
    team() = default;
    team(const team&) = delete;
    team& operator=(const team&) = delete;
    virtual ~team() = default;

    /// Returns the group as each rank sees it.
    virtual std::span<const communicator> ranks() const = 0;
    /// Calls f(context, rank) in the thread of each rank, and waits for all of them. If some of them throw, throws what
    /// was thrown first; the group remains usable.
    virtual void run(void (*f)(void*, int), void* context) = 0;
};

/// Messages of bytes in host memory between processes. Each function but send(), receive() and abandon() is called by
/// all processes, in the same order. All throw communication_error.
class transport {
  public:
    transport() = default;
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    virtual ~transport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;

    /// Writes the bytes of each process, in the order of ranks, to `all`. `bytes` says how many each has, and is the
    /// same in all processes.
    virtual void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) = 0;
    /// Sends bytes of one process to all others.
    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
    virtual void barrier() = 0;
    /// Messages between two processes arrive in the order in which they are sent, for each tag.
    virtual void send(const void* data, std::size_t bytes, int to, int tag) = 0;
    virtual void receive(void* data, std::size_t bytes, int from, int tag) = 0;

    /// Begins to send and to receive messages. Each process receives from each other one, and from itself, as many as
    /// that sends to it, of the same sizes, in the order in which they are named. The messages of several exchanges may
    /// be under way; all processes begin these in the same order. What the base class does is complete on return: pairs
    /// of processes send and receive in turn.
    virtual std::unique_ptr<exchange> begin_exchange(std::span<const sent_message> sent,
                                                     std::span<const received_message> received);

    /// Opens a file that all processes reach by the same path, to read it, or to write `bytes` bytes in place of what
    /// it holds. Called by all processes with the same arguments. Throws file_error in the processes in which it fails;
    /// if it does so in one, no process goes on to use the file. The base class opens it in each process by itself.
    virtual std::unique_ptr<shared_file> open_file(const std::string& path, file_use use, std::int64_t bytes);

    /// Says, in one process, that it will take no part in further calls, because of an error that no other process
    /// knows of. Each call that waits for this process, and all later ones, then throw the error that `failure`
    /// encodes.
    virtual void abandon(const std::string& failure) noexcept = 0;

    /// Throws the error for which a process has abandoned the group, if there is news of it. For those who wait in
    /// another way than in the group's calls.
    virtual void look_for_failure() {}

    /// Returns CUDA's number of the GPU that this process uses for the group, or -1 if it may use any.
    virtual int device() const { return -1; }
    /// Returns what carries messages between the GPUs of the processes, or null if they pass through the host.
    virtual gpu_transport* between_gpus() { return nullptr; }
    /// Returns the ranks if all of them are in this process and the caller is none of them; otherwise null.
    virtual team* ranks_here() { return nullptr; }
};

/// Throws std::invalid_argument: all threads of a group would write one array.
[[noreturn]] void refuse_shared_output();

}  // namespace foldwise::detail
