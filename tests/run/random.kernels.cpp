// tests/run/random.kernels.cpp: random numbers in every pattern, and reductions of a bare shape.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>

namespace run {

using foldwise::index;
using foldwise::random;

inline constexpr int draws = 11;

/// Several words of each stream, from some block on.
auto words = foldwise::forall([](index<1> i, foldwise::view<std::uint32_t, 2> out, std::uint64_t seed,
                                 std::uint64_t stream, std::uint64_t block) {
    random draw(seed, stream + static_cast<std::uint64_t>(std::int64_t{i}), block);
    for (std::int64_t k = 0; k < out.extent(1); ++k) out(i, k) = draw.bits();
});

/// Every draw whose bits are the same everywhere, one after the other from one stream.
auto exact = foldwise::vectorize([](index<1> i, std::uint64_t seed) {
    random draw(seed, i);
    const float single = draw.uniform();
    const double twice = draw.uniform<double>();
    const foldwise::half narrow = draw.uniform<foldwise::half>();
    const foldwise::bfloat16 short_one = draw.uniform<foldwise::bfloat16>();
    const std::int32_t small = draw.below(1'000'003);
    const std::uint64_t large = draw.below(std::uint64_t{3} << 60);
    return std::tuple{single, twice, narrow, short_one, small, large};
});
auto rounded = foldwise::vectorize([](index<1> i, std::uint64_t seed) {
    random draw(seed, i);
    const float first = draw.normal(), second = draw.normal();
    const double third = draw.normal<double>(), fourth = draw.normal<double>();
    return std::tuple{first, second, third, fourth, draw.exponential(), draw.exponential<double>()};
});

/// Fills of arrays, whose elements share blocks.
auto bits_at = foldwise::vectorize([](index<1> i, std::uint64_t seed) { return random::at(seed, i).bits(); });
auto uniform_at = foldwise::vectorize([](index<1> i, std::uint64_t seed) { return random::at(seed, i).uniform(); });
auto uniform_double_at =
    foldwise::vectorize([](index<1> i, std::uint32_t seed) { return random::at(seed, i).uniform<double>(); });
auto uniform_half_at =
    foldwise::vectorize([](index<1> i, std::uint32_t seed) { return random::at(seed, i).uniform<foldwise::half>(); });
auto normal_at = foldwise::vectorize([](index<1> i, std::uint32_t seed) { return random::at(seed, i).normal(); });
auto normal_double_at =
    foldwise::vectorize([](index<1> i, std::uint64_t seed) { return random::at(seed, i).normal<double>(); });
auto noisy = foldwise::vectorize<float(float, std::uint64_t)>([](index<2> at, auto x, auto seed) {
    return x + random::at(seed, static_cast<std::uint64_t>(1000 * at[0] + at[1])).uniform();
});

/// States that go from one launch to the next.
auto continued =
    foldwise::forall([](index<1> i, foldwise::view<foldwise::xoroshiro128p, 1> states, foldwise::view<double, 2> out) {
        foldwise::xoroshiro128p state = states[i];
        for (std::int64_t k = 0; k < out.extent(1); ++k) out(i, k) = state.uniform<double>();
        states[i] = state;
    });
auto found =
    foldwise::vectorize([](index<1> i, std::uint64_t seed) { return foldwise::xoroshiro128p(seed, 1000 * i).bits(); });

/// Reductions of a bare shape.
auto inside = foldwise::reduce<std::int64_t(std::uint64_t)>(foldwise::map([](index<1> i, std::uint64_t seed) {
                                                                random draw(seed, i);
                                                                const float x = draw.uniform(), y = draw.uniform();
                                                                return std::int64_t{x * x + y * y < 1};
                                                            }),
                                                            std::plus<>{}, foldwise::identity(0));
auto triangle = foldwise::reduce<std::int64_t()>(foldwise::map([](index<1> i) { return std::int64_t{i}; }),
                                                 std::plus<>{}, foldwise::identity(0));
auto table = foldwise::reduce<std::int64_t(std::int32_t)>(
    foldwise::map([](index<2> at, std::int32_t x) { return 1000 * at[0] + at[1] + x; }), std::plus<>{},
    foldwise::identity(0));
/// The last index along the folded axes: neither commutative nor with an identity.
auto last = foldwise::reduce<std::int64_t()>(
    foldwise::map([](index<3> at) { return 10'000 * at[0] + 100 * at[1] + at[2]; }),
    [](std::int64_t, std::int64_t b) { return b; }, foldwise::no_identity);

}  // namespace run
