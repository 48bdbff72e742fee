// foldwise/device/pack.hpp: packs of neighbouring elements that are loaded and stored together.
#pragma once

#include <foldwise/detail/vector_access.hpp>
#include <foldwise/device/platform.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// The type of packed elements does not tell their alignment; callers of load() and store() are responsible for it. Host
// compilers see these functions, too, in the simulator.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::access_bytes;
using detail::runs_per_thread;

/// Returns the alignment of N elements that are accessed together; for over-aligned types it is their own.
template <class T, int N> constexpr int alignment_of_pack() {
    const int access = access_bytes(N * static_cast<int>(sizeof(T))), own = static_cast<int>(alignof(T));
    return access > own ? access : own;
}

/// In the simulator, clears a member that its constructor leaves uninitialised, because host compilers warn if such
/// bytes are copied. On a GPU it does nothing.
template <class T> __host__ __device__ inline void settle_bytes([[maybe_unused]] T& value) {
#ifdef FOLDWISE_SIMULATOR
    memset(static_cast<void*>(&value), 0, sizeof value);
#endif
}

/// N elements in registers, initially without values. A pack is copied from and to memory as a whole. It is a union,
/// because this is the only form that makes nvcc access 16 bytes at a time for every type, including structs with
/// padding.
template <class T, int N> struct [[gnu::may_alias]] alignas(alignment_of_pack<T, N>()) pack {
    static constexpr int size = N;

    union {
        T elements[N];
    };

    __device__ pack() { settle_bytes(elements); }
    __device__ const T& operator[](int k) const { return elements[k]; }
    __device__ T& operator[](int k) { return elements[k]; }
};

/// In the simulator, stops the program unless a GPU would access `Bytes` at an address as it does those of a pack.
/// Hosts access them anywhere.
template <std::size_t Bytes> __host__ __device__ inline void expect_aligned([[maybe_unused]] const void* at) {
#ifdef FOLDWISE_SIMULATOR
    if (reinterpret_cast<std::uintptr_t>(at) % access_bytes(static_cast<int>(Bytes)) != 0) __builtin_trap();
#endif
}

/// Loads N elements from an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline pack<T, N> load(const T* from) {
    expect_aligned<N * sizeof(T)>(from);
    return *reinterpret_cast<const pack<T, N>*>(from);
}

/// Stores N elements to an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline void store(T* to, const pack<T, N>& stored) {
    expect_aligned<N * sizeof(T)>(to);
    *reinterpret_cast<pack<T, N>*>(to) = stored;
}

/// N elements that are loaded in one of several branches. Where branches join, nvcc would keep each element of one or
/// two bytes in a register of its own, so such elements are packed into words of 4 bytes here.
template <class T, int N, bool IsNarrow = (sizeof(T) <= 2 && N * sizeof(T) % 4 == 0)>
struct [[gnu::may_alias]] assembly {
    static constexpr bool is_narrow = false;

    pack<T, N> elements;

    __device__ const T& operator[](int k) const { return elements[k]; }

    /// Sets the k-th element or, with an assembly of M elements, the k-th group of M elements. Must be called in
    /// ascending order of k.
    __device__ void set(int k, const T& element) { elements[k] = element; }
    template <int M> __device__ void set(int k, const assembly<T, M>& part) {
        for (int i = 0; i < M; ++i) elements[k * M + i] = part[i];
    }
};

template <class T, int N> struct [[gnu::may_alias]] alignas(alignment_of_pack<T, N>()) assembly<T, N, true> {
    static constexpr bool is_narrow = true;
    static constexpr int bits = 8 * static_cast<int>(sizeof(T)), size = N * bits / 32;

    std::uint32_t words[size];

    __device__ assembly() { settle_bytes(words); }

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

    /// Removes and returns the first element; the others move up by one.
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

/// Returns N copies of an element.
template <int N, class T> __device__ assembly<T, N> filled(const T& element) {
    assembly<T, N> result;
    for (int k = 0; k < N; ++k) result.set(k, element);
    return result;
}

/// Loads N elements from an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline assembly<T, N> assemble(const T* from) {
    expect_aligned<N * sizeof(T)>(from);
    return *reinterpret_cast<const assembly<T, N>*>(from);
}
/// Stores N elements to an address that is aligned to access_bytes(N * sizeof(T)).
template <int N, class T> __device__ inline void store(T* to, const assembly<T, N>& stored) {
    expect_aligned<N * sizeof(T)>(to);
    *reinterpret_cast<assembly<T, N>*>(to) = stored;
}

/// N elements whose loads begin in one of several branches: together, one by one, or one element that stands for all.
/// No branch waits for what it loads: settle() has to be called once the loads of all operands have begun, and before
/// the elements are used.
template <class T, int N, bool IsNarrow = assembly<T, N>::is_narrow> class arrival {
  public:
    __device__ const T& operator[](int k) const { return elements_[k]; }

    /// Sets the k-th element.
    __device__ void set(int k, const T& element) { elements_[k] = element; }
    /// Sets all elements to one.
    __device__ void repeat(const T& element) {
        elements_[0] = element;
        is_repeated_ = true;
    }
    /// Loads all elements from an address that is aligned to access_bytes(N * sizeof(T)).
    __device__ void load(const T* from) { elements_ = device_code::load<N>(from); }

    __device__ void settle() {
        if (!is_repeated_) return;
        for (int k = 1; k < N; ++k) elements_[k] = elements_[0];
    }

  private:
    pack<T, N> elements_;
    bool is_repeated_ = false;
};

/// Each element of one or two bytes gets a register of its own.
template <class T, int N> class arrival<T, N, true> {
  public:
    __device__ arrival() { settle_bytes(words_); }
    __device__ T operator[](int k) const {
        pack<T, 1> element;
        memcpy(static_cast<void*>(&element), &words_[k], sizeof(T));
        return element[0];
    }

    __device__ void set(int k, T element) {
        std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t> bits;
        memcpy(&bits, &element, sizeof(T));
        words_[k] = bits;  // a load extends integers at no cost
    }
    __device__ void repeat(T element) {
        set(0, element);
        kind_ = kind::repeated;
    }
    __device__ void load(const T* from) {
        const assembly<T, N> all = assemble<N>(from);
        for (int i = 0; i < all.size; ++i) words_[i] = all.words[i];
        kind_ = kind::together;
    }

    __device__ void settle() {
        constexpr int bits = assembly<T, N>::bits;
        if (kind_ == kind::together) {
            for (int k = N - 1; k > 0; --k) words_[k] = words_[k * bits / 32] >> k * bits % 32;
        } else if (kind_ == kind::repeated) {
            for (int k = 1; k < N; ++k) words_[k] = words_[0];
        }
    }

  private:
    enum class kind : std::uint8_t { apart, together, repeated };

    std::uint32_t words_[N];
    kind kind_ = kind::apart;
};

/// A thread's elements of an operand: several runs of neighbours.
template <class T, int Width, int Runs> struct thread_runs {
    assembly<T, Width> runs[Runs];

    __device__ decltype(auto) operator[](int k) const { return runs[k / Width][k % Width]; }
};

/// A thread's elements of an operand while they are being loaded.
template <class T, int Width, int Runs> struct arriving_runs {
    arrival<T, Width> runs[Runs];

    __device__ decltype(auto) operator[](int k) const { return runs[k / Width][k % Width]; }

    __device__ void settle() {
        FOLDWISE_UNROLLED
        for (int i = 0; i < Runs; ++i) runs[i].settle();
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code

#pragma GCC diagnostic pop
