// foldwise/device/tiled.hpp: tiles of two axes: broadcast and transposed operands by 16 bytes at a time.
//
// Along its innermost axis, the columns, the first output has unit stride. A block is a tile of the columns and one
// other axis, the rows; where it is along all axes is divided out once per block. Each thread has one or two vectors,
// of `Width` neighbours of a row. An input whose unit stride is along the rows is transposed: threads read it along the
// rows and exchange what they read through shared memory.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/tile_plan.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// `Width` places along a row, or along a column, of which those in [begin, end) hold elements. The column is negative
/// where a row begins inside a vector.
struct tile_run {
    int column, row;  ///< Of element 0.
    int begin, end;

    template <int Width> __device__ bool is_whole() const { return end - begin == Width; }
    /// The element that stands in for the k-th.
    __device__ int nearest(int k) const { return k < begin ? begin : k < end ? k : end - 1; }
};

/// Where a thread is in a launch.
template <int Width> struct tiled_position {
    static constexpr int runs = runs_per_thread(Width);

    tile_run own[runs];  ///< What it computes.
    int count;           ///< How many of them are there; the others repeat the first.
    int number_of_axes;
    std::uint32_t outer;               ///< Number of the tile along the axes that are not in it,
    int others[detail::max_axes - 2];  ///< and its coordinates.

    /// Beyond the edges threads have none.
    __device__ bool has_elements() const { return count > 0; }
};

/// The same where operands are transposed. Threads without elements read the tile's first one, so that all can take
/// part in the exchange.
template <int Width> struct transposed_position : tiled_position<Width> {
    tile_run staged[tiled_position<Width>::runs];  ///< What the thread reads of transposed operands, along the rows.
};

/// Element 0 of a run of an operand.
template <class T, int Width>
__device__ T* tile_address(T* data, const tile_steps& steps, const tiled_position<Width>& at, const tile_run& run) {
    int offset = 0;
    FOLDWISE_UNROLLED
    for (int axis = 2; axis < detail::max_axes; ++axis) {
        if (axis >= at.number_of_axes) break;
        offset += at.others[axis - 2] * steps.steps[axis];
    }
    return data + (offset + run.column * steps.steps[0] + run.row * steps.steps[1]);
}

/// Whether N elements from there on can be accessed together.
template <int N, class T> __device__ bool is_wide(const T* first) {
    constexpr int bytes = access_bytes(N * static_cast<int>(sizeof(T)));
    return (static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(first)) & (bytes - 1)) == 0;
}

/// The elements of a run, `step` apart; in the place of those that are not there their neighbours.
template <int N, class T> __device__ pack<T, N> load_run(const T* first, int step, const tile_run& run) {
    if (step == 1 && run.is_whole<N>() && is_wide<N>(first)) return device_code::load<N>(first);
    pack<T, N> loaded;
    if (step == 0) {
        const T value = *first;
        for (int k = 0; k < N; ++k) loaded[k] = value;
    } else {
        for (int k = 0; k < N; ++k) loaded[k] = first[run.nearest(k) * step];
    }
    return loaded;
}

/// Those of them that are there.
template <int N, class T> __device__ void store_run(T* first, int step, const tile_run& run, const pack<T, N>& stored) {
    if (step == 1 && run.is_whole<N>() && is_wide<N>(first)) return device_code::store(first, stored);
    for (int k = 0; k < N; ++k) {
        if (k >= run.begin && k < run.end) first[k * step] = stored[k];
    }
}

/// The i-th run of a thread's elements.
template <int Width, class T, int N> __device__ pack<T, Width> run_of(const pack<T, N>& elements, int i) {
    pack<T, Width> run;
    for (int k = 0; k < Width; ++k) run[k] = elements[i * Width + k];
    return run;
}

