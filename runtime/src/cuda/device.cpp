// runtime/src/cuda/device.cpp: implements device_api with CUDA's runtime library.
//
// Here a null stream is the legacy default stream, however the program is compiled: kernels that launch on per-thread
// default streams say so (executor.hpp), and the runtime passes that stream by its handle.
#undef CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "last_error.hpp"
#include "peer_access.hpp"

#include <foldwise/detail/device_api.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace foldwise::detail {

namespace {

std::string describe(cudaError_t status) {
    return std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status);
}

struct available {
    int count;
    cudaError_t why_none;  ///< Success if there is a GPU.
};

/// Returns whether no later attempt can have another result.
bool is_final(cudaError_t status) {
    return status == cudaSuccess || status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ||
           status == cudaErrorStubLibrary;
}

/// Returns the GPUs, cached once the result is final. CUDA may also lack resources temporarily, in which case it is
/// asked again.
available gpus() {
    static std::atomic<std::uint64_t> known = 0;  // count + 1 in the lower 32 bits, the status above
    if (const std::uint64_t found = known.load(std::memory_order_relaxed))
        return {static_cast<int>(found & UINT32_MAX) - 1, static_cast<cudaError_t>(found >> 32)};
    int count = 0;
    auto status = static_cast<cudaError_t>(cleared(cudaGetDeviceCount(&count)));
    if (status)
        count = 0;
    else if (count == 0)
        status = cudaErrorNoDevice;
    if (is_final(status))
        known.store(static_cast<std::uint64_t>(status) << 32 | static_cast<std::uint64_t>(count + 1),
                    std::memory_order_relaxed);
    return {count, status};
}

/// Returns the reason why there is no GPU. Allocates nothing; the text is valid until this thread asks again.
const char* in_words(cudaError_t status) {
    thread_local char text[256];
    std::snprintf(text, sizeof text, "%s: %s", cudaGetErrorName(status), cudaGetErrorString(status));
    return text;
}

/// Makes the default pool retain its memory. Otherwise it returns memory to the system at every synchronisation, and
/// allocations take milliseconds.
cudaError_t keep_pool_warm(int device) {
    static std::atomic<std::uint64_t> kept = 0;  // one bit per device; from device 64 on, it is set every time
    const std::uint64_t bit = device < 64 ? std::uint64_t{1} << device : 0;
    if (kept.load(std::memory_order_relaxed) & bit) return cudaSuccess;
    cudaMemPool_t pool = nullptr;
    if (const cudaError_t status = cudaDeviceGetDefaultMemPool(&pool, device)) return status;
    std::uint64_t all = UINT64_MAX;
    if (const cudaError_t status = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all)) return status;
    kept.fetch_or(bit, std::memory_order_relaxed);
    return cudaSuccess;
}

cudaError_t allocate_kept(void*& memory, std::size_t bytes, cudaStream_t stream) {
    int device = 0;
    if (const cudaError_t status = cudaGetDevice(&device)) return status;
    if (const cudaError_t status = keep_pool_warm(device)) return status;
    return cudaMallocAsync(&memory, bytes, stream);
}

/// During its lifetime this thread may make calls on other streams that a capture in progress forbids.
class uncaptured {
  public:
    uncaptured() : status_(static_cast<cudaError_t>(cleared(cudaThreadExchangeStreamCaptureMode(&mode_)))) {}
    uncaptured(const uncaptured&) = delete;
    ~uncaptured() {
        if (!status_) cleared(cudaThreadExchangeStreamCaptureMode(&mode_));
    }

    /// If this is not success, forbidden calls would end the capture.
    cudaError_t status() const { return status_; }

  private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
    cudaError_t status_;
};

/// Makes a call that a capture in progress would otherwise forbid, and returns its status. Functions named ..._apart
/// make their calls in this way.
template <class Call> cudaError_t apart(const Call& call) {
    const uncaptured here;
    return here.status() ? here.status() : call();
}

cudaError_t allocate_zeroed_on(void*& memory, std::size_t bytes, cudaStream_t stream) {
    if (const cudaError_t status = allocate_kept(memory, bytes, stream)) return status;
    cudaError_t status = cudaMemsetAsync(memory, 0, bytes, stream);
    if (!status) status = cudaStreamSynchronize(stream);
    if (status) cleared(cudaFreeAsync(memory, stream));
    return status;
}

