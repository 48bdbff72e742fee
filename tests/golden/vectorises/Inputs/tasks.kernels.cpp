// Tasks with a loop in each, over an array whose extent nobody knows, and tasks that read under a condition.
#include <foldwise/spec.hpp>

#include <cstdint>

auto filter = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x,
                                  foldwise::view<const float, 1> weights, foldwise::view<float, 1> out) {
    float sum = 0;
    for (std::int64_t k = 0; k < weights.extent(0); ++k) sum += weights[k] * x[i[0] + k];
    out[i] = sum;
});

auto star = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> x, foldwise::view<float, 2> out) {
    const std::int64_t i = at[0], j = at[1];
    const bool isEdge = i < 1 || i + 1 >= x.extent(0) || j < 1 || j + 1 >= x.extent(1);
    out[at] = isEdge ? x[at] : 0.25f * (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1));
});
