// tests/run/failures.kernels.cpp: one kernel of each pattern, called while memory runs out.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <tuple>

namespace run {

auto both = foldwise::vectorize([](std::uint32_t x, std::uint32_t y) { return std::tuple{x + y, x - y}; });
auto total = foldwise::reduce<std::uint32_t>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto turned = foldwise::forall([](foldwise::index<2> at, foldwise::view<const std::uint32_t, 2> in,
                                  foldwise::view<std::uint32_t, 2> out) { out(at[1], at[0]) = 3 * in[at]; });

/// So large that a few of them do not fit on a thread's stack.
struct page {
    std::uint32_t numbers[600];
};
auto firsts = foldwise::vectorize([](page a, page b) { return a.numbers[0] + b.numbers[0]; });

}  // namespace run