cudaError_t allocate_zeroed_apart(void*& memory, std::size_t bytes) {
    return apart([&] {
        cudaStream_t own = nullptr;
        if (const cudaError_t status = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking)) return status;
        const cudaError_t status = allocate_zeroed_on(memory, bytes, own);
        cleared(cudaStreamDestroy(own));
        return status;
    });
}

/// Returns a number that identifies the thread and is never the address of a stream.
std::uint64_t number_of_thread() {
    static std::atomic<std::uint64_t> last = std::uint64_t{1} << 63;
    thread_local const std::uint64_t own = ++last;
    return own;
}

cudaError_t numbers_of(cudaStream_t stream, stream_numbers& numbers) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    unsigned long long id = 0, capture = 0;
    if (const cudaError_t status = cudaStreamGetCaptureInfo(stream, &capturing, &capture)) return status;
    if (capturing == cudaStreamCaptureStatusInvalidated) return cudaErrorStreamCaptureInvalidated;
    if (capturing == cudaStreamCaptureStatusActive) {
        // A captured stream is not asked for its number, which would end the capture; it cannot be destroyed during the
        // capture. cudaStreamPerThread is the same handle in every thread, so branches of one capture that use it are
        // distinguished by thread.
        numbers = {stream == cudaStreamPerThread ? number_of_thread() : reinterpret_cast<std::uintptr_t>(stream),
                   capture + 1};  // 0 means no capture
        return cudaSuccess;
    }
    if (const cudaError_t status = cudaStreamGetId(stream, &id)) return status;
    numbers = {id, 0};
    return cudaSuccess;
}

/// Writes the GPU of a stream, or -1 during a capture, which the query would end.
cudaError_t device_of_stream(cudaStream_t stream, int& device) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    device = -1;
    if (const cudaError_t status = cudaStreamIsCapturing(stream, &capturing)) return status;
    return capturing == cudaStreamCaptureStatusNone ? cudaStreamGetDevice(stream, &device) : cudaSuccess;
}

/// Makes a graph own an object. CUDA destroys it after the last run of the last graph that holds it; if no graph has
/// taken it, it is destroyed when it is released.
cudaError_t attach_to_capture(cudaStream_t stream, cudaHostFn_t gone, void* what) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    cudaUserObject_t object = nullptr;
    cudaError_t status = cudaStreamGetCaptureInfo(stream, &capturing, nullptr, &graph);
    if (!status && capturing != cudaStreamCaptureStatusActive) status = cudaErrorStreamCaptureInvalidated;
    if (!status) status = cudaUserObjectCreate(&object, what, gone, 1, cudaUserObjectNoDestructorSync);
    if (status) {
        gone(what);
        return status;
    }
    status = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (status) cleared(cudaUserObjectRelease(object, 1));
    return status;
}

/// Allocates from a pool in stream order; null stands for the GPU's default pool, which retains its memory.
cudaError_t allocate_from(cudaMemPool_t pool, void*& memory, std::size_t bytes, cudaStream_t stream) {
    return pool ? cudaMallocFromPoolAsync(&memory, bytes, pool, stream) : allocate_kept(memory, bytes, stream);
}

/// Creates a stream that does not wait for the legacy default stream.
cudaError_t make_stream_apart(cudaStream_t& stream) {
    return apart([&] { return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); });
}

/// Creates an event that does not record the time.
cudaError_t make_event_without_time(cudaEvent_t& event) {
    return apart([&] { return cudaEventCreateWithFlags(&event, cudaEventDisableTiming); });
}

/// Blocks the calling thread until the event has happened.
cudaError_t wait_for(cudaEvent_t event) {
    return apart([&] { return cudaEventSynchronize(event); });
}

/// Allocates pinned host memory.
cudaError_t allocate_pinned_apart(void*& memory, std::size_t bytes) {
    return apart([&] { return cudaMallocHost(&memory, bytes); });
}

