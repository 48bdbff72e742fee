// foldwise/simulator/cooperation.hpp: barriers, shuffles, votes and reductions across CUDA threads.
//
// Each function also takes the place of its call, for the report if not all threads reach it. Threads of a block wait
// for the whole block; threads of a warp wait for those that the mask names and that have not ended. A mistake makes
// the launch throw device_error. See the CUDA C++ Programming Guide, "Synchronization Functions", "Warp Vote
// Functions", "Warp Match Functions", "Warp Reduce Functions", "Warp Shuffle Functions"; and shfl.sync in the PTX ISA.
#pragma once

#include <foldwise/simulator/types.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace foldwise::simulation {

/// The barriers of a block. wait_for_block() and exchange() are defined in the library foldwise_simulator.
enum class block_barrier : std::uint8_t { sync, count, all, any };

/// Waits for all threads of the block and returns the number, the conjunction or the disjunction of the predicates.
int wait_for_block(block_barrier barrier, int predicate, const place& where);

/// The operations that lanes of a warp perform together.
enum class warp_operation : std::uint8_t {
    sync,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    all,
    any,
    ballot,
    match_any,
    match_all,
    add,
    min_signed,
    min_unsigned,
    max_signed,
    max_unsigned,
    bit_and,
    bit_or,
    bit_xor,
};

/// What one lane contributes: its value and, for a shuffle, where it reads.
struct contribution {
    std::uint64_t value = 0;
    std::uint32_t source = 0;  ///< A lane, a distance or a mask, depending on the operation.
    int width = warpSize;      ///< The number of lanes in a group.
};

/// Waits for the other lanes of the mask and returns this lane's result.
std::uint64_t exchange(warp_operation operation, std::uint32_t mask, const contribution& own, const place& where);

inline void __syncthreads(place where = place::current()) { wait_for_block(block_barrier::sync, 0, where); }
inline int __syncthreads_count(int predicate, place where = place::current()) {
    return wait_for_block(block_barrier::count, predicate, where);
}
inline int __syncthreads_and(int predicate, place where = place::current()) {
    return wait_for_block(block_barrier::all, predicate, where);
}
inline int __syncthreads_or(int predicate, place where = place::current()) {
    return wait_for_block(block_barrier::any, predicate, where);
}

inline void __syncwarp(unsigned int mask = 0xffffffff, place where = place::current()) {
    exchange(warp_operation::sync, mask, {}, where);
}

/// Returns the lanes that run together with this one. CUDA guarantees only that this lane is among them; here it is
/// alone, so that a kernel that relies on more gets a wrong result.
inline unsigned int __activemask() {
    return 1u << (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize;
}

inline int __all_sync(unsigned int mask, int predicate, place where = place::current()) {
    return static_cast<int>(exchange(warp_operation::all, mask, {.value = predicate != 0}, where));
}
inline int __any_sync(unsigned int mask, int predicate, place where = place::current()) {
    return static_cast<int>(exchange(warp_operation::any, mask, {.value = predicate != 0}, where));
}
inline unsigned int __ballot_sync(unsigned int mask, int predicate, place where = place::current()) {
    return static_cast<unsigned int>(exchange(warp_operation::ballot, mask, {.value = predicate != 0}, where));
}

// Values of up to 8 bytes are passed as words. As with CUDA's overloads, narrower integers are promoted to int.
template <class T>
concept exchangeable = std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::uint64_t);
template <exchangeable T> using exchanged = decltype(+T{});

template <class T> std::uint64_t to_word(T value) {
    if constexpr (sizeof(T) == sizeof(std::uint32_t))
        return std::bit_cast<std::uint32_t>(value);
    else
        return std::bit_cast<std::uint64_t>(value);
}
template <class T> T from_word(std::uint64_t word) {
    if constexpr (sizeof(T) == sizeof(std::uint32_t))
        return std::bit_cast<T>(static_cast<std::uint32_t>(word));
    else
        return std::bit_cast<T>(word);
}

template <exchangeable T>
exchanged<T> shuffle(warp_operation operation, unsigned int mask, T value, std::uint32_t source, int width,
                     const place& where) {
    return from_word<exchanged<T>>(exchange(operation, mask, {to_word<exchanged<T>>(value), source, width}, where));
}
template <exchangeable T>
exchanged<T> __shfl_sync(unsigned int mask, T value, int source, int width = warpSize, place where = place::current()) {
    return shuffle(warp_operation::shuffle, mask, value, static_cast<std::uint32_t>(source), width, where);
}
template <exchangeable T>
exchanged<T> __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize,
                            place where = place::current()) {
    return shuffle(warp_operation::shuffle_up, mask, value, delta, width, where);
}
template <exchangeable T>
exchanged<T> __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = warpSize,
                              place where = place::current()) {
    return shuffle(warp_operation::shuffle_down, mask, value, delta, width, where);
}
template <exchangeable T>
exchanged<T> __shfl_xor_sync(unsigned int mask, T value, int lanes, int width = warpSize,
                             place where = place::current()) {
    return shuffle(warp_operation::shuffle_xor, mask, value, static_cast<std::uint32_t>(lanes), width, where);
}

template <exchangeable T> unsigned int __match_any_sync(unsigned int mask, T value, place where = place::current()) {
    return static_cast<unsigned int>(
        exchange(warp_operation::match_any, mask, {.value = to_word<exchanged<T>>(value)}, where));
}
template <exchangeable T>
unsigned int __match_all_sync(unsigned int mask, T value, int* predicate, place where = place::current()) {
    const auto lanes = static_cast<unsigned int>(
        exchange(warp_operation::match_all, mask, {.value = to_word<exchanged<T>>(value)}, where));
    *predicate = lanes != 0;
    return lanes;
}

template <class T>
concept reducible = std::same_as<T, int> || std::same_as<T, unsigned int>;

template <reducible T> T reduce_warp(warp_operation operation, unsigned int mask, T value, const place& where) {
    return from_word<T>(exchange(operation, mask, {.value = to_word(value)}, where));
}
template <reducible T> T __reduce_add_sync(unsigned int mask, T value, place where = place::current()) {
    return reduce_warp(warp_operation::add, mask, value, where);
}
template <reducible T> T __reduce_min_sync(unsigned int mask, T value, place where = place::current()) {
    return reduce_warp(std::is_signed_v<T> ? warp_operation::min_signed : warp_operation::min_unsigned, mask, value,
                       where);
}
template <reducible T> T __reduce_max_sync(unsigned int mask, T value, place where = place::current()) {
    return reduce_warp(std::is_signed_v<T> ? warp_operation::max_signed : warp_operation::max_unsigned, mask, value,
                       where);
}
inline unsigned int __reduce_and_sync(unsigned int mask, unsigned int value, place where = place::current()) {
    return reduce_warp(warp_operation::bit_and, mask, value, where);
}
inline unsigned int __reduce_or_sync(unsigned int mask, unsigned int value, place where = place::current()) {
    return reduce_warp(warp_operation::bit_or, mask, value, where);
}
inline unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value, place where = place::current()) {
    return reduce_warp(warp_operation::bit_xor, mask, value, where);
}

}  // namespace foldwise::simulation
