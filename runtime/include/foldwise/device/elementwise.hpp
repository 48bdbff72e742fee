// foldwise/device/elementwise.hpp: what emitted elementwise kernels are made of.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/operands.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What a kernel was planned for: threads in a block, elements per thread, the operands' types, and how many axes the
/// index has that it takes, if any.
template <int Threads, int Width, class Inputs, class Outputs, int IndexRank = 0> struct signature;
template <class... T> struct inputs {};
template <class... T> struct outputs {};

/// The elements of a launch: [begin, end), counted from a place up to one load before the first element at which wide
/// loads are aligned.
template <access> struct range {
    std::int64_t begin;
    std::int64_t end;

    device_code::grid grid(unsigned int threads, int width) const {
        const std::int64_t elements = std::int64_t{threads} * width;
        return {static_cast<unsigned int>((end + elements - 1) / elements), threads, 0};
    }
};

template <> struct range<access::flat> : range<access::any> {
    flat_axes axes;

    device_code::grid grid(unsigned int, int width) const {
        return range<access::any>::grid(flat_threads, width * runs_per_thread(width));
    }

    __device__ flat_position at(const position& place) const {
        return {place, axes, static_cast<std::uint32_t>(place.block + place.offset - begin)};
    }
};

template <> struct range<access::tiled> {
    tiled_range elements;

    device_code::grid grid(unsigned int threads, int) const {
        return {elements.blocks, threads, static_cast<std::uint32_t>(elements.tiles) * elements.tile_bytes};
    }
};

template <> struct range<access::transposed> : range<access::tiled> {};

template <> struct range<access::strided> {
    strided_range elements;

    device_code::grid grid(unsigned int threads, int) const {
        return {(elements.count + threads - 1) / threads, threads, 0};
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
    if constexpr (Access != access::wide && Access != access::staggered) {
        if (operand.is_scalar) memcpy(&result.value, operand.data, sizeof(T));
    }
    if constexpr (Access == access::flat) {
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data);
        result.steps = flat_steps::of(*call.layout, number);
        result.reading = reading_of(call, number, sizeof(T), Width, elements.begin);
    } else if constexpr (Access == access::strided) {
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data);
        result.steps = strides::of(*call.layout, number);
    } else if constexpr (is_tiled(Access)) {
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data);
        result.steps = tile_steps::of(*call.layout, elements.elements.axes, number);
        if constexpr (Access == access::transposed) {
            result.reading = reading_of(call, elements.elements, number, sizeof(T), Width);
            if (result.reading != tile_reading::direct) result.tile = tile_of(elements.elements, number);
        }
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
    } else if constexpr (is_tiled(Access)) {
        result.data = static_cast<T*>(operand.data);
        result.steps = tile_steps::of(*call.layout, elements.elements.axes, number);
    } else {
        result.data = static_cast<T*>(operand.data) - elements.begin;
        if constexpr (Access == access::any || Access == access::flat)
            result.is_wide = is_aligned<Width, T>(operand, elements.begin);
    }
    return result;
}

/// The first of `Width` places ahead of the first element that has the most bytes per element in its favour.
template <int Width, class Bytes> std::int64_t best_begin(Bytes bytes) {
    std::int64_t before = 0;
    for (std::int64_t candidate = 1; candidate < Width; ++candidate) {
        if (bytes(candidate) > bytes(before)) before = candidate;
    }
    return before;
}

/// Hands launch() the range of contiguous elements. It begins where as many bytes per element as possible move by wide
/// accesses: arrays that are off by the same number of elements all do.
template <int Width, class... T, class Launch>
int launch_contiguous(const detail::elementwise_call& call, Launch launch) {
    const auto wide_bytes = [&](std::int64_t before) {
        const detail::elementwise_operand* operand = call.operands;
        std::size_t bytes = 0;
        ((bytes += is_aligned<Width, T>(*operand++, before) ? sizeof(T) : 0), ...);
        return bytes;
    };
    const std::int64_t before = best_begin<Width>(wide_bytes);
    if (wide_bytes(before) == (sizeof(T) + ...)) return launch(range<access::wide>{before, before + call.count});
    return launch(range<access::any>{before, before + call.count});
}

/// Finds how the elements of a call lie and hands it to launch(range<Access>).
template <class Signature> struct launcher;

template <int Threads, int Width, class... In, class FirstOut, class... Out, int IndexRank>
struct launcher<signature<Threads, Width, inputs<In...>, outputs<FirstOut, Out...>, IndexRank>> {
    template <class Launch> static int run(const detail::elementwise_call& call, Launch launch) {
        if (call.layout) return run_strided(call, launch);
        return launch_contiguous<Width, In..., FirstOut, Out...>(call, launch);
    }