/// Sets memory in units of several bytes with a function of CUDA's driver, because CUDA's runtime library can only set
/// bytes. There are `rows` rows, which are `pitch` bytes apart and have `width` units each.
template <class Unit>
cudaError_t set_units(void* memory, std::size_t pitch, Unit value, std::size_t width, std::size_t rows,
                      cudaStream_t stream) {
    using function = int (*)(unsigned long long, std::size_t, Unit, std::size_t, std::size_t, cudaStream_t);
    static std::atomic<function> found = nullptr;
    function set = found.load(std::memory_order_relaxed);
    if (!set) {
        constexpr const char* name = sizeof(Unit) == 1   ? "cuMemsetD2D8Async"
                                     : sizeof(Unit) == 2 ? "cuMemsetD2D16Async"
                                                         : "cuMemsetD2D32Async";
        void* entry = nullptr;
        cudaDriverEntryPointQueryResult result{};
        const cudaError_t status =
            cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableLegacyStream, &result);
        if (status) return status;
        if (!entry) return cudaErrorSymbolNotFound;
        found.store(set = reinterpret_cast<function>(entry), std::memory_order_relaxed);
    }
    // A CUresult and the corresponding cudaError_t have the same number.
    return static_cast<cudaError_t>(set(reinterpret_cast<std::uintptr_t>(memory), pitch, value, width, rows, stream));
}

/// Sets `count` contiguous elements of `size` bytes to *element. Every unit of an element is a column of the memory,
/// which one call sets; elements of a single unit are set as one row.
template <class Unit>
cudaError_t set_column(std::byte* first, const std::byte* element, std::size_t size, std::size_t count,
                       cudaStream_t stream) {
    for (std::size_t at = 0; at < size; at += sizeof(Unit)) {
        Unit value;
        std::memcpy(&value, element + at, sizeof value);
        const cudaError_t status = size == sizeof(Unit) ? set_units(first, size * count, value, count, 1, stream)
                                                        : set_units(first + at, size, value, 1, count, stream);
        if (status) return status;
    }
    return cudaSuccess;
}

/// Sets `count` elements to *element: all of them at once if their bytes are equal or an element is a single unit of
/// two or four bytes. Otherwise the first ones are set unit by unit, and the others copied from those that are already
/// set.
cudaError_t fill_with(void* memory, const void* element, std::size_t size, std::size_t count, cudaStream_t stream) {
    auto* const first = static_cast<std::byte*>(memory);
    const auto* const value = static_cast<const std::byte*>(element);
    if (std::all_of(value, value + size, [&](std::byte byte) { return byte == *value; }))
        return cudaMemsetAsync(memory, std::to_integer<int>(*value), size * count, stream);
    const std::size_t set =
        std::min(count, size == sizeof(std::uint32_t) || size == sizeof(std::uint16_t) ? count : std::size_t{4096});
    const cudaError_t status =
        size % sizeof(std::uint32_t) == 0   ? set_column<std::uint32_t>(first, value, size, set, stream)
        : size % sizeof(std::uint16_t) == 0 ? set_column<std::uint16_t>(first, value, size, set, stream)
                                            : set_column<std::uint8_t>(first, value, size, set, stream);
    if (status) return status;
    for (std::size_t done = set; done < count;) {
        const std::size_t next = std::min(done, count - done);
        if (const cudaError_t copied =
                cudaMemcpyAsync(first + done * size, first, next * size, cudaMemcpyDeviceToDevice, stream))
            return copied;
        done += next;
    }
    return cudaSuccess;
}

