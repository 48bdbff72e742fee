// runtime/src/cuda/peer_access.cpp: lets GPUs access one another's memory.
//
// Memory of a pool is accessible where the pool says, whatever cudaDeviceEnablePeerAccess has been told, and a copy
// between peers fails while one of them cannot access the memory of the other's pool. So no copy is queued before all
// that it needs has been set, by whichever thread: the pools first, then the GPUs.
#include "peer_access.hpp"

#include "last_error.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace foldwise::detail {

namespace {

/// Returns the pool that memory was allocated from, or null.
cudaMemPool_t pool_of(const void* memory) {
    using function = int (*)(void*, int, unsigned long long);
    constexpr int pool_handle = 17;  // CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE
    static std::atomic<function> found = nullptr;
    function query = found.load(std::memory_order_relaxed);
    if (!query) {
        void* entry = nullptr;
        cudaDriverEntryPointQueryResult result{};
        if (cleared(
                cudaGetDriverEntryPointByVersion("cuPointerGetAttribute", &entry, 12000, cudaEnableDefault, &result)) ||
            !entry)
            return nullptr;
        found.store(query = reinterpret_cast<function>(entry), std::memory_order_relaxed);
    }
    cudaMemPool_t pool = nullptr;
    return query(static_cast<void*>(&pool), pool_handle, reinterpret_cast<std::uintptr_t>(memory)) == 0 ? pool
                                                                                                        : nullptr;
}

int let_access_pool(cudaMemPool_t pool, int peer) {
    cudaMemAccessDesc access{};
    access.location = {cudaMemLocationTypeDevice, peer};
    const int status = cleared(cudaMemPoolGetAccess(&access.flags, pool, &access.location));
    if (status || access.flags == cudaMemAccessFlagsProtReadWrite) return status;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    return cleared(cudaMemPoolSetAccess(pool, &access, 1));
}

int let_access_device(int device, int peer) {
    int before = 0;
    if (const int status = cleared(cudaGetDevice(&before))) return status;
    if (const int status = cleared(cudaSetDevice(peer))) return status;
    const int status = cleared(cudaDeviceEnablePeerAccess(device, 0)), back = cleared(cudaSetDevice(before));
    return status != 0 && status != cudaErrorPeerAccessAlreadyEnabled ? status : back;
}

/// What is known of one GPU's access to another one's memory.
enum class access : std::int8_t { unknown, enabled, impossible };

constexpr int most = 64;  // GPUs; those beyond are none of a machine that is built

/// Of the first GPU's memory by the second: of its default pool and of what is not a pool's.
std::atomic<access> known_access[most][most];

/// Returns the default pool of a GPU, or null.
cudaMemPool_t default_pool(int device) {
    static std::atomic<cudaMemPool_t> known[most];
    cudaMemPool_t pool = known[device].load(std::memory_order_relaxed);
    if (!pool && cleared(cudaDeviceGetDefaultMemPool(&pool, device)) == 0) known[device].store(pool);
    return pool;
}

/// Lets `peer` access memory.
void let_access(device_address memory, int peer) {
    if (memory.device == peer || memory.device >= most || peer >= most) return;
    std::atomic<access>& known = known_access[memory.device][peer];
    const access before = known.load(std::memory_order_acquire);
    if (before == access::impossible) return;
    cudaMemPool_t const pool = pool_of(memory.data), usual = default_pool(memory.device);
    if (before == access::enabled && (!pool || pool == usual)) return;
    static std::mutex mutex;  // no copy is queued while another thread is still at it
    const std::lock_guard lock(mutex);
    if (known.load(std::memory_order_acquire) == access::unknown) {
        int can = 0;
        if (cleared(cudaDeviceCanAccessPeer(&can, peer, memory.device))) return;
        if (!can) {
            known = access::impossible;
            return;
        }
        if (!usual || let_access_pool(usual, peer) || let_access_device(memory.device, peer)) return;
        known.store(access::enabled, std::memory_order_release);
    }
    if (pool && pool != usual) let_access_pool(pool, peer);
}

}  // namespace

void let_peers_access(device_address one, device_address other) {
    let_access(one, other.device);
    let_access(other, one.device);
}

}  // namespace foldwise::detail
