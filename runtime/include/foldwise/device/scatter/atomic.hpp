// foldwise/device/scatter/atomic.hpp: combines elements into bins atomically, in any order.
//
// Many threads that combine into one bin wait for one another. Where all bins fit, blocks therefore combine into copies
// in their shared memory. Where they do not, each block keeps the bins that it meets first in shared memory: a bin that
// many elements go to is almost always among them. Lanes of a warp that mostly meet in a bin combine their values
// first.
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/detail/scatter_code.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/device/combine_atomically.hpp>
#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/scatter/operands.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

constexpr bool reads_vectors(scatter_instance one) {
    return one == scatter_instance::shared_vectors || one == scatter_instance::atomic_vectors;
}

/// Calls vectors(numbers, put) for whole vectors of neighbouring elements, `Count` of them if there are as many, and
/// element(number, put) for the others, in any order, for the thread's share of a launch's elements. The lanes of a
/// warp call `together` together; `alone` is called for the elements that are too few for a warp.
template <scatter_instance Instance, int Width, int Count, class Element, class Vectors, class Together, class Alone>
__device__ void each_in_any_order(const detail::scatter_range& range, const Element& element, const Vectors& vectors,
                                  const Together& together, const Alone& alone) {
    constexpr int width = reads_vectors(Instance) ? Width : 1;
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    const std::int64_t whole = range.count / (width * warp_size) * warp_size;
    std::int64_t i = thread;
    if constexpr (reads_vectors(Instance) && Count > 1) {
        for (; i + (Count - 1) * threads < whole; i += Count * threads)
            vectors(scatter_vectors<Count, Width>{i * Width, threads * Width}, together);
    }
    for (; i < whole; i += threads) {
        if constexpr (reads_vectors(Instance))
            vectors(scatter_vectors<1, Width>{i * Width, 0}, together);
        else
            element(i, together);
    }
    for (i = whole * width + thread; i < range.count; i += threads) element(i, alone);
}

/// Whether GPUs have operations of their own for what combine_in_shared_memory() does. Where they have none, threads
/// that meet repeat what they do until nobody comes between.
template <class Steps>
inline constexpr bool is_native_in_shared_memory = std::is_integral_v<typename Steps::accumulator> &&
                                                   (sizeof(typename Steps::accumulator) == 4
                                                        ? Steps::operation != scatter_operation::other
                                                        : is_large_sum<Steps>);

/// Whether at least half of a warp's lanes have the first lane's number. All lanes of the warp must call it.
__device__ inline bool mostly_agree(std::uint32_t number) {
    const bool agrees = __shfl_sync(0xffffffffu, number, 0) == number;
    return __builtin_popcount(__ballot_sync(0xffffffffu, agrees)) >= warp_size / 2;
}

/// Combines the values of lanes with the same number into that of the first of them, and returns whether the calling
/// lane is the first. All lanes of the warp must call it.
template <class Steps> __device__ bool fold_peers(typename Steps::accumulator& value, std::uint32_t number) {
    const unsigned int peers = __match_any_sync(0xffffffffu, number);
    const unsigned int lane = threadIdx.x % warp_size, own = 1u << lane;
    unsigned int later = peers & ~(own - 1) & ~own;
    int rank = __builtin_popcount(peers & (own - 1));
    const bool is_first = rank == 0;
    // In each round, every second of the lanes that are left combines its value with the next one's.
    while (__any_sync(0xffffffffu, later != 0)) {
        const int next = later != 0 ? __builtin_ctz(later) : static_cast<int>(lane);
        const auto other = shuffle_from(value, next);
        if (later != 0) value = Steps::combine(value, other);
        later &= __ballot_sync(0xffffffffu, rank % 2 == 0);
        rank /= 2;
    }
    return is_first;
}

