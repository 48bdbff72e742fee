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
struct exclusive_t {
    __attribute__((unavailable("write exclusive, and initial(value) beside it"))) exclusive_t
    operator()(double = 0) const;
};
inline constexpr exclusive_t exclusive;

/// `running(x, reverse)` begins at the last element: the i-th result combines the elements from the last to the i-th,
/// in that order.
struct reverse_t {
    __attribute__((unavailable("write reverse without parentheses"))) reverse_t operator()(bool = true) const;
};
inline constexpr reverse_t reverse;

namespace detail {

/// For the library, instead of an initial value: a call that is one of the parts of a scan of more rows than it has.
/// Accumulators are in the host's memory, one for each row along the scanned axis, in row-major order.
struct scan_part {
    const void* starts = nullptr;  ///< What each row begins with; null: as in any other call.
    void* ends = nullptr;          ///< If this is set, it becomes what each row makes, and there are no results.
};

/// All options of one call of a scan, which they refer to.
struct scan_options {
    const void* initial = nullptr;                 ///< The initial accumulator; null if there is none.
    const foldwise::axes* axes = nullptr;          ///< Null: all elements, in row-major order.
    const scan_part* part = nullptr;               ///< Null: the call is no part of another one.
    const restarts* where = nullptr;               ///< Null: the scan begins once, or once per row.
    const foldwise::executor* executor = nullptr;  ///< Null: none was given.
    bool is_exclusive = false, is_reverse = false;
    const shape* whole = nullptr;  ///< The shape to scan; null if it is that of the inputs.

    /// Returns the executor that was given, or the default one.
    const foldwise::executor& where_to_run() const;
};

/// What an option of a scan says.
enum class scan_option_kind : unsigned char { nothing, exclusive, reverse, axes, executor, restarts, initial, part };

/// One option of a call, which it refers to.
struct scan_option_ref {
    scan_option_kind kind;
    const void*
        value;  ///< The axes, the executor, the restarts, the part or the initial accumulator; null for other kinds.
};

/// Merges the options of a call of a scan. They must outlive the result, which refers to them. Throws
/// std::invalid_argument if there are two of one kind.
scan_options together(std::initializer_list<scan_option_ref> all);
/// Also sets the shape to scan.
scan_options together(const shape& whole, std::initializer_list<scan_option_ref> all);

}  // namespace detail

/// One option of a scan with accumulator type T. The options of a call may come in any order.
template <class T> class scan_option {
    static_assert(detail::is_copied_as_bytes<T>, "an accumulator is copied as bytes");

  public:
    scan_option() {}
    scan_option(exclusive_t) : kind_(kind::exclusive) {}
    scan_option(reverse_t) : kind_(kind::reverse) {}
    scan_option(const foldwise::axes& axes) : axes_(axes), kind_(kind::axes) {}
    scan_option(const foldwise::executor& executor) : executor_(executor), kind_(kind::executor) {}
    scan_option(const key_range& keys) : restarts_(keys), kind_(kind::restarts) {}
    scan_option(const offset_range& offsets) : restarts_(offsets), kind_(kind::restarts) {}
    scan_option(const detail::scan_part& part) : part_(part), kind_(kind::part) {}
    template <std::convertible_to<T> U> scan_option(const initial_value<U>& initial) : kind_(kind::initial) {
        std::construct_at(reinterpret_cast<T*>(initial_), detail::kept<T>(initial.value, "foldwise::initial"));
    }

    /// For the library: refers to this object, which must outlive the result.
    detail::scan_option_ref ref() const {
        switch (kind_) {
        case kind::axes:
            return {kind_, &axes_};
        case kind::executor:
            return {kind_, &executor_};
        case kind::restarts:
            return {kind_, &restarts_};
        case kind::initial:
            return {kind_, initial_};
        case kind::part:
            return {kind_, &part_};
        case kind::nothing:
        case kind::exclusive:
        case kind::reverse:
            break;
        }
        return {kind_, nullptr};
    }

  private:
    using kind = detail::scan_option_kind;

    foldwise::axes axes_;
    foldwise::executor executor_;
    detail::restarts restarts_;
    detail::scan_part part_;
    alignas(T) std::byte initial_[sizeof(T)] = {};  // a T if kind_ is kind::initial
    kind kind_ = kind::nothing;
};

}  // namespace foldwise

#endif  // C++20
