// foldwise/device/vectorize/operands.hpp: how vectorize kernels load and store their operands.
//
// An operand is a kernel's parameter. It describes where the elements are, as the runtime writes it
// (detail/vectorize_code.hpp). For an input, this is followed by an element, which is used if the input is a single
// value.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/strided.hpp>
#include <foldwise/device/vectorize/flat.hpp>
#include <foldwise/device/vectorize/tiled.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::vectorize_instance;

constexpr bool is_tiled(vectorize_instance one) {
    return one == vectorize_instance::tiled || one == vectorize_instance::transposed;
}

/// Where an input's elements are, and the value that replaces them if the input is a scalar.
template <class T, class Place> struct input_parameter {
    Place place;
    union {
        T value;
    };

    __device__ const T* data() const { return static_cast<const T*>(place.data); }
};

/// An operand that a kernel reads.
template <class T, vectorize_instance> struct input;

template <class T> struct input<T, vectorize_instance::vectors> : input_parameter<T, detail::contiguous_operand> {
    template <int N> __device__ pack<T, N> load(position at) const {
        return device_code::load<N>(this->data() + at.block + at.offset);
    }
    __device__ T operator[](position at) const { return (this->data() + at.block)[at.offset]; }
};

template <class T> struct input<T, vectorize_instance::mixed> : input_parameter<T, detail::contiguous_operand> {
    template <int N> __device__ arrival<T, N> load(position at) const {
        arrival<T, N> loaded;
        if (this->data() && this->place.is_wide) {
            loaded.load(this->data() + at.block + at.offset);
        } else {
            for (int k = 0; k < N; ++k) loaded.set(k, (*this)[{at.block, at.offset + k}]);
        }
        return loaded;
    }
    __device__ T operator[](position at) const {
        return this->data() ? (this->data() + at.block)[at.offset] : this->value;
    }
};

/// A single value.
template <class T> struct input<T, vectorize_instance::numbered> : input_parameter<T, detail::contiguous_operand> {
    template <int N, class Place> __device__ pack<T, N> load(const Place&) const {
        pack<T, N> loaded;
        for (int k = 0; k < N; ++k) loaded[k] = this->value;
        return loaded;
    }
    __device__ T operator[](position) const { return this->value; }
};

template <class T> struct input<T, vectorize_instance::flat> : input_parameter<T, detail::flat_input> {
    template <int N, int Width, int Runs> __device__ auto load(const flat_vectors<Width, Runs>& at) const {
        const flat_reading reading = this->place.reading;
        const detail::flat_steps& steps = this->place.steps;
        arriving_runs<T, Width, Runs> loaded;
        if (reading == flat_reading::elements) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i) walk(this->data(), at.own[i], steps, loaded.runs[i]);
        } else if (reading == flat_reading::vectors) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i) loaded.runs[i].load(this->data() + offset_of(at.own[i], steps));
        } else {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Runs; ++i)
                loaded.runs[i].repeat(reading == flat_reading::value ? this->value
                                                                     : this->data()[offset_of(at.own[i], steps)]);
        }
        return loaded;
    }
    __device__ T operator[](const flat_position& at) const {
        return this->place.reading == flat_reading::value ? this->value
                                                          : this->data()[offset_of(at, this->place.steps)];
    }
};

template <class T> struct input<T, vectorize_instance::strided> : input_parameter<T, detail::strided_operand> {
    template <int N> __device__ pack<T, N> load(const strided_position& at) const {
        static_assert(N == 1);
        pack<T, N> loaded;
        loaded[0] = this->data() ? this->data()[at.offset(this->place.steps)] : this->value;
        return loaded;
    }
};

template <class T> struct input<T, vectorize_instance::tiled> : input_parameter<T, detail::tiled_operand> {
    template <int N, int Width> __device__ auto load(const tiled_position<Width>& at) const {
        const detail::tile_steps& steps = this->place.steps;
        arriving_runs<T, Width, N / Width> loaded;
        if (this->data()) {
            const T* const first = tile_address(this->data(), steps, at);
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                load_run(first + offset_in_plane(steps, at.own[i].column, at.own[i].row), steps.steps[0], at.own[i],
                         loaded.runs[i]);
        } else {
            for (int i = 0; i < at.runs; ++i) loaded.runs[i].repeat(this->value);
        }
        return loaded;
    }
};

template <class T> struct input<T, vectorize_instance::transposed> {
    detail::transposed_input place;
    union {
        T value;
    };

    /// Loads what the thread reads for itself or for others; in the latter case, exchange() then gets its own elements.
    template <int N, int Threads, int Width> __device__ auto load(const transposed_position<Threads, Width>& at) const {
        using exchange = tile_exchange<Threads, Width>;
        thread_runs<T, Width, N / Width> loaded;
        const detail::tile_steps& steps = place.operand.steps;
        const auto* const data = static_cast<const T*>(place.operand.data);
        const T* const first = tile_address(data, steps, at);
        if (!data) {
            for (int i = 0; i < at.runs; ++i) loaded.runs[i] = filled<Width>(value);
        } else if (place.reading == tile_reading::by_pieces) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i) loaded.runs[i] = exchange::read(first, steps, at, i);
        } else if (place.reading == tile_reading::by_rows) {
            exchange::copy(dynamic_shared<unsigned char>() + place.tile, first, steps, at);
        } else if (place.reading == tile_reading::singly) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] = load_singly<Width>(first + offset_in_plane(steps, at.own[i].column, at.own[i].row),
                                                    at.step(steps), at.own[i]);
        } else if (steps.steps[0] == 1) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] = assemble<Width>(first + offset_in_plane(steps, at.own[i].column, at.own[i].row));
        } else {
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i)
                loaded.runs[i] = filled<Width>(first[offset_in_plane(steps, at.own[i].column, at.own[i].row)]);
        }
        return loaded;
    }
};

