#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::view;

auto small = foldwise::guvectorize("(2,3),(3,2)->(2,2)", [](view<const float, 2> a, view<const float, 2> b,
                                                            view<float, 2> c) {
    for (std::int64_t i = 0; i < c.extent(0); ++i)
        for (std::int64_t j = 0; j < c.extent(1); ++j) {
            float sum = 0;
            for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
});
