// foldwise/device/stencil.hpp: gives stencil kernels what is around their elements, and stores results.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/stencil_lane.hpp>
#include <foldwise/device/stencil_tile.hpp>
#include <foldwise/device/view_parameter.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Where an operand's elements are. Along the last axis they are neighbours, unless the layout is `strided`.
template <class T, int N, stencil_layout Layout> struct stencil_elements {
    detail::stencil_place<N> place;

    __device__ std::int64_t stride(int axis) const {
        return Layout != stencil_layout::strided && axis == N - 1
                   ? 1
                   : static_cast<stencil_number<Layout>>(place.strides[axis]);
    }

    __device__ T* first() const { return static_cast<T*>(place.data); }

    template <class Position> __device__ T& operator[](const Position& at) const {
        std::int64_t offset = 0;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < N; ++axis) offset += at[axis] * stride(axis);
        return first()[offset];
    }
};

/// The results of a thread.
template <class T, class Lane> struct stencil_results {
    pack<T, Lane::width> vectors[Lane::planes];

    template <class Position> __device__ T& operator[](const Position& at) { return vectors[at.plane][at.column]; }
};

/// Calls each(i) for the constants i from 0 to N - 1, of types of their own: a loop with such a bound is unrolled.
template <int N, int First = 0, class Each> __device__ inline void each_constant(const Each& each) {
    if constexpr (First < N) {
        each(std::integral_constant<int, First>());
        each_constant<N, First + 1>(each);
    }
}

