// tests/distributed/checked.kernels.cpp: kernels of a checked build.
#include <foldwise/spec.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace watched {

auto twice = foldwise::vectorize<std::int64_t(std::int64_t)>([](std::int64_t x) { return 2 * x; });
auto square = foldwise::vectorize<std::int64_t(std::int64_t)>([](std::int64_t x) { return x * x; });
auto sum = foldwise::reduce<std::int64_t>(std::plus<>{}, foldwise::identity(0));

/// As long an accumulator as there may be.
using counts = std::array<std::int64_t, 8>;
auto most_alike = foldwise::reduce<std::int64_t(std::int64_t)>(
    foldwise::map([](std::int64_t x) {
        counts one{};
        one[static_cast<std::size_t>(x % 8)] = 1;
        return one;
    }),
    [](counts a, counts b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
    },
    foldwise::identity(counts{}), foldwise::finish([](counts all) {
        std::int64_t most = 0;
        for (const std::int64_t one : all) most = one > most ? one : most;
        return most;
    }));

}  // namespace watched
