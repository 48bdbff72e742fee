// foldwise/device/elementwise.hpp: what emitted elementwise kernels are made of.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/strided.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace foldwise::device {
inline namespace FOLDWISE_BACKEND {

/// How the operands of one launch lie in memory. Kernels are compiled once for each.
enum class access {
    wide,     ///< All are contiguous arrays, and aligned for wide loads at the same places.
    any,      ///< Some are single values, or contiguous arrays out of step with the others.
    strided,  ///< Some are not contiguous.
};

/// Where an element is: in a block of elements, and how far into it. Kept apart because the first is the same for all
/// threads of a block, and the second fits 32 bits.
struct position {
    std::int64_t block;
    int offset;
};

/// An operand that a kernel reads.
template <class T, access> struct input {
    const T* data;

    template <int N> __device__ pack<T, N> load(position at) const {
        return device::load<N>(data + at.block + at.offset);
    }
    __device__ T operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct input<T, access::any> {
    input() : data(nullptr), is_wide(false) {}  // T may have no default constructor

    const T* data;  ///< Null for a value.
    union {
        T value;  ///< What stands for every element then.
    };
    bool is_wide;  ///< Whether wide loads are aligned wherever a thread begins.

    template <int N> __device__ pack<T, N> load(position at) const {
        if (data && is_wide) return device::load<N>(data + at.block + at.offset);
        pack<T, N> loaded;
        for (int k = 0; k < N; ++k) loaded[k] = (*this)[{at.block, at.offset + k}];
        return loaded;
    }
    __device__ T operator[](position at) const { return data ? (data + at.block)[at.offset] : value; }
};

template <class T> struct input<T, access::strided> {
    input() : data(nullptr), steps{} {}

    const T* data;  ///< Null for a value.
    union {
        T value;
    };
    strides steps;

    template <int N> __device__ pack<T, N> load(const strided_position& at) const {
        static_assert(N == 1);
        pack<T, N> loaded;
        loaded[0] = (*this)[at];
        return loaded;
    }
    __device__ T operator[](const strided_position& at) const { return data ? data[steps.offset(at)] : value; }
};

/// An operand that a kernel writes.
template <class T, access> struct output {
    T* data;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        device::store(data + at.block + at.offset, stored);
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct output<T, access::any> {
    T* data;
    bool is_wide;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        if (is_wide) return device::store(data + at.block + at.offset, stored);
        for (int k = 0; k < N; ++k) (*this)[{at.block, at.offset + k}] = stored[k];
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct output<T, access::strided> {
    T* data;
    strides steps;

    template <int N> __device__ void store(const strided_position& at, const pack<T, N>& stored) const {
        static_assert(N == 1);
        (*this)[at] = stored[0];
    }
    __device__ T& operator[](const strided_position& at) const { return data[steps.offset(at)]; }
};

/// The elements of a launch: [begin, end), counted from a place up to one load before the first element at which wide
/// loads are aligned.
template <access> struct range {
    std::int64_t begin;
    std::int64_t end;

    unsigned int blocks(int threads, int width) const {
        const int elements = threads * width;
        return static_cast<unsigned int>((end + elements - 1) / elements);
    }
};

template <> struct range<access::strided> {
    strided_range elements;

    unsigned int blocks(int threads, int) const {
        return (elements.count + static_cast<unsigned int>(threads) - 1) / static_cast<unsigned int>(threads);
    }
};

/// Whether an array is aligned for accesses of `Width` elements `before` elements ahead of its first one.
template <int Width, class T> bool is_aligned(const detail::elementwise_operand& operand, std::int64_t before) {
    constexpr auto bytes = static_cast<std::uintptr_t>(access_bytes(Width * static_cast<int>(sizeof(T))));
    const auto address = reinterpret_cast<std::uintptr_t>(operand.data);
    return !operand.is_scalar && (address - static_cast<std::uintptr_t>(before) * sizeof(T)) % bytes == 0;
}

/// What a kernel is given of an input of the call; `Width` as in lane.
template <int Width, class T, access Access>
input<T, Access> input_of(const detail::elementwise_call& call, int number, const range<Access>& elements) {
    const detail::elementwise_operand& operand = call.operands[number];
    input<T, Access> result{};
    if constexpr (Access != access::wide) {
        if (operand.is_scalar) memcpy(&result.value, operand.data, sizeof(T));
    }
    if constexpr (Access == access::strided) {
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data);
        result.steps = strides::of(*call.layout, number);
    } else {
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data) - elements.begin;
        if constexpr (Access == access::any) result.is_wide = is_aligned<Width, T>(operand, elements.begin);
    }
    return result;
}

/// The same of an output.
template <int Width, class T, access Access>
output<T, Access> output_of(const detail::elementwise_call& call, int number, const range<Access>& elements) {
    const detail::elementwise_operand& operand = call.operands[number];
    output<T, Access> result{};
    if constexpr (Access == access::strided) {
        result.data = static_cast<T*>(operand.data);
        result.steps = strides::of(*call.layout, number);
    } else {
        result.data = static_cast<T*>(operand.data) - elements.begin;
        if constexpr (Access == access::any) result.is_wide = is_aligned<Width, T>(operand, elements.begin);
    }
    return result;
}

/// Finds where the elements of a call begin and hands it to `launch`, as launch(range<Access>): so that as many bytes
/// per element as possible move by wide accesses. Arrays that are off by the same number of elements all do. `T...` are
/// the operands' types, inputs first.
template <int Width, class... T, class Launch>
int launch_elements(const detail::elementwise_call& call, Launch launch) {
    if (call.layout) return launch(range<access::strided>{strided_range::of(call)});
    std::size_t most = 0;
    std::int64_t before = 0;
    for (std::int64_t candidate = 0; candidate < Width; ++candidate) {
        const detail::elementwise_operand* operand = call.operands;
        std::size_t bytes = 0;
        ((bytes += is_aligned<Width, T>(*operand++, candidate) ? sizeof(T) : 0), ...);
        if (bytes > most) {
            most = bytes;
            before = candidate;
        }
    }
    if (most == (sizeof(T) + ...)) return launch(range<access::wide>{before, before + call.count});
    return launch(range<access::any>{before, before + call.count});
}

/// The elements of one thread: `Width` neighbours of its block's, or fewer at the ends of the range.
template <access, int Threads, int Width> struct lane {
    static constexpr int width = Width;
    static constexpr int block_size = Threads * Width;

    std::int64_t block;
    int begin;
    int end;

    template <access Access>
    __device__ explicit lane(const range<Access>& elements)
        : block(std::int64_t{blockIdx.x} * block_size), begin(static_cast<int>(threadIdx.x) * Width),
          end(begin + Width) {
        const std::int64_t ahead = elements.begin - block, left = elements.end - block;
        if (ahead > begin) begin = static_cast<int>(ahead);
        if (left < end) end = static_cast<int>(left);
    }

    __device__ bool is_whole() const { return end - begin == Width; }
    __device__ position first() const { return {block, begin}; }
    __device__ position element(int i) const { return {block, i}; }
};

/// One element for each thread: neighbouring threads have neighbouring ones.
template <int Threads, int Width> struct lane<access::strided, Threads, Width> {
    static constexpr int width = 1;
    static constexpr int begin = 0;  // it is whole, or there is none
    static constexpr int end = 0;

    strided_position at;
    bool is_there;

    __device__ explicit lane(const range<access::strided>& range)
        : at(range.elements.position(blockIdx.x * Threads + threadIdx.x)), is_there(at.number < range.elements.count) {}

    __device__ bool is_whole() const { return is_there; }
    __device__ const strided_position& first() const { return at; }
    __device__ const strided_position& element(int) const { return at; }
};

/// What turns an element's place into the index that a lambda takes: `N` axes, of which all but the outermost are
/// divided by.
template <int N> struct index_space {
    std::int64_t origin;                ///< Of the launch's numbering, in the call's row-major order.
    divider<std::uint64_t> extents[N];  ///< Outermost first; the first one is not used.

    template <access Access>
    static index_space of(const detail::elementwise_call& call, const range<Access>& elements) {
        index_space result{};
        result.origin = call.first;
        if constexpr (Access != access::strided) result.origin -= elements.begin;
        for (int axis = 1; axis < N; ++axis)
            result.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(call.shape[axis]));
        return result;
    }

    /// Of the k-th element from there on.
    __device__ index<N> at(position first, int k) const { return at_number(first.block + first.offset + k); }
    __device__ index<N> at(const strided_position& first, int) const { return at_number(first.number); }

  private:
    __device__ index<N> at_number(std::int64_t number) const {
        auto rest = static_cast<std::uint64_t>(origin + number);
        index<N> result;
        FOLDWISE_UNROLLED
        for (int axis = N - 1; axis > 0; --axis) result[axis] = static_cast<std::int64_t>(extents[axis].split(rest));
        result[0] = static_cast<std::int64_t>(rest);
        return result;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device
