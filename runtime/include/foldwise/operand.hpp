// foldwise/operand.hpp: the parameter types of generated functions, made from whatever holds elements.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/ranges.hpp>
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
    } else {
        return {data, layout_of(source), {}, false};
    }
}

/// Elements of exactly type T, so that overloads on the element type resolve; written through unless T is const.
template <class R, class T>
concept elements_of = (windowed<R> ||
                       host_elements<std::remove_reference_t<R>>)&&std::same_as<range_value<std::remove_reference_t<R>>,
                                                                                std::remove_const_t<T>> &&
                      (std::is_const_v<T> ||
                       (refers<R> && !std::is_const_v<range_element<std::remove_reference_t<R>>>));

/// A value that stands for every element; numbers convert as in an assignment. Pointers do not become bool, and a range
/// is only a value if it is one element, such as a std::array where elements are such arrays.
template <class U, class T>
concept scalar_for = std::same_as<std::remove_cvref_t<U>, T> ||
    (!windowed<U> && !host_elements<std::remove_reference_t<U>> && !std::is_pointer_v<std::decay_t<U>> &&
     !std::is_null_pointer_v<std::decay_t<U>> && std::convertible_to<U, T>);

}  // namespace detail

/// What is an input of exactly type T without any conversion: elements of that type, or one as a scalar. Generated
/// functions choose by it where scalars fit several signatures.
template <class U, class T>
concept exactly = std::same_as<std::remove_cvref_t<U>, T> || detail::elements_of<U, const T>;

/// A `foldwise::array` or `view`, or on the host a std::vector, std::span, std::array, C array of any number of axes,
/// std::mdspan, cuda::std::mdspan or anything contiguous with data() and size(), of elements of exactly type T. Refers
/// to it and owns nothing. What is not const is written through, and so no temporary.
template <class T> class elements {
  public:
    template <class R>
    requires detail::elements_of<R, T> elements(R&& range) : ref_(detail::refer_to(range)) {}

    const detail::operand_ref& ref() const { return ref_; }

  private:
    detail::operand_ref ref_;
};

/// An output, or an operand that is read and written.
template <class T> class operand : public elements<T> {
  public:
    // Not inherited: then there would be a default constructor, deleted, and `{}` could be meant for it.
    template <class R>
    requires detail::elements_of<R, T> operand(R&& range) : elements<T>(range) {}
};

/// An input: as above, read only, and temporaries too; or a scalar, whose value is kept in here.
template <class T> class operand<const T> {
    static_assert(std::is_trivially_copyable_v<T>, "an element is copied as bytes");

  public:
    template <class R>
    requires detail::elements_of<R, const T> operand(R&& elements) : ref_(detail::refer_to(elements)) {}

    template <class U>
    requires detail::scalar_for<const U&, T> operand(const U& value) : ref_{nullptr, {}, {}, true} {
        std::construct_at(reinterpret_cast<T*>(scalar_), static_cast<T>(value));
    }

    /// For a scalar, valid as long as this operand stays where it is.
    detail::operand_ref ref() const {
        detail::operand_ref ref = ref_;
        if (ref.is_scalar) ref.data = const_cast<std::byte*>(scalar_);
        return ref;
    }

  private:
    detail::operand_ref ref_;
    alignas(T) std::byte scalar_[sizeof(T)] = {};
};

}  // namespace foldwise
