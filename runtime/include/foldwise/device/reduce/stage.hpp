// foldwise/device/reduce/stage.hpp: how a block copies consecutive elements to shared memory.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The bytes that are copied at once.
inline constexpr int copied_bytes = 16;

/// Returns the first address from `memory` on, which is a multiple of 16 bytes, that is as far from such a multiple as
/// `from` is.
__device__ inline unsigned char* stage_of(unsigned char* memory, const void* from) {
    return memory + reinterpret_cast<std::uintptr_t>(from) % copied_bytes;
}

/// Begins to copy `Bytes` bytes, a power of two up to 16 of which both addresses are multiples, from global to shared
/// memory; complete after wait_for_copies().
template <int Bytes> __device__ inline void begin_copy(unsigned char* to, const unsigned char* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto target = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    const std::size_t source = __cvta_generic_to_global(from);
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
    else if constexpr (Bytes >= 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source), "n"(Bytes) : "memory");
    else
        device_code::store(to, device_code::load<Bytes>(from));
#else
    device_code::store(to, device_code::load<Bytes>(from));
#endif
}

/// Waits until what the threads of the block have begun to copy is in shared memory. All threads must call it.
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
    __syncthreads();
}

/// Begins to copy `count` elements from global memory to shared memory, at an address that is as far from a multiple of
/// 16 bytes. All threads of the block must call it and then wait_for_copies().
template <class T> __device__ void copy_to_shared(T* to, const T* from, int count) {
    constexpr int unit = access_bytes(static_cast<int>(alignof(T)));
    const auto* source = reinterpret_cast<const unsigned char*>(from);
    auto* target = reinterpret_cast<unsigned char*>(to);
    const int bytes = count * static_cast<int>(sizeof(T)), thread = static_cast<int>(threadIdx.x);
    // Less than 16 bytes before the first multiple of 16 bytes, and after the last.
    const auto copy_unit = [&](int at) { device_code::store(target + at, device_code::load<unit>(source + at)); };
    int ahead = static_cast<int>(-reinterpret_cast<std::uintptr_t>(from) % copied_bytes);
    if (ahead > bytes) ahead = bytes;
    const int whole = (bytes - ahead) / copied_bytes * copied_bytes;
    if (thread * unit < ahead) copy_unit(thread * unit);
    if (ahead + whole + thread * unit < bytes) copy_unit(ahead + whole + thread * unit);
    source += ahead;
    target += ahead;
    FOLDWISE_NOT_UNROLLED
    for (int i = thread * copied_bytes; i < whole; i += static_cast<int>(blockDim.x) * copied_bytes)
        begin_copy<copied_bytes>(target + i, source + i);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
