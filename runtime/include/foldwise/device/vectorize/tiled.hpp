// foldwise/device/vectorize/tiled.hpp: tiles of two axes, which access broadcast and transposed operands by 16 bytes.
//
// The first output has unit stride along its innermost axis, the columns. A block computes a tile of the columns and
// one other axis, the rows; its position along the axes is computed once per block. Each thread has one or two vectors
// of `Width` neighbours of a row, or upright ones, of a column. An input with unit stride along the rows is transposed:
// threads read it along the rows and exchange what they read through shared memory.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::exchange_columns;
using detail::exchange_lanes;
using detail::exchange_runs;
using detail::fewest_exchanged_rows;
using detail::tile_reading;
using detail::tiled_range;
using detail::warp_threads;

/// Returns the offset of a place in the plane of columns and rows in an operand, in elements.
__device__ inline std::int32_t offset_in_plane(const detail::tile_steps& steps, int column, int row) {
    return column * steps.steps[0] + row * steps.steps[1];
}

/// `Width` places along a row, or along a column if the vector is upright, of which those in [begin, end) hold
/// elements. The column is negative if the row begins inside a vector.
struct tile_run {
    int column, row;  ///< The column and row of element 0.
    int begin, end;

    /// Returns whether all places hold elements.
    template <int Width> __device__ bool is_whole() const { return end - begin == Width; }
    /// Returns the element nearest to the k-th, which replaces it if it is missing.
    __device__ int nearest(int k) const { return k < begin ? begin : k < end ? k : end - 1; }
};

/// The position of a thread in a tiled launch.
template <int Width, int Runs = runs_per_thread(Width)> struct tiled_position {
    static constexpr int runs = Runs;

    const tiled_range* range;
    std::uint32_t outer;  ///< The number of the tile along the axes that are not in it.
    tile_run own[runs];   ///< The runs that the thread computes.
    int count;            ///< The number of runs with elements; the others repeat the first.

    /// Returns whether the thread has elements: threads beyond the edges have none.
    __device__ bool has_elements() const { return count > 0; }
};

/// A column and a row, in a tile or in the whole plane.
struct tile_place {
    int column, row;
};

/// The position of a thread in a launch with transposed operands.
template <int Threads, int Width> struct transposed_position : tiled_position<Width, exchange_runs> {
    tile_place corner;  ///< The tile's first column and row.

    /// Returns whether elements of a vector are below each other.
    __device__ bool is_upright() const { return detail::can_be_upright(Width) && this->range->is_upright; }
    /// Returns the distance from one element of a vector to the next in an operand, in elements.
    __device__ std::int32_t step(const detail::tile_steps& steps) const {
        return is_upright() ? steps.steps[1] : steps.steps[0];
    }
};

/// Returns the offset of a tile along the axes that are not in it. The coordinates are computed for each operand again:
/// kept, they would take registers, and mostly there is a single one.
template <class Step> __device__ Step outer_offset(const tiled_range& range, std::uint32_t outer, const Step* steps) {
    Step offset = 0;
    FOLDWISE_UNROLLED
    for (int axis = 2; axis < detail::max_axes; ++axis) {
        if (axis >= range.axes.count) break;
        const bool is_last = axis + 1 >= range.axes.count;
        offset += static_cast<Step>(is_last ? outer : range.others[axis - 2].split(outer)) * steps[axis];
    }
    return offset;
}

/// Returns the address of column 0, row 0 of an operand in the plane of the thread.
template <class T, int Width, int Runs>
__device__ T* tile_address(T* data, const detail::tile_steps& steps, const tiled_position<Width, Runs>& at) {
    return data + outer_offset(*at.range, at.outer, steps.steps);
}

/// Returns whether N elements from `first` on can be accessed together.
template <int N, class T> __device__ bool is_wide(const T* first) {
    constexpr int bytes = access_bytes(N * static_cast<int>(sizeof(T)));
    return (static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(first)) & (bytes - 1)) == 0;
}

