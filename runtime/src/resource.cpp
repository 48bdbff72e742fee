// runtime/src/resource.cpp: the runtime's own memory resources, and the defaults of the process.
#include <foldwise/resource.hpp>

#include "device.hpp"

#include <foldwise/error.hpp>

#include <mutex>
#include <new>
#include <string>

#include <pthread.h>

namespace foldwise {

namespace {

using detail::device_api;

[[noreturn]] void refuse(const device_api& gpu, int status, std::size_t bytes, const char* kind) {
    detail::throw_status(gpu, status, "cannot allocate " + std::to_string(bytes) + " bytes of " + kind + " memory");
}

class pool_resource final : public detail::shared_resource {
  public:
    explicit pool_resource(CUmemPoolHandle_st* pool) : shared_resource(memory::cuda), pool_(pool) {}

    void* allocate(CUstream_st* stream, std::size_t bytes, std::size_t) override {
        const device_api& gpu = detail::require_gpu("a memory pool");
        void* data = nullptr;
        if (int status = gpu.allocate(data, bytes, stream, pool_)) refuse(gpu, status, bytes, "GPU");
        return data;
    }
    void deallocate(CUstream_st* stream, void* data, std::size_t, std::size_t) override {
        if (const device_api* gpu = detail::registered_device()) gpu->free(data, stream);
    }

  private:
    CUmemPoolHandle_st* pool_;
};

class managed_resource final : public detail::shared_resource {
  public:
    managed_resource() : shared_resource(memory::cuda) {}

    void* allocate(CUstream_st*, std::size_t bytes, std::size_t) override {
        const device_api& gpu = detail::require_gpu("managed memory");
        void* data = nullptr;
        if (int status = gpu.allocate_managed(data, bytes)) refuse(gpu, status, bytes, "managed");
        return data;
    }
    void deallocate(CUstream_st* stream, void* data, std::size_t, std::size_t) override {
        const device_api* gpu = detail::registered_device();
        if (!gpu) return;
        gpu->synchronize(stream);
        gpu->free_managed(data);
    }
};

class pinned_resource final : public detail::shared_resource {
  public:
    pinned_resource() : shared_resource(memory::host) {}

    void* allocate(CUstream_st*, std::size_t bytes, std::size_t) override {
        const device_api& gpu = detail::require_gpu("pinned memory");
        void* data = nullptr;
        if (int status = gpu.allocate_pinned(data, bytes)) refuse(gpu, status, bytes, "pinned");
        return data;
    }
    void deallocate(CUstream_st*, void* data, std::size_t, std::size_t) override {
        if (const device_api* gpu = detail::registered_device()) gpu->free_pinned(data);
    }
};

class heap_resource final : public detail::shared_resource {
  public:
    heap_resource() : shared_resource(memory::host) {}

    void* allocate(CUstream_st*, std::size_t bytes, std::size_t alignment) override {
        return ::operator new (bytes, std::align_val_t{alignment});
    }
    void deallocate(CUstream_st*, void* data, std::size_t, std::size_t alignment) override {
        ::operator delete (data, std::align_val_t{alignment});
    }
};

/// Returns the program's only resource of this type. It is never destroyed, because arrays may be created and freed
/// until the end.
template <class Resource> const resource& only() {
    static const auto& one = *new resource(resource::adopt(new Resource));
    return one;
}

/// The default resource for each kind of memory. An empty one stands for the runtime's own allocator, which is called
/// directly.
struct defaults {
    std::mutex mutex;
    std::atomic<bool> is_given[2] = {};
    resource given[2];
};

defaults& the_defaults() {
    static auto& all = *new defaults;
    return all;
}

/// Ensures that a forked process does not inherit a lock held by a thread that it does not have.
[[maybe_unused]] const bool forks_unlocked =
    pthread_atfork([] { the_defaults().mutex.lock(); }, [] { the_defaults().mutex.unlock(); },
                   [] { the_defaults().mutex.unlock(); }) == 0;

std::size_t number_of(memory kind) { return static_cast<std::size_t>(kind); }

const resource& built_in(memory kind) {
    static const auto& pool = *new resource(resource::adopt(new pool_resource(nullptr)));
    return kind == memory::cuda ? pool : only<heap_resource>();
}

}  // namespace

resource host_memory() { return built_in(memory::host); }
resource pinned_memory() { return only<pinned_resource>(); }
resource managed_memory() { return only<managed_resource>(); }

resource stream_ordered_memory(CUmemPoolHandle_st* pool) {
    return pool ? resource::adopt(new pool_resource(pool)) : built_in(memory::cuda);
}

resource default_resource(memory kind) {
    defaults& all = the_defaults();
    const std::lock_guard lock(all.mutex);
    const resource& given = all.given[number_of(kind)];
    return given ? given : built_in(kind);
}

resource set_default_resource(resource chosen) {
    if (!chosen) return chosen;
    const memory kind = chosen.kind();
    const std::size_t number = number_of(kind);
    defaults& all = the_defaults();
    const std::lock_guard lock(all.mutex);
    if (chosen == built_in(kind)) chosen = {};
    resource before = std::exchange(all.given[number], std::move(chosen));
    all.is_given[number].store(static_cast<bool>(all.given[number]), std::memory_order_release);
    return before ? before : built_in(kind);
}

resource detail::resource_for(memory kind, const resource& given) {
    if (given && given.kind() == kind) return given == built_in(kind) ? resource() : given;
    defaults& all = the_defaults();
    if (!all.is_given[number_of(kind)].load(std::memory_order_acquire)) return {};
    const std::lock_guard lock(all.mutex);
    return all.given[number_of(kind)];
}

}  // namespace foldwise
