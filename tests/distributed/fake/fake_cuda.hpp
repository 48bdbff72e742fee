// tests/distributed/fake/fake_cuda.hpp: GPUs whose streams are threads of the host and whose memory is the host's, so
// that what waits for a stream really waits. They run no kernels.
#pragma once

#include <foldwise/detail/device_api.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class fake_cuda final : public foldwise::detail::device_api {
  public:
    static constexpr int out_of_memory = 2, invalid = 1;

    explicit fake_cuda(int devices);
    ~fake_cuda();

    /// Bytes that have been copied from GPUs to the host.
    std::atomic<std::size_t> bytes_to_host = 0;
    /// Bytes that are allocated on GPUs.
    std::size_t allocated() const;

    /// Queues work on a stream, which goes on when it returns.
    void queue(CUstream_st* stream, std::function<void()> work) const;

    const char* unavailable() const noexcept override { return devices_ > 0 ? nullptr : "fake"; }
    int device_count() const noexcept override { return devices_; }
    int current_device(int& device) const noexcept override;
    int set_device(int device) const noexcept override;
    int device_of(CUstream_st* stream, int& device) const noexcept override;
    int allocate(void*& memory, std::size_t bytes, CUstream_st* stream,
                 CUmemPoolHandle_st* pool) const noexcept override;
    int free(void* memory, CUstream_st* stream) const noexcept override;
    int allocate_managed(void*&, std::size_t) const noexcept override { return invalid; }
    int free_managed(void*) const noexcept override { return invalid; }
    int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept override;
    int identify(CUstream_st* stream, foldwise::detail::stream_numbers& numbers) const noexcept override;
    int when_capture_is_gone(CUstream_st*, void (*)(void*), void*) const noexcept override { return invalid; }
    int clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept override;
    int fill(void* memory, const void* element, std::size_t size, std::size_t count,
             CUstream_st* stream) const noexcept override;
    int copy(void* to, const void* from, std::size_t bytes, foldwise::detail::copy_direction direction,
             CUstream_st* stream) const noexcept override;
    int copy_to_peer(foldwise::detail::device_address to, foldwise::detail::device_address from, std::size_t bytes,
                     CUstream_st* stream) const noexcept override;
    int synchronize(CUstream_st* stream) const noexcept override;
    int make_stream(CUstream_st*& stream) const noexcept override;
    int make_event(CUevent_st*& event) const noexcept override;
    void destroy(CUstream_st* stream) const noexcept override;
    void destroy(CUevent_st* event) const noexcept override;
    int record(CUevent_st* event, CUstream_st* stream) const noexcept override;
    int follow(CUstream_st* stream, CUevent_st* event) const noexcept override;
    bool has_happened(CUevent_st* event) const noexcept override;
    int await(CUevent_st* event) const noexcept override;
    int allocate_pinned(void*& memory, std::size_t bytes) const noexcept override;
    void free_pinned(void* memory) const noexcept override;
    bool is_pinned(const void*) const noexcept override { return false; }
    int device_of_memory(const void* memory, bool managed_too, int& device) const noexcept override;
    int memory_info(std::size_t& free, std::size_t& total) const noexcept override;
    bool is_out_of_memory(int status) const noexcept override { return status == out_of_memory; }
    std::string error_text(int status) const override { return "fakeError" + std::to_string(status); }

  private:
    class stream;
    struct event;
    struct block {
        std::size_t bytes;
        int device;
    };

    stream& of(CUstream_st* handle) const;
    bool is_on(const void* memory, int device) const;

    const int devices_;
    mutable std::mutex mutex_;
    mutable std::map<const std::byte*, block> memory_;
    mutable std::map<CUstream_st*, std::unique_ptr<stream>> streams_;
    mutable std::vector<std::unique_ptr<stream>> default_streams_;  ///< One of each GPU.
    static thread_local int current_;
};
