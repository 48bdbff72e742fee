// foldwise/detail/transport.hpp: what a communicator needs of the library that carries its messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace foldwise::detail {

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

    /// Says, in one process, that it will take no part in further calls, because of an error that no other process
    /// knows of. Each call that waits for this process, and all later ones, then throw the error that `failure`
    /// encodes.
    virtual void abandon(const std::string& failure) noexcept = 0;
};

}  // namespace foldwise::detail
