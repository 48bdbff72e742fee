// foldwise/simulator/atomic.hpp: CUDA's atomic operations and fences.
//
// Operations are atomic among everything that runs on the host, including kernels that several host threads launch at
// once. In CUDA they order nothing else; a fence before them does. Here, where ThreadSanitizer checks the order, an
// operation therefore publishes its thread's writes only after a fence. It always acquires what it reads: in the usual
// handshake, where the last block reads what the others have written, only the writers have a fence.
#pragma once

#include <foldwise/simulator/accesses.hpp>
#include <foldwise/simulator/types.hpp>

#include <atomic>
#include <concepts>
#include <type_traits>

namespace foldwise::simulation {

inline void __threadfence() { has_fenced = true; }
inline void __threadfence_block() { has_fenced = true; }
inline void __threadfence_system() { has_fenced = true; }

// The types for which CUDA has each operation; std::uint64_t, which is unsigned long, is not among them there either.
template <class T, class... Types>
concept one_of = (std::same_as<T, Types> || ...);
template <class T>
concept word = one_of<T, int, unsigned int>;
template <class T>
concept bits = word<T> || std::same_as<T, unsigned long long>;

/// Replaces the value by next(value), and returns the old value.
template <class T, class Next> T replace(T* at, Next next) {
    std::atomic_ref<T> object(*at);
    T old = object.load(std::memory_order_relaxed);
    // ThreadSanitizer recognises an order only if it is a constant.
    if (has_fenced) {
        while (!object.compare_exchange_weak(old, next(old), std::memory_order_acq_rel, std::memory_order_relaxed)) {
        }
    } else {
        while (!object.compare_exchange_weak(old, next(old), std::memory_order_acquire, std::memory_order_relaxed)) {
        }
    }
    return old;
}

/// Replaces the value by next(value), and returns the old value, which must have been written before.
template <class T, class Next> T update(T* at, [[maybe_unused]] const place& where, Next next) {
#ifdef FOLDWISE_WATCHES_ACCESSES
    watch_read(at, sizeof(T), where);
#endif
    return replace(at, next);
}

// The type of the value follows that of the object, as with CUDA's overloads.
template <class T> using operand = std::type_identity_t<T>;

template <class T>
requires bits<T> || one_of<T, float, double> T atomicAdd(T* at, operand<T> value, place where = place::current()) {
    // Unsigned, because CUDA's sums wrap around.
    if constexpr (std::is_integral_v<T>) {
        using modular = std::make_unsigned_t<T>;
        return update(at, where, [value](T old) {
            return static_cast<T>(static_cast<modular>(old) + static_cast<modular>(value));
        });
    } else {
        return update(at, where, [value](T old) { return old + value; });
    }
}
template <word T> T atomicSub(T* at, operand<T> value, place where = place::current()) {
    using modular = std::make_unsigned_t<T>;
    return update(at, where,
                  [value](T old) { return static_cast<T>(static_cast<modular>(old) - static_cast<modular>(value)); });
}
template <class T>
requires bits<T> || std::same_as<T, float> T atomicExch(T* at, operand<T> value) {
#ifdef FOLDWISE_WATCHES_ACCESSES
    watch_write(at, sizeof(T));
#endif
    return replace(at, [value](T) { return value; });
}
template <class T>
requires bits<T> || std::same_as<T, long long> T atomicMin(T* at, operand<T> value, place where = place::current()) {
    return update(at, where, [value](T old) { return value < old ? value : old; });
}
template <class T>
requires bits<T> || std::same_as<T, long long> T atomicMax(T* at, operand<T> value, place where = place::current()) {
    return update(at, where, [value](T old) { return old < value ? value : old; });
}
template <bits T> T atomicAnd(T* at, operand<T> value, place where = place::current()) {
    return update(at, where, [value](T old) { return old & value; });
}
template <bits T> T atomicOr(T* at, operand<T> value, place where = place::current()) {
    return update(at, where, [value](T old) { return old | value; });
}
template <bits T> T atomicXor(T* at, operand<T> value, place where = place::current()) {
    return update(at, where, [value](T old) { return old ^ value; });
}
/// Counts up; at `last` or beyond it continues with 0.
inline unsigned int atomicInc(unsigned int* at, unsigned int last, place where = place::current()) {
    return update(at, where, [last](unsigned int old) { return old >= last ? 0 : old + 1; });
}
/// Counts down; at 0 or beyond `last` it continues with `last`.
inline unsigned int atomicDec(unsigned int* at, unsigned int last, place where = place::current()) {
    return update(at, where, [last](unsigned int old) { return old == 0 || old > last ? last : old - 1; });
}
template <class T>
requires bits<T> || std::same_as<T, unsigned short> T atomicCAS(T* at, operand<T> expected, operand<T> desired,
                                                                place where = place::current()) {
    return update(at, where, [=](T old) { return old == expected ? desired : old; });
}

}  // namespace foldwise::simulation