/// Calls add(number, one, value) if a value's place is inside; once for all lanes whose bins are the same, if many are
/// and 32 bits can number the bins. All lanes of the warp must call it.
template <class Number, class Steps, class Placed, class Add>
__device__ void add_together(const scatter_target<Steps>& target, const Placed& one, const Add& add) {
    typename Steps::accumulator value = foldwise::detail::converted<typename Steps::value>(one.value);
    Number number;
    bool adds = target.find(one, number);
#ifndef FOLDWISE_LOOKS  // a check may have ended some lanes
    constexpr std::uint32_t nowhere = 0xffffffff;
    const std::uint32_t low = adds ? static_cast<std::uint32_t>(number) : nowhere;
    if (target.count < std::int64_t{nowhere} && mostly_agree(low)) adds = fold_peers<Steps>(value, low) && adds;
#endif
    if (adds) add(number, one, value);
}

/// Returns an address in shared memory as it is, in a register. Otherwise nvcc computes it anew for each access, from a
/// special register that takes longer to read than what is at the address. All lanes of the warp must call it.
template <class T> __device__ T* in_register(T* shared) {
#ifdef __CUDA_ARCH__
    const auto address = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
    const unsigned int same = __shfl_sync(0xffffffffu, address, static_cast<int>(threadIdx.x % warp_size));
    return static_cast<T*>(__cvta_shared_to_generic(same));
#else
    return shared;
#endif
}

/// How many copies of few bins a block has in its shared memory. With native operations of 4 bytes, each lane of a warp
/// may have a copy, in a bank of its own.
template <class Steps>
inline constexpr int most_copies = !is_native_in_shared_memory<Steps>         ? 16
                                   : sizeof(typename Steps::accumulator) == 4 ? warp_size
                                                                              : 8;
/// The most threads of a block that has copies of the bins. Where lanes do not meet, what many warps share costs
/// nothing, and is filled and emptied once for all of them.
template <class Steps> constexpr int threads_of_copies(int threads) {
    constexpr int most = 1024;
    return most_copies<Steps> == warp_size ? most : threads;
}
/// With so many copies, the threads of a warp that meet in one are few.
inline constexpr int enough_copies = 8;

template <class T> inline constexpr bool is_byte = sizeof(T) == 1 && (std::is_integral_v<T> || std::is_enum_v<T>);
/// How many bins copies have room for at least. Where places are computed from an input of bytes, nvcc often knows that
/// they are below 256. With room for each of them, nothing has to be asked; what is in no bin is dropped at the end.
template <class Steps, class... Inputs> constexpr int least_rows_of() {
    const bool has_bytes = (is_byte<Inputs> || ...);
    return has_bytes && most_copies<Steps> == warp_size && Steps::bin_axes == 1 ? 256 : 0;
}

/// Combines into copies of the bins in shared memory, then those into the output. Copies of a bin are neighbours, and a
/// thread's number says which one is its own: threads of a warp that meet in a bin mostly have different copies. Behind
/// the bins there is one for what is dropped, which spares a branch.
template <scatter_instance Instance, class Steps, int Width, int LeastRows, class Element, class Vectors>
__device__ void scatter_in_shared_memory(const detail::scatter_range& range, const scatter_target<Steps>& target,
                                         const Element& element, const Vectors& vectors) {
    using accumulator = typename Steps::accumulator;
    auto* const own = dynamic_shared<accumulator>();
    const int copies = target.shared_copies, bins = static_cast<int>(target.count);
    const int rows = detail::rows_of_copies(bins, LeastRows);
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    FOLDWISE_NOT_UNROLLED
    for (int i = thread; i < (rows + 1) * copies; i += threads) own[i] = Steps::identity();
    __syncthreads();
    // From here, the thread's copy of a bin is a single multiplication and addition away.
    auto* const first = reinterpret_cast<unsigned char*>(in_register(own + (thread & (copies - 1))));
    const int pitch = copies * static_cast<int>(sizeof(accumulator));
    const auto add = [&](std::int32_t number, const auto&, const accumulator& value) {
        combine_in_shared_memory<Steps>(reinterpret_cast<accumulator*>(first + number * pitch), value);
    };
    const auto alone = [&](const auto& one) {
        std::int32_t number;
        const bool has_row = LeastRows > 0 ? target.find_row(one, number, rows) : target.find(one, number);
        if (!has_row) number = rows;
        add(number, one, foldwise::detail::converted<typename Steps::value>(one.value));
    };
    const auto together = [&](const auto& one) {
        if (is_native_in_shared_memory<Steps> || copies >= enough_copies)
            alone(one);
        else
            add_together<std::int32_t>(target, one, add);
    };
    // While a thread combines one vector, the next one is on its way.
    constexpr int in_flight = most_copies<Steps> == warp_size ? 2 : 1;
    each_in_any_order<Instance, Width, in_flight>(range, element, vectors, together, alone);
    __syncthreads();
    FOLDWISE_NOT_UNROLLED
    for (int i = thread; i < bins; i += threads) {
        // Each thread begins with another copy, as neighbours' first ones would all be in a few banks.
        const auto copy = [&](int k) { return own[i * copies + ((k + thread) & (copies - 1))]; };
        accumulator total = copy(0);
        for (int k = 1; k < copies; ++k) total = Steps::combine(total, copy(k));
        combine_atomically<Steps>(target.bin(i), total);
    }
}

