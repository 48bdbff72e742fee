// foldwise/spec/view.hpp: a view of fixed rank, as the lambda of a forall kernel receives it.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/spec/in_brackets.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise {

/// A non-owning view of rank N: `x[i]` accesses an element if there is one axis, `x(i, j)` or `x[at]` if there are
/// several. Strides are in elements and may be zero or negative. `view<const T, N>` is read-only.
template <class T, int N> class view {
    static_assert(N >= 1 && N <= max_rank, "write the number of axes, from 1 to 8: view<float, 1>");

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

    /// Creates a contiguous view in row-major order: the last axis varies fastest. For example,
    /// `view<float, 2>(numbers.data(), {rows, columns})`.
    FOLDWISE_HD constexpr view(T* data, const std::int64_t (&extents)[N]) : data_(data), fits_32_bits_(false) {
        std::int64_t stride = 1;
        for (int axis = N - 1; axis >= 0; --axis) {
            extents_[axis] = extents[axis];
            strides_[axis] = stride;
            stride *= extents[axis];
        }
    }

    /// Creates a view of a container with data() and size(), for calling the lambda on the host, as tests do.
    template <class Container>
    requires(
        N == 1 && !requires { Container::rank; } &&
        requires(Container & container) {
            static_cast<T*>(container.data());
            static_cast<std::int64_t>(container.size());
        }) constexpr view(Container& container)
        : view(container.data(), {static_cast<std::int64_t>(container.size())}) {}

    /// A view<T, N> converts to view<const T, N>, so that one function serves both.
    template <class U>
    requires std::is_same_v<const U, T> FOLDWISE_HD constexpr view(const view<U, N>& other)
        : data_(other.data_), fits_32_bits_(other.fits_32_bits_) {
        for (int axis = 0; axis < N; ++axis) {
            extents_[axis] = other.extents_[axis];
            strides_[axis] = other.strides_[axis];
        }
    }

    FOLDWISE_HD constexpr T* data() const { return data_; }
    FOLDWISE_HD constexpr std::int64_t extent(int axis) const { return extents_[axis]; }
    FOLDWISE_HD constexpr std::int64_t stride(int axis) const { return strides_[axis]; }

    /// Returns whether there is an element at these coordinates, none of which is then negative.
    FOLDWISE_HD constexpr bool has(const index<N>& at) const {
        bool is_inside = true;
        for (int axis = 0; axis < N; ++axis)
            is_inside = is_inside && static_cast<std::uint64_t>(at[axis]) < static_cast<std::uint64_t>(extents_[axis]);
        return is_inside;
    }

    FOLDWISE_HD constexpr std::int64_t size() const {
        std::int64_t product = 1;
        for (std::int64_t extent : extents_) product *= extent;
        return product;
    }

#ifndef FOLDWISE_LOOKS
    /// Returns a view of the indices begin, begin + step, ... before `end` along an axis, all of which must be within
    /// the view. `step` must not be zero; if it is negative, the indices descend, and `end` is -1 to include index 0.
    FOLDWISE_HD constexpr view slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        return part(axis, begin, count_between(begin, end, step), step);
    }
#else
    FOLDWISE_HD constexpr view slice(int axis, detail::located<std::int64_t> begin, std::int64_t end,
                                     std::int64_t step = 1) const {
        const std::int64_t count = step == 0 ? 0 : count_between(begin.value, end, step);
        const std::int64_t last = begin.value + (count - 1) * step;
        for (const std::int64_t place : {begin.value, last})
            if (count > 0 && (place < 0 || place >= extents_[axis]))
                detail::stop(detail::finding::of_index(begin.file, begin.line, place, extents_[axis], axis));
        return part(axis, begin.value, count, step);
    }
#endif

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

    template <int M>
    requires(N > 1) __attribute__((unavailable("an index goes into brackets, as in x[at]"))) T&
    operator()(index<M>) const;
    template <int M>
    requires(M != N && M != 1) __attribute__((unavailable("the rank is wrong: a view<T, N> takes an index<N>"))) T&
    operator[](index<M>) const;

    // `x[i][j]`, and `x[i, j]`, which is x[j] before C++23, whatever i is.
    __attribute__((unavailable("write x(i, j), with N coordinates in parentheses, or x[at] with an index<N>")))
    detail::in_brackets<T, N - 1>
    operator[](std::int64_t) const requires(N > 1);

#if defined(__cpp_multidimensional_subscript) && defined(__clang__)  // GCC 12 would take it all the same
    template <class... I>
    requires(sizeof...(I) > 1) __attribute__((unavailable("write x(i, j), with N coordinates in parentheses"))) T&
    operator[](I...) const;
#endif

    // As a container has them.
    __attribute__((unavailable("write x[0], or x(0, 0) if there are two axes"))) T& front() const;
    __attribute__((unavailable("write x[x.extent(0) - 1], or x(i, x.extent(1) - 1) for the last of a row"))) T&
    back() const;
    __attribute__((unavailable("write x.size() == 0"))) bool empty() const;

  private:
    template <class, int> friend class view;

    FOLDWISE_HD static constexpr std::int64_t count_between(std::int64_t begin, std::int64_t end, std::int64_t step) {
        const std::int64_t count = step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step;
        return count > 0 ? count : 0;
    }
    FOLDWISE_HD constexpr view part(int axis, std::int64_t begin, std::int64_t count, std::int64_t step) const {
        view result = *this;
        result.data_ += count > 0 ? begin * strides_[axis] : 0;
        result.extents_[axis] = count;
        result.strides_[axis] *= step;
        return result;
    }

    FOLDWISE_HD constexpr T& element(const index<N>& at) const {
        // Along the last axis, a loop's coordinate is a step of the address if it is not made narrower.
        const std::int64_t last = at[N - 1] * strides_[N - 1];
        return data_[(fits_32_bits_ ? offset<std::int32_t>(at) : offset<std::int64_t>(at)) + last];
    }
    /// Along all axes but the last.
    template <class Number> FOLDWISE_HD constexpr Number offset(const index<N>& at) const {
        Number sum = 0;
        for (int axis = 0; axis + 1 < N; ++axis)
            sum += static_cast<Number>(at[axis]) * static_cast<Number>(strides_[axis]);
        return sum;
    }

    T* data_;
    std::int64_t extents_[N];
    std::int64_t strides_[N];
    bool fits_32_bits_;
};

}  // namespace foldwise
