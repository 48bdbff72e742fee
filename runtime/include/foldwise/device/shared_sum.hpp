// foldwise/device/shared_sum.hpp: additions to numbers in a block's shared memory, of which nobody asks for the result.
#pragma once

#include <foldwise/device/platform.hpp>

#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The type of CUDA's atomic addition to a number of 4 or 8 bytes.
template <class T>
using atomic_addend =
    std::conditional_t<!std::is_integral_v<T>, T, std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>>;

/// If all lanes of the warp call it at once with the same address, adds their numbers up, and returns whether the
/// calling lane is to add the sum: of floating-point numbers, GPUs add one after the other, those of a warp with 32
/// repetitions.
template <class T> __device__ bool add_up_for_warp(const T* sum, T& number) {
#ifdef FOLDWISE_SIMULATOR
    (void)sum, (void)number;  // lanes run one after the other
    return true;
#else
    constexpr unsigned int all = 0xffffffff;
    const unsigned int active = __activemask();
    int agree = 0;
    __match_all_sync(active, static_cast<unsigned int>(__cvta_generic_to_shared(sum)), &agree);
    if (active != all || !agree) return true;
    FOLDWISE_UNROLLED
    for (int distance = 16; distance > 0; distance /= 2) number += __shfl_xor_sync(all, number, distance);
    return threadIdx.x % 32 == 0;
#endif
}

/// Adds to a number of 4 or 8 bytes in the block's shared memory, atomically among the block's threads and without an
/// order. Integers wrap around. A sum may be read after a barrier that follows all additions: GPUs have no addition of
/// 8-byte integers in shared memory, only an exchange that is repeated until nobody comes between. So each half is
/// added to on its own, and whoever makes the lower one wrap around adds the carry to the upper one.
template <class T> __device__ void add_to_shared(T* sum, T number) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        auto* const halves = reinterpret_cast<unsigned int*>(sum);
        const auto bits = static_cast<unsigned long long>(number);
        const auto low = static_cast<unsigned int>(bits);
        const unsigned int before = atomicAdd(halves, low);
        const unsigned int high = static_cast<unsigned int>(bits >> 32) + (before + low < low ? 1 : 0);
        if (high != 0) atomicAdd(halves + 1, high);
    } else if (std::is_integral_v<T> || add_up_for_warp(sum, number)) {
        atomicAdd(reinterpret_cast<atomic_addend<T>*>(sum), static_cast<atomic_addend<T>>(number));
    }
}

/// What stands for std::atomic_ref where tasks only add to an element and a block has a sum of its own for it.
template <class T> class shared_sum {
  public:
    __device__ explicit shared_sum(T& sum) : sum_(&sum) {}

    template <class... Order> __device__ void fetch_add(T number, Order...) const { add_to_shared(sum_, number); }
    template <class... Order> __device__ void fetch_sub(T number, Order...) const {
        if constexpr (std::is_integral_v<T>)
            add_to_shared(sum_, static_cast<T>(atomic_addend<T>{0} - static_cast<atomic_addend<T>>(number)));
        else
            add_to_shared(sum_, -number);
    }
    __device__ void operator+=(T number) const { fetch_add(number); }
    __device__ void operator-=(T number) const { fetch_sub(number); }
    __device__ void operator++() const { fetch_add(1); }
    __device__ void operator--() const { fetch_sub(1); }
    __device__ void operator++(int) const { fetch_add(1); }
    __device__ void operator--(int) const { fetch_sub(1); }

  private:
    T* sum_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
