// tests/gpu/host_arrays.kernels.cpp: kernels that are called with arrays on the host.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace host_arrays {

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto split = foldwise::vectorize([](std::int32_t v) {
    return std::tuple<std::uint8_t, double>{static_cast<std::uint8_t>(v % 251), v / 2.0};
});
auto place = foldwise::vectorize([](foldwise::index<1> i, std::int8_t x) { return static_cast<std::int64_t>(i) + x; });
auto places = foldwise::vectorize([](foldwise::index<2> at, std::int32_t x) { return at[0] * 1000 + at[1] + x; });
auto numbered = foldwise::vectorize([](foldwise::index<1> i) { return static_cast<std::int32_t>(3 * i); });
auto sum = foldwise::reduce<std::uint32_t>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto scaled = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> in, foldwise::view<float, 1> out,
                                  float factor) { out[i] = factor * in[i]; });
// Each task in a row of its own, and both views know which that is.
auto turned_rows = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> in,
                                       foldwise::view<const std::int8_t, 1> add, foldwise::view<double, 2> out) {
    out[at] = in(at[0], in.extent(1) - 1 - at[1]) + add(at[0]) + static_cast<double>(at[0]) * 1e4;
});

}  // namespace host_arrays
