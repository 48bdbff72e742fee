#include "seen.hpp"

#include <foldwise/spec.hpp>

namespace kernels {
auto seen = foldwise::vectorize([](int x) { return x + ::seen(); });
auto sum = foldwise::reduce<int>([](int a, int b) { return a + b; }, foldwise::identity(0));
auto fill = foldwise::forall([](foldwise::index<1> i, foldwise::view<int, 1> out) { out[i] = 1; });
}  // namespace kernels