/// Loads the elements of a run, which are `step` apart. Missing elements are replaced by the nearest one.
template <int N, class T>
__device__ void load_run(const T* first, int step, const tile_run& run, arrival<T, N>& loaded) {
    if (step == 1 && run.is_whole<N>() && is_wide<N>(first)) return loaded.load(first);
    if (step == 0) return loaded.repeat(*first);
    for (int k = 0; k < N; ++k) loaded.set(k, first[run.nearest(k) * step]);
}

/// Loads the elements of a run whose first one exists, one by one, `step` apart. Missing elements are replaced by the
/// last one.
template <int N, class T> __device__ assembly<T, N> load_singly(const T* first, int step, const tile_run& run) {
    assembly<T, N> loaded;
    for (int k = 0; k < N; ++k) {
        loaded.set(k, *first);
        first += k + 1 < run.end ? step : 0;
    }
    return loaded;
}

/// Stores the elements of a run that exist, `step` apart.
template <int N, class T> __device__ void store_run(T* first, int step, const tile_run& run, assembly<T, N> stored) {
    if (step == 1 && run.is_whole<N>() && is_wide<N>(first)) return device_code::store(first, stored);
    if constexpr (stored.is_narrow) {
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < run.end; ++k) {
            const T element = stored.pop();
            if (k >= run.begin) first[k * step] = element;
        }
    } else {
        for (int k = 0; k < N; ++k) {
            if (k >= run.begin && k < run.end) first[k * step] = stored[k];
        }
    }
}

__device__ inline int smaller(int a, int b) { return a < b ? a : b; }

/// Interleaves two words of elements of `Bytes` bytes: the first one becomes their first halves in turn, the second one
/// their second halves.
template <int Bytes> __device__ void interleave(std::uint32_t& a, std::uint32_t& b) {
    const std::uint32_t low = __byte_perm(a, b, Bytes == 1 ? 0x5140 : 0x5410);
    b = __byte_perm(a, b, Bytes == 1 ? 0x7362 : 0x7632);
    a = low;
}

/// Transposes `Columns` consecutive packs: returns the first elements of all packs, then the second ones, and so on.
template <int Columns, class T, int N> __device__ assembly<T, N> turned(assembly<T, N> packs) {
    constexpr int size = static_cast<int>(sizeof(T)), half = packs.size / 2;
    if constexpr (Columns == 4) {
        static_assert(size == 1 && N == 16);
        interleave<1>(packs.words[0], packs.words[1]);
        interleave<1>(packs.words[2], packs.words[3]);
    }
    assembly<T, N> result;
    for (int i = 0; i < half; ++i) {
        result.words[2 * i] = packs.words[i];
        result.words[2 * i + 1] = packs.words[half + i];
        interleave<size * Columns / 2>(result.words[2 * i], result.words[2 * i + 1]);
    }
    return result;
}