  private:
    template <class Launch> static int run_strided(const detail::elementwise_call& call, Launch launch) {
        using exchange = tile_exchange<Threads, Width>;
        static constexpr std::uint32_t sizes[] = {sizeof(In)..., sizeof(FirstOut)};
        // The largest tile. Shared memory is aligned for 16 bytes: elements that need more have none that fits.
        std::uint32_t tile_bytes = 1;
        [[maybe_unused]] const auto grow = [&](std::uint32_t bytes) {
            tile_bytes = tile_bytes < bytes ? bytes : tile_bytes;
        };
        (grow(alignof(In) > 16 ? UINT32_MAX : exchange::template bytes<In>), ...);
        const tile_traits traits = {
            .threads = Threads,
            .width = Width,
            .operands = sizeof...(In) + 1 + sizeof...(Out),
            .inputs = sizeof...(In),
            .is_ordered = IndexRank > 0,
            .is_flat = is_flat(call, sizeof...(In), sizeof...(In) + 1 + sizeof...(Out), Width),
            .sizes = sizes,
            .alignment = access_bytes(Width * static_cast<int>(sizeof(FirstOut))),
            .tile_bytes = tile_bytes,
        };
        const tiled_range tiles = tile_planner(call, traits).plan();
        if constexpr (sizeof...(In) > 0 && IndexRank == 0) {
            if (tiles.tiles > 0) return launch(range<access::transposed>{{tiles}});
        }
        if (tiles.blocks > 0) return launch(range<access::tiled>{tiles});
        if constexpr (sizeof...(In) > 0) {
            if (traits.is_flat) return run_flat(call, launch);
        }
        return launch(range<access::strided>{strided_range::of(call)});
    }

    /// Begins where as many bytes per element as possible move by vectors.
    template <class Launch> static int run_flat(const detail::elementwise_call& call, Launch launch) {
        const std::int64_t before = best_begin<Width>([&](std::int64_t candidate) {
            int number = 0;
            std::size_t bytes = 0;
            for (std::size_t size : {sizeof(In)..., sizeof(FirstOut), sizeof(Out)...})
                bytes += reading_of(call, number++, size, Width, candidate) == flat_reading::vectors ? size : 0;
            return bytes;
        });
        return launch(range<access::flat>{{before, before + call.count}, flat_axes::of(*call.layout, Width, before)});
    }
};

template <class Signature, class Launch> int launch_elements(const detail::elementwise_call& call, Launch launch) {
    return launcher<Signature>::run(call, launch);
}

