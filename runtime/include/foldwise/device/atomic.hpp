// foldwise/device/atomic.hpp: <atomic> with std::atomic_ref for device code.
//
// Operations are atomic among all threads of the device and have the requested memory order. CUDA has such operations
// for 4 and 8 bytes, but not for a thread's local variables, for which plain operations suffice because no other thread
// can access them.
#pragma once

#if !defined(__CUDACC__) || defined(FOLDWISE_SIMULATOR)

#include <atomic>

#ifdef FOLDWISE_SIMULATOR
#include <foldwise/simulator/watched_atomic_ref.hpp>
#endif

#else

#ifdef _GLIBCXX_ATOMIC
#error "include <foldwise/device/atomic.hpp> before whatever includes <atomic>"
#endif
// libstdc++'s atomic_ref is host code only. It is renamed so that it does not collide with the one below.
#define atomic_ref foldwise_host_atomic_ref
#include <atomic>
#undef atomic_ref

#include <foldwise/detail/wrapping.hpp>

#include <cstddef>
#include <type_traits>

namespace foldwise::device_code::atomics {

template <std::size_t Size> struct word_of;
template <> struct word_of<4> { using type = unsigned int; };
template <> struct word_of<8> { using type = unsigned long long; };
template <class T> using word = typename word_of<sizeof(T)>::type;

// The compiler's functions need the order as a literal. If the argument is a constant, one case remains.
#define FOLDWISE_ORDERED(order, operation)                                                                             \
    switch (order) {                                                                                                   \
    case std::memory_order_relaxed:                                                                                    \
        return operation(__NV_ATOMIC_RELAXED);                                                                         \
    case std::memory_order_consume:                                                                                    \
    case std::memory_order_acquire:                                                                                    \
        return operation(__NV_ATOMIC_ACQUIRE);                                                                         \
    case std::memory_order_release:                                                                                    \
        return operation(__NV_ATOMIC_RELEASE);                                                                         \
    case std::memory_order_acq_rel:                                                                                    \
        return operation(__NV_ATOMIC_ACQ_REL);                                                                         \
    default:                                                                                                           \
        return operation(__NV_ATOMIC_SEQ_CST);                                                                         \
    }

template <class W> __device__ inline W load(W* at, std::memory_order order) {
#define FOLDWISE_LOAD(order) __nv_atomic_load_n(at, order, __NV_THREAD_SCOPE_DEVICE)
    switch (order) {
    case std::memory_order_relaxed:
        return FOLDWISE_LOAD(__NV_ATOMIC_RELAXED);
    case std::memory_order_consume:
    case std::memory_order_acquire:
        return FOLDWISE_LOAD(__NV_ATOMIC_ACQUIRE);
    default:
        return FOLDWISE_LOAD(__NV_ATOMIC_SEQ_CST);
    }
#undef FOLDWISE_LOAD
}

template <class W> __device__ inline void store(W* at, W value, std::memory_order order) {
#define FOLDWISE_STORE(order) __nv_atomic_store_n(at, value, order, __NV_THREAD_SCOPE_DEVICE)
    switch (order) {
    case std::memory_order_relaxed:
        return FOLDWISE_STORE(__NV_ATOMIC_RELAXED);
    case std::memory_order_release:
        return FOLDWISE_STORE(__NV_ATOMIC_RELEASE);
    default:
        return FOLDWISE_STORE(__NV_ATOMIC_SEQ_CST);
    }
#undef FOLDWISE_STORE
}

template <class W> __device__ inline W exchange(W* at, W value, std::memory_order order) {
#define FOLDWISE_EXCHANGE(order) __nv_atomic_exchange_n(at, value, order, __NV_THREAD_SCOPE_DEVICE)
    FOLDWISE_ORDERED(order, FOLDWISE_EXCHANGE)
#undef FOLDWISE_EXCHANGE
}

/// Compares and exchanges. The order of a failure, which must not be stronger, is that of a load in the order of
/// success.
template <class W>
__device__ inline bool compare_exchange(W* at, W& expected, W desired, bool weak, std::memory_order order) {
#define FOLDWISE_COMPARE(order, failure)                                                                               \
    return __nv_atomic_compare_exchange_n(at, &expected, desired, weak, order, failure, __NV_THREAD_SCOPE_DEVICE)
    switch (order) {
    case std::memory_order_relaxed:
        FOLDWISE_COMPARE(__NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    case std::memory_order_consume:
    case std::memory_order_acquire:
        FOLDWISE_COMPARE(__NV_ATOMIC_ACQUIRE, __NV_ATOMIC_ACQUIRE);
    case std::memory_order_release:
        FOLDWISE_COMPARE(__NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED);
    case std::memory_order_acq_rel:
        FOLDWISE_COMPARE(__NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE);
    default:
        FOLDWISE_COMPARE(__NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST);
    }
#undef FOLDWISE_COMPARE
}

// CUDA's older functions, which are relaxed, know which memory a place is in: they become a single instruction, which
// returns nothing if nobody uses the result. The newer ones also have code for places in shared memory.
#define FOLDWISE_FETCH(name, relaxed)                                                                                  \
    template <class W> __device__ inline W name(W* at, W value, std::memory_order order) {                             \
        if (order == std::memory_order_relaxed) return relaxed(at, value);                                             \
        FOLDWISE_ORDERED(order, FOLDWISE_OPERATION)                                                                    \
    }
#define FOLDWISE_OPERATION(order) __nv_atomic_fetch_add(at, value, order, __NV_THREAD_SCOPE_DEVICE)
FOLDWISE_FETCH(fetch_add, ::atomicAdd)
#undef FOLDWISE_OPERATION
#define FOLDWISE_OPERATION(order) __nv_atomic_fetch_and(at, value, order, __NV_THREAD_SCOPE_DEVICE)
FOLDWISE_FETCH(fetch_and, ::atomicAnd)
#undef FOLDWISE_OPERATION
#define FOLDWISE_OPERATION(order) __nv_atomic_fetch_or(at, value, order, __NV_THREAD_SCOPE_DEVICE)
FOLDWISE_FETCH(fetch_or, ::atomicOr)
#undef FOLDWISE_OPERATION
#define FOLDWISE_OPERATION(order) __nv_atomic_fetch_xor(at, value, order, __NV_THREAD_SCOPE_DEVICE)
FOLDWISE_FETCH(fetch_xor, ::atomicXor)
#undef FOLDWISE_OPERATION
#undef FOLDWISE_FETCH
#undef FOLDWISE_ORDERED

template <class T> struct difference { using type = T; };
template <class T> struct difference<T*> { using type = std::ptrdiff_t; };

}  // namespace foldwise::device_code::atomics

namespace std {

template <class T> struct atomic_ref {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "CUDA has atomic operations for 4 and 8 bytes");
    static_assert(is_trivially_copyable_v<T>);