/// Exchanges what the threads of a block read of a transposed operand.
///
/// A tile has two parts, which are below each other or, if there are few rows, beside each other. A part is `lanes`
/// vectors wide and `rows` high, and a thread computes one vector of each. For each of them it reads a piece with as
/// many elements: `piece` rows of `columns` columns. Neighbouring threads continue along the rows, with 128 bytes or
/// more together. Words of a row's `columns` neighbours are exchanged through shared memory (detail::exchange_layout).
///
/// If the plane has few rows, or if that cuts fewer of the memory's sectors, the tile is folded: it has 1 / 2^n as many
/// rows and 2^n times as many columns, and its first columns, as many as both parts have, are in the first rows of the
/// parts, the next ones in the rows below them, and so on. Threads and shared memory are used as in any other tile.
template <int Threads, int Width> struct tile_exchange {
    static constexpr int lanes = exchange_lanes(Width);
    static constexpr int rows = Threads / lanes;
    static constexpr int columns = exchange_columns(Width);
    static constexpr int piece = Width / columns;
    static constexpr int unfolded_columns = exchange_runs * lanes * Width;  ///< Of parts that are beside each other.
    static_assert(rows % piece == 0);

    using layout = detail::exchange_layout;

    /// Returns the layout of an operand's tile in shared memory.
    template <class T> __device__ static layout layout_of(const tiled_range& range) {
        constexpr layout flat = layout::of(Threads, Width, static_cast<int>(sizeof(T)), false);
        constexpr layout upright = layout::of(Threads, Width, static_cast<int>(sizeof(T)), true);
        return detail::can_be_upright(Width) && range.is_upright ? upright : flat;
    }

    /// Returns the place in the tile of a row of the parts: a column from which the row's columns are counted, and the
    /// row.
    __device__ static tile_place unfolded(const tiled_range& range, int row_of_parts) {
        const int rows_log2 = range.tile_rows_log2;
        return {(row_of_parts >> rows_log2) * unfolded_columns, row_of_parts & ((1 << rows_log2) - 1)};
    }

    /// Returns the offset in shared memory of a place in the parts, in bytes: the sum of what its column and its row
    /// contribute.
    template <class T> __device__ static int offset(const layout& layout, const tile_place& at) {
        return column_offset<T>(layout, at.column) + row_offset<T>(layout, at.row);
    }
    template <class T> __device__ static int column_offset(const layout& layout, int column) {
        const auto place = static_cast<unsigned>(column);
        return static_cast<int>(place / columns) * layout.column + static_cast<int>(place / Width) * layout.gap +
               static_cast<int>(place % columns) * static_cast<int>(sizeof(T));
    }
    template <class T> __device__ static int row_offset(const layout& layout, int row) {
        const auto place = static_cast<unsigned>(row);
        return static_cast<int>(place % rows) * static_cast<int>(columns * sizeof(T)) +
               static_cast<int>(place / rows) * layout.part;
    }

    /// Returns the place in the parts at which the thread's i-th piece begins. All its pieces are in the same rows.
    __device__ static tile_place piece_of(const transposed_position<Threads, Width>& at, int i) {
        const int first = static_cast<int>(threadIdx.x) * piece, rows_log2 = at.range->part_rows_log2;
        return {((first + i * Threads * piece) >> rows_log2) * columns, first & ((1 << rows_log2) - 1)};
    }

    /// Reads the thread's i-th piece of an operand whose pieces can be read as vectors. Beyond the edges, another piece
    /// is read again, so that the whole tile holds elements.
    template <class T>
    __device__ static assembly<T, Width> read(const T* first, const detail::tile_steps& steps,
                                              const transposed_position<Threads, Width>& at, int i) {
        const tile_place begin = piece_of(at, i), own = unfolded(*at.range, begin.row);
        int column = at.corner.column + own.column + begin.column, row = at.corner.row + own.row;
        if (column >= at.range->columns) column = at.range->columns - columns;
        if (row >= at.range->rows) row = at.range->rows - piece;
        const T* const from = first + offset_in_plane(steps, column, row);
        assembly<T, Width> result;
        FOLDWISE_UNROLLED
        for (int k = 0; k < columns; ++k) result.set(k, assemble<piece>(from + k * steps.steps[0]));
        return result;
    }

    /// Stores the thread's i-th piece in shared memory, as words.
    template <class T>
    __device__ static void put(unsigned char* tile, const transposed_position<Threads, Width>& at, int i,
                               const assembly<T, Width>& read) {
        T* const to = reinterpret_cast<T*>(tile + offset<T>(layout_of<T>(*at.range), piece_of(at, i)));
        if constexpr (columns == 1) {
            device_code::store(to, read);
        } else {
            device_code::store(to, turned<columns>(read));
        }
    }

    /// Copies an operand's part of the tile to shared memory element by element. Neighbouring threads read neighbours
    /// of a column.
    template <class T>
    __device__ static void copy(unsigned char* tile, const T* first, const detail::tile_steps& steps,
                                const transposed_position<Threads, Width>& at) {
        constexpr int count = exchange_runs * Width, together = count < 8 ? count : 8;
        const tiled_range& range = *at.range;
        const layout layout = layout_of<T>(range);
        const auto thread = static_cast<int>(threadIdx.x);
        const int rows_log2 = range.part_rows_log2, next = Threads >> rows_log2;
        const int row_of_parts = thread & ((1 << rows_log2) - 1);
        const tile_place own = unfolded(range, row_of_parts);
        const int last_column = range.columns - 1 - at.corner.column - own.column;
        const int row = smaller(at.corner.row + own.row, range.rows - 1);
        int column = thread >> rows_log2;
        first += offset_in_plane(steps, at.corner.column + own.column + smaller(column, last_column), row);
        tile += row_offset<T>(layout, row_of_parts);
        FOLDWISE_NOT_UNROLLED
        for (int i = 0; i < count; i += together) {
            pack<T, together> some;
            for (int k = 0; k < together; ++k) {
                some[k] = *first;
                first += column + (k + 1) * next <= last_column ? next * steps.steps[0] : 0;
            }
            __syncwarp();  // otherwise compilers mix loads with stores, which wait for them
            for (int k = 0; k < together; ++k, column += next)
                *reinterpret_cast<T*>(tile + column_offset<T>(layout, column)) = some[k];
        }
    }

    /// Returns where a thread's first vector begins in the parts if vectors are upright. A warp has as many rows as if
    /// they were not.
    __device__ static tile_place upright_place() {
        constexpr int across = lanes * Width;
        static_assert(across <= warp_threads, "a warp has as many rows as if vectors lay along them");
        const int thread = static_cast<int>(threadIdx.x);
        return {thread % across, thread / across * Width};
    }

    /// Loads the i-th vector that the thread computes from shared memory.
    template <class T>
    __device__ static assembly<T, Width> take(const unsigned char* tile, const transposed_position<Threads, Width>& at,
                                              int i) {
        const auto thread = static_cast<int>(threadIdx.x);
        const layout layout = layout_of<T>(*at.range);
        tile += i * layout.part;
        if constexpr (detail::can_be_upright(Width)) {
            if (at.is_upright()) {
                const tile_place own = upright_place();
                return assemble<Width>(reinterpret_cast<const T*>(tile + own.column * layout.column) + own.row);
            }
        }
        const auto* const first = tile + thread % lanes * layout.group;
        assembly<T, Width> result;
        FOLDWISE_UNROLLED
        for (int k = 0; k < piece; ++k)
            result.set(
                k, assemble<columns>(reinterpret_cast<const T*>(first + k * layout.column) + thread / lanes * columns));
        return result;
    }
};

