// foldwise/spec/around.hpp: what is around an element, as the lambda of a stencil kernel receives it.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise {

namespace detail {

/// What is read beyond the edges of an array. `none`: nothing is, because the whole window is inside.
enum class edge_kind : std::uint8_t { none, wrap, nearest, mirror, symmetric, constant };

/// Calls each(axis) for the axes from `Axis` on. Not a loop: compilers unroll small ones only once they have given up
/// on keeping what is indexed in registers, and on the loop around them.
template <int N, int Axis = 0, class Each>
FOLDWISE_HD __attribute__((always_inline)) constexpr void each_axis(const Each& each) {
    if constexpr (Axis < N) {
        each(Axis);
        each_axis<N, Axis + 1>(each);
    }
}

/// Returns the coordinate from which a read at `at` takes its element, along an axis of `extent` elements; -1 for one
/// that is beyond the edges of an array with constant ones. Windows may be wider than the array: what is outside is
/// brought back as often as that takes.
template <class Number> FOLDWISE_HD constexpr Number inside_of(edge_kind edge, Number at, Number extent) {
    using unsigned_number = std::make_unsigned_t<Number>;
    const auto is_inside = [&] { return static_cast<unsigned_number>(at) < static_cast<unsigned_number>(extent); };
    if (is_inside()) return at;
    if (edge == edge_kind::constant) return -1;
    if (edge == edge_kind::nearest || extent == 1) return at < 0 ? 0 : extent - 1;
    while (!is_inside()) {
        if (edge == edge_kind::wrap)
            at += at < 0 ? extent : -extent;
        else if (edge == edge_kind::mirror)
            at = at < 0 ? -at : 2 * (extent - 1) - at;
        else
            at = at < 0 ? -1 - at : 2 * extent - 1 - at;
    }
    return at;
}

}  // namespace detail

