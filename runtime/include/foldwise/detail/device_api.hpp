// foldwise/detail/device_api.hpp: the interface to CUDA's runtime library, so that the runtime links without CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct CUevent_st;
struct CUmemPoolHandle_st;
struct CUstream_st;

namespace foldwise::detail {

enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// The identity of a stream and of the capture that it is part of (0 if none). Unlike handles, which CUDA reuses, these
/// numbers are unique among all streams and all captures of the process.
struct stream_numbers {
    std::uint64_t stream, capture;
};

/// A GPU and an address in its memory: one end of a copy between GPUs.
struct device_address {
    void* data;
    int device;
};

/// Returns CUDA's handle of the calling thread's own default stream (cudaStreamPerThread). A null handle is the legacy
/// default stream.
inline CUstream_st* per_thread_stream() { return reinterpret_cast<CUstream_st*>(std::uintptr_t{2}); }

/// Returns whether the handle is one of CUDA's default streams. Those are never destroyed, and they denote a stream of
/// whichever GPU is current and, for cudaStreamPerThread, of the calling thread.
inline bool is_default_stream(CUstream_st* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// What the runtime needs from CUDA. Functions that return int return a cudaError_t; zero is success. Functions that
/// allocate or take a stream act on the current GPU unless their comment says otherwise; current_gpu (device.hpp) makes
/// the right one current.
class device_api {
  public:
    /// Returns null if there is a usable GPU, otherwise CUDA's text saying why not. The result is cached.
    virtual const char* unavailable() const noexcept = 0;
    /// Returns the number of GPUs. The result is cached.
    virtual int device_count() const noexcept = 0;
    virtual int current_device(int& device) const noexcept = 0;
    virtual int set_device(int device) const noexcept = 0;
    /// Writes the GPU that a stream belongs to, or -1 while the stream is being captured, when CUDA does not tell. Not
    /// for default streams.
    virtual int device_of(CUstream_st* stream, int& device) const noexcept = 0;
    /// Allocates in stream order from the pool or, if it is null, from the current GPU's default pool, which retains
    /// freed memory.
    virtual int allocate(void*& memory, std::size_t bytes, CUstream_st* stream,
                         CUmemPoolHandle_st* pool = nullptr) const noexcept = 0;
    virtual int free(void* memory, CUstream_st* stream) const noexcept = 0;
    /// Allocates memory that both the host and the GPUs can access. Freeing it waits for all GPUs.
    virtual int allocate_managed(void*& memory, std::size_t bytes) const noexcept = 0;
    virtual int free_managed(void* memory) const noexcept = 0;
    /// Allocates zeroed memory on the current GPU; complete on return. It does not disturb streams that are being
    /// captured.
    virtual int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept = 0;
    /// Writes the identity of a stream without communicating with the GPU.
    virtual int identify(CUstream_st* stream, stream_numbers& numbers) const noexcept = 0;
    /// Calls gone(what) once, after the last run of the graph that the stream is being captured into and of everything
    /// instantiated from it; if the capture fails, immediately or soon after. The call may come from any thread and
    /// must not use the GPU.
    virtual int when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept = 0;
    /// Clears memory asynchronously on the stream.
    virtual int clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept = 0;
    /// Sets `count` elements of `size` bytes to the value at `element` asynchronously on the stream. `element` is read
    /// before this returns, also while the stream is being captured.
    virtual int fill(void* memory, const void* element, std::size_t size, std::size_t count,
                     CUstream_st* stream) const noexcept = 0;
    /// Copies memory asynchronously on the stream.
    virtual int copy(void* to, const void* from, std::size_t bytes, copy_direction direction,
                     CUstream_st* stream) const noexcept = 0;
    /// Copies from one GPU to another, or within one, asynchronously; the stream may belong to either.
    virtual int copy_to_peer(device_address to, device_address from, std::size_t bytes,
                             CUstream_st* stream) const noexcept = 0;
    virtual int synchronize(CUstream_st* stream) const noexcept = 0;
    /// Creates a stream that does not synchronise with the legacy default stream.
    virtual int make_stream(CUstream_st*& stream) const noexcept = 0;
    /// Creates an event without timing.
    virtual int make_event(CUevent_st*& event) const noexcept = 0;
    virtual void destroy(CUstream_st* stream) const noexcept = 0;
    virtual void destroy(CUevent_st* event) const noexcept = 0;
    /// Makes the event complete when the work queued on the stream so far is done. An event that was never recorded
    /// counts as complete.
    virtual int record(CUevent_st* event, CUstream_st* stream) const noexcept = 0;
    /// Makes later work on the stream wait until the most recent record of the event has completed.
    virtual int follow(CUstream_st* stream, CUevent_st* event) const noexcept = 0;
    /// Returns whether the most recent record of the event has completed. Asks the driver, without waiting.
    virtual bool has_happened(CUevent_st* event) const noexcept = 0;
    /// Blocks the host until the event has completed.
    virtual int await(CUevent_st* event) const noexcept = 0;
    /// Allocates pinned host memory, whose copies to and from a GPU run at full speed and concurrently with the host.
    virtual int allocate_pinned(void*& memory, std::size_t bytes) const noexcept = 0;
    virtual void free_pinned(void* memory) const noexcept = 0;
    virtual bool is_pinned(const void* memory) const noexcept = 0;
    /// Writes the GPU whose memory an address is in, or -1. Managed memory, which the host can access, counts only if
    /// `managed_too`.
    virtual int device_of_memory(const void* memory, bool managed_too, int& device) const noexcept = 0;
    virtual int memory_info(std::size_t& free, std::size_t& total) const noexcept = 0;
    virtual bool is_out_of_memory(int status) const noexcept = 0;
    /// Returns the name and text of an error: "cudaErrorInvalidValue: invalid argument".
    virtual std::string error_text(int status) const = 0;

  protected:
    ~device_api() = default;
};

/// Registers the interface to CUDA for the whole program; the last registration takes effect. The object must live as
/// long as the program. Generated files that contain CUDA kernels call this before main(). Returns true.
bool use(const device_api& device) noexcept;

/// Returns the implementation for CUDA. Defined in the library foldwise_cuda.
const device_api& cuda_device() noexcept;

}  // namespace foldwise::detail
