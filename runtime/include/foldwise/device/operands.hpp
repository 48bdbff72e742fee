// foldwise/device/operands.hpp: how kernels load and store their operands.
#pragma once

#include <foldwise/device/flat.hpp>
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
    flat,        ///< All outputs are contiguous, some inputs are not.
    tiled,       ///< Along its innermost axis the first output has no gaps.
    transposed,  ///< The same, and some input has its unit stride along another axis.
    strided,     ///< Some are not contiguous.
    rows,        ///< Of a fold: some lanes for each result, of a wide access each.
    row,         ///< The same, of an element each.
    columns,     ///< Of a fold: each thread has neighbouring results, by wide accesses across them.
    column,      ///< The same with one result.
    runs,        ///< Of a fold: strided, but contiguous along the innermost folded axis, and every access a wide one.
    staggered,   ///< Of a fold: wide, of rows that are aligned in different ways, but in all arrays in the same one.
};

constexpr bool is_tiled(access one) { return one == access::tiled || one == access::transposed; }

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

template <class T> struct input<T, access::flat> {
    input() : data(nullptr), steps{}, reading(flat_reading::value) {}

    const T* data;
    union {
        T value;
    };
    flat_steps steps;
    flat_reading reading;

    /// Of a repeated element the first; complete() makes the others of it, when all inputs' accesses are under way.
    template <int N, int Width, int Runs> __device__ auto load(const flat_vectors<Width, Runs>& at) const {
        thread_runs<T, Width, Runs> loaded;
        if (reading == flat_reading::elements) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i) loaded.runs[i] = steps.walk<Width>(data, at.own[i]);
        } else if (reading == flat_reading::vectors) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i) loaded.runs[i] = assemble<Width>(data + steps.offset(at.own[i]));
        } else if (reading == flat_reading::repeated) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i) loaded.runs[i].set(0, data[steps.offset(at.own[i])]);
        } else {
            for (int i = 0; i < Runs; ++i) loaded.runs[i] = filled<Width>(value);
        }
        return loaded;
    }
    template <int Width, int Runs> __device__ void complete(thread_runs<T, Width, Runs>& loaded) const {
        if (reading != flat_reading::repeated) return;
        FOLDWISE_UNROLLED
        for (int i = 0; i < Runs; ++i) loaded.runs[i] = filled<Width>(loaded.runs[i][0]);
    }
    __device__ T operator[](const flat_position& at) const {
        return reading == flat_reading::value ? value : data[steps.offset(at)];
    }
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

template <class T> struct input<T, access::runs> {
    const T* data;
    strides steps;  ///< The innermost one is 1.

    template <int N, class Position> __device__ pack<T, N> load(const Position& at) const {
        return device_code::load<N>(data + offset(at));
    }
    template <class Position> __device__ T operator[](const Position& at) const { return data[offset(at)]; }

  private:
    __device__ std::int64_t offset(pair_position at) const { return at.inner + at.outer * steps.steps[1]; }
    __device__ std::int64_t offset(const strided_position& at) const { return steps.offset(at); }
};

template <class T> struct input<T, access::tiled> {
    input() : data(nullptr), steps{} {}

    const T* data;  ///< Null for a value.
    union {
        T value;
    };
    tile_steps steps;

    template <int N, int Width> __device__ auto load(const tiled_position<Width>& at) const {
        thread_runs<T, Width, N / Width> loaded;
        if (data) {
            const T* const first = tile_address(data, steps, at);
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] =
                    load_run<Width>(first + steps.to(at.own[i].column, at.own[i].row), steps.steps[0], at.own[i]);
        } else {
            for (int i = 0; i < at.runs; ++i) loaded.runs[i] = filled<Width>(value);
        }
        return loaded;
    }
};

template <class T> struct input<T, access::transposed> : input<T, access::tiled> {
    tile_reading reading = tile_reading::direct;
    int tile = 0;  ///< Unless it is read directly, where in shared memory its tile begins.

    /// What the thread reads for itself, or for others: then exchange() brings its own.
    template <int N, int Threads, int Width> __device__ auto load(const transposed_position<Threads, Width>& at) const {
        using exchange = tile_exchange<Threads, Width>;
        thread_runs<T, Width, N / Width> loaded;
        const auto& steps = this->steps;
        const T* const first = tile_address(this->data, steps, at);
        if (!this->data) {
            for (int i = 0; i < at.runs; ++i) loaded.runs[i] = filled<Width>(this->value);
        } else if (reading == tile_reading::by_pieces) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i) loaded.runs[i] = exchange::read(first, steps, at, i);
        } else if (reading != tile_reading::direct) {
            exchange::copy(dynamic_shared<unsigned char>() + tile, first, steps, at, reading == tile_reading::by_rows);
        } else if (steps.steps[0] == 1) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] = assemble<Width>(first + steps.to(at.own[i].column, at.own[i].row));
        } else {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] = filled<Width>(first[steps.to(at.own[i].column, at.own[i].row)]);
        }
        return loaded;
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

template <class T> struct output<T, access::flat> : output<T, access::any> {
    template <int Width, int Runs, int N>
    __device__ void store(const flat_vectors<Width, Runs>& at, const pack<T, N>& stored) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < Runs; ++i) {
            pack<T, Width> run;
            for (int k = 0; k < Width; ++k) run[k] = stored[i * Width + k];
            output<T, access::any>::store(at.own[i], run);
        }
    }
};

template <class T> struct output<T, access::tiled> {
    T* data;
    tile_steps steps;

    template <int Width, int Runs, int N>
    __device__ void store(const tiled_position<Width, Runs>& at, const pack<T, N>& stored) const {
        T* const first = tile_address(data, steps, at);
        FOLDWISE_UNROLLED
        for (int i = 0; i < at.runs; ++i) {
            if (i >= at.count) break;
            const tile_run& run = at.own[i];
            assembly<T, Width> elements;
            for (int k = 0; k < Width; ++k) elements.set(k, stored[i * Width + k]);
            store_run(first + steps.to(run.column, run.row), steps.steps[0], run, elements);
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