/// What is around an element of an array of N axes: `a(0, -1)` is the element before it along the last axis, `a(0, 0)`
/// is itself, and `a[offsets]` takes an index<N>. What lies beyond the edges of the array is what the kernel's edge
/// says.
template <class T, int N> class around {
    static_assert(
        std::is_const_v<T>,
        "what is around an element is read and not written: write const before the type, as in around<const T, N>");
    static_assert(N >= 1 && N <= detail::max_index_rank, "write the number of axes, from 1 to 4");

  public:
    using element_type = T;
    using value_type = std::remove_const_t<T>;
    static constexpr int rank = N;

    /// For calling a kernel on the host, as tests do: around the element `at` of an array, with an edge such as
    /// edge::wrap, which must outlive the call.
    template <class Edge>
    constexpr around(const view<T, N>& array, const index<N>& at, const Edge& edge)
        : data_(array.data()), beyond_(edge.template beyond<value_type>()), edge_(Edge::kind) {
        for (int axis = 0; axis < N; ++axis) {
            at_[axis] = at[axis];
            extents_[axis] = array.extent(axis);
            strides_[axis] = array.stride(axis);
        }
        set_reach(nullptr);
    }

    /// For emitted kernels. `at` counts from the element at `data`; the extents are not read where `edge` is none.
    /// `beyond` is what is beyond constant edges. Along each axis offsets are from -reach[0] to reach[1]. Where
    /// `places` of an axis is not null, it has what inside_of() returns for each offset, and must outlive the object;
    /// where `edge` is none, the window is inside the array along all other axes.
    FOLDWISE_HD constexpr around(T* data, const std::int64_t (&at)[N], const std::int64_t (&extents)[N],
                                 const std::int64_t (&strides)[N], detail::edge_kind edge, T* beyond,
                                 const std::int64_t (*reach)[2], const std::int64_t* const* places = nullptr)
        : data_(data), beyond_(beyond), edge_(edge) {
        detail::each_axis<N>([&](int axis) {
            places_[axis] = places ? places[axis] : nullptr;
            at_[axis] = at[axis];
            extents_[axis] = extents[axis];
            strides_[axis] = strides[axis];
        });
        set_reach(reach);
    }

    // Checked builds check each offset and know where in the user's source it was written (detail/checks.hpp).
#ifndef FOLDWISE_LOOKS
    /// Returns the element at these offsets from this one, one per axis.
    template <class... I>
    requires(sizeof...(I) == N) FOLDWISE_HD __attribute__((always_inline)) constexpr value_type
    operator()(I... offsets) const {
        return element(index<N>(static_cast<std::int64_t>(offsets)...));
    }

    FOLDWISE_HD __attribute__((always_inline)) constexpr value_type operator[](const index<N>& offsets) const {
        return element(offsets);
    }
#else
    template <class... I>
    requires(sizeof...(I) == N - 1) FOLDWISE_HD constexpr value_type operator()(detail::located<std::int64_t> first,
                                                                                I... others) const {
        return (*this)[{index<N>(first.value, static_cast<std::int64_t>(others)...), first.file, first.line}];
    }

    FOLDWISE_HD constexpr value_type operator[](detail::located<index<N>> offsets) const {
        for (int axis = 0; axis < N; ++axis) {
            const std::int64_t offset = offsets.value[axis], reach = reach_[axis][offset > 0];
            if (reach >= 0 && (offset < -reach || offset > reach))
                detail::stop(detail::finding::of_offset_along(offsets.file, offsets.line, offset, reach, axis));
        }
        return element(offsets.value);
    }
#endif

    // Reports a wrong number of offsets in plain words, at the call.
    template <class... I>
    requires(sizeof...(I) != N)
        __attribute__((unavailable("the rank is wrong: an around<const T, N> takes N offsets"))) value_type
        operator()(I...) const;

  private:
#ifndef FOLDWISE_LOOKS
    FOLDWISE_HD constexpr void set_reach(const std::int64_t (*)[2]) {}
#else
    FOLDWISE_HD constexpr void set_reach(const std::int64_t (*reach)[2]) {
        for (int axis = 0; axis < N; ++axis)
            for (int side = 0; side < 2; ++side) reach_[axis][side] = reach ? reach[axis][side] : -1;
    }
    std::int64_t reach_[N][2] = {};
#endif

    FOLDWISE_HD __attribute__((always_inline)) constexpr value_type element(const index<N>& offsets) const {
        if (edge_ != detail::edge_kind::none) return element_at_edge(*this, offsets);
        std::int64_t place = 0;
        bool is_beyond = false;
        detail::each_axis<N>([&](int axis) __attribute__((always_inline)) {
            const std::int64_t* const places = places_[axis];
            const std::int64_t at = places ? places[offsets[axis]] : at_[axis] + offsets[axis];
            if (places && beyond_) is_beyond = is_beyond || at < 0;
            place += at * strides_[axis];
        });
        return is_beyond ? *beyond_ : data_[place];
    }

    // On the host a function of its own, so that lambdas are small enough to be compiled into loops over rows. It takes
    // a copy, so that compilers keep what nobody else has the address of in registers.
#ifndef __CUDACC__
    __attribute__((noinline))
#endif
    FOLDWISE_HD static constexpr value_type
    element_at_edge(const around from, const index<N> offsets) {
        std::int64_t place = 0;
        bool is_beyond = false;
        detail::each_axis<N>([&](int axis) {
            const std::int64_t at = detail::inside_of(from.edge_, from.at_[axis] + offsets[axis], from.extents_[axis]);
            if (from.edge_ == detail::edge_kind::constant) is_beyond = is_beyond || at < 0;
            place += at * from.strides_[axis];
        });
        return is_beyond ? *from.beyond_ : from.data_[place];
    }

    T* data_;
    T* beyond_;
    const std::int64_t* places_[N] = {};
    std::int64_t at_[N], extents_[N], strides_[N];
    detail::edge_kind edge_;
};

}  // namespace foldwise
