// foldwise/detail/device_api.hpp: what the runtime asks of a GPU's driver, so that it links without CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

struct CUevent_st;
struct CUmemPoolHandle_st;
struct CUstream_st;

namespace foldwise::detail {

enum class copy_direction : std::uint8_t { to_device, to_host, on_device };

/// Of a stream, and of the capture that it is part of: 0 if none. No two streams of a program, and no two captures,
/// ever have the same, though handles are given out again.
struct stream_numbers {
    std::uint64_t stream, capture;
};

/// A GPU and one of its places: what a copy from GPU to GPU has at either end.
struct device_address {
    void* data;
    int device;
};

/// CUDA's handle of the calling thread's own default stream (cudaStreamPerThread). A null stream is the legacy one.
inline CUstream_st* per_thread_stream() { return reinterpret_cast<CUstream_st*>(std::uintptr_t{2}); }

/// Whether it is one of CUDA's default streams, which are never destroyed: handles that mean a stream of whichever GPU
/// is current, and of whichever thread asks.
inline bool is_default_stream(CUstream_st* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// Functions that return int return a cudaError_t: zero is success. What takes a stream, or allocates, is for the
/// current GPU unless it says otherwise: current_gpu (device.hpp) sees to that.
class device_api {
  public:
    /// Null if there is a GPU to use, else why not, in CUDA's words. Asked once and then remembered.
    virtual const char* unavailable() const noexcept = 0;
    /// How many there are; asked once and then remembered.
    virtual int device_count() const noexcept = 0;
    virtual int current_device(int& device) const noexcept = 0;
    virtual int set_device(int device) const noexcept = 0;
    /// The GPU that a stream belongs to; -1 if it is being captured, when CUDA does not tell. Not for default streams.
    virtual int device_of(CUstream_st* stream, int& device) const noexcept = 0;
    /// In stream order: from the pool, or, for null, from the current GPU's default one, which keeps its memory.
    virtual int allocate(void*& memory, std::size_t bytes, CUstream_st* stream,
                         CUmemPoolHandle_st* pool = nullptr) const noexcept = 0;
    virtual int free(void* memory, CUstream_st* stream) const noexcept = 0;
    /// Memory that the host and the GPUs reach. Freeing it waits for all GPUs.
    virtual int allocate_managed(void*& memory, std::size_t bytes) const noexcept = 0;
    virtual int free_managed(void* memory) const noexcept = 0;
    /// Zeroed memory of the current device, complete on return. Streams that are captured do not notice.
    virtual int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept = 0;
    /// What the host knows; the GPU is not asked.
    virtual int identify(CUstream_st* stream, stream_numbers& numbers) const noexcept = 0;
    /// Calls gone(what), once, when the graph that the stream is captured into, and all that are made of it, have run
    /// for the last time; if this fails, at once or soon. It may come from any thread, and must not use the GPU.
    virtual int when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept = 0;
    /// Asynchronous on the stream, as is copy().
    virtual int clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept = 0;
    virtual int copy(void* to, const void* from, std::size_t bytes, copy_direction direction,
                     CUstream_st* stream) const noexcept = 0;
    /// From one GPU to another, or to itself; the stream may be either's.
    virtual int copy_to_peer(device_address to, device_address from, std::size_t bytes,
                             CUstream_st* stream) const noexcept = 0;
    virtual int synchronize(CUstream_st* stream) const noexcept = 0;
    /// A stream that no other one waits for, and an event.
    virtual int make_stream(CUstream_st*& stream) const noexcept = 0;
    virtual int make_event(CUevent_st*& event) const noexcept = 0;
    virtual void destroy(CUstream_st* stream) const noexcept = 0;
    virtual void destroy(CUevent_st* event) const noexcept = 0;
    /// The event happens when what is queued on the stream by now is done. One that was never recorded has happened.
    virtual int record(CUevent_st* event, CUstream_st* stream) const noexcept = 0;
    /// What is queued on the stream from now on begins when the event, as it was recorded last, has happened.
    virtual int follow(CUstream_st* stream, CUevent_st* event) const noexcept = 0;
    /// Whether it has, as it was recorded last. Asked of the driver, without waiting.
    virtual bool has_happened(CUevent_st* event) const noexcept = 0;
    /// The host waits for it.
    virtual int await(CUevent_st* event) const noexcept = 0;
    /// Host memory that copies to and from a GPU pass at full speed, and while the host does something else.
    virtual int allocate_pinned(void*& memory, std::size_t bytes) const noexcept = 0;
    virtual void free_pinned(void* memory) const noexcept = 0;
    virtual bool is_pinned(const void* memory) const noexcept = 0;
    virtual int memory_info(std::size_t& free, std::size_t& total) const noexcept = 0;
    virtual bool is_out_of_memory(int status) const noexcept = 0;
    /// "cudaErrorInvalidValue: invalid argument".
    virtual std::string error_text(int status) const = 0;

  protected:
    ~device_api() = default;
};

/// Makes a GPU known to the runtime, for the whole program; the last one counts. It must live as long as the program.
/// Generated files that contain CUDA kernels call it before main(). Returns true.
bool use(const device_api& device) noexcept;

/// CUDA's. Defined in the library foldwise_cuda.
const device_api& cuda_device() noexcept;

}  // namespace foldwise::detail
