// tests/gpu/separable_helpers.hpp: a function that both specs have, and that is one when they are linked.
#pragma once

#include <foldwise/spec.hpp>

#include <cstdint>

namespace separable {

inline float element(foldwise::view<const float, 1> x, std::int64_t i) { return x[i]; }

}  // namespace separable