/// What is around the elements of a thread, in registers: of all that the windows of its elements cover, those that the
/// lambda reads. Compilers leave out what is never read, as all places are known to them.
template <class T, class Lane> class stencil_cells {
  public:
    /// Loads all of them. `beyond` is what is beyond constant edges.
    template <class From> __device__ stencil_cells(const From& from, const Lane& lane, const T& beyond) {
        number places[lines][most];
        bool is_left_out[lines][most];
        bool is_inside = true;
        each_constant<Lane::last>([&](auto constant) {
            constexpr int axis = decltype(constant)::value;
            is_inside = is_inside && (leaves_out || lane.is_inside(axis));
            FOLDWISE_UNROLLED
            for (int cell = 0; cell < Lane::cells(axis); ++cell) {
                places[axis][cell] = seen(lane.coordinate(axis, 0, 0)) + (cell - Lane::reach(axis, 0));
                is_left_out[axis][cell] = leaves_out && Lane::is_beside(axis, cell) && lane.is_beyond(axis, cell);
            }
        });
        if (!is_inside) {
            each_constant<Lane::last>([&](auto constant) {
                constexpr int axis = decltype(constant)::value;
                FOLDWISE_UNROLLED
                for (int cell = 0; cell < Lane::cells(axis); ++cell)
                    if (Lane::is_beside(axis, cell)) places[axis][cell] = lane.inside_of(axis, cell);
            });
        }
        FOLDWISE_UNROLLED
        for (int run = 0; run < Lane::runs; ++run) {
            const number first = lane.coordinate(Lane::last, run, 0);
            const T* origin = from.first();
            if constexpr (leaves_out) {
                origin += offset(first, from.stride(Lane::last));
                each_constant<Lane::last>([&](auto constant) {
                    constexpr int axis = decltype(constant)::value;
                    origin += offset(lane.coordinate(axis, 0, 0), from.stride(axis));
                });
            }
            number columns[columns_of_row];
            bool are_columns_left_out[columns_of_row];
            FOLDWISE_UNROLLED
            for (int cell = 0; cell < columns_of_row; ++cell) {
                columns[cell] = seen(first) + (cell - before);
                are_columns_left_out[cell] =
                    leaves_out && Lane::is_beside(Lane::last, cell) && lane.is_beyond(Lane::last, cell, run);
            }
            if (!leaves_out && !lane.is_inside(Lane::last, run)) {
                FOLDWISE_UNROLLED
                for (int cell = 0; cell < columns_of_row; ++cell)
                    if (Lane::is_beside(Lane::last, cell)) columns[cell] = lane.inside_of(Lane::last, cell, run);
            }
            FOLDWISE_UNROLLED
            for (int row = 0; row < rows; ++row) {
                const T* begin = origin;
                bool is_beyond = false;
                int rest = row;
                each_constant<Lane::last>([&](auto constant) {
                    constexpr int axis = Lane::last - 1 - decltype(constant)::value;
                    const int cell = rest % Lane::cells(axis);
                    rest /= Lane::cells(axis);
                    begin += offset(places[axis][cell], from.stride(axis));
                    is_beyond = is_beyond || is_left_out[axis][cell];
                });
                load_row(run * rows + row, begin, columns, are_columns_left_out, from.stride(Lane::last),
                         lane.is_aligned(run), is_beyond, beyond);
            }
        }
    }

    __device__ foldwise::around<const T, Lane::rank> operator[](const stencil_position<Lane>& at) const {
        std::int64_t none[Lane::rank] = {}, strides[Lane::rank], reach[Lane::rank][2];
        int place = Lane::rank == 1 ? at.plane * columns_of_row : 0, stride = 1;
        FOLDWISE_UNROLLED
        for (int axis = Lane::last; axis >= 0; --axis) {
            const int ahead = axis == Lane::last ? at.column : axis == Lane::marched ? at.plane : 0;
            place += (ahead + Lane::reach(axis, 0)) * stride;
            strides[axis] = stride;
            stride *= Lane::cells(axis);
            for (int side = 0; side < 2; ++side) reach[axis][side] = Lane::reach(axis, side);
        }
        return {&cells_[place], none, at.lane.extents(), strides, edge_kind::none, nullptr, reach};
    }

  private:
    using number = typename Lane::number;
    /// Whether what is beyond edges is not loaded.
    static constexpr bool leaves_out = Lane::edge == edge_kind::constant || Lane::edge == edge_kind::none;
    static constexpr int columns_of_row = Lane::cells(Lane::last), before = Lane::reach(Lane::last, 0);
    /// Whether two neighbours beside a vector can be loaded together: rows consist of whole vectors, so that both are
    /// inside the arrays or neither is, and what stands for them beyond an edge are neighbours as well.
    static constexpr bool has_pairs = Lane::rank > 1 && Lane::width > 1 && 2 * sizeof(T) <= 16 &&
                                      (leaves_out || Lane::edge == edge_kind::wrap);
    /// Whether a cell beside a vector is the first of two that are aligned alike.
    static __device__ constexpr bool begins_pair(int cell) {
        const int behind = cell - before - Lane::width;
        return cell < before ? (before - cell) % 2 == 0 && cell + 1 < before
                             : behind >= 0 && behind % 2 == 0 && cell + 1 < columns_of_row;
    }
    static constexpr int lines = Lane::last > 0 ? Lane::last : 1;
    static constexpr int rows = [] {
        int product = 1;
        for (int axis = 0; axis < Lane::last; ++axis) product *= Lane::cells(axis);
        return product;
    }();
    static constexpr int most = [] {
        int largest = 1;
        for (int axis = 0; axis < Lane::last; ++axis)
            largest = Lane::cells(axis) > largest ? Lane::cells(axis) : largest;
        return largest;
    }();

    /// Returns where a coordinate of the thread's first element is seen from. Where nothing stands for what is beyond
    /// edges, that is the element itself, so that its neighbours are constants away.
    static __device__ number seen(number first) { return leaves_out ? 0 : first; }

    /// Returns how many elements lie between two that are `apart` along an axis. nvcc recognises a product of two
    /// 32-bit numbers only where it sees both of them being widened, which branches hide from it.
    template <class Stride> static __device__ std::int64_t offset(number apart, Stride stride) {
#ifndef FOLDWISE_SIMULATOR
        if constexpr (leaves_out && !Lane::has_tile && sizeof(number) == sizeof(std::int32_t)) {
            std::int64_t product;
            asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(apart), "r"(static_cast<std::int32_t>(stride)));
            return product;
        }
#endif
        return static_cast<std::int64_t>(apart) * stride;
    }

    template <class Stride>
    __device__ void load_row(int row, const T* begin, const number (&columns)[columns_of_row],
                             const bool (&are_columns_left_out)[columns_of_row], Stride stride, bool is_aligned,
                             bool is_beyond, const T& beyond) {
        const bool is_together = Lane::width > 1 && is_aligned;
        FOLDWISE_UNROLLED
        for (int cell = 0; cell < columns_of_row; ++cell) {
            if (is_together && !Lane::is_beside(Lane::last, cell)) continue;
            T& to = cells_[row * columns_of_row + cell];
            if (has_pairs && begins_pair(cell)) {
                pack<T, 2> pair;
                if (leaves_out && (is_beyond || are_columns_left_out[cell]))
                    pair[0] = pair[1] = beyond;
                else
                    pair = load<2>(begin + columns[cell]);
                to = pair[0];
                cells_[row * columns_of_row + cell + 1] = pair[1];
                continue;
            }
            if (has_pairs && cell > 0 && begins_pair(cell - 1)) continue;
            if (leaves_out && (is_beyond || are_columns_left_out[cell]))
                to = beyond;
            else
                to = begin[offset(columns[cell], stride)];
        }
        if (!is_together) return;
        pack<T, Lane::width> vector;
        if (leaves_out && is_beyond) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < Lane::width; ++k) vector[k] = beyond;
        } else {
            vector = load<Lane::width>(leaves_out ? begin : begin + columns[before]);
        }
        FOLDWISE_UNROLLED
        for (int k = 0; k < Lane::width; ++k) cells_[row * columns_of_row + before + k] = vector[k];
    }

    pack<T, rows * Lane::runs * columns_of_row> cells_;
};

