#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace folds {

auto total = foldwise::reduce<std::int64_t, double>(std::plus<>{}, foldwise::identity(0));

struct moments {
    double n, mean, m2;
};
auto join = [](moments a, moments b) {
    const double n = a.n + b.n, d = b.mean - a.mean;
    return n == 0 ? a : moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
};
auto variance = foldwise::reduce<double(double)>(foldwise::map([](double x) {
                                                     return moments{1, x, 0};
                                                 }),
                                                 join, foldwise::identity(moments{0, 0, 0}),
                                                 foldwise::finish([](moments m) { return m.m2 / m.n; }));
/// What the accumulators of `variance` make together, without finishing them.
auto variance_joined = foldwise::reduce<moments>(join, foldwise::identity(moments{0, 0, 0}));

/// A step x -> a x + b, modulo 2^32. The order of steps matters.
struct step {
    std::uint32_t a, b;
};
auto follow = [](step first, step then) { return step{first.a * then.a, first.b * then.a + then.b}; };
auto walk = foldwise::reduce<std::uint32_t(std::uint32_t)>(foldwise::map([](std::uint32_t x) {
                                                               return step{x | 1, x >> 7};
                                                           }),
                                                           follow, foldwise::identity(step{1, 0}),
                                                           foldwise::finish([](step all) { return all.a ^ all.b; }));
auto walk_joined = foldwise::reduce<step>(follow, foldwise::identity(step{1, 0}));

}  // namespace folds
