// tests/run/blocks.hpp: struct types whose sizes no number has.
#pragma once

#include <cstdint>

namespace run {

/// Elements of 3, 12, 16 and 24 bytes.
template <class T, int N> struct block {
    T values[N];
    constexpr block operator+(const block& other) const {
        block sum{};
        for (int i = 0; i < N; ++i) sum.values[i] = static_cast<T>(values[i] + other.values[i]);
        return sum;
    }
    constexpr bool operator==(const block&) const = default;
};
using block3 = block<std::uint8_t, 3>;
using block12 = block<std::uint32_t, 3>;
using block16 = block<std::uint64_t, 2>;
using block24 = block<std::uint64_t, 3>;

/// A number that only a member function tells.
class told {
  public:
    told() = default;
    constexpr explicit told(std::int64_t number) : number_(static_cast<std::int16_t>(number)) {}
    constexpr operator std::int32_t() const { return number_; }

  private:
    std::int16_t number_;
};

}  // namespace run
