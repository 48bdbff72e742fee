// tests/gpu/separable_other.kernels.cpp: kernels of a CHECKED build, linked with those of another file.
#include "separable_helpers.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>

namespace separable {

auto other_next = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x,
                                      foldwise::view<float, 1> out) { out[i] = element(x, i + 1); });
auto other_quotient = foldwise::vectorize([](std::int32_t x, std::int32_t y) { return x / y; });
auto other_shares = foldwise::reduce<std::int32_t>(
    foldwise::map([](std::int32_t x) { return 12 / x; }), [](auto a, auto b) { return a + b; }, foldwise::identity(0));

}  // namespace separable
