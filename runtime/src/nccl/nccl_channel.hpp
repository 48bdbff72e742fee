// runtime/src/nccl/nccl_channel.hpp: calls to NCCL that end, whatever becomes of the other processes.
#pragma once

#include "../device.hpp"

#include <foldwise/detail/transport.hpp>

#include <nccl.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace foldwise::detail {

/// Throws communication_error unless the NCCL that the program has loaded is one that Foldwise can use.
void require_nccl();

/// A communicator of NCCL's, and the stream on which it works. What is called is queued on the stream; wait() waits for
/// it and sees to it that this ends: if NCCL reports an error, if `look` throws, or if it takes too long, the
/// communicator is aborted. All later calls then throw the same again.
class nccl_channel {
  public:
    using milliseconds = std::chrono::milliseconds;

    /// Uses a communicator that is not owned. `limit` is how long wait() waits.
    nccl_channel(ncclComm_t processes, int device, CUstream_st* stream, milliseconds limit);
    /// Makes a communicator: `id` is NCCL's identifier, the same in all processes. `look` is called again and again
    /// while other processes are waited for, and throws to give up.
    nccl_channel(const ncclUniqueId& id, int size, int rank, int device, std::function<void()> look);
    nccl_channel(const nccl_channel&) = delete;
    nccl_channel& operator=(const nccl_channel&) = delete;
    ~nccl_channel();

    int rank() const { return rank_; }
    int size() const { return size_; }
    int device() const { return device_; }
    CUstream_st* stream() const { return stream_; }

    /// Queues the calls of `group`, functions of NCCL that are called with its communicator and the stream, behind the
    /// work queued on `after`.
    template <class Group> void queue(const char* what, CUstream_st* after, const Group& group) {
        const current_gpu current(gpu_, device_, what);
        begin(what, after);
        check(ncclGroupStart(), what);
        ncclResult_t first = ncclSuccess;
        const auto call = [&](ncclResult_t result) {
            if (first == ncclSuccess && result != ncclInProgress) first = result;
        };
        group(call, communicator_);
        const ncclResult_t ended = ncclGroupEnd();
        check(first == ncclSuccess ? ended : first, what);
        settle(what);
    }
    /// Waits for what has been queued.
    void wait(const char* what);
    /// Returns whether what has been queued is complete, without waiting.
    bool is_complete();

    /// Ends all communication, in which this process takes no part any more because of the error that `failure`
    /// encodes.
    void abort(const std::string& failure) noexcept;
    /// Throws the error for which communication has ended, if it has.
    void check_open() const;
    /// Ends all communication and throws the error.
    [[noreturn]] void fail(const std::string& text);

  private:
    class patience;

    explicit nccl_channel(int device);
    void begin(const char* what, CUstream_st* after);
    void check(ncclResult_t result, const char* what);
    void check_cuda(int status, const char* what) const;
    void settle(const char* what);
    std::string describe(ncclResult_t result) const;

    const device_api& gpu_;
    ncclComm_t communicator_ = nullptr;
    int rank_ = 0, size_ = 1;
    int device_;
    CUstream_st* stream_ = nullptr;
    CUevent_st *done_ = nullptr, *before_ = nullptr;
    bool owns_communicator_ = false, owns_stream_ = false;
    std::function<void()> look_;
    std::optional<milliseconds> limit_;
    std::optional<std::string> failure_;  ///< Encoded.
};

}  // namespace foldwise::detail
