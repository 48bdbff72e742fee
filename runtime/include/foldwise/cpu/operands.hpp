// foldwise/cpu/operands.hpp: how emitted kernels read elements and take results on the CPU, and bools as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace foldwise::cpu {

/// Returns a bool as an integer, and any other value as it is. GCC 12 makes no vector code of a bool that becomes a
/// floating-point number, and does if it is an integer in between. A short is exact in all of them, so that compilers
/// do not warn of its conversion.
constexpr short as_integer(bool value) { return value; }
template <class T> constexpr T as_integer(T value) { return value; }

/// The elements of an array of bools. They are read as bytes, of which GCC 12 makes vector code.
class bool_elements {
  public:
    explicit bool_elements(const void* first) : bytes_(static_cast<const unsigned char*>(first)) {}
    bool operator[](std::int64_t i) const { return bytes_[i] != 0; }

  private:
    const unsigned char* bytes_;
};

/// The elements of type T of an operand.
template <class T> auto elements(const void* first) {
    if constexpr (std::is_same_v<T, bool>)
        return bool_elements(first);
    else
        return static_cast<const T*>(first);
}

/// The elements of rows of an operand, `step` elements apart.
template <class Elements> class rows_of {
  public:
    rows_of(Elements all, std::int64_t step) : all_(all), step_(step) {}
    auto operator()(std::int64_t row, std::int64_t i) const { return all_[row * step_ + i]; }

  private:
    Elements all_;
    std::int64_t step_;
};

/// The elements of type T of rows of an operand.
template <class T> auto rows(const void* first, std::int64_t step) { return rows_of(elements<T>(first), step); }

/// Returns one of several results, a half, bfloat16 or complex number, made anew from its parts: GCC 12 makes no vector
/// code of loops that copy a class as a whole out of a tuple or pair.
template <std::size_t I, class Results> auto get_by_parts(const Results& results) {
    const auto& one = std::get<I>(results);
    using type = std::tuple_element_t<I, Results>;
    if constexpr (requires { type::from_bits(one.bits()); })
        return type::from_bits(one.bits());
    else if constexpr (requires { type(one.real(), one.imag()); })
        return type(one.real(), one.imag());
    else
        return one;
}

}  // namespace foldwise::cpu
