// foldwise/scan_options.hpp: the options of a call of a scan: axis, exclusive, reverse, initial value, where it begins
// anew, and executor.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace foldwise {

/// `running(x, exclusive)`: the i-th result combines the elements before the i-th; the first is the initial value or
/// the identity.
struct exclusive_t {};
inline constexpr exclusive_t exclusive;

/// `running(x, reverse)` begins at the last element: the i-th result combines the elements from the last to the i-th,
/// in that order.
struct reverse_t {};
inline constexpr reverse_t reverse;

namespace detail {

/// All options of one call of a scan.
struct scan_options {
    const void* initial = nullptr;         ///< The initial accumulator; null if there is none.
    const foldwise::axes* axes = nullptr;  ///< Null: all elements, in row-major order.
    const restarts* where = nullptr;       ///< Null: the scan begins once, or once per row.
    foldwise::executor executor = {};
    bool has_executor = false;
    bool is_exclusive = false, is_reverse = false;
    const shape* whole = nullptr;  ///< The shape to scan; null if it is that of the inputs.
};

}  // namespace detail

/// One option of a scan with accumulator type T. The options of a call may come in any order.
template <class T> class scan_option {
    static_assert(detail::is_copied_as_bytes<T>, "an accumulator is copied as bytes");

  public:
    scan_option() {}
    scan_option(exclusive_t) : what_(what::is_exclusive) {}
    scan_option(reverse_t) : what_(what::is_reverse) {}
    scan_option(const foldwise::axes& axes) : axes_(axes), what_(what::axes) {}
    scan_option(const foldwise::executor& executor) : executor_(executor), what_(what::executor) {}
    scan_option(const key_range& keys) : restarts_(keys), what_(what::restarts) {}
    scan_option(const offset_range& offsets) : restarts_(offsets), what_(what::restarts) {}
    template <std::convertible_to<T> U> scan_option(const initial_value<U>& initial) : what_(what::initial) {
        std::construct_at(reinterpret_cast<T*>(initial_), static_cast<T>(initial.value));
    }

    /// For the library: adds this option to those of a call, which then refer to it. Throws std::invalid_argument if an
    /// option of this kind has already been given.
    void add_to(detail::scan_options& options) const {
        const auto check = [](bool is_second, const char* one) {
            if (is_second) detail::refuse_second_option(one);
        };
        switch (what_) {
        case what::nothing:
            return;
        case what::is_exclusive:
            check(options.is_exclusive, "exclusive");
            options.is_exclusive = true;
            return;
        case what::is_reverse:
            check(options.is_reverse, "reverse");
            options.is_reverse = true;
            return;
        case what::axes:
            check(options.axes, "axis");
            options.axes = &axes_;
            return;
        case what::executor:
            check(options.has_executor, "executor");
            options.executor = executor_;
            options.has_executor = true;
            return;
        case what::restarts:
            check(options.where, "by_key or segments");
            options.where = &restarts_;
            return;
        case what::initial:
            check(options.initial, "initial value");
            options.initial = initial_;
            return;
        }
    }

  private:
    enum class what : unsigned char { nothing, is_exclusive, is_reverse, axes, executor, restarts, initial };

    foldwise::axes axes_;
    foldwise::executor executor_;
    detail::restarts restarts_;
    alignas(T) std::byte initial_[sizeof(T)] = {};  // a T if what_ is what::initial
    what what_ = what::nothing;
};

namespace detail {

/// Merges the options of a call of a scan. They must outlive the result, which refers to them.
template <class T> scan_options together(std::initializer_list<const scan_option<T>*> all) {
    scan_options options;
    for (const scan_option<T>* one : all) one->add_to(options);
    return options;
}
/// Also sets the shape to scan.
template <class T> scan_options together(const shape& whole, std::initializer_list<const scan_option<T>*> all) {
    scan_options options = together(all);
    options.whole = &whole;
    return options;
}

}  // namespace detail

}  // namespace foldwise

#endif  // C++20
