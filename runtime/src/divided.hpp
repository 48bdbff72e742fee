// runtime/src/divided.hpp: how many parts of a size there are.
#pragma once

#include <cstdint>

namespace foldwise::detail {

/// Returns a quotient of positive numbers, rounded up.
constexpr std::int64_t divided(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

}  // namespace foldwise::detail
