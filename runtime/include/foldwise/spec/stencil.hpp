// foldwise/spec/stencil.hpp: `stencil`, which declares kernels that compute each element from what is around it.
#pragma once

#include <foldwise/spec/around.hpp>
#include <foldwise/spec/guvectorize.hpp>
#include <foldwise/spec/signature.hpp>

#include <cstdint>

namespace foldwise {

/// What is read beyond the edges of the arrays that a stencil kernel looks around in.
namespace edge {

/// All edges but constant ones.
template <detail::edge_kind Kind> struct without_value {
    static constexpr detail::edge_kind kind = Kind;
    template <class T> constexpr const T* beyond() const { return nullptr; }
};

struct wrap_t : without_value<detail::edge_kind::wrap> {};
struct nearest_t : without_value<detail::edge_kind::nearest> {};
struct mirror_t : without_value<detail::edge_kind::mirror> {};
struct symmetric_t : without_value<detail::edge_kind::symmetric> {};
struct skip_t : without_value<detail::edge_kind::none> {};
template <class T> struct constant_t {
    static constexpr detail::edge_kind kind = detail::edge_kind::constant;
    T value;
    template <class U> constexpr const U* beyond() const {
        static_assert(std::is_same_v<T, U>, "on the host, the edge's value has the type of the elements");
        return &value;
    }
};

inline constexpr wrap_t wrap;            ///< The array is repeated: c d | a b c d | a b
inline constexpr nearest_t nearest;      ///< The outermost element is repeated: a a | a b c d | d d
inline constexpr mirror_t mirror;        ///< Reflected at the outermost element: c b | a b c d | c b
inline constexpr symmetric_t symmetric;  ///< Reflected at the edge itself: b a | a b c d | d c
inline constexpr skip_t skip;            ///< Elements whose window leaves the array are not written.

/// One value is everywhere beyond the edges: v v | a b c d | v v
template <class T> constexpr constant_t<T> constant(T value) { return {value}; }

}  // namespace edge

/// How far a stencil's offsets reach: along each axis, or along all of them.
template <int N> struct radius_t { std::int64_t along[N]; };

/// Says how far offsets reach that are not seen to be constant: one number for all axes, or one for each.
template <class... I> constexpr radius_t<static_cast<int>(sizeof...(I))> radius(I... along) {
    return {{static_cast<std::int64_t>(along)...}};
}

namespace detail {
/// Stands for a radius that is not said.
struct found_radius {};
}  // namespace detail

/// The type of a kernel that stencil() declares. The generator finds variables of this type; on the host calling one
/// computes a single element.
template <class Lambda, class Edge, class Radius, class... Types>
class [[maybe_unused]] stenciled
    : public detail::typed_calls<Lambda>,
      public detail::typed_items<Lambda, std::make_integer_sequence<int, static_cast<int>(sizeof...(Types))>,
                                 Types...> {
  public:
    constexpr stenciled(Lambda lambda, Edge edge_, Radius radius_)
        : detail::typed_calls<Lambda>(lambda), edge(edge_), radius(radius_) {}

    // The generator reads these.
    Edge edge;
    Radius radius;
};

/// Declares a kernel that computes each element of an array from what is around it. The lambda takes around<const T, N>
/// for each array that it looks around in; view<const T, N> for whole arrays, such as weights; and values, which
/// broadcast to the shape of the arrays around. It returns the element, or a std::tuple of several. `edge` says what is
/// beyond the arrays' edges: edge::wrap, nearest, mirror, symmetric, constant(v) or skip. `Types` instantiate a lambda
/// of one type, such as `[]<class T>(...)`.
template <class... Types, class Callable, class Edge>
constexpr stenciled<detail::callable<Callable>, Edge, detail::found_radius, Types...> stencil(Callable callable,
                                                                                              Edge edge) {
    return {callable, edge, {}};
}

/// Declares a stencil kernel whose offsets need not be constants that the generator finds: none is beyond `radius`.
template <class... Types, class Callable, int N, class Edge>
constexpr stenciled<detail::callable<Callable>, Edge, radius_t<N>, Types...> stencil(Callable callable,
                                                                                     radius_t<N> radius, Edge edge) {
    return {callable, edge, radius};
}

}  // namespace foldwise
