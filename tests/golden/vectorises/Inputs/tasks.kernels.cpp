// Tasks with a loop in each, over an array whose extent nobody knows.
#include <foldwise/spec.hpp>

#include <cstdint>

auto filter = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x,
                                  foldwise::view<const float, 1> weights, foldwise::view<float, 1> out) {
    float sum = 0;
    for (std::int64_t k = 0; k < weights.extent(0); ++k) sum += weights[k] * x[i[0] + k];
    out[i] = sum;
});
