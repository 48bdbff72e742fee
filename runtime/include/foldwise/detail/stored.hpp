// foldwise/detail/stored.hpp: values that are copied as bytes, tuples among them.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foldwise::detail {

/// Returns a value as one of type T, which it may be already. (A cast that changes nothing is a warning of GCC's,
/// unless it is in a template.)
template <class T, class From> FOLDWISE_HD constexpr T converted(const From& from) { return static_cast<T>(from); }

/// Whether values of type T may be copied as bytes, between host and GPU too: trivially copyable types, and pairs and
/// tuples of them. The standard library's pairs and tuples are assigned by functions of their own, which the language
/// does not count as trivial, but which only copy the members.
template <class T> inline constexpr bool is_copied_as_bytes = std::is_trivially_copyable_v<T>;
template <class A, class B>
inline constexpr bool is_copied_as_bytes<std::pair<A, B>> = is_copied_as_bytes<A>&& is_copied_as_bytes<B>;
template <class... T> inline constexpr bool is_copied_as_bytes<std::tuple<T...>> = (is_copied_as_bytes<T> && ...);

/// A pair or tuple in a form that is trivially copyable, with the same size, alignment and bytes. Kernels keep their
/// accumulators in it: in unions, shared memory and registers.
template <class T> class stored {
    static_assert(is_copied_as_bytes<T>);

  public:
    stored() = default;
    FOLDWISE_HD stored(const T& value) { memcpy(words_, static_cast<const void*>(&value), sizeof(T)); }

    FOLDWISE_HD T value() const {
        union uninitialised {
            T value;
            FOLDWISE_HD uninitialised() {}
        } copy;
        memcpy(static_cast<void*>(&copy.value), words_, sizeof(T));
        return copy.value;
    }

  private:
    // Of bytes, nvcc would keep each in a register of its own.
    using word = std::conditional_t<alignof(T) % 4 == 0, std::uint32_t,
                                    std::conditional_t<alignof(T) == 2, std::uint16_t, unsigned char>>;
    alignas(T) word words_[sizeof(T) / sizeof(word)];
};

}  // namespace foldwise::detail