class runtime_library final : public device_api {
  public:
    const char* unavailable() const noexcept override {
        const available found = gpus();
        return found.count > 0 ? nullptr : in_words(found.why_none);
    }
    int device_count() const noexcept override { return gpus().count; }
    int current_device(int& device) const noexcept override { return cleared(cudaGetDevice(&device)); }
    int set_device(int device) const noexcept override { return cleared(cudaSetDevice(device)); }
    int device_of(CUstream_st* stream, int& device) const noexcept override {
        return cleared(device_of_stream(stream, device));
    }
    int allocate(void*& memory, std::size_t bytes, CUstream_st* stream,
                 CUmemPoolHandle_st* pool) const noexcept override {
        return cleared(allocate_from(pool, memory, bytes, stream));
    }
    int allocate_managed(void*& memory, std::size_t bytes) const noexcept override {
        return cleared(apart([&] { return cudaMallocManaged(&memory, bytes); }));
    }
    int free_managed(void* memory) const noexcept override {
        return cleared(apart([&] { return cudaFree(memory); }));
    }
    int free(void* memory, CUstream_st* stream) const noexcept override {
        return cleared(cudaFreeAsync(memory, stream));
    }
    int allocate_zeroed(void*& memory, std::size_t bytes) const noexcept override {
        return cleared(allocate_zeroed_apart(memory, bytes));
    }
    int identify(CUstream_st* stream, stream_numbers& numbers) const noexcept override {
        return cleared(numbers_of(stream, numbers));
    }
    int when_capture_is_gone(CUstream_st* stream, void (*gone)(void*), void* what) const noexcept override {
        return cleared(attach_to_capture(stream, gone, what));
    }
    int clear(void* memory, std::size_t bytes, CUstream_st* stream) const noexcept override {
        return cleared(cudaMemsetAsync(memory, 0, bytes, stream));
    }
    int fill(void* memory, const void* element, std::size_t size, std::size_t count,
             CUstream_st* stream) const noexcept override {
        return cleared(fill_with(memory, element, size, count, stream));
    }
    int copy(void* to, const void* from, std::size_t bytes, copy_direction direction,
             CUstream_st* stream) const noexcept override {
        const cudaMemcpyKind kind = direction == copy_direction::to_device ? cudaMemcpyHostToDevice
                                    : direction == copy_direction::to_host ? cudaMemcpyDeviceToHost
                                                                           : cudaMemcpyDeviceToDevice;
        return cleared(cudaMemcpyAsync(to, from, bytes, kind, stream));
    }
    int copy_to_peer(device_address to, device_address from, std::size_t bytes,
                     CUstream_st* stream) const noexcept override {
        if (const int status = cleared(apart([&] {
                let_peers_access(to, from);
                return cudaSuccess;
            })))
            return status;
        return cleared(cudaMemcpyPeerAsync(to.data, to.device, from.data, from.device, bytes, stream));
    }
    int synchronize(CUstream_st* stream) const noexcept override { return cleared(cudaStreamSynchronize(stream)); }
    int make_stream(CUstream_st*& stream) const noexcept override { return cleared(make_stream_apart(stream)); }
    int make_event(CUevent_st*& event) const noexcept override { return cleared(make_event_without_time(event)); }
    void destroy(CUstream_st* stream) const noexcept override { cleared(cudaStreamDestroy(stream)); }
    void destroy(CUevent_st* event) const noexcept override { cleared(cudaEventDestroy(event)); }
    int record(CUevent_st* event, CUstream_st* stream) const noexcept override {
        return cleared(cudaEventRecord(event, stream));
    }
    int follow(CUstream_st* stream, CUevent_st* event) const noexcept override {
        return cleared(cudaStreamWaitEvent(stream, event, 0));
    }
    bool has_happened(CUevent_st* event) const noexcept override {
        const uncaptured here;
        return cleared(cudaEventQuery(event)) == cudaSuccess;
    }
    int await(CUevent_st* event) const noexcept override { return cleared(wait_for(event)); }
    int allocate_pinned(void*& memory, std::size_t bytes) const noexcept override {
        return cleared(allocate_pinned_apart(memory, bytes));
    }
    void free_pinned(void* memory) const noexcept override {
        const uncaptured here;
        cleared(cudaFreeHost(memory));
    }
    bool is_pinned(const void* memory) const noexcept override {
        cudaPointerAttributes attributes{};
        return !cleared(cudaPointerGetAttributes(&attributes, memory)) && attributes.type == cudaMemoryTypeHost;
    }
    int device_of_memory(const void* memory, bool managed_too, int& device) const noexcept override {
        cudaPointerAttributes attributes{};
        const int status = cleared(cudaPointerGetAttributes(&attributes, memory));
        const bool is_on_gpu =
            attributes.type == cudaMemoryTypeDevice || (managed_too && attributes.type == cudaMemoryTypeManaged);
        device = status == 0 && is_on_gpu ? attributes.device : -1;
        return status;
    }
    int memory_info(std::size_t& free, std::size_t& total) const noexcept override {
        return cleared(cudaMemGetInfo(&free, &total));
    }
    bool is_out_of_memory(int status) const noexcept override { return status == cudaErrorMemoryAllocation; }
    std::string error_text(int status) const override { return describe(static_cast<cudaError_t>(status)); }
};

constexpr runtime_library the_library;

}  // namespace

const device_api& cuda_device() noexcept { return the_library; }

}  // namespace foldwise::detail