    using value_type = T;
    using difference_type = typename foldwise::device_code::atomics::difference<T>::type;
    static constexpr size_t required_alignment = sizeof(T);
    static constexpr bool is_always_lock_free = true;

    __device__ explicit atomic_ref(T& object) : object_(&object) {}
    atomic_ref(const atomic_ref&) = default;
    atomic_ref& operator=(const atomic_ref&) = delete;

    __device__ bool is_lock_free() const { return true; }

    __device__ void store(T value, memory_order order = memory_order_seq_cst) const {
        if (is_own())
            *object_ = value;
        else
            foldwise::device_code::atomics::store(place(), bits(value), order);
    }
    __device__ T load(memory_order order = memory_order_seq_cst) const {
        return is_own() ? *object_ : value(foldwise::device_code::atomics::load(place(), order));
    }
    __device__ T exchange(T desired, memory_order order = memory_order_seq_cst) const {
        if (is_own()) return replaced(desired);
        return value(foldwise::device_code::atomics::exchange(place(), bits(desired), order));
    }
    __device__ bool compare_exchange_weak(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
        return compare_exchange(expected, desired, true, order);
    }
    __device__ bool compare_exchange_strong(T& expected, T desired, memory_order order = memory_order_seq_cst) const {
        return compare_exchange(expected, desired, false, order);
    }
    __device__ bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure) const {
        return compare_exchange(expected, desired, true, stronger(success, failure));
    }
    __device__ bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure) const {
        return compare_exchange(expected, desired, false, stronger(success, failure));
    }

    __device__ T fetch_add(difference_type change, memory_order order = memory_order_seq_cst) const {
        if (is_own()) return replaced(sum(*object_, change));
        if constexpr (is_floating_point_v<T>)
            return foldwise::device_code::atomics::fetch_add(object_, change, order);
        else if constexpr (is_pointer_v<T>)
            return added(change * static_cast<ptrdiff_t>(sizeof(*T{})), order);
        else
            return added(change, order);
    }
    __device__ T fetch_sub(difference_type change, memory_order order = memory_order_seq_cst) const {
        if constexpr (is_unsigned_v<T>)
            return fetch_add(static_cast<T>(T{0} - change), order);
        else
            return fetch_add(negative(change), order);
    }
    __device__ T fetch_and(T mask, memory_order order = memory_order_seq_cst) const {
        if (is_own()) return replaced(*object_ & mask);
        return value(foldwise::device_code::atomics::fetch_and(place(), bits(mask), order));
    }
    __device__ T fetch_or(T mask, memory_order order = memory_order_seq_cst) const {
        if (is_own()) return replaced(*object_ | mask);
        return value(foldwise::device_code::atomics::fetch_or(place(), bits(mask), order));
    }
    __device__ T fetch_xor(T mask, memory_order order = memory_order_seq_cst) const {
        if (is_own()) return replaced(*object_ ^ mask);
        return value(foldwise::device_code::atomics::fetch_xor(place(), bits(mask), order));
    }

    __device__ T operator=(T desired) const {
        store(desired);
        return desired;
    }
    __device__ operator T() const { return load(); }
    __device__ T operator++(int) const { return fetch_add(1); }
    __device__ T operator--(int) const { return fetch_sub(1); }
    __device__ T operator++() const { return sum(fetch_add(1), 1); }
    __device__ T operator--() const { return sum(fetch_sub(1), negative(1)); }
    __device__ T operator+=(difference_type change) const { return sum(fetch_add(change), change); }
    __device__ T operator-=(difference_type change) const { return sum(fetch_sub(change), negative(change)); }
    __device__ T operator&=(T mask) const { return fetch_and(mask) & mask; }
    __device__ T operator|=(T mask) const { return fetch_or(mask) | mask; }
    __device__ T operator^=(T mask) const { return fetch_xor(mask) ^ mask; }

  private:
    using word = foldwise::device_code::atomics::word<T>;

    __device__ static word bits(T value) { return __builtin_bit_cast(word, value); }
    __device__ static T value(word bits) { return __builtin_bit_cast(T, bits); }
    __device__ word* place() const { return reinterpret_cast<word*>(object_); }

    __device__ bool is_own() const { return __isLocal(object_); }
    __device__ T replaced(T desired) const {
        const T old = *object_;
        *object_ = desired;
        return old;
    }

    template <class Change> __device__ T added(Change change, memory_order order) const {
        return value(foldwise::device_code::atomics::fetch_add(place(), static_cast<word>(change), order));
    }
    /// Adds; integers wrap around, as the standard specifies for atomic ones.
    __device__ static T sum(T value, difference_type change) {
        if constexpr (is_integral_v<T>)
            return foldwise::detail::wrapping_sum<T>(value, change);
        else
            return value + change;
    }
    __device__ static difference_type negative(difference_type change) {
        if constexpr (is_integral_v<difference_type>) {
            using bits = make_unsigned_t<difference_type>;  // the lowest number has no negative counterpart
            return static_cast<difference_type>(bits{0} - static_cast<bits>(change));
        } else {
            return -change;
        }
    }
    __device__ bool compare_exchange(T& expected, T desired, bool weak, memory_order order) const {
        word found = bits(expected);
        if (is_own()) {
            const bool is_equal = bits(*object_) == found;
            (is_equal ? *object_ : expected) = is_equal ? desired : *object_;
            return is_equal;
        }
        const bool exchanged =
            foldwise::device_code::atomics::compare_exchange(place(), found, bits(desired), weak, order);
        if (!exchanged) expected = value(found);
        return exchanged;
    }
    /// Returns one order that is at least as strong as both.
    __device__ static memory_order stronger(memory_order success, memory_order failure) {
        if (failure == memory_order_seq_cst) return failure;
        if (failure == memory_order_relaxed || success == memory_order_seq_cst) return success;
        return success == memory_order_release || success == memory_order_acq_rel ? memory_order_acq_rel
                                                                                  : memory_order_acquire;
    }

    T* object_;
};

}  // namespace std

#endif
