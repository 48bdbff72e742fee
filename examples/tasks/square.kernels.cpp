// A matrix times itself: one task for each element of the result, with the inner product as its loop.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace matrix {

auto square =
    foldwise::forall([](foldwise::index<2> at, foldwise::view<const double, 2> m, foldwise::view<double, 2> squared) {
        const auto [row, column] = at;
        double sum = 0;
        for (std::int64_t k = 0; k < m.extent(1); ++k) sum += m(row, k) * m(k, column);
        squared[at] = sum;
    });

}  // namespace matrix