/// Stores a vector of each thread of a warp, the thread's i-th, where not all of them can be stored as vectors.
/// Arranged in shared memory, neighbouring threads then store neighbouring elements. All threads of the warp must call
/// it.
template <int Threads, int Width, class T>
__device__ void store_arranged(T* first, const detail::tile_steps& steps, const transposed_position<Threads, Width>& at,
                               int i, const assembly<T, Width>& own) {
    constexpr int lanes = exchange_lanes(Width), columns = lanes * Width, rows = warp_threads / lanes;
    static_assert(columns % warp_threads == 0);
    static_assert(fewest_exchanged_rows % rows == 0, "a warp's rows are not folded");
    const tiled_range& range = *at.range;
    const int warp = static_cast<int>(threadIdx.x) / warp_threads, lane = static_cast<int>(threadIdx.x) % warp_threads;
    unsigned char* const memory = dynamic_shared<unsigned char>() + range.tiles * static_cast<int>(range.tile_bytes) +
                                  warp * static_cast<int>(range.stage_bytes);
    T* const stage = reinterpret_cast<T*>(memory);
    __syncwarp();  // what was stored before has been read
    device_code::store(stage + lane * Width, own);
    __syncwarp();
    const tile_place begin = tile_exchange<Threads, Width>::unfolded(range, warp * rows);
    const int column = at.corner.column + begin.column + i * range.next_column + lane;
    const int row = at.corner.row + begin.row + i * range.next_row;
    const int columns_left = range.columns - column, rows_left = smaller(range.rows - row, rows);
    T* to = first + offset_in_plane(steps, column, row);
    const T* from = stage + lane;
    FOLDWISE_NOT_UNROLLED
    for (int k = 0; k < rows_left; ++k, to += steps.steps[1], from += columns) {
        FOLDWISE_UNROLLED
        for (int next = 0; next < columns; next += warp_threads)
            if (next < columns_left) to[next * steps.steps[0]] = from[next];
    }
}

