// foldwise/device/view_parameter.hpp: views as parameters of kernels.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::view_layout;

/// A view as a kernel's parameter. With 32-bit extents and strides, a product with a coordinate is a single
/// instruction.
template <class T, int N, view_layout Layout> struct view_parameter {
    static constexpr bool is_plain = Layout != view_layout::strided;
    using number = detail::view_number<Layout>;

    T* data;
    number extents[N];
    number strides[N];

    /// Returns the view that the user's lambda takes.
    __device__ foldwise::view<T, N> view() const { return view_at(data); }

  protected:
    __device__ foldwise::view<T, N> view_at(T* first) const {
        std::int64_t wide_extents[N], wide_strides[N];
        for (int axis = 0; axis < N; ++axis) {
            wide_extents[axis] = static_cast<std::int64_t>(static_cast<std::make_unsigned_t<number>>(extents[axis]));
            wide_strides[axis] = is_plain && axis == N - 1 ? 1 : strides[axis];
        }
        return {first, wide_extents, wide_strides, is_plain};
    }
};

/// An array that every element of a call is computed with as a whole, as a kernel's parameter (gpu/parameters.hpp).
template <class T, int N> using whole_array = view_parameter<const T, N, view_layout::strided>;

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