/// What is around elements, looked up in memory.
template <class T, int N, stencil_layout Layout> struct stencil_memory {
    const stencil_elements<const T, N, Layout>& from;
    pack<T, 1> beyond;  ///< What is beyond constant edges.

    template <class Lane, edge_kind Edge>
    __device__ foldwise::around<const T, N> operator[](const stencil_position<Lane, Edge>& at) const {
        std::int64_t place[N], strides[N], reach[N][2];
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < N; ++axis) {
            place[axis] = Edge == edge_kind::none ? 0 : at[axis];
            strides[axis] = from.stride(axis);
            for (int side = 0; side < 2; ++side) reach[axis][side] = Lane::reach(axis, side);
        }
        const T* const base = Edge == edge_kind::none ? &from[at] : from.first();
        return {base, place, at.lane.extents(), strides, Edge, Edge == edge_kind::constant ? &beyond[0] : nullptr,
                reach};
    }
};

/// An array that the lambda looks around in, as a kernel's parameter.
template <class T, int N, stencil_layout Layout> struct around_parameter : stencil_elements<const T, N, Layout> {
    /// Returns what is around the elements of a thread, for each of their positions; `beyond` is what is beyond
    /// constant edges.
    template <class Lane> __device__ auto around(const Lane& lane) const { return around(lane, pack<T, 1>()); }
    template <class Lane> __device__ auto around(const Lane& lane, const T& beyond) const {
        pack<T, 1> one;
        one[0] = beyond;
        return around(lane, one);
    }

  private:
    template <class Lane> __device__ auto around(const Lane& lane, const pack<T, 1>& beyond) const {
        if constexpr (Lane::has_windows)
            return stencil_cells<T, Lane>(*this, lane, beyond[0]);
        else
            return stencil_memory<T, N, Layout>{*this, beyond};
    }
};

/// An output, as a kernel's parameter.
template <class T, int N, stencil_layout Layout> struct stencil_output : stencil_elements<T, N, Layout> {
    template <class Lane> __device__ void store(const Lane& lane, const stencil_results<T, Lane>& results) const {
        const bool has_all = lane.has_all();
        FOLDWISE_UNROLLED
        for (int plane = 0; plane < Lane::planes; ++plane) {
            const stencil_position<Lane> first{lane, plane};
            T* const to = &(*this)[first];
            if (Lane::width > 1 && has_all && lane.is_aligned(plane)) {
                device_code::store<Lane::width>(to, results.vectors[plane]);
                continue;
            }
            FOLDWISE_UNROLLED
            for (int column = 0; column < Lane::width; ++column)
                if (has_all || lane.has(plane, column))
                    to[column * this->stride(N - 1)] = results.vectors[plane][column];
        }
    }
};

/// An array that is stepped, in shared memory, as a kernel's parameter.
template <class T, int N> struct around_parameter<T, N, stencil_layout::tiles> {
    detail::stencil_stepped_place<N> stepped;

    /// Copies to shared memory what the tile's steps look at.
    template <class Lane> __device__ void load(const typename Lane::tile& tile) const {
        tile.load(reinterpret_cast<T*>(dynamic_shared<std::byte>() + stepped.shared_bytes),
                  stencil_elements<const T, N, stencil_layout::strided>{stepped.place});
    }

    template <class Lane> __device__ auto around(const Lane& lane) const { return around(lane, pack<T, 1>()[0]); }
    template <class Lane> __device__ auto around(const Lane& lane, const T& beyond) const {
        return stencil_cells<T, Lane>(lane.template shared<const T>(stepped.shared_bytes, false), lane, beyond);
    }
};

/// An output that is stepped: each step but the last stores it in shared memory.
template <class T, int N> struct stencil_output<T, N, stencil_layout::tiles> {
    detail::stencil_stepped_place<N> stepped;

    template <class Lane> __device__ void store(const Lane& lane, const stencil_results<T, Lane>& results) const {
        const stencil_elements<T, N, stencil_layout::strided> array{stepped.place};
        const bool has_all = lane.has_all(), has_own = lane.has_own();
        if (lane.is_last_step()) {
            FOLDWISE_UNROLLED
            for (int plane = 0; plane < Lane::planes; ++plane)
                if ((has_own || lane.is_own(plane)) && (has_all || lane.has(plane, 0)))
                    array[lane.coordinates(plane)] = results.vectors[plane][0];
            return;
        }
        const auto shared = lane.template shared<T>(stepped.shared_bytes, true);
        FOLDWISE_UNROLLED
        for (int plane = 0; plane < Lane::planes; ++plane) {
            if (!has_own && !lane.is_own(plane)) continue;
            // What is left out stays what it is in the output.
            shared.at(lane, plane) =
                has_all || lane.has(plane, 0) ? results.vectors[plane][0] : array[lane.coordinates(plane)];
        }
    }
};

/// Values that broadcast: one for each element, or one for all of them.
template <class T, int N> struct stencil_values : stencil_elements<const T, N, stencil_layout::strided> {
    T value;

    template <class Position> __device__ const T& operator[](const Position& at) const {
        return this->place.data ? stencil_elements<const T, N, stencil_layout::strided>::operator[](at) : value;
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
