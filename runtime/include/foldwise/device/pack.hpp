// foldwise/device/pack.hpp: neighbouring elements that are loaded and stored together.
#pragma once

#include <foldwise/detail/vector_access.hpp>
#include <foldwise/device/platform.hpp>

#include <cstdint>
#include <cstring>

// The type of packed elements does not say how they are aligned; that load() and store() are only called where they are
// is the callers' business. Host compilers see them too, in the simulator.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::access_bytes;
using detail::runs_per_thread;

/// The alignment of N elements that are accessed together; of over-aligned elements, their own.
template <class T, int N> constexpr int alignment_of_pack() {
    const int access = access_bytes(N * static_cast<int>(sizeof(T))), own = static_cast<int>(alignof(T));
    return access > own ? access : own;
}

/// Zeroes, in the simulator, a member that its constructor leaves without a value: host compilers warn where such bytes
/// are copied. On a GPU it does nothing.
template <class T> __host__ __device__ inline void settle_bytes([[maybe_unused]] T& value) {
#ifdef FOLDWISE_SIMULATOR
    memset(static_cast<void*>(&value), 0, sizeof value);
#endif
}

/// N elements in registers, at first without values. It is copied from and to memory whole, and as a union: of the ways
/// to write it, the only one that makes nvcc access 16 bytes at a time for every type, structs with padding among them.
template <class T, int N> struct [[gnu::may_alias]] alignas(alignment_of_pack<T, N>()) pack {
    union {
        T elements[N];
    };

    __device__ pack() { settle_bytes(elements); }
    __device__ const T& operator[](int k) const { return elements[k]; }
    __device__ T& operator[](int k) { return elements[k]; }
};

/// N elements from an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline pack<T, N> load(const T* from) {
    return *reinterpret_cast<const pack<T, N>*>(from);
}

/// N elements to an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline void store(T* to, const pack<T, N>& stored) {
    *reinterpret_cast<pack<T, N>*>(to) = stored;
}

/// N elements that come from one of several places. Where branches meet, nvcc would keep each element of a pack that
/// has one byte or two in a register of its own; these are words of 4 bytes then.
template <class T, int N, bool IsNarrow = (sizeof(T) <= 2 && N * sizeof(T) % 4 == 0)>
struct [[gnu::may_alias]] assembly {
    static constexpr bool is_narrow = false;

    pack<T, N> elements;

    __device__ const T& operator[](int k) const { return elements[k]; }

    /// Sets the k-th element, or all of its k-th part; in ascending order.
    __device__ void set(int k, const T& element) { elements[k] = element; }
    template <int M> __device__ void set(int k, const assembly<T, M>& part) {
        for (int i = 0; i < M; ++i) elements[k * M + i] = part[i];
    }
};

template <class T, int N> struct [[gnu::may_alias]] alignas(alignment_of_pack<T, N>()) assembly<T, N, true> {
    static constexpr bool is_narrow = true;
    static constexpr int bits = 8 * static_cast<int>(sizeof(T)), size = N * bits / 32;

    std::uint32_t words[size];

    __device__ T operator[](int k) const {
        const std::uint32_t word = words[k * bits / 32] >> k * bits % 32;
        pack<T, 1> element;
        memcpy(static_cast<void*>(&element), &word, sizeof(T));
        return element[0];
    }

    __device__ void set(int k, T element) { set_bits<1>(k, &element); }
    template <int M> __device__ void set(int k, const assembly<T, M>& part) {
        if constexpr (assembly<T, M>::is_narrow) {
            for (int i = 0; i < part.size; ++i) words[k * part.size + i] = part.words[i];
        } else {
            set_bits<M>(k, &part.elements);
        }
    }

    /// Takes the first element off; the others move up.
    __device__ T pop() {
        const T first = (*this)[0];
        for (int i = 0; i + 1 < size; ++i) words[i] = words[i] >> bits | words[i + 1] << (32 - bits);
        words[size - 1] >>= bits;
        return first;
    }

  private:
    template <int M> __device__ void set_bits(int k, const void* some) {
        std::uint32_t word = 0;
        memcpy(&word, some, M * sizeof(T));
        const int first = k * M * bits;
        words[first / 32] = first % 32 == 0 ? word : words[first / 32] | word << first % 32;
    }
};

template <int N, class T> __device__ assembly<T, N> filled(const T& element) {
    assembly<T, N> result;
    for (int k = 0; k < N; ++k) result.set(k, element);
    return result;
}

/// As load() and store().
template <int N, class T> __device__ inline assembly<T, N> assemble(const T* from) {
    return *reinterpret_cast<const assembly<T, N>*>(from);
}
template <int N, class T> __device__ inline void store(T* to, const assembly<T, N>& stored) {
    *reinterpret_cast<assembly<T, N>*>(to) = stored;
}

/// A thread's elements of an operand, where it has several runs of neighbours.
template <class T, int Width, int Runs> struct thread_runs {
    assembly<T, Width> runs[Runs];

    __device__ decltype(auto) operator[](int k) const { return runs[k / Width][k % Width]; }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code

#pragma GCC diagnostic pop