/// Some of a launch's bins in a block's shared memory, in front of the output. A slot belongs to the first bin that
/// comes to it.
template <class Steps> class kept_bins {
    using accumulator = typename Steps::accumulator;

  public:
    /// All threads of the block must call it, with a barrier before the first add().
    __device__ explicit kept_bins(int slots)
        : values_(dynamic_shared<accumulator>()), numbers_(reinterpret_cast<unsigned int*>(values_ + slots)),
          slots_(slots) {
        FOLDWISE_NOT_UNROLLED
        for (int i = static_cast<int>(threadIdx.x); i < slots; i += static_cast<int>(blockDim.x)) {
            values_[i] = Steps::identity();
            numbers_[i] = none;
        }
    }

    /// Combines a value into a bin if it has a slot, and returns whether it has.
    __device__ bool add(std::int64_t number, const accumulator& value) const {
        if (slots_ == 0) return false;
        const auto own = static_cast<unsigned int>(number);
        const unsigned int slot = own & static_cast<unsigned int>(slots_ - 1);
        unsigned int holder = *const_cast<const volatile unsigned int*>(numbers_ + slot);
        if (holder == none) holder = atomicCAS(numbers_ + slot, none, own);
        if (holder != none && holder != own) return false;
        combine_in_shared_memory<Steps>(values_ + slot, value);
        return true;
    }

    /// Combines all slots with the output. All threads of the block must call it, with a barrier after the last add().
    __device__ void flush(const scatter_target<Steps>& target) const {
        FOLDWISE_NOT_UNROLLED
        for (int i = static_cast<int>(threadIdx.x); i < slots_; i += static_cast<int>(blockDim.x))
            if (numbers_[i] != none) combine_atomically<Steps>(target.bin(numbers_[i]), values_[i]);
    }

  private:
    static constexpr unsigned int none = 0xffffffff;

    accumulator* values_;
    unsigned int* numbers_;
    int slots_;
};

/// Combines into the output.
template <scatter_instance Instance, class Steps, int Width, class Element, class Vectors>
__device__ void scatter_in_global_memory(const detail::scatter_range& range, const scatter_target<Steps>& target,
                                         const Element& element, const Vectors& vectors) {
    using accumulator = typename Steps::accumulator;
    const kept_bins<Steps> kept(target.kept_bins);
    __syncthreads();
    const auto add = [&](std::int64_t number, const auto& one, const accumulator& value) {
        if (!kept.add(number, value)) combine_atomically<Steps>(target.bin_at(one), value);
    };
    const auto alone = [&](const auto& one) {
        std::int64_t number;
        if (target.find(one, number)) add(number, one, foldwise::detail::converted<typename Steps::value>(one.value));
    };
    const auto together = [&](const auto& one) { add_together<std::int64_t>(target, one, add); };
    each_in_any_order<Instance, Width, 1>(range, element, vectors, together, alone);
    __syncthreads();
    kept.flush(target);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