/// Where an output's elements are.
template <class T, class Place> struct output_parameter {
    using element = T;
    Place place;

    __device__ T* data() const { return static_cast<T*>(place.data); }
};

/// An operand that a kernel writes.
template <class T, vectorize_instance> struct output;

template <class T> struct output<T, vectorize_instance::vectors> : output_parameter<T, detail::contiguous_operand> {
    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        device_code::store(this->data() + at.block + at.offset, stored);
    }
    __device__ T& operator[](position at) const { return (this->data() + at.block)[at.offset]; }
};

template <class T> struct output<T, vectorize_instance::mixed> : output_parameter<T, detail::contiguous_operand> {
    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        if (this->place.is_wide) return device_code::store(this->data() + at.block + at.offset, stored);
        for (int k = 0; k < N; ++k) (*this)[{at.block, at.offset + k}] = stored[k];
    }
    __device__ T& operator[](position at) const { return (this->data() + at.block)[at.offset]; }
};

template <class T> struct output<T, vectorize_instance::flat> : output<T, vectorize_instance::mixed> {
    template <int Width, int Runs, int N>
    __device__ void store(const flat_vectors<Width, Runs>& at, const pack<T, N>& stored) const {
        store_runs<Width>(at.own, Runs, stored);
    }

  protected:
    /// Stores the first `count` vectors.
    template <int Width, class Position, int Runs, int N>
    __device__ void store_runs(const Position (&own)[Runs], int count, const pack<T, N>& stored) const {
        FOLDWISE_UNROLLED
        for (int i = 0; i < Runs; ++i) {
            if (i >= count) break;
            pack<T, Width> run;
            for (int k = 0; k < Width; ++k) run[k] = stored[i * Width + k];
            output<T, vectorize_instance::mixed>::store(own[i], run);
        }
    }
};

template <class T> struct output<T, vectorize_instance::numbered> : output<T, vectorize_instance::flat> {
    template <class Vectors, int N> __device__ void store(const Vectors& at, const pack<T, N>& stored) const {
        this->template store_runs<N / static_cast<int>(sizeof at.own / sizeof at.own[0])>(at.own, at.count, stored);
    }
};

template <class T> struct output<T, vectorize_instance::tiled> : output_parameter<T, detail::tiled_operand> {
    template <int Width, int Runs, int N>
    __device__ void store(const tiled_position<Width, Runs>& at, const pack<T, N>& stored) const {
        store_runs(at, this->place.steps.steps[0], stored);
    }

  protected:
    /// Stores the thread's elements, which are `step` apart.
    template <int Width, int Runs, int N>
    __device__ void store_runs(const tiled_position<Width, Runs>& at, std::int32_t step,
                               const pack<T, N>& stored) const {
        const detail::tile_steps& steps = this->place.steps;
        T* const first = tile_address(this->data(), steps, at);
        FOLDWISE_UNROLLED
        for (int i = 0; i < at.runs; ++i) {
            if (i >= at.count) break;
            const tile_run& run = at.own[i];
            assembly<T, Width> elements;
            for (int k = 0; k < Width; ++k) elements.set(k, stored[i * Width + k]);
            store_run(first + offset_in_plane(steps, run.column, run.row), step, run, elements);
        }
    }
};

template <class T> struct output<T, vectorize_instance::transposed> : output<T, vectorize_instance::tiled> {
    template <int Threads, int Width, int N>
    __device__ void store(const transposed_position<Threads, Width>& at, const pack<T, N>& stored) const {
        if constexpr (!detail::are_stores_arranged(Width)) {
            this->store_runs(at, at.step(this->place.steps), stored);
        } else {
            const detail::tile_steps& steps = this->place.steps;
            T* const first = tile_address(this->data(), steps, at);
            const auto whole = [&](int i) {
                assembly<T, Width> elements;
                for (int k = 0; k < Width; ++k) elements.set(k, stored[i * Width + k]);
                return elements;
            };
            const auto address = [&](int i) { return first + offset_in_plane(steps, at.own[i].column, at.own[i].row); };
            if (at.range->stage_bytes == 0) {
                FOLDWISE_UNROLLED
                for (int i = 0; i < at.runs; ++i) {
                    if (i >= at.count) break;
                    device_code::store(address(i), whole(i));
                }
                return;
            }
            FOLDWISE_UNROLLED
            for (int i = 0; i < at.runs; ++i) {
                T* const to = address(i);
                const bool is_vector = i < at.count && steps.steps[0] == 1 && at.own[i].template is_whole<Width>();
                if (__all_sync(0xffffffffu, is_vector && is_wide<Width>(to)))
                    device_code::store(to, whole(i));
                else
                    store_arranged(first, steps, at, i, whole(i));
            }
        }
    }
};

template <class T> struct output<T, vectorize_instance::strided> : output_parameter<T, detail::strided_operand> {
    template <int N> __device__ void store(const strided_position& at, const pack<T, N>& stored) const {
        static_assert(N == 1);
        this->data()[at.offset(this->place.steps)] = stored[0];
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
