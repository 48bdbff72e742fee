// tests/unit/runtime/fake_gpu.hpp: a GPU made of host memory, whose stream does nothing until somebody waits for it.
#pragma once

#include "device.hpp"

#include <foldwise/detail/device_api.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

/// Registered for as long as it lives; one at a time. Work that nobody waited for is visible as work that is not done,
/// memory that nobody freed in live(), and every operation can be made to fail.
class fake_gpu final : public foldwise::detail::device_api {
  public:
    static constexpr int out_of_memory = 2, launch_failed = 719;
    static constexpr std::size_t capacity = std::size_t{1} << 30;

    fake_gpu();
    ~fake_gpu();
    fake_gpu(const fake_gpu&) = delete;
    fake_gpu& operator=(const fake_gpu&) = delete;

    static fake_gpu& current();

    /// Queues a kernel; returns the status that its launch is to have.
    int launch(std::function<void()> work, CUstream_st* stream);
    bool owns(const void* memory) const;
    std::size_t live() const { return memory_.size(); }
    std::size_t queued() const { return queue_.size(); }
    /// Calls of the API so far, and names of them in order: "allocate", "to_device", ...
    const std::vector<std::string>& log() const { return log_; }
    void forget_log() { log_.clear(); }
    const std::vector<CUstream_st*>& streams() const { return streams_; }
    /// From now on the n-th operation (from 0) of this name fails with the status, once.
    void fail(const std::string& operation, int n, int status) { failures_[operation] = {n, status}; }
    /// Why there is no GPU; null if there is one.
    const char* absent = nullptr;
    int device = 0;

    /// What a stream is told to be; else its number follows from its handle, and nothing captures it.
    std::map<CUstream_st*, foldwise::detail::stream_numbers> numbers;
    /// No graph of this capture is left.
    void end_graph(std::uint64_t capture);

    const char* unavailable() const noexcept override { return absent; }
    int current_device(int& number) const noexcept override;
    int allocate(void*& memory, std::size_t bytes, CUstream_st* stream) const noexcept override;
    int free(void* memory, CUstream_st* stream) const noexcept override;
    int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept override;
    int identify(CUstream_st* stream, foldwise::detail::stream_numbers& found) const noexcept override;
    int when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept override;
    int clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept override;
    int copy(void* to, const void* from, std::size_t bytes, foldwise::detail::copy_direction direction,
             CUstream_st* stream) const noexcept override;
    int synchronize(CUstream_st* stream) const noexcept override;
    int memory_info(std::size_t& free, std::size_t& total) const noexcept override;
    bool is_out_of_memory(int status) const noexcept override { return status == out_of_memory; }
    std::string error_text(int status) const override { return "fakeError" + std::to_string(status); }

  private:
    struct failure {
        int after, status;
    };
    struct goodbye {
        std::uint64_t capture;
        void (*gone)(void*);
        void* what;
    };
    int record(const std::string& operation, CUstream_st* stream) const;
    void drain() const;

    mutable std::recursive_mutex mutex_;  // threads may call at once; tests look when they are done
    const foldwise::detail::device_api* before_;
    mutable std::map<std::byte*, std::size_t> memory_;
    mutable std::vector<std::function<void()>> queue_;
    mutable std::vector<std::string> log_;
    mutable std::vector<CUstream_st*> streams_;
    mutable std::map<std::string, failure> failures_;
    mutable std::vector<goodbye> goodbyes_;
};
