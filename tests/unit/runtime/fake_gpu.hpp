// tests/unit/runtime/fake_gpu.hpp: a GPU made of host memory, whose streams do nothing until somebody waits for them,
// or go on by themselves.
#pragma once

#include "device.hpp"

#include <foldwise/detail/device_api.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Registered for as long as it lives; one at a time. May stand for several GPUs: then memory belongs to the one that
/// was current when it was allocated, and streams to the one that they were made for or that `owners` names, and
/// whatever is asked of another one than the current fails the test. Work that nobody waited for is visible as work
/// that is not done, memory that nobody freed in live(), and every operation can be made to fail.
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
    /// The most bytes that were asked for at once.
    std::size_t largest() const { return largest_; }
    std::size_t queued() const { return queue_.size(); }
    /// Does all that is queued, on every stream.
    void finish() const { drain(); }
    /// Bytes of copies from GPUs to the host so far.
    std::size_t bytes_to_host() const;
    /// The number of queued copies that read or write the host's memory.
    std::size_t queued_on_host() const;
    /// Calls of the API so far, and names of them in order: "allocate", "to_device", ...
    const std::vector<std::string>& log() const { return log_; }
    void forget_log() {
        log_.clear();
        streams_.clear();
        current_.clear();
    }
    const std::vector<CUstream_st*>& streams() const { return streams_; }
    /// The GPU that was current when the last operation of this name began; -1: there was none.
    int current_at_last(const std::string& operation) const;
    /// From now on the n-th operation (from 0) of this name fails with the status, once, and has no effect: what fails
    /// to wait has not waited.
    void fail(const std::string& operation, int n, int status) { failures_[operation] = {n, status}; }
    bool has_failed() const { return failures_.empty(); }
    /// How often each operation was called, those that the log leaves out included.
    const std::map<std::string, int>& calls() const { return calls_; }
    /// Whether the calling thread is inside of the fake, whose own memory is not the runtime's.
    static bool is_inside() { return inside_ > 0; }
    /// Why there is no GPU; null if there is one.
    const char* absent = nullptr;
    /// Copies of memory that is not pinned are read when they are queued, as CUDA may do it.
    bool reads_early = false;
    int devices = 1;
    static thread_local int device;  ///< The current one of `devices`, of the calling thread.
    /// The GPUs of streams that the fake has not made.
    mutable std::map<CUstream_st*, int> owners;

    /// From now on streams go on independently of each other, a step of this one and a step of that one as the seed has
    /// it, no further than somebody waits for. Without, all that is queued is done in the order in which it was.
    void shuffle(std::uint32_t seed) { random_.emplace(seed); }
    /// From now on each stream is a thread, which does what is queued on it without being waited for: work may wait for
    /// other threads and processes.
    void run_streams_in_threads() { is_threaded_ = true; }
    /// Memory of the caller's that is to pass for pinned.
    void pin(const void* memory, std::size_t bytes) { pinned_[static_cast<const std::byte*>(memory)] = bytes; }
    std::size_t pinned() const { return pinned_.size(); }
    /// The most bytes of pinned memory that were allocated at any time; the caller's do not count.
    std::size_t most_pinned() const { return most_pinned_; }
    /// Streams and events that were made and not destroyed.
    std::size_t objects() const { return objects_; }

    /// What a stream is told to be; else its number follows from its handle, and nothing captures it.
    std::map<CUstream_st*, foldwise::detail::stream_numbers> numbers;
    /// No graph of this capture is left.
    void end_graph(std::uint64_t capture);

    const char* unavailable() const noexcept override { return absent; }
    int device_count() const noexcept override { return absent ? 0 : devices; }
    int current_device(int& number) const noexcept override;
    int set_device(int number) const noexcept override;
    int device_of(CUstream_st* stream, int& number) const noexcept override;
    int allocate(void*& memory, std::size_t bytes, CUstream_st* stream,
                 CUmemPoolHandle_st* pool) const noexcept override;
    int allocate_managed(void*& memory, std::size_t bytes) const noexcept override;
    int free_managed(void* memory) const noexcept override;
    int free(void* memory, CUstream_st* stream) const noexcept override;
    int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept override;
    int identify(CUstream_st* stream, foldwise::detail::stream_numbers& found) const noexcept override;
    int when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept override;
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
    bool is_pinned(const void* memory) const noexcept override;
    int device_of_memory(const void* memory, bool managed_too, int& number) const noexcept override;
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
    /// An operation in a stream's queue; it begins when the event `after` has happened `times` times.
    struct item {
        CUstream_st* stream;
        std::function<void()> work;
        CUevent_st* after = nullptr;
        int times = 0;
        bool uses_host = false;
    };
    struct recorded {
        int times = 0, happened = 0;
    };
    /// The fake is one thread's at a time.
    class turn {
      public:
        explicit turn(std::recursive_mutex& mutex) : lock_(mutex) { ++inside_; }
        turn(const turn&) = delete;
        ~turn() { --inside_; }

      private:
        std::lock_guard<std::recursive_mutex> lock_;
    };

    class stream_thread;
    using stream_key = std::pair<CUstream_st*, int>;  ///< Each GPU has a default stream.

    int enter(const std::string& operation, CUstream_st* stream) const;
    int status_of(const std::string& operation) const;
    void expect_current(CUstream_st* stream) const;
    int owner_of(const void* memory) const;
    stream_key key_of(CUstream_st* stream) const;
    void queue(CUstream_st* stream, std::function<void()> work, bool uses_host = false) const;
    template <class Done> void run_until(Done done) const;
    void drain() const;
    bool is_idle(CUstream_st* stream) const;

    mutable std::recursive_mutex mutex_;           // threads may call at once; tests look when they are done
    mutable std::condition_variable_any changed_;  ///< Something that a thread has done.
    bool is_threaded_ = false;
    mutable std::map<stream_key, std::unique_ptr<stream_thread>> threads_;
    const foldwise::detail::device_api* before_;
    mutable std::map<std::byte*, std::size_t> memory_;
    mutable std::map<std::byte*, int> memory_owners_;
    mutable std::map<const std::byte*, std::size_t> pinned_;
    mutable std::size_t pinned_bytes_ = 0, most_pinned_ = 0;
    mutable std::vector<item> queue_;
    mutable std::map<CUevent_st*, recorded> events_;
    mutable std::size_t largest_ = 0, objects_ = 0, made_ = 0, bytes_to_host_ = 0;
    mutable std::optional<std::mt19937> random_;
    mutable std::vector<std::string> log_;
    mutable std::vector<CUstream_st*> streams_;
    mutable std::vector<int> current_;  ///< GPUs, one for each entry of the log.
    mutable std::map<std::string, failure> failures_;
    mutable std::map<std::string, int> calls_;
    static thread_local int inside_;
    mutable std::vector<goodbye> goodbyes_;
};
