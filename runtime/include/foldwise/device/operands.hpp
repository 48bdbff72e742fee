// foldwise/device/operands.hpp: how kernels load and store their operands.
#pragma once

#include <foldwise/device/pack.hpp>
#include <foldwise/device/strided.hpp>
#include <foldwise/device/tiled.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// How the operands of one launch lie in memory. Kernels are compiled once for each.
enum class access {
    wide,        ///< All are contiguous arrays, and aligned for wide loads at the same places.
    any,         ///< Some are single values, or contiguous arrays out of step with the others.
    strided,     ///< Some are not contiguous.
    tiled,       ///< The same, but along its innermost axis the first output is.
    transposed,  ///< The same, and some input has its unit stride along another axis.
    rows,        ///< Of a fold: some lanes for each result, of a wide access each.
    row,         ///< The same, of an element each.
    columns,     ///< Of a fold: each thread has neighbouring results, by wide accesses across them.
    column,      ///< The same with one result.
};

constexpr bool is_tiled(access one) { return one == access::tiled || one == access::transposed; }

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
        return device_code::load<N>(data + at.block + at.offset);
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
        if (data && is_wide) return device_code::load<N>(data + at.block + at.offset);
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

template <class T> struct input<T, access::tiled> {
    input() : data(nullptr), steps{} {}

    const T* data;  ///< Null for a value.
    union {
        T value;
    };
    tile_steps steps;

    template <int N, int Width> __device__ pack<T, N> load(const tiled_position<Width>& at) const {
        return load<N>(at, at.own, steps.steps[0]);
    }

  protected:
    /// The elements of a thread's runs, `step` apart in each.
    template <int N, int Width>
    __device__ pack<T, N> load(const tiled_position<Width>& at, const tile_run* runs, int step) const {
        pack<T, N> loaded;
        if (data) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i) {
                const pack<T, Width> run = load_run<Width>(tile_address(data, steps, at, runs[i]), step, runs[i]);
                for (int k = 0; k < Width; ++k) loaded[i * Width + k] = run[k];
            }
        } else {
            for (int k = 0; k < N; ++k) loaded[k] = value;
        }
        return loaded;
    }
};

template <class T> struct input<T, access::transposed> : input<T, access::tiled> {
    int tile = -1;  ///< Where in shared memory it begins; -1 unless this operand is transposed.

    __device__ bool is_transposed() const { return tile >= 0; }

    /// Of a transposed operand, what the thread reads for others: exchange() brings its own.
    template <int N, int Width> __device__ pack<T, N> load(const transposed_position<Width>& at) const {
        const auto& steps = this->steps.steps;
        tile_run runs[transposed_position<Width>::runs];
        FOLDWISE_UNROLLED
        for (int i = 0; i < at.runs; ++i) runs[i] = is_transposed() ? at.staged[i] : at.own[i];
        return input<T, access::tiled>::template load<N>(at, runs, is_transposed() ? steps[1] : steps[0]);
    }
};

/// An operand that a kernel writes.
template <class T, access> struct output {
    T* data;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        device_code::store(data + at.block + at.offset, stored);
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct output<T, access::any> {
    T* data;
    bool is_wide;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        if (is_wide) return device_code::store(data + at.block + at.offset, stored);
        for (int k = 0; k < N; ++k) (*this)[{at.block, at.offset + k}] = stored[k];
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct output<T, access::tiled> {
    T* data;
    tile_steps steps;

    template <int Width, int N> __device__ void store(const tiled_position<Width>& at, const pack<T, N>& stored) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < at.runs; ++i) {
            if (i >= at.count) break;
            const tile_run& run = at.own[i];
            store_run(tile_address(data, steps, at, run), steps.steps[0], run, run_of<Width>(stored, i));
        }
    }
};

template <class T> struct output<T, access::transposed> : output<T, access::tiled> {};

template <class T> struct output<T, access::strided> {
    T* data;
    strides steps;

    template <int N> __device__ void store(const strided_position& at, const pack<T, N>& stored) const {
        static_assert(N == 1);
        data[steps.offset(at)] = stored[0];
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
