// What Python calls: folds and tasks.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace functions {

auto dot = foldwise::reduce<float(float, float), double(double, double)>(
    foldwise::map([](auto x, auto y) { return x * y; }), std::plus<>{}, foldwise::identity(0));
auto sum = foldwise::reduce<float, double, std::int64_t>(std::plus<>{}, foldwise::identity(0));
auto running = foldwise::scan<std::int64_t, double>(std::plus<>{}, foldwise::identity(0));
/// Every element times a number, turned round.
auto scaled_transpose =
    foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> x, float factor,
                        foldwise::view<float, 2> out) { out(at[1], at[0]) = x(at[0], at[1]) * factor; });

}  // namespace functions
