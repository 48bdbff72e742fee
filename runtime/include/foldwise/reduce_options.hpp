// foldwise/reduce_options.hpp: the options of a call of a reduction: axes, keepdims, initial value and executor.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/fold_stage.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace foldwise {

/// The axes along which a call reduces, by number; negative numbers count from the last axis. An empty list is valid:
/// then nothing is combined, and each element is reduced by itself.
class axes {
  public:
    axes() = default;

    /// Constructs the list from at most max_rank numbers; throws shape_error if there are more.
    template <detail::extent_like... I> explicit axes(I... numbers) { (append(numbers), ...); }
    explicit axes(std::span<const std::int64_t> numbers) {
        for (const std::int64_t number : numbers) append(number);
    }

    int count() const { return count_; }
    int operator[](int i) const { return numbers_[i]; }

  private:
    template <class I> void append(I number) {
        // A number that is no axis of any shape is reported later, when the operands' shape is known.
        constexpr int none = max_rank;
        if (count_ == max_rank) refuse_count();
        numbers_[count_++] = std::in_range<int>(number) ? static_cast<int>(number) : none;
    }
    [[noreturn]] static void refuse_count();

    int numbers_[max_rank] = {};
    int count_ = 0;
};

/// `sum(x, axis(0, -1))` reduces along the first and the last axis.
template <detail::extent_like... I> axes axis(I... numbers) { return axes(numbers...); }
template <detail::extent_like I> axes axis(std::initializer_list<I>) = delete;  // axis(0, 1)

/// `sum(x, axis(1), keepdims)` keeps the reduced axes in the result, with one element each.
struct keepdims_t {
    __attribute__((unavailable("write keepdims without parentheses"))) keepdims_t operator()(bool = true) const;
};
inline constexpr keepdims_t keepdims;

/// `sum(x, partial)` gives accumulators that are folded and not finished, as one process or one block of a larger array
/// has them; `sum(accumulators, from_partials)` combines these in order and finishes.
struct partial_t {
    __attribute__((unavailable("write partial without parentheses"))) partial_t operator()(bool = true) const;
};
inline constexpr partial_t partial;
struct from_partials_t {
    __attribute__((unavailable("write from_partials without parentheses"))) from_partials_t
    operator()(bool = true) const;
};
inline constexpr from_partials_t from_partials;

/// An accumulator that is combined before all elements.
template <class T> struct initial_value {
    T value;

    template <std::convertible_to<T> U>
    constexpr initial_value(const initial_value<U>& other) : value(detail::kept<T>(other.value, "foldwise::initial")) {}
    constexpr explicit initial_value(const T& given) : value(given) {}
};

/// `sum(x, initial(3.0))` is 3 plus the sum of x, and 3 if x is empty. When reducing along axes, every result starts
/// with this value. It converts to the accumulator's type; a call throws value_error for a number that this cannot
/// hold.
template <class T> constexpr initial_value<T> initial(const T& value) { return initial_value<T>(value); }

namespace detail {

/// All options of one call, which they refer to.
struct reduce_options {
    const void* initial = nullptr;                 ///< The initial accumulator; null if there is none.
    const foldwise::executor* executor = nullptr;  ///< Null: none was given.
    bool keepdims = false;
    const shape* whole = nullptr;  ///< The shape to reduce; null if it is that of the inputs.
    fold_stage stage = fold_stage::whole;

    /// Returns the executor that was given, or the default one.
    const foldwise::executor& where_to_run() const;
};

/// What an option of a reduction says.
enum class reduce_option_kind : unsigned char { nothing, executor, initial, keepdims };

/// One option of a call, which it refers to.
struct reduce_option_ref {
    reduce_option_kind kind;
    const void* value;  ///< The executor or the initial accumulator.
};

/// Merges the options of a call. They must outlive the result, which refers to them. Throws std::invalid_argument if
/// there are two executors or two initial values.
reduce_options together(std::initializer_list<reduce_option_ref> all);
/// Also sets the shape to reduce.
reduce_options together(const shape& whole, std::initializer_list<reduce_option_ref> all);

/// Returns the options of a call whose results are accumulators.
inline reduce_options partially(reduce_options options) {
    options.stage = fold_stage::partial;
    return options;
}
/// Returns the options of a call whose elements are accumulators.
inline reduce_options of_partials(reduce_options options) {
    options.stage = fold_stage::from_partials;
    return options;
}

}  // namespace detail

/// One option of a reduction with accumulator type T: an initial value or an executor. The options of a call may come
/// in any order.
template <class T> class reduce_option {
    static_assert(detail::is_copied_as_bytes<T>, "an accumulator is copied as bytes");

  public:
    reduce_option() {}
    reduce_option(const foldwise::executor& executor) : executor_(executor), kind_(kind::executor) {}
    template <std::convertible_to<T> U> reduce_option(const initial_value<U>& initial) : kind_(kind::initial) {
        std::construct_at(&initial_, detail::kept<T>(initial.value, "foldwise::initial"));
    }

    /// For the library: refers to this object, which must outlive the result.
    detail::reduce_option_ref ref() const {
        if (kind_ == kind::initial) return {kind_, &initial_};
        return {kind_, &executor_};
    }

  protected:
    using kind = detail::reduce_option_kind;
    explicit reduce_option(kind one) : kind_(one) {}

  private:
    foldwise::executor executor_;
    union {
        T initial_;  // the active member if kind_ is kind::initial
    };
    kind kind_ = kind::nothing;
};

/// One option of a reduction along axes with accumulator type T: an initial value, an executor or keepdims.
template <class T> class axes_option : public reduce_option<T> {
  public:
    using reduce_option<T>::reduce_option;
    axes_option() = default;
    axes_option(keepdims_t) : reduce_option<T>(detail::reduce_option_kind::keepdims) {}
};

}  // namespace foldwise

#endif  // C++20
