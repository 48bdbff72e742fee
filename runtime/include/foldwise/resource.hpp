// foldwise/resource.hpp: the memory resources that arrays, results and temporary memory are allocated from.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

struct CUstream_st;         // cudaStream_t is CUstream_st*
struct CUmemPoolHandle_st;  // cudaMemPool_t is CUmemPoolHandle_st*

namespace foldwise {

/// A kind of memory: the host's or a GPU's.
enum class memory : std::uint8_t { host, cuda };

namespace detail {

/// A type-erased memory resource with a count of the handles that share it.
class shared_resource {
  public:
    explicit shared_resource(memory kind) : kind_(kind) {}
    shared_resource(const shared_resource&) = delete;
    shared_resource& operator=(const shared_resource&) = delete;

    memory kind() const noexcept { return kind_; }
    /// Returns memory for `bytes`, never null. Throws std::bad_alloc or whatever else the resource throws.
    virtual void* allocate(CUstream_st* stream, std::size_t bytes, std::size_t alignment) = 0;
    virtual void deallocate(CUstream_st* stream, void* data, std::size_t bytes, std::size_t alignment) = 0;

    void retain() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

  protected:
    virtual ~shared_resource() = default;

  private:
    const memory kind_;
    std::atomic<std::int64_t> owners_ = 1;
};

/// Returns the resource that a handle denotes: what it points to, or the handle itself.
template <class R> auto& resource_behind(R& handle) {
    if constexpr (requires {
                      *handle;
                      handle.operator->();
                  } ||
                  (std::is_pointer_v<R> && !std::is_void_v<std::remove_pointer_t<R>>))
        return *handle;
    else
        return handle;
}

/// A resource that allocates in stream order. The device resources of RMM and CCCL have this interface.
template <class R>
concept stream_ordered_resource = requires(R& resource, CUstream_st* stream, void* data, std::size_t bytes) {
    { resource.allocate(stream, bytes, bytes) } -> std::convertible_to<void*>;
    resource.deallocate(stream, data, bytes, bytes);
};

/// A resource that allocates immediately. std::pmr::memory_resource has this interface.
template <class R>
concept synchronous_resource = requires(R& resource, void* data, std::size_t bytes) {
    { resource.allocate(bytes, bytes) } -> std::convertible_to<void*>;
    resource.deallocate(data, bytes, bytes);
};

template <class Handle>
using resource_type = std::remove_reference_t<decltype(resource_behind(std::declval<Handle&>()))>;

template <class Handle>
concept resource_handle = std::copy_constructible<Handle> &&
    (stream_ordered_resource<resource_type<Handle>> || synchronous_resource<resource_type<Handle>>);

template <class Handle> class resource_of final : public shared_resource {
    static constexpr bool is_stream_ordered = stream_ordered_resource<resource_type<Handle>>;

  public:
    explicit resource_of(const Handle& handle)
        : shared_resource(is_stream_ordered ? memory::cuda : memory::host), handle_(handle) {}

    void* allocate([[maybe_unused]] CUstream_st* stream, std::size_t bytes, std::size_t alignment) override {
        if constexpr (is_stream_ordered)
            return resource_behind(handle_).allocate(stream, bytes, alignment);
        else
            return resource_behind(handle_).allocate(bytes, alignment);
    }
    void deallocate([[maybe_unused]] CUstream_st* stream, void* data, std::size_t bytes,
                    std::size_t alignment) override {
        if constexpr (is_stream_ordered)
            resource_behind(handle_).deallocate(stream, data, bytes, alignment);
        else
            resource_behind(handle_).deallocate(data, bytes, alignment);
    }

  private:
    Handle handle_;
};

}  // namespace detail

/// A handle to a user's memory resource: any copyable object, or a pointer or smart pointer to an object, that has
///   allocate(stream, bytes, alignment) and deallocate(stream, pointer, bytes, alignment)   for a GPU's memory, or
///   allocate(bytes, alignment) and deallocate(pointer, bytes, alignment)                   for the host's.
/// The stream is a cudaStream_t, or anything that one converts to. The resources of RMM and CCCL fit the first form, a
/// std::pmr::memory_resource* the second. The handle is copied, and every array keeps a copy of it, so the caller's
/// variable may be destroyed before the array; what a pointer points to must outlive the arrays. If an allocation
/// throws or returns null, the caller gets foldwise::out_of_memory. The functions are called with the array's GPU
/// current, from any thread.
///
/// An empty handle stands for the process's default.
class resource {
  public:
    constexpr resource() = default;
    template <class Handle>
    requires(!std::same_as<std::remove_cvref_t<Handle>, resource> &&
             detail::resource_handle<std::decay_t<Handle>>) explicit resource(const Handle& handle)
        : shared_(new detail::resource_of<std::decay_t<Handle>>(handle)) {}
    /// For the library: creates a handle that takes over the creator's reference.
    static resource adopt(detail::shared_resource* shared) {
        resource handle;
        handle.shared_ = shared;
        return handle;
    }

    constexpr resource(const resource& other) noexcept : shared_(other.shared_) {
        if (shared_) shared_->retain();
    }
    constexpr resource(resource&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    constexpr resource& operator=(resource other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    constexpr ~resource() {
        if (shared_) shared_->release();
    }

    constexpr explicit operator bool() const { return shared_ != nullptr; }
    /// Returns the kind of memory that it allocates. The handle must not be empty.
    memory kind() const { return shared_->kind(); }
    detail::shared_resource* get() const { return shared_; }

    friend constexpr bool operator==(const resource& a, const resource& b) { return a.shared_ == b.shared_; }

  private:
    detail::shared_resource* shared_ = nullptr;
};

/// Makes `chosen` the default for its kind of memory, for all later allocations of the process that name no resource,
/// and returns the previous default. An empty handle changes nothing. May be called at any time and from any thread.
resource set_default_resource(resource chosen);

/// Returns the resource of allocations that name none in this kind of memory.
resource default_resource(memory kind);

/// The built-in default for GPU memory: CUDA's stream-ordered allocator, using `pool`, or the current GPU's default
/// pool if it is null. The pool retains freed memory; `pool` is not owned.
resource stream_ordered_memory(CUmemPoolHandle_st* pool = nullptr);

/// Managed GPU memory (cudaMallocManaged), which the host can access too and which migrates to where it is used.
/// Freeing it waits for its stream.
resource managed_memory();

/// The built-in default for host memory: operator new.
resource host_memory();

/// Pinned (page-locked) host memory, which is copied to and from a GPU at full speed.
resource pinned_memory();

}  // namespace foldwise

#endif  // C++20