/// The elements of one thread: `Width` neighbours of its block's, or fewer at the ends of the range.
template <access, int Threads, int Width> struct lane {
    static constexpr int width = Width;
    static constexpr bool has_ends = true;  ///< Some threads have fewer elements, and take them one by one.
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

/// One or two vectors, a block's threads apart, and where they are along the axes. With one that is cut, or goes beyond
/// its plane, all are taken element by element; one of which nothing is there is the first again.
template <int Threads, int Width> struct lane<access::flat, Threads, Width> {
    static constexpr int runs = runs_per_thread(Width);
    static constexpr int width = runs * Width;
    static constexpr bool has_ends = true;
    static constexpr int next = flat_threads * Width;
    static constexpr int block_size = runs * next;

    const range<access::flat>* elements;
    flat_vectors<Width, runs> at;
    std::int64_t block;
    int begin = 0, end = 0;  ///< Of the thread's elements, counted from its first vector's first place.
    bool are_whole = true;

    __device__ explicit lane(const range<access::flat>& range)
        : elements(&range), block(std::int64_t{blockIdx.x} * block_size) {
        const int first = offset(0);
        const std::int64_t ahead = range.begin - block, left = range.end - block;
        if (ahead > first) begin = static_cast<int>(ahead) - first;
        FOLDWISE_UNROLLED
        for (int i = 0; i < runs; ++i) {
            const int own = first + i * next;
            at.own[i] = range.at({block, own});
            if (left >= own + Width) {
                end += Width;
                are_whole = are_whole && at.own[i].stays_in_plane(range.axes, Width);
            } else if (left > own) {
                end += static_cast<int>(left) - own;
                are_whole = false;
            } else if (i == 0) {
                are_whole = false;
            } else {
                at.own[i] = at.own[0];
            }
        }
        are_whole = are_whole && begin == 0;
    }

    __device__ bool is_whole() const { return are_whole; }
    __device__ const flat_vectors<Width, runs>& first() const { return at; }
    __device__ flat_position element(int i) const { return elements->at({block, offset(i)}); }

  private:
    __device__ static int offset(int i) { return static_cast<int>(threadIdx.x) * Width + i / Width * next + i % Width; }
};

/// One element for each thread: neighbouring threads have neighbouring ones.
template <int Threads, int Width> struct lane<access::strided, Threads, Width> {
    static constexpr int width = 1;
    static constexpr bool has_ends = false;

    strided_position at;
    bool is_there;

    __device__ explicit lane(const range<access::strided>& range)
        : at(range.elements.position(blockIdx.x * Threads + threadIdx.x)), is_there(at.number < range.elements.count) {}

    __device__ bool is_whole() const { return is_there; }
    __device__ const strided_position& first() const { return at; }
};

/// `Width` neighbours of a row, or a few times as many. Where some of them are not there, others are computed again in
/// their place and not stored.
template <int Threads, int Width> struct lane<access::tiled, Threads, Width> {
    static constexpr int width = runs_per_thread(Width) * Width;
    static constexpr bool has_ends = false;

    tiled_position<Width> at;

    __device__ explicit lane(const range<access::tiled>& range) { enter_tile<true>(range.elements, at); }

    __device__ bool is_whole() const { return at.has_elements(); }
    __device__ const tiled_position<Width>& first() const { return at; }
};

template <int Threads, int Width> struct lane<access::transposed, Threads, Width> {
    static constexpr int width = exchange_runs * Width;
    static constexpr bool has_ends = false;

    transposed_position<Threads, Width> at;

    __device__ explicit lane(const range<access::transposed>& range) { enter_transposed_tile(range.elements, at); }

    __device__ static constexpr bool is_whole() { return true; }
    __device__ const transposed_position<Threads, Width>& first() const { return at; }
};

/// An input and what was loaded of it.
template <class Input, class Elements> struct loaded {
    const Input& from;
    Elements& elements;
};
template <class Input, class Elements> loaded(const Input&, Elements&) -> loaded<Input, Elements>;

/// Puts down in shared memory what a thread has read of an operand for others.
template <class T, int Threads, int Width>
__device__ void put_down(const input<T, access::transposed>& from, const thread_runs<T, Width, exchange_runs>& elements,
                         unsigned char* memory, const transposed_position<Threads, Width>& at) {
    if (from.reading != tile_reading::by_pieces) return;
    FOLDWISE_UNROLLED
    for (int i = 0; i < exchange_runs; ++i)
        tile_exchange<Threads, Width>::put(memory + from.tile, at, i, elements.runs[i]);
}

/// Takes up what it computes with. Of a vector that is not there, the first again: as of operands without a tile.
template <class T, int Threads, int Width>
__device__ void take_up(const input<T, access::transposed>& from, thread_runs<T, Width, exchange_runs>& elements,
                        const unsigned char* memory, const transposed_position<Threads, Width>& at) {
    if (from.reading == tile_reading::direct) return;
    FOLDWISE_UNROLLED
    for (int i = 0; i < exchange_runs; ++i)
        elements.runs[i] = tile_exchange<Threads, Width>::template take<T>(memory + from.tile, i < at.count ? i : 0);
}

/// Gives each thread its own elements of what is not read as it is needed: of transposed operands, for which all
/// threads of a block take part, and of repeated ones. False for threads that have none.
template <access Access, int Threads, int Width, class... Loaded>
__device__ bool exchange(const lane<Access, Threads, Width>& lane, const Loaded&... all) {
    if constexpr (Access == access::transposed) {
        unsigned char* const memory = dynamic_shared<unsigned char>();
        (put_down(all.from, all.elements, memory, lane.at), ...);
        __syncthreads();
        if (!lane.at.has_elements()) return false;
        (take_up(all.from, all.elements, memory, lane.at), ...);
    } else if constexpr (Access == access::flat) {
        (all.from.complete(all.elements), ...);
    }
    return true;
}

/// The index at a position in row-major order. Extents stand outermost first; the first one is not used.
template <int N>
__device__ inline index<N> index_of(std::int64_t position, const divider<std::uint64_t> (&extents)[N]) {
    auto rest = static_cast<std::uint64_t>(position);
    index<N> result;
    FOLDWISE_UNROLLED
    for (int axis = N - 1; axis > 0; --axis) result[axis] = static_cast<std::int64_t>(extents[axis].split(rest));
    result[0] = static_cast<std::int64_t>(rest);
    return result;
}

/// What turns an element's place into the index that a lambda takes: `N` axes, of which all but the outermost are
/// divided by.
template <int N> struct index_space {
    std::int64_t origin;                ///< Of the launch's numbering, in the call's row-major order.
    divider<std::uint64_t> extents[N];  ///< Outermost first; the first one is not used.
    std::int64_t columns, rows;         ///< Of tiles.

    template <access Access>
    static index_space of(const detail::elementwise_call& call, const range<Access>& elements) {
        index_space result{};
        result.origin = call.first;
        if constexpr (!is_tiled(Access) && Access != access::strided) result.origin -= elements.begin;
        if constexpr (is_tiled(Access)) {
            result.columns = elements.elements.columns;
            result.rows = elements.elements.rows;
        }
        for (int axis = 1; axis < N; ++axis)
            result.extents[axis] = divider<std::uint64_t>::by(static_cast<std::uint64_t>(call.shape[axis]));
        return result;
    }

    /// Of the k-th element from there on.
    __device__ index<N> at(position first, int k) const { return at_number(first.block + first.offset + k); }
    template <int Width, int Runs> __device__ index<N> at(const flat_vectors<Width, Runs>& first, int k) const {
        return at(first.own[k / Width], k % Width);
    }
    __device__ index<N> at(const strided_position& first, int) const { return at_number(first.number); }
    template <int Width> __device__ index<N> at(const tiled_position<Width>& first, int k) const {
        const tile_run& run = first.own[k / Width];
        const std::int64_t row = std::int64_t{first.outer} * rows + run.row;
        return at_number(row * columns + run.column + run.nearest(k % Width));
    }

  private:
    __device__ index<N> at_number(std::int64_t number) const { return index_of(origin + number, extents); }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
