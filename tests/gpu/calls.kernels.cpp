// tests/gpu/calls.kernels.cpp: kernels that are called with operands of every layout.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace gpu {

auto add = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return x + y; });
auto scale_shift = foldwise::vectorize<float(float, float, float), std::int8_t(std::int8_t, std::int8_t, std::int8_t)>(
    [](auto x, auto s, auto t) { return static_cast<decltype(x)>(x * s + t); });
auto sum_difference = foldwise::vectorize([](float x, float y) { return std::tuple{x + y, x - y}; });
auto places = foldwise::vectorize([](foldwise::index<2> at, std::int32_t x) { return at[0] * 1000 + at[1] + x; });
auto sum = foldwise::reduce<std::uint32_t, float>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto dot = foldwise::reduce<float(float, float)>(foldwise::map([](float x, float y) { return x * y; }),
                                                 foldwise::combine([](float a, float b) { return a + b; }),
                                                 foldwise::identity(0));
/// A polynomial's value, coefficient by coefficient: order matters.
struct affine {
    std::uint32_t a, b;  // x -> a * x + b
};
auto composed = foldwise::reduce<affine(std::uint32_t)>(foldwise::map([](foldwise::index<1> i, std::uint32_t x) {
                                                            return affine{static_cast<std::uint32_t>(2 * i + 1), x};
                                                        }),
                                                        foldwise::combine([](affine f, affine g) {
                                                            return affine{f.a * g.a, g.a * f.b + g.b};
                                                        }),
                                                        foldwise::identity(affine{1, 0}));

auto scaled = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> in,
                                  foldwise::view<float, 2> out, float factor) { out[at] = factor * in[at]; });

}  // namespace gpu
