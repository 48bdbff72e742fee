// foldwise/operand.hpp: the parameter types of generated functions, which convert from anything that holds elements.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/same_bits.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/view.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

namespace foldwise {

namespace detail {

template <class R> operand_ref refer_to(R& source) {
    auto* data = const_cast<range_value<R>*>(first_of(source));
    if constexpr (is_view<std::remove_cv_t<R>>) {
        return {data, source.layout(), source.place(), false};
    } else if constexpr (windowed<R>) {
        return {data, row_major(source.shape()), source.place(), false};
    } else if constexpr (fancy_range<R>) {
        return {data, layout_of(source), place_of_memory(data), false};
    } else {
        return {data, layout_of(source), {}, false};
    }
}

/// Satisfied if R holds elements of exactly type T, or of CUDA's or Thrust's type of the same bits, so that overloads
/// on the element type resolve. Unless T is const, the elements must be writable and must outlive the expression.
template <class R, class T>
concept elements_of = (windowed<R> || host_elements<std::remove_reference_t<R>> ||
                       fancy_range<std::remove_reference_t<R>>)&&same_bits<range_value<std::remove_reference_t<R>>,
                                                                           std::remove_const_t<T>> &&
                      (std::is_const_v<T> ||
                       (refers<R> && !std::is_const_v<range_element<std::remove_reference_t<R>>>));

/// Satisfied if U is a single value that can stand for every element of type T. Numbers convert if that keeps them,
/// which a call checks. Pointers do not convert to bool, and a range counts as a value only if it is itself of type T,
/// as a std::array is where the elements are such arrays.
template <class U, class T>
concept scalar_for = std::same_as<std::remove_cvref_t<U>, T> ||
    (!windowed<U> && !host_elements<std::remove_reference_t<U>> && !fancy_range<std::remove_reference_t<U>> &&
     !std::is_pointer_v<std::decay_t<U>> && !std::is_null_pointer_v<std::decay_t<U>> && std::convertible_to<U, T>);

}  // namespace detail

/// A non-owning reference to elements of exactly type T: a `foldwise::array` or `view`, or on the host a std::vector,
/// std::span, std::array, C array of any number of axes, std::mdspan, cuda::std::mdspan, or any contiguous range with
/// data() and size(); or a thrust::device_vector, whose GPU is found by its address. Unless T is const, the elements
/// are written, so an owning temporary is not accepted.
template <class T> class elements {
  public:
    template <class R>
    requires detail::elements_of<R, T> elements(R&& range) : ref_(detail::refer_to(range)) {}

    const detail::operand_ref& ref() const { return ref_; }

  private:
    detail::operand_ref ref_;
};

/// An operand that is written, or both read and written. It refers to the caller's elements and does not own them.
template <class T> class operand : public elements<T> {
  public:
    // Not inherited: that would also declare a deleted default constructor, which `{}` could select.
    template <class R>
    requires detail::elements_of<R, T> operand(R&& range) : elements<T>(range) {}
};

/// An input operand. It refers to the caller's elements, which are only read and may belong to a temporary, or it holds
/// a copy of a scalar. A scalar that T cannot hold is reported when the call checks its operands.
template <class T> class operand<const T> {
    static_assert(detail::is_copied_as_bytes<T>, "an element is copied as bytes");

  public:
    template <class R>
    requires detail::elements_of<R, const T> operand(R&& elements) : ref_(detail::refer_to(elements)) {}

    template <class U>
    requires detail::scalar_for<const U&, T> operand(const U& value) : ref_{nullptr, {}, {}, true} {
        if constexpr (detail::is_number<U> && (detail::is_number<T> || detail::complex_like<T>)) {
            if (!detail::keeps_value<T>(value)) {
                ref_.allowed = &detail::range_of_numbers<T>::value;
                ref_.given = static_cast<double>(value);
                return;
            }
        }
        std::construct_at(reinterpret_cast<T*>(scalar_), static_cast<T>(value));
    }

    /// Returns a description of the operand. For a scalar it points into this object, so it is valid only until this
    /// object is moved or destroyed.
    detail::operand_ref ref() const {
        detail::operand_ref ref = ref_;
        if (ref.is_scalar) ref.data = const_cast<std::byte*>(scalar_);
        return ref;
    }

  private:
    detail::operand_ref ref_;
    alignas(T) std::byte scalar_[sizeof(T)] = {};
};

/// An input that every element is computed with as a whole, such as a table: it does not broadcast, and the kernel's
/// lambda takes it as a `view<const T, N>`. It refers to the caller's elements, which are only read and may belong to a
/// temporary, and which must have N axes; a call reports if they do not.
template <class T, int N>
requires(N > 0) class operand<const view<const T, N>> {
  public:
    template <class R>
    requires detail::elements_of<R, const T> operand(R&& elements) : ref_(detail::refer_to(elements)) {
        ref_.is_scalar = true;
        ref_.whole_axes = N;
    }

    const detail::operand_ref& ref() const { return ref_; }

  private:
    detail::operand_ref ref_;
};

namespace detail {

/// Whether an input of this type in a signature is a whole array.
template <class T> inline constexpr bool is_whole = false;
template <class T, int N> inline constexpr bool is_whole<view<const T, N>> = N > 0;

}  // namespace detail
}  // namespace foldwise

#endif  // C++20
