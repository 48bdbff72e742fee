// bench/cub_reduce.kernels.cpp: what CUB's benchmarks of DeviceReduce compute (NVIDIA/cccl, cub/benchmarks/bench/reduce
// and transform_reduce).
#include "cub_suite_types.hpp"

#include <foldwise/spec.hpp>

#include <complex>
#include <cstdint>
#include <limits>

namespace cub_suite {

using complex = std::complex<float>;

auto sum = foldwise::reduce<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double, foldwise::half,
                            foldwise::bfloat16>([](auto a, auto b) { return static_cast<decltype(a)>(a + b); },
                                                foldwise::identity(0));
auto sum_complex = foldwise::reduce<complex>([](complex a, complex b) { return a + b; },
                                             foldwise::identity(complex(0, 0)), foldwise::commutative);

auto min = foldwise::reduce<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double, foldwise::half,
                            foldwise::bfloat16>([](auto a, auto b) { return b < a ? b : a; }, foldwise::highest);

/// "Custom" there, because CUB does not know this maximum for one.
auto max = foldwise::reduce<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(
    [](auto a, auto b) { return a < b ? b : a; }, foldwise::lowest);

auto sum_of_squares = foldwise::reduce<std::int32_t, float, double>(
    foldwise::map([](auto x) { return static_cast<decltype(x)>(x * x); }),
    [](auto a, auto b) { return static_cast<decltype(a)>(a + b); }, foldwise::identity(0));

auto argmin = foldwise::reduce<extremum<std::int32_t>(std::int32_t), extremum<float>(float)>(
    foldwise::map([](foldwise::index<1> i, auto v) {
        return extremum<decltype(v)>{v, i};
    }),
    [](auto a, auto b) { return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a; },
    foldwise::no_identity, foldwise::commutative);

}  // namespace cub_suite