/// Sets the position of this thread, whose first element is at `own` in the tile, and returns the tile's first place.
/// With `HasPhases`, rows may begin between alignment boundaries.
template <bool HasPhases, int Width, int Runs>
__device__ tile_place enter_tile(const tiled_range& range, const tile_place& own, tiled_position<Width, Runs>& at) {
    std::uint32_t number = blockIdx.x;
    const auto tile = static_cast<int>(range.column_tiles.split(number));
    const auto strip = static_cast<int>(range.row_tiles.split(number));
    at.range = &range;
    at.outer = number;
    const tile_place corner = {tile * range.tile_columns, strip * range.tile_rows};
    const int row = corner.row + own.row;
    int column = corner.column + own.column;
    if constexpr (HasPhases) {
        const std::uint32_t phase = range.phase + outer_offset(range, number, range.phase_steps) +
                                    static_cast<std::uint32_t>(row) * range.phase_steps[1];
        column -= static_cast<int>(phase & (range.phases - 1));
    }
    at.count = 0;
    FOLDWISE_UNROLLED
    for (int i = 0; i < Runs; ++i) {
        tile_run& run = at.own[i];
        run = {column + i * range.next_column, row + i * range.next_row, 0, Width};
        if (HasPhases && run.column < 0) run.begin = -run.column;
        if (range.columns - run.column < Width) run.end = range.columns - run.column;
        if (run.row < range.rows && run.begin < run.end) {
            ++at.count;
        } else {
            run = at.own[0];
        }
    }
    return corner;
}

/// Sets the position of this thread in a launch without transposed operands.
template <int Width> __device__ void enter_row_tile(const tiled_range& range, tiled_position<Width>& at) {
    const auto thread = static_cast<int>(threadIdx.x), lanes = 1 << range.lanes_log2;
    enter_tile<true>(range, {(thread & (lanes - 1)) * Width, thread >> range.lanes_log2}, at);
}

/// Sets the position of this thread in a launch with transposed operands. All threads can take part in the exchange:
/// those without elements get the tile's first one.
template <int Threads, int Width>
__device__ void enter_transposed_tile(const tiled_range& range, transposed_position<Threads, Width>& at) {
    using exchange = tile_exchange<Threads, Width>;
    const auto thread = static_cast<int>(threadIdx.x), lanes = 1 << range.lanes_log2;
    tile_place parts = {(thread & (lanes - 1)) * Width, thread >> range.lanes_log2};
    if constexpr (detail::can_be_upright(Width)) {
        if (range.is_upright) parts = exchange::upright_place();
    }
    tile_place own = exchange::unfolded(range, parts.row);
    own.column += parts.column;
    at.corner = enter_tile<false>(range, own, at);
    if constexpr (detail::can_be_upright(Width)) {
        if (range.is_upright) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < exchange_runs; ++i) at.own[i].end = smaller(range.rows - at.own[i].row, Width);
        }
    }
    FOLDWISE_UNROLLED
    for (int i = 0; i < exchange_runs; ++i) {
        if (!at.has_elements()) at.own[i] = {at.corner.column, at.corner.row, 0, 1};
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
