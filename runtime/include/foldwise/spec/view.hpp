// foldwise/spec/view.hpp: an operand of a forall kernel, as its lambda sees it.
#pragma once

#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>

namespace foldwise {

/// A window of rank N on elements that somebody else owns: `x[i]` for one axis, `x(i, j)` or `x[at]` for several.
/// Strides count elements and may be zero or negative. `view<const T, N>` is read-only.
template <class T, int N> class view {
    static_assert(N >= 1 && N <= 8, "a view in a kernel has 1 to 8 axes");

  public:
    using element_type = T;
    static constexpr int rank = N;

    FOLDWISE_HD constexpr view(T* data, const std::int64_t* extents, const std::int64_t* strides) : data_(data) {
        for (int axis = 0; axis < N; ++axis) {
            extents_[axis] = extents[axis];
            strides_[axis] = strides[axis];
        }
    }

    FOLDWISE_HD constexpr T* data() const { return data_; }
    FOLDWISE_HD constexpr std::int64_t extent(int axis) const { return extents_[axis]; }
    FOLDWISE_HD constexpr std::int64_t stride(int axis) const { return strides_[axis]; }

    FOLDWISE_HD constexpr std::int64_t size() const {
        std::int64_t product = 1;
        for (std::int64_t extent : extents_) product *= extent;
        return product;
    }

    /// The element at these coordinates, one for each axis.
    template <class... I>
    requires(sizeof...(I) == N) FOLDWISE_HD constexpr T& operator()(I... coordinates) const {
        return (*this)[index<N>(static_cast<std::int64_t>(coordinates)...)];
    }

    // A wrong number of coordinates is an error in words, at the place of the call.
    template <class... I>
    requires(sizeof...(I) != N) __attribute__((unavailable("the rank is wrong: a view<T, N> takes N coordinates"))) T&
    operator()(I...) const;

    FOLDWISE_HD constexpr T& operator[](index<N> at) const {
        std::int64_t offset = 0;
        for (int axis = 0; axis < N; ++axis) offset += at[axis] * strides_[axis];
        return data_[offset];
    }

  private:
    T* data_;
    std::int64_t extents_[N];
    std::int64_t strides_[N];
};

}  // namespace foldwise