/// How the threads of a block exchange what they read of a transposed operand: for each of their runs in a part of the
/// tile of `lanes` threads across and `rows` down, so that both sides read pieces of 64 bytes or more. In shared memory
/// columns lie one after the other, with a gap of 16 bytes after each `Width` of them: then a warp, of 8 lanes and 4
/// rows say, takes its elements from 32 different banks.
template <int Threads, int Width> struct tile_exchange {
    static constexpr int lanes = exchange_lanes(Width);
    static constexpr int rows = Threads / lanes;
    static constexpr int pieces = rows / Width;  ///< Of a column of the tile.
    static constexpr int runs = runs_per_thread(Width);
    static_assert(rows % Width == 0);

    static constexpr int gap = 16;
    template <class T> static constexpr auto group = static_cast<int>(sizeof(T[rows][Width])) + gap;
    template <class T> static constexpr int part = lanes* group<T>;  ///< Of a tile: for one run of each thread.
    template <class T> static constexpr std::uint32_t bytes = runs* part<T>;

    /// Puts down what the thread has read along the rows.
    template <class T, int N> __device__ static void put(unsigned char* tile, const pack<T, N>& elements) {
        const int thread = static_cast<int>(threadIdx.x), column = thread / pieces;
        FOLDWISE_UNROLLED
        for (int i = 0; i < runs; ++i) {
            T* const first = reinterpret_cast<T*>(tile + (i * part<T> + column / Width * group<T>));
            device_code::store(first + (column % Width * rows + thread % pieces * Width), run_of<Width>(elements, i));
        }
    }

    /// Takes up what it computes with.
    template <class T, int N>
    __device__ static void take(const unsigned char* tile, const tile_run* own, pack<T, N>& elements) {
        const int thread = static_cast<int>(threadIdx.x);
        FOLDWISE_UNROLLED
        for (int i = 0; i < runs; ++i) {
            const auto* const group_of_lane = tile + (i * part<T> + thread % lanes * group<T>);
            const T* const first = reinterpret_cast<const T*>(group_of_lane) + thread / lanes;
            if (own[i].is_whole<Width>()) {
                for (int k = 0; k < Width; ++k) elements[i * Width + k] = first[k * rows];
            } else {
                for (int k = 0; k < Width; ++k) elements[i * Width + k] = first[own[i].nearest(k) * rows];
            }
        }
    }
};

/// A tile's first element.
struct tile_corner {
    int column, row;
};

/// Finds out where this thread is.
template <int Threads, int Width>
__device__ tile_corner enter_tile(const tiled_range& range, tiled_position<Width>& at) {
    std::uint32_t number = blockIdx.x;
    const auto tile = static_cast<int>(range.column_tiles.split(number));
    const auto strip = static_cast<int>(range.row_tiles.split(number));
    at.outer = number;
    at.number_of_axes = range.axes.count;
    std::uint32_t phase = range.phase;
    FOLDWISE_UNROLLED
    for (int i = 0; i < detail::max_axes - 2; ++i) {
        if (i + 2 >= at.number_of_axes) break;
        const std::uint32_t all = number;  // of the outermost axis, what is left
        at.others[i] = static_cast<int>(i + 3 < at.number_of_axes ? range.others[i].split(number) : all);
        phase += static_cast<std::uint32_t>(at.others[i]) * range.phase_steps[i + 2];
    }
    const auto thread = static_cast<int>(threadIdx.x), lanes = 1 << range.lanes_log2;
    const tile_corner corner = {tile * range.tile_columns, strip * range.tile_rows};
    const int row = corner.row + (thread >> range.lanes_log2);
    phase += static_cast<std::uint32_t>(row) * range.phase_steps[1];
    const int column = corner.column + (thread & (lanes - 1)) * Width - static_cast<int>(phase & (range.phases - 1));
    at.count = 0;
    FOLDWISE_UNROLLED
    for (int i = 0; i < at.runs; ++i) {
        tile_run& own = at.own[i];
        own = {column + i * range.next_column, row + i * range.next_row, 0, Width};
        if (own.column < 0) own.begin = -own.column;
        if (range.columns - own.column < Width) own.end = range.columns - own.column;
        if (own.row < range.rows && own.begin < own.end) {
            ++at.count;
        } else {
            own = at.own[0];
        }
    }
    return corner;
}

template <int Threads, int Width>
__device__ void enter_transposed_tile(const tiled_range& range, transposed_position<Width>& at) {
    const tile_corner corner = enter_tile<Threads, Width>(range, at);
    constexpr int pieces = tile_exchange<Threads, Width>::pieces;
    const auto thread = static_cast<int>(threadIdx.x);
    const tile_run first = {corner.column, corner.row, 0, 1};
    FOLDWISE_UNROLLED
    for (int i = 0; i < at.runs; ++i) {
        tile_run& staged = at.staged[i];
        staged = {corner.column + thread / pieces + i * range.next_column,
                  corner.row + thread % pieces * Width + i * range.next_row, 0, Width};
        if (range.rows - staged.row < Width) staged.end = range.rows - staged.row;
        if (staged.column >= range.columns || staged.end <= 0) staged = first;
        if (!at.has_elements()) at.own[i] = first;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
