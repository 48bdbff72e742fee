// tests/gpu/separable_helpers.hpp: an inline function that both specs include, of which linking keeps one
// definition.
#pragma once

#include <foldwise/spec.hpp>

#include <cstdint>

namespace separable {

inline float element(foldwise::view<const float, 1> x, std::int64_t i) { return x[i]; }

}  // namespace separable
