// foldwise/spec/view.hpp: a view of fixed rank, as the lambda of a forall kernel receives it.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>

namespace foldwise {

/// A non-owning view of rank N: `x[i]` accesses an element if there is one axis, `x(i, j)` or `x[at]` if there are
/// several. Strides are in elements and may be zero or negative. `view<const T, N>` is read-only.
template <class T, int N> class view {
    static_assert(N >= 1 && N <= max_rank, "a view in a kernel has 1 to 8 axes");

  public:
    using element_type = T;
    static constexpr int rank = N;

    /// `extents` and `strides` have N entries, in elements. `fits_32_bits` promises that every element is less than
    /// 2^31 elements away from the first. Where it is a constant, as in emitted kernels, offsets are computed in 32
    /// bits, which takes a GPU a third of the instructions.
    FOLDWISE_HD constexpr view(T* data, const std::int64_t* extents, const std::int64_t* strides,
                               bool fits_32_bits = false)
        : data_(data), fits_32_bits_(fits_32_bits) {
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

    // Checked builds check each coordinate and know where in the user's source it was written (detail/checks.hpp).
#ifndef FOLDWISE_LOOKS
    /// Returns the element at these coordinates, one per axis.
    template <class... I>
    requires(sizeof...(I) == N) FOLDWISE_HD constexpr T& operator()(I... coordinates) const {
        return (*this)[index<N>(static_cast<std::int64_t>(coordinates)...)];
    }

    FOLDWISE_HD constexpr T& operator[](index<N> at) const { return element(at); }
#else
    template <class... I>
    requires(sizeof...(I) == N - 1) FOLDWISE_HD constexpr T& operator()(detail::located<std::int64_t> first,
                                                                        I... others) const {
        return (*this)[{index<N>(first.value, static_cast<std::int64_t>(others)...), first.file, first.line}];
    }

    FOLDWISE_HD constexpr T& operator[](detail::located<index<N>> at) const {
        for (int axis = 0; axis < N; ++axis) {
            if (at.value[axis] < 0 || at.value[axis] >= extents_[axis])
                detail::stop(detail::finding::of_index(at.file, at.line, at.value[axis], extents_[axis], axis));
        }
        return element(at.value);
    }
#endif

    // Reports a wrong number of coordinates in plain words, at the call.
    template <class... I>
    requires(sizeof...(I) != N) __attribute__((unavailable("the rank is wrong: a view<T, N> takes N coordinates"))) T&
    operator()(I...) const;

  private:
    FOLDWISE_HD constexpr T& element(const index<N>& at) const {
        if (fits_32_bits_) return data_[offset<std::int32_t>(at)];
        return data_[offset<std::int64_t>(at)];
    }
    template <class Number> FOLDWISE_HD constexpr Number offset(const index<N>& at) const {
        Number sum = 0;
        for (int axis = 0; axis < N; ++axis) sum += static_cast<Number>(at[axis]) * static_cast<Number>(strides_[axis]);
        return sum;
    }

    T* data_;
    std::int64_t extents_[N];
    std::int64_t strides_[N];
    bool fits_32_bits_;
};

}  // namespace foldwise
